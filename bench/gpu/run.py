#!/usr/bin/env python3
"""tcc's memory-bound kernels compared with Triton's and with a device-to-device copy on one GPU, in one process, timed
by one function. Every kernel gets random-normal input and is first checked against torch in double precision. Every
configuration of both compilers is tried; then the best one of each is measured in 7 interleaved rounds of Triton's
do_bench, and the medians are printed.

  bench/gpu/run.py libkernels.so [kernel ...]
"""
import ctypes
import statistics
import sys

import torch
import triton

import peers

lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p
only = sys.argv[2:]
ROUNDS = 7
copy_rate = 0.0


def ours(name, *arguments):
    """A call of the library's function `name`: tensors become pointers, and the current stream comes last."""
    function = getattr(lib, name)
    passed = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else ctypes.c_int(a) for a in arguments]
    passed.append(ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))

    def call():
        if code := function(*passed):
            raise RuntimeError(f"{name}{arguments} failed with {code}: {lib.bench_error().decode()}")

    return call


def milliseconds(call, rep=60):
    return triton.testing.do_bench(call, warmup=20, rep=rep, return_mode="median")


def compare(name, bytes_moved, out, expected, tolerance, mine, theirs):
    """mine and theirs: calls by configuration, all of which write `expected` to `out`."""
    calls = {"tcc": mine, "triton": theirs}
    best = {}
    for who, configurations in calls.items():
        tried = []
        for configuration, call in configurations.items():
            out.fill_(float("nan"))
            call()
            error = ((out - expected).double().norm() / expected.double().norm()).item()
            assert error <= tolerance, f"{who}'s {name}, {configuration}, is wrong: {error}"
            tried.append((milliseconds(call, 30), configuration))
        best[who] = min(tried)[1]
    times = {"tcc": [], "triton": []}
    for _ in range(ROUNDS):
        for who in times:
            times[who].append(milliseconds(calls[who][best[who]]))
    rate = {who: bytes_moved / statistics.median(values) / 1e6 for who, values in times.items()}
    print(f"| {name} | {rate['tcc']:.0f} ({best['tcc']}) | {rate['triton']:.0f} ({best['triton']}) | "
          f"{rate['tcc'] / rate['triton']:.3f} | {rate['tcc'] / copy_rate:.3f} |", flush=True)


def wants(name):
    return not only or name in only


def normal(*shape):
    return torch.randn(*shape, device="cuda")


def like(*shape):
    return torch.empty(*shape, device="cuda")


def label(block, warps):
    return f"{block}, {warps} warps"


torch.manual_seed(0)
n = 1 << 28
x, out = normal(n), like(n)
# A contiguous copy_ is cudaMemcpyAsync from device to device.
copy_rate = 8 * n / statistics.median(milliseconds(lambda: out.copy_(x)) for _ in range(ROUNDS)) / 1e6
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}; "
      f"a copy from device to device of 1 GiB: {copy_rate:.0f} GB/s")
print("| kernel | tcc, GB/s | Triton, GB/s | tcc / Triton | tcc / copy |\n|---|---|---|---|---|")

if wants("vector_add"):
    y = normal(n)
    blocks = ((1024, 4), (2048, 4), (2048, 8), (4096, 8))
    compare("vector_add f32 2^28", 12 * n, out, x + y, 0,
            {label(b, w): ours("bench_vector_add", b, w, x, y, out, n) for b, w in blocks},
            {label(b, w): lambda b=b, w=w: peers.vector_add[(triton.cdiv(n, b),)](x, y, out, n, BLOCK=b, num_warps=w)
             for b, w in blocks})
    del y

if wants("transpose"):
    rows = columns = 1 << 14
    a, b = x.view(rows, columns), out.view(columns, rows)
    tiles = ((32, 32, 4), (64, 32, 4), (32, 64, 4), (64, 64, 4), (64, 64, 8), (128, 64, 8))
    compare("transpose f32 16384x16384", 8 * n, b, a.T.contiguous(), 0,
            {f"{m}x{k}, {w} warps": ours("bench_transpose", m, k, w, a, b, rows, columns) for m, k, w in tiles},
            {f"{m}x{k}, {w} warps": lambda m=m, k=k, w=w: peers.transpose_copy[
                (triton.cdiv(rows, m), triton.cdiv(columns, k))](a, b, rows, columns, M=m, N=k, num_warps=w)
             for m, k, w in tiles})
    del a, b
del out

if wants("row_sum"):
    for columns in (4096, 16384):
        rows = n // columns
        out = like(rows)
        blocks = [(b, w) for b, w in ((1024, 4), (2048, 4), (4096, 4), (4096, 8), (8192, 8), (8192, 16)) if b <= columns]
        compare(f"row_sum f32 {rows}x{columns}", 4 * n + 4 * rows, out, x.view(rows, columns).double().sum(1).float(), 1e-5,
                {label(b, w): ours("bench_row_sum", b, w, x, out, rows, columns) for b, w in blocks},
                {label(b, w): lambda b=b, w=w: peers.row_sum[(rows,)](x, out, columns, BLOCK=b, num_warps=w)
                 for b, w in blocks})
del x

if wants("dequantize"):
    rows = columns = 1 << 14
    q = torch.randint(-128, 128, (rows, columns), dtype=torch.int8, device="cuda")
    scale, out = normal(rows), like(rows, columns)
    blocks = ((1024, 4), (2048, 4), (4096, 4), (4096, 8), (8192, 8))
    compare("dequantize i8 16384x16384", 5 * n + 4 * rows, out, q * scale[:, None], 0,
            {label(b, w): ours("bench_dequantize", b, w, q, scale, out, rows, columns) for b, w in blocks},
            {label(b, w): lambda b=b, w=w: peers.dequantize[(triton.cdiv(columns, b), rows)](
                q, scale, out, columns, BLOCK=b, num_warps=w) for b, w in blocks})
    del q, scale, out

for rows, columns in ((8192, 4096), (32768, 1024), (8192, 8192)):
    x, out = normal(rows, columns), like(rows, columns)
    widths = [w for w in (4, 8, 16) if columns > 1024 or w < 16]
    if wants("softmax"):
        compare(f"softmax f32 {rows}x{columns}", 8 * rows * columns, out, torch.softmax(x.double(), 1).float(), 1e-6,
                {f"{w} warps": ours("bench_softmax", columns, w, x, out, rows, columns) for w in widths},
                {f"{w} warps": lambda w=w: peers.softmax_rows[(rows,)](x, out, columns, columns, BLOCK=columns, num_warps=w)
                 for w in widths})
    if wants("layer_norm"):
        w, b = normal(columns), normal(columns)
        expected = torch.nn.functional.layer_norm(x.double(), (columns,), w.double(), b.double()).float()
        compare(f"layer_norm f32 {rows}x{columns}", 8 * rows * columns, out, expected, 1e-6,
                {f"{k} warps": ours("bench_layer_norm", columns, k, x, w, b, out, rows, columns) for k in widths},
                {f"{k} warps": lambda k=k: peers.layer_norm[(rows,)](x, w, b, out, columns, columns, 1e-5, BLOCK=columns,
                                                                     num_warps=k) for k in widths})
