#!/usr/bin/env python3
"""tcc's bf16 matrix product beside cuBLAS (torch.matmul) on one GPU, in one process: each figure is the median of 7
interleaved rounds of Triton's do_bench, on random-normal inputs. Needs torch and Triton; prints TFLOP/s and the ratio.

  bench/gpu/matmul.py libmatmul.so
"""
import ctypes
import statistics
import sys

import torch
import triton

ROUNDS = 7
CONFIGURATIONS = [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (128, 128, 64, 4, 3),
                  (128, 128, 32, 4, 4), (128, 128, 32, 4, 5)]
lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def product(configuration, a, b, c):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    code = lib.bench_matmul(*configuration, pointer(a), pointer(b), pointer(c), a.shape[0], stream)
    if code:
        raise RuntimeError(f"tcc's launch failed with {code}: {lib.bench_error().decode()}")


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
print("| bf16 | what | TFLOP/s | / cuBLAS |\n|---|---|---|---|")
for n in (4096, 8192):
    a, b = (torch.randn(n, n, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    c, expected = torch.empty_like(a), torch.matmul(a, b)
    calls = {"cuBLAS": lambda: torch.matmul(a, b, out=c)}
    for configuration in CONFIGURATIONS:
        c.fill_(float("nan"))
        product(configuration, a, b, c)
        error = ((c.float() - expected.float()).norm() / expected.float().norm()).item()
        assert error < 1e-2, f"{configuration} is wrong: off by {error}"
        name = "tcc {}x{}x{}, {} warps, {} stages".format(*configuration)
        calls[name] = lambda configuration=configuration: product(configuration, a, b, c)
    times = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(triton.testing.do_bench(call, warmup=10, rep=50, return_mode="median"))
    median = {name: statistics.median(values) for name, values in times.items()}
    for name in sorted(median, key=median.get):
        print(f"| {n} | {name} | {2 * n**3 / median[name] / 1e9:.0f} | {median['cuBLAS'] / median[name]:.3f} |", flush=True)
