#!/usr/bin/env python3
"""tcc's attention beside torch's scaled_dot_product_attention on one GPU, in one process: each figure is the median of 5
interleaved rounds of Triton's do_bench, on random-normal bf16 inputs of 32 heads. Needs torch and Triton; prints TFLOP/s (a
causal product counts half) and the ratio.

  bench/gpu/attention.py libattention.so [length ...]
"""
import ctypes
import math
import sys

import torch
import torch.nn.functional as F

from timing import medians

HEADS = 32
CONFIGURATIONS = {64: [(128, 64, 8, 3), (128, 128, 8, 3), (64, 64, 4, 3), (64, 128, 4, 2), (256, 64, 16, 3)],
                  128: [(128, 64, 8, 3), (128, 128, 8, 2), (128, 128, 8, 3), (64, 64, 4, 2)]}
lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def attention(configuration, causal, q, k, v, out):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    length, d = q.shape[-2:]
    scale = ctypes.c_float(math.log2(math.e) / math.sqrt(d))
    code = lib.bench_attention(*configuration, int(causal), pointer(q), pointer(k), pointer(v), pointer(out), HEADS, length, d,
                               scale, stream)
    if code:
        raise RuntimeError(f"tcc's launch failed with {code}: {lib.bench_error().decode()}")


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
print("| length | d | what | TFLOP/s | / sdpa |\n|---|---|---|---|---|")
for length in [int(x) for x in sys.argv[2:]] or [4096, 16384]:
    for d in (64, 128):
        for causal in (False, True):
            q, k, v = (torch.randn(1, HEADS, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
            out, expected = torch.empty_like(q), F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            calls = {"sdpa": lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal)}
            for configuration in CONFIGURATIONS[d]:
                out.fill_(float("nan"))
                attention(configuration, causal, q, k, v, out)
                error = ((out.float() - expected.float()).norm() / expected.float().norm()).item()
                assert error < 1e-2, f"{configuration} is wrong: off by {error}"
                name = "tcc {}x{}, {} warps, {} stages".format(*configuration)
                calls[name] = lambda configuration=configuration: attention(configuration, causal, q, k, v, out)
            median = medians(calls, rounds=5)
            work = 4 * HEADS * length * length * d / (2 if causal else 1)
            for name in sorted(median, key=median.get):
                print(f"| {length} | {d}{', causal' if causal else ''} | {name} | {work / median[name] / 1e9:.0f} | "
                      f"{median['sdpa'] / median[name]:.3f} |", flush=True)
