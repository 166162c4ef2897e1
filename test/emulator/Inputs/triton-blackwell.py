"""Compiles kernels with Triton for sm_100 and runs their PTX on the emulator, which needs no GPU. With --tcc=PROGRAM, tcc generates
the PTX from Triton's finished TTGIR.

  triton-blackwell.py libtilecc_emu.so [case ...]             checks the results, in two schedules
  triton-blackwell.py --mutants libtilecc_emu.so [case ...]   removes each wait, arrival, commit and fence, one at a time

In the default schedule, the tensor core and copies run as late as possible; in a random one, at any time.
"""
import json
import math
import operator
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from emulator import Emulator, Failure, TensorMap  # noqa: E402

os.environ["TRITON_ALWAYS_COMPILE"] = "1"
cache = tempfile.TemporaryDirectory()
os.environ["TRITON_CACHE_DIR"] = cache.name
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

# ---------------------------------------------------------------- kernels


@triton.jit
def by_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    left = a + rows[:, None] * K + depth[None, :]
    right = b + columns[None, :] * K + depth[:, None]
    sums = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += BK
        right += BK
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def by_copies(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ALONG_N: tl.constexpr,
              SPECIALIZED: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=SPECIALIZED):
        if ALONG_N:
            right = b.load([k, column])
        else:
            right = b.load([column, k]).T
        sums = tl.dot(a.load([row, k]), right, sums)
    c.store([row, column], sums.to(tl.bfloat16))


@triton.jit
def scaled(a, sa, b, sb, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FORMAT: tl.constexpr, GROUP: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1)
    UNITS: tl.constexpr = BK // GROUP // 4
    BYTES: tl.constexpr = BK // 2 if FORMAT == "e2m1" else BK
    sums = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        fa = sa.load([0, row, k * UNITS, 0, 0]).reshape(1, UNITS, 32, 4, 4).trans(0, 3, 2, 1, 4).reshape(BM, BK // GROUP)
        fb = sb.load([0, column, k * UNITS, 0, 0]).reshape(1, UNITS, 32, 4, 4).trans(0, 3, 2, 1, 4).reshape(BN, BK // GROUP)
        sums = tl.dot_scaled(a.load([row * BM, k * BYTES]), fa, FORMAT, b.load([column * BN, k * BYTES]).T, fb, FORMAT, sums)
    c.store([row * BM, column * BN], sums.to(tl.bfloat16))


@triton.jit
def scaled_rows(a, sa, b, sb, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FORMAT: tl.constexpr, GROUP: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    PACKED: tl.constexpr = 2 if FORMAT == "e2m1" else 1
    bytes = tl.arange(0, BK // PACKED)
    scales = tl.arange(0, BK // GROUP)
    sums = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * (K // PACKED) + k // PACKED + bytes[None, :])
        y = tl.load(b + columns[None, :] * (K // PACKED) + k // PACKED + bytes[:, None])
        fx = tl.load(sa + rows[:, None] * (K // GROUP) + k // GROUP + scales[None, :])
        fy = tl.load(sb + columns[:, None] * (K // GROUP) + k // GROUP + scales[None, :])
        sums = tl.dot_scaled(x, fx, FORMAT, y, fy, FORMAT, sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def attention(q, k, v, o, scale, N, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, SPECIALIZED: tl.constexpr):
    first = tl.program_id(0) * BM
    queries = q.load([first, 0])
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.full((BM,), 0.0, tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for j in tl.range(0, N, BN, warp_specialize=SPECIALIZED):
        scores = tl.dot(queries, k.load([j, 0]).T)
        now = tl.maximum(most, tl.max(scores, 1) * scale)
        weights = tl.math.exp2(scores * scale - now[:, None])
        change = tl.math.exp2(most - now)
        sums = tl.dot(weights.to(tl.bfloat16), v.load([j, 0]), sums * change[:, None])
        total = total * change + tl.sum(weights, 1)
        most = now
    o.store([first, 0], (sums / total[:, None]).to(tl.bfloat16))


# ---------------------------------------------------------------- numbers

BF16, BYTE = ("H", 2, 9), ("B", 1, 0)  # of struct, bytes, CUtensorMapDataType


def bf16_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0] >> 16


def from_bf16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def pack(kind, values):
    return struct.pack(f"<{len(values)}{kind[0]}", *values)


def draw(generator, rows, columns, table):
    """A matrix of numbers from the table, which maps numbers to bits, and the matrix of their bits."""
    bits = [[generator.choice(list(table)) for _ in range(columns)] for _ in range(rows)]
    return [[table[x] for x in row] for row in bits], [x for row in bits for x in row]


SMALL = {bf16_bits(x): x for x in (-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 3.0)}
E4M3 = {0x00: 0.0, 0x38: 1.0, 0xB8: -1.0, 0x40: 2.0, 0x30: 0.5, 0xC4: -3.0}
E2M1 = {sign << 3 | i: (-1.0 if sign else 1.0) * x for sign in (0, 1) for i, x in enumerate((0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0))}
POWERS = {bits: 2.0 ** (bits - 127) for bits in (125, 126, 127, 128, 129)}


def dot(a, b):
    return sum(map(operator.mul, a, b))


def product(a, b):
    return [[dot(row, column) for column in b] for row in a]


# ---------------------------------------------------------------- cases


class Compiled:
    def __init__(self, kernel, arguments, constants, warps=4, stages=3, blocks=1):
        names = kernel.arg_names
        types = dict(arguments) | {name: "constexpr" for name in constants}
        source = ASTSource(fn=kernel, signature={name: types[name] for name in names},
                           constexprs={(names.index(name),): value for name, value in constants.items()},
                           attrs={(i,): [["tt.divisibility", 16]] for i, name in enumerate(names)
                                  if types[name].startswith(("*", "i32"))})
        made = triton.compile(source, target=GPUTarget("cuda", 100, 32),
                              options={"num_warps": warps, "num_stages": stages, "num_ctas": blocks})
        self.ptx, self.name, self.shared, self.blocks = made.asm["ptx"], made.metadata.name, made.metadata.shared, blocks
        self.maps = list(getattr(made.metadata, "tensordesc_meta", None) or [])
        if TCC:
            self.compile_by_tcc(made.asm["ttgir"])
        self.threads = int(re.search(r"\.reqntid (\d+)", self.ptx)[1])

    def compile_by_tcc(self, ttgir):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "kernel.ttgir")
            with open(file, "w") as out:
                out.write(ttgir)
            common = [TCC, "-arch=sm_100a", file, "-o", "-"]
            self.ptx = subprocess.run([*common, "--emit=ptx"], check=True, capture_output=True, text=True).stdout
            info = json.loads(subprocess.run([*common, "--emit=json"], check=True, capture_output=True, text=True).stdout)
        self.shared = info["kernels"][0]["variants"][0]["launches"][0]["shared_bytes"]


def tensor(meta, kind, address, shape):
    """The arguments that Triton passes for a tensor descriptor: the map, the sizes, the strides."""
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    encoded = TensorMap(address, kind[2], shape[::-1], [stride * kind[1] for stride in strides[::-1][1:]],
                        meta["block_size"][::-1], meta["swizzle"])
    return [encoded, *shape, *strides]


class Case:
    """compile() compiles the kernel; run(device, kernel) returns the results and the expected results."""


class Matmul(Case):
    def __init__(self, m, n, k, tile, copies=True, along_n=False, specialized=False, blocks=1):
        self.size, self.tile, self.copies, self.specialized, self.blocks = (m, n, k), tile, copies, specialized, blocks
        self.along_n = along_n  # adjacent elements of B in memory

    def compile(self):
        bm, bn, bk = self.tile
        sizes = {"M": "i32", "N": "i32", "K": "i32"}
        if not self.copies:
            return Compiled(by_pointers, {"a": "*bf16", "b": "*bf16", "c": "*bf16"} | sizes, {"BM": bm, "BN": bn, "BK": bk})
        tensors = {"a": f"tensordesc<bf16[{bm},{bk}]>", "c": f"tensordesc<bf16[{bm},{bn}]>",
                   "b": f"tensordesc<bf16[{bk},{bn}]>" if self.along_n else f"tensordesc<bf16[{bn},{bk}]>"}
        return Compiled(by_copies, tensors | sizes, {"BM": bm, "BN": bn, "BK": bk, "ALONG_N": self.along_n, "SPECIALIZED": self.specialized},
                        blocks=self.blocks)

    def data(self):
        m, n, k = self.size
        generator = random.Random(1)
        a, a_bits = draw(generator, m, k, SMALL)
        b, b_bits = draw(generator, n, k, SMALL)
        if self.along_n:
            b_bits = [b_bits[j * k + i] for i in range(k) for j in range(n)]
        return pack(BF16, a_bits), pack(BF16, b_bits), product(a, b)

    def run(self, device, kernel, ptx):
        m, n, k = self.size
        a, b, want = self.known if hasattr(self, "known") else self.data()
        self.known = a, b, want
        pa, pb, pc = device.put(a), device.put(b), device.put(bytes(2 * m * n))
        args = [pa, pb, pc, m, n, k]
        if self.copies:
            args = [x for i, (address, shape) in enumerate([(pa, (m, k)), (pb, (k, n) if self.along_n else (n, k)), (pc, (m, n))])
                    for x in tensor(kernel.maps[i], BF16, address, shape)] + [m, n, k]
        findings = device.launch(ptx, kernel.name, (m // self.tile[0], n // self.tile[1]), kernel.threads, kernel.shared, args,
                                 self.blocks)
        got = struct.unpack(f"<{m * n}H", device.get(pc, 2 * m * n))
        return [from_bf16(x) for x in got], [x for row in want for x in row], findings


class Scaled(Case):
    """Numbers of one format, with powers of two as scales for 32 neighbours, or 8-bit floats for 16. Scales are rows in memory, or
    blocks of 128 rows that descriptors copy."""

    def __init__(self, form="e4m3", group=32, tile=(128, 128, 128), in_rows=False):
        self.form, self.group, self.tile, self.in_rows = form, group, tile, in_rows
        self.packed = 2 if form == "e2m1" else 1

    def compile(self):
        bm, bn, bk = self.tile
        number, scale = ("fp8e4nv", "u8") if self.packed == 1 else ("u8", "u8" if self.group == 32 else "fp8e4nv")
        sizes = {"M": "i32", "N": "i32", "K": "i32"}
        constants = {"BM": bm, "BN": bn, "BK": bk, "FORMAT": self.form, "GROUP": self.group}
        if self.in_rows:
            return Compiled(scaled_rows, {"a": "*" + number, "sa": "*" + scale, "b": "*" + number, "sb": "*" + scale, "c": "*bf16"} | sizes,
                            constants)
        scales, width = f"tensordesc<{scale}[1,1,{bk // self.group // 4},2,256]>", bk // self.packed
        return Compiled(scaled, {"a": f"tensordesc<{number}[{bm},{width}]>", "sa": scales, "b": f"tensordesc<{number}[{bn},{width}]>",
                                 "sb": scales, "c": f"tensordesc<bf16[{bm},{bn}]>"} | sizes, constants)

    def data(self):
        m, n, k = self.size
        generator = random.Random(2)
        numbers, factors = E4M3 if self.packed == 1 else E2M1, POWERS if self.group == 32 else {i: x for i, x in E4M3.items() if x > 0}
        a, a_bits = draw(generator, m, k, numbers)
        b, b_bits = draw(generator, n, k, numbers)
        sa, sa_bits = draw(generator, m, k // self.group, factors)
        sb, sb_bits = draw(generator, n, k // self.group, factors)
        for matrix, scales in ((a, sa), (b, sb)):
            for row, own in zip(matrix, scales):
                row[:] = [x * own[i // self.group] for i, x in enumerate(row)]
        if self.packed == 2:
            a_bits, b_bits = ([low | high << 4 for low, high in zip(x[::2], x[1::2])] for x in (a_bits, b_bits))
        per_row = k // self.group

        def blocked(bits):  # in blocks of 128 rows and 4 of K: row 32 i + j is at 16 j + 4 i
            return [bits[(32 * i + j) * per_row + 4 * u + t] for u in range(per_row // 4) for j in range(32) for i in range(4) for t in range(4)]
        if not self.in_rows:
            sa_bits, sb_bits = blocked(sa_bits), blocked(sb_bits)
        return [pack(BYTE, x) for x in (a_bits, sa_bits, b_bits, sb_bits)], product(a, b)

    def run(self, device, kernel, ptx):
        self.size = m, n, k = 128, 128, 5 * self.tile[2]
        self.known = getattr(self, "known", None) or self.data()
        addresses = [device.put(x) for x in self.known[0]] + [device.put(bytes(2 * m * n))]
        args = list(addresses)
        if not self.in_rows:
            width, per_row = k // self.packed, k // self.group
            shapes = [(m, width), (1, 1, per_row // 4, 2, 256), (n, width), (1, 1, per_row // 4, 2, 256), (m, n)]
            args = [x for i in range(5) for x in tensor(kernel.maps[i], BF16 if i == 4 else BYTE, addresses[i], shapes[i])]
        findings = device.launch(ptx, kernel.name, (1, 1), kernel.threads, kernel.shared, args + [m, n, k])
        got = struct.unpack(f"<{m * n}H", device.get(addresses[4], 2 * m * n))
        return [from_bf16(x) for x in got], [x for row in self.known[1] for x in row], findings


class Attention(Case):
    def __init__(self, specialized):
        self.specialized = specialized

    def compile(self):
        return Compiled(attention, {"q": "tensordesc<bf16[128,64]>", "k": "tensordesc<bf16[64,64]>", "v": "tensordesc<bf16[64,64]>",
                                    "o": "tensordesc<bf16[128,64]>", "scale": "fp32", "N": "i32"},
                        {"BM": 128, "BN": 64, "D": 64, "SPECIALIZED": self.specialized})

    def data(self):
        n, d = 256, 64
        generator = random.Random(3)
        (q, qb), (k, kb), (v, vb) = (draw(generator, n, d, SMALL) for _ in range(3))
        want = []
        for row in product(q[:128], k):
            most = max(row)
            weights = [math.exp((x - most) / 8) for x in row]
            total = sum(weights)
            want += [dot(weights, column) / total for column in zip(*v)]
        return [pack(BF16, x) for x in (qb, kb, vb)], want

    def run(self, device, kernel, ptx):
        n, d = 256, 64
        self.known = getattr(self, "known", None) or self.data()
        addresses = [device.put(x) for x in self.known[0]] + [device.put(bytes(2 * n * d))]
        args = [x for i in range(4) for x in tensor(kernel.maps[i], BF16, addresses[i], (n, d))] + [math.log2(math.e) / 8, n]
        findings = device.launch(ptx, kernel.name, (1,), kernel.threads, kernel.shared, args)
        got = struct.unpack(f"<{128 * d}H", device.get(addresses[3], 2 * 128 * d))
        return [from_bf16(x) for x in got], self.known[1], findings


CASES = {
    "pointers": Matmul(128, 128, 192, (128, 128, 64), copies=False),
    "m64": Matmul(64, 128, 128, (64, 128, 64), copies=False),
    "copies": Matmul(128, 128, 256, (128, 128, 64)),
    "specialized": Matmul(128, 128, 256, (128, 128, 64), specialized=True),
    "pair": Matmul(256, 128, 320, (256, 128, 64), along_n=True, blocks=2),
    "scaled": Scaled(),
    "scaled-rows": Scaled(in_rows=True),
    "mxfp4": Scaled("e2m1", tile=(128, 128, 256)),
    "mxfp4-rows": Scaled("e2m1", tile=(128, 128, 256), in_rows=True),
    "nvfp4": Scaled("e2m1", group=16, tile=(128, 128, 256)),
    "nvfp4-rows": Scaled("e2m1", group=16, tile=(128, 128, 256), in_rows=True),
    "attention": Attention(False),
    "specialized-attention": Attention(True),
}

# Triton relies on hardware here: it uses no proxy fence when mbarriers are initialized and invalidated, nor for the
# word that tcgen05.alloc has written, and it invalidates mbarriers at which a last commit has not arrived.
KNOWN = (("the asynchronous proxy has not been told of an mbarrier's initialization", ""),
         ("the asynchronous proxy has not been told of a write to shared memory", "tcgen05.alloc"),
         ("the asynchronous proxy has not been told of a write to shared memory", "mbarrier.inval"),
         ("a tcgen05.commit arrives at what is no mbarrier any more", ""))


def unknown(findings):
    return [text for text in findings if not any(first in text and second in text for first, second in KNOWN)]


def verdict(case, kernel, ptx, library, schedule, seed):
    """None if the results are right, otherwise a message."""
    try:
        with Emulator(library, schedule=schedule, seed=seed) as device:
            got, want, findings = case.run(device, kernel, ptx)
    except Failure as failure:
        return str(failure).split("\n")[0]
    if new := unknown(findings):
        return new[0].split("\n")[0] if "--verbose" not in sys.argv else new[0]
    error = max(map(abs, map(operator.sub, got, want))) / max(map(abs, want))
    return None if error < 1e-2 else f"wrong numbers: {error:.1e} of the largest"


# Instructions that synchronize, and their replacements.
CHANGES = [(re.compile(r"(@!?%\w+\s+)?(tcgen05\.wait|tcgen05\.commit|fence\.proxy|mbarrier\.arrive|cp\.async\.wait_group|cp\.async\.bulk\.wait_group|"
                       r"barrier\.cluster\.wait)[^;\n]*;"), ""),
           (re.compile(r"mbarrier\.try_wait\S* (\w+), [^;\n]*;"), r"setp.eq.b32 \1, 0, 0;")]


TCC = next((word.removeprefix("--tcc=") for word in sys.argv if word.startswith("--tcc=")), None)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    library, names = words[0], words[1:] or list(CASES)
    for name in names:
        case = CASES[name]
        kernel = case.compile()
        if "--mutants" not in sys.argv:
            for schedule, seed in (("fast", 0), ("random", 1), ("random", 2)):
                print(f"{name}, {schedule}{' ' + str(seed) if seed else ''}: {verdict(case, kernel, kernel.ptx, library, schedule, seed) or 'right'}", flush=True)
            continue
        caught = count = 0
        for pattern, replacement in CHANGES:
            for match in pattern.finditer(kernel.ptx):
                ptx = kernel.ptx[:match.start()] + match.expand(replacement) + kernel.ptx[match.end():]
                found = next(filter(None, (verdict(case, kernel, ptx, library, *way) for way in (("fast", 0), ("random", 1), ("random", 2)))), None)
                count += 1
                caught += found is not None
                line = kernel.ptx.count("\n", 0, match.start()) + 1
                print(f"{name}: line {line}: {' '.join(match[0].split())[:90]}: {'caught: ' + found if found else 'MISSED'}", flush=True)
        print(f"{name}: {caught} of {count} caught", flush=True)


main()
