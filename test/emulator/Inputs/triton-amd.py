"""Runs kernels that Triton compiles for AMD GPUs in the emulator, and compares with results of Python.

  triton-amd.py libtilecc_emu_amd.so
"""
import array
import math
import random
import struct
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from emulator import Emulator


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * n
    value = tl.load(x + row + i, mask=i < n, other=-float("inf"))
    power = tl.exp(value - tl.max(value, 0))
    tl.store(out + row + i, power / tl.sum(power, 0), mask=i < n)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))


@triton.jit
def scan(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.cumsum(tl.load(x + i), 0))


@triton.jit
def matmul(a, b, c, N, K, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, K, DEPTH):
        left = tl.load(a + rows[:, None] * K + (k + depth)[None, :])
        right = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


class Case:
    def __init__(self, device, target):
        self.device, self.target, self.random = device, target, random.Random(1)

    def numbers(self, count, code="f"):
        # Numbers with few bits, which halves represent exactly.
        values = [self.random.randrange(-128, 128) / 64 for _ in range(count)]
        if code == "bf16":
            data = b"".join(struct.pack("<f", value)[2:] for value in values)
        else:
            data = struct.pack(f"<{count}{code}", *values)
        return values, self.device.put(data)

    def room(self, count):
        return self.device.put(bytes(4 * count))

    def run(self, kernel, types, constants, grid, args):
        signature = dict(zip(kernel.arg_names, types + ["constexpr"] * len(constants)))
        compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=self.target,
                                  options={"num_warps": 4})
        findings = self.device.launch(compiled.asm["hsaco"], compiled.metadata.name, grid, 4 * self.target.warp_size,
                                      compiled.metadata.shared, args)
        for finding in findings:
            print(finding)

    def floats(self, address, count):
        return array.array("f", self.device.get(address, 4 * count))

    def check(self, name, found, expected, tolerance):
        worst = max(abs(f - e) / max(1, abs(e)) for f, e in zip(found, expected))
        print(f"{self.target.arch} {name}: {'right' if worst <= tolerance else f'wrong by {worst}'}")

    def all(self):
        n = 3000
        (x, xs), (y, ys), out = self.numbers(n), self.numbers(n), self.room(n)
        self.run(add, ["*fp32"] * 3 + ["i32"], {"BLOCK": 1024}, [3], [xs, ys, out, n])
        self.check("add", self.floats(out, n), [a + b for a, b in zip(x, y)], 0)

        self.run(softmax, ["*fp32"] * 2 + ["i32"], {"BLOCK": 1024}, [3], [xs, out, 1000])
        rows = [[math.exp(v) for v in x[r:r + 1000]] for r in range(0, n, 1000)]
        self.check("softmax", self.floats(out, n), [v / sum(row) for row in rows for v in row], 1e-6)

        result = self.room(1)
        self.run(total, ["*fp32"] * 2 + ["i32"], {"BLOCK": 1024}, [3], [xs, result, n])
        self.check("total", self.floats(result, 1), [sum(x)], 1e-5)

        self.run(scan, ["*fp32"] * 2, {"BLOCK": 1024}, [1], [xs, out])
        self.check("scan", self.floats(out, 1024), [sum(x[:i + 1]) for i in range(1024)], 1e-5)

        for name, code in (("fp16", "e"), ("bf16", "bf16")):
            (a, left), (b, right), c = self.numbers(128 * 64, code), self.numbers(64 * 128, code), self.room(128 * 128)
            self.run(matmul, [f"*{name}"] * 2 + ["*fp32", "i32", "i32"], {"BLOCK": 64, "DEPTH": 32}, [2, 2],
                     [left, right, c, 128, 64])
            expected = [sum(a[i * 64 + k] * b[k * 128 + j] for k in range(64)) for i in range(128) for j in range(128)]
            self.check(f"matmul of {name}", self.floats(c, 128 * 128), expected, 1e-5)


for arch, lanes in (("gfx942", 64), ("gfx1100", 32), ("gfx1201", 32)):
    for schedule in ("fast", "random"):
        with Emulator(sys.argv[1], schedule=schedule, seed=1) as device:
            Case(device, GPUTarget("hip", arch, lanes)).all()
