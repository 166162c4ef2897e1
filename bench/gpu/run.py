#!/usr/bin/env python3
"""tcc's memory-bound kernels beside Triton's on one GPU, in one process, timed by one function: each figure is the median
of 7 interleaved rounds of Triton's do_bench, best number of warps of each. Needs torch and Triton; prints GB/s.

  bench/gpu/run.py libkernels.so
"""
import ctypes
import statistics
import sys

import torch
import triton
import triton.language as tl

lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p
ROUNDS = 7


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax_kernel(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * stride + i, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + i, e / tl.sum(e, axis=0), mask=mask)


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def stream():
    return ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)


def checked(code):
    if code:
        raise RuntimeError(f"tcc's launch failed with {code}: {lib.bench_error().decode()}")


def milliseconds(call):
    return triton.testing.do_bench(call, warmup=25, rep=100, return_mode="median")


def compare(name, bytes_moved, ours, theirs):
    """ours and theirs: calls by their number of warps."""
    times = {("tcc", w): [] for w in ours} | {("triton", w): [] for w in theirs}
    for _ in range(ROUNDS):
        for w in ours:
            times["tcc", w].append(milliseconds(ours[w]))
            times["triton", w].append(milliseconds(theirs[w]))
    median = {key: statistics.median(values) for key, values in times.items()}
    best = {who: min((m, w) for (other, w), m in median.items() if other == who) for who in ("tcc", "triton")}
    rate = {who: bytes_moved / ms / 1e6 for who, (ms, _) in best.items()}
    warps = {who: f" ({w} warps)" if w else "" for who, (_, w) in best.items()}
    print(f"| {name} | {rate['tcc']:.0f}{warps['tcc']} | {rate['triton']:.0f}{warps['triton']} | "
          f"{rate['tcc'] / rate['triton']:.3f} |", flush=True)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
print("| kernel | tcc, GB/s | Triton, GB/s | tcc / Triton |\n|---|---|---|---|")

n = 1 << 28
x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
out, expected = torch.full_like(x, float("nan")), x + y
add = lambda: checked(lib.bench_vector_add(pointer(x), pointer(y), pointer(out), n, stream()))
add()
assert torch.equal(out, expected), "tcc's vector_add is wrong"
compare("vector_add f32 2^28", 12 * n, {0: add}, {0: lambda: add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)})
del x, y, out, expected

for rows, columns in ((8192, 4096), (32768, 1024), (8192, 8192)):
    x = torch.randn(rows, columns, device="cuda")
    out, expected = torch.full_like(x, float("nan")), torch.softmax(x.double(), 1)
    ours = {w: lambda w=w: checked(lib.bench_softmax(pointer(x), pointer(out), rows, columns, w, stream())) for w in (4, 8, 16)}
    theirs = {w: lambda w=w: softmax_kernel[(rows,)](x, out, columns, columns, BLOCK=columns, num_warps=w) for w in (4, 8, 16)}
    for w, call in ours.items():
        out.fill_(float("nan"))
        call()
        error = (out - expected).norm() / expected.norm()
        assert error < 1e-6, f"tcc's softmax {rows}x{columns} with {w} warps is wrong: {error}"
    compare(f"softmax f32 {rows}x{columns}", 8 * rows * columns, ours, theirs)
