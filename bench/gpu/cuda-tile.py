#!/usr/bin/env python3
"""Twelve kernels in NVIDIA's tile language, compiled by tcc and by nvcc (13.5) and run on one GPU: in one process,
checked against torch, timed by one function in 7 interleaved rounds. Build the libraries on a machine that has the
compilers:

  tcc -O2 -arch=sm_90 -shared -fPIC bench/gpu/cuda-tile.tt.cpp -o libtcc.so
  nvcc -O2 -std=c++20 -enable-tile -arch=sm_90 -shared -Xcompiler -fPIC -x cu bench/gpu/cuda-tile.tt.cpp -o libnvcc.so

  bench/gpu/cuda-tile.py libtcc.so libnvcc.so [kernel ...]
"""
import ctypes
import math
import statistics
import sys

import torch

libraries = {"tcc": ctypes.CDLL(sys.argv[1]), "nvcc": ctypes.CDLL(sys.argv[2])}
only = sys.argv[3:]
ROUNDS = 7
flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")  # larger than the L2 cache
ratios = []


def call(library, name, *arguments):
    passed = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else ctypes.c_int(a) for a in arguments]
    passed.append(ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
    if code := getattr(libraries[library], name)(*passed):
        raise RuntimeError(f"{library}'s {name} failed with {code}")


def milliseconds(run, repeats=20):
    times = []
    for _ in range(repeats):
        flush.zero_()
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop))
    return statistics.median(times)


def compare(name, work, unit, out, expected, tolerance, *arguments):
    """work: number of bytes or operations. expected: the correct contents of `out`, one of the arguments; None compares
    the two libraries."""
    if only and name not in only:
        return
    for library in libraries:
        out.fill_(float("nan"))
        call(library, "bench_" + name, *arguments)
        if expected is None:
            expected = out.clone()
        error = ((out.double() - expected.double()).norm() / expected.double().norm()).item()
        assert error <= tolerance, f"{library}'s {name} is wrong: {error}"
    times = {library: [] for library in libraries}
    for _ in range(ROUNDS):
        for library in libraries:
            times[library].append(milliseconds(lambda: call(library, "bench_" + name, *arguments)))
    best = {library: statistics.median(t) for library, t in times.items()}
    ratios.append(best["nvcc"] / best["tcc"])
    scale = 1e9 if unit == "TFLOP/s" else 1e6
    print(f"| {name} | {work / best['tcc'] / scale:.1f} | {work / best['nvcc'] / scale:.1f} | {unit} | {ratios[-1]:.3f} |", flush=True)


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def like(*shape, dtype=torch.float32):
    return torch.empty(*shape, device="cuda", dtype=dtype)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}\n| kernel | tcc | nvcc | | tcc / nvcc |\n|---|---|---|---|---|")
n = 1 << 26
x, y, out = normal(n), normal(n), like(n)
compare("add", 12 * n, "GB/s", out, x + y, 0, x, y, out, n)
compare("gelu", 8 * n, "GB/s", out, torch.nn.functional.gelu(x, approximate="tanh"), 1e-5, x, out, n)
del y

rows, columns = 8192, 4096
b16 = normal(rows, 2, columns, dtype=torch.bfloat16)
out = like(rows, columns, dtype=torch.bfloat16)
gate, up = b16.double().unbind(1)
compare("swiglu", 6 * rows * columns, "GB/s", out, gate * gate.sigmoid() * up, 1e-2, b16, out, rows, columns)
h = normal(rows, columns, dtype=torch.float16)
w = normal(columns, dtype=torch.float16)
out = like(rows, columns, dtype=torch.float16)
compare("softmax", 4 * rows * columns, "GB/s", out, h.double().softmax(1), 1e-2, h, out, rows, columns)
norm = h.double() / (h.double().square().mean(1, keepdim=True) + 1e-5).sqrt() * w.double()
compare("rms_norm", 4 * rows * columns, "GB/s", out, norm, 1e-2, h, w, out, rows, columns)
wide = normal(4096, 16384)
out = like(4096, 16384)
compare("online_softmax", 12 * wide.numel(), "GB/s", out, wide.double().softmax(1), 1e-4, wide, out, 4096, 16384)
logits = normal(16384, 4000)
label = torch.randint(0, 4000, (16384,), device="cuda", dtype=torch.int32)
loss = like(16384)
work = logits.clone()
want = torch.nn.functional.cross_entropy(logits.double(), label.long(), reduction="none")
# The kernel overwrites the logits with gradients: the first run is checked, the others are timed on that data.
if not only or "cross_entropy" in only:
    for library in libraries:
        work.copy_(logits)
        call(library, "bench_cross_entropy", work, label, loss, 16384, 4000)
        assert (loss - want).abs().max() < 1e-4, f"{library}'s cross_entropy is wrong"
    compare("cross_entropy", 8 * work.numel(), "GB/s", loss, None, math.inf, work, label, loss, 16384, 4000)

m = n = k = 8192
for name, dtype, transposed, tolerance in (("matmul_f16", torch.float16, False, 1e-3), ("matmul_bf16_nt", torch.bfloat16, True, 1e-3),
                                           ("matmul_fp8", torch.float8_e5m2, True, 1e-2)):
    a, b = normal(m, k, dtype=dtype), normal(n, k, dtype=dtype) if transposed else normal(k, n, dtype=dtype)
    c = like(m, n)
    bt = b.float().T if transposed else b.float()
    compare(name, 2 * m * n * k, "TFLOP/s", c, a.float() @ bt, tolerance, a, b, c, m, n, k)

batches, heads, length = 4, 16, 4096
q, k, v = (normal(batches, heads, length, 64, dtype=torch.float16) for _ in range(3))
out, sums = like(batches, heads, length, 64, dtype=torch.float16), like(batches * heads, length)
for name, causal, share in (("attention", True, 2), ("attention_full", False, 4)):
    want = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    compare(name, share * batches * heads * length * length * 64, "TFLOP/s", out, want, 1e-2, q, k, v, out, sums, batches, heads, length)
if ratios:
    print(f"geometric mean of tcc / nvcc: {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}")
