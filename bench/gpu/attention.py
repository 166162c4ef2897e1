#!/usr/bin/env python3
"""tcc's attention compared with torch's scaled_dot_product_attention on one GPU, in one process (timing.py), on
random-normal bf16 inputs of 32 heads: each head of queries with its own keys and values; four heads of queries per
head of keys and values; and consecutive sequences of different lengths. Needs torch and Triton; prints TFLOP/s (a
causal product counts half) and the ratio.

  bench/gpu/attention.py libattention.so [length ...]
"""
import math
import sys

import torch
import torch.nn.functional as F

from timing import Library, medians, off_by

HEADS = 32
# Rows and columns of a tile, warps, stages, and the number of programs that share a block; 0: persistent programs.
CONFIGURATIONS = {64: [(128, 128, 8, 3, 0), (128, 128, 8, 4, 0), (256, 64, 16, 3, 0), (128, 64, 8, 3, 1), (128, 128, 8, 3, 1), (64, 64, 4, 3, 1),
                       (64, 128, 4, 2, 1), (256, 64, 16, 3, 1), (64, 128, 4, 3, 3), (64, 128, 4, 3, 2), (64, 64, 4, 3, 3)],
                  128: [(128, 128, 8, 2, 0), (128, 128, 8, 3, 0), (128, 64, 8, 3, 1), (128, 128, 8, 2, 1), (128, 128, 8, 3, 1), (64, 64, 4, 2, 1), (64, 128, 4, 3, 2),
                        (64, 64, 4, 3, 3)]}
lib = Library(sys.argv[1])


def sharing(configuration):
    programs = configuration[4] if configuration[4:] else 1
    return {0: ", persistent", 1: ""}.get(programs, f", {programs} share a block")


def compare(what, causal, pairs, configurations, sdpa, tcc, out):
    """`tcc` writes to `out` what `sdpa` returns; `pairs` is the number of query-key pairs in all heads, causal or not.
    """
    expected, calls = sdpa(), {"sdpa": sdpa}
    for configuration in configurations:
        out.fill_(float("nan"))
        tcc(configuration)
        assert off_by(out, expected) < 1e-2, f"{configuration} is wrong: off by {off_by(out, expected)}"
        name = "tcc {}x{}, {} warps, {} stages".format(*configuration) + sharing(configuration)
        calls[name] = lambda configuration=configuration: tcc(configuration)
    median = medians(calls, rounds=5)
    work = 4 * pairs * out.shape[-1] / (2 if causal else 1)
    for name in sorted(median, key=median.get):
        print(f"| {what}{', causal' if causal else ''} | {name} | {work / median[name] / 1e9:.0f} | "
              f"{median['sdpa'] / median[name]:.3f} |", flush=True)


def dense(length, d, causal, configurations, shared=1):
    q = torch.randn(1, HEADS, length, d, device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn(1, HEADS // shared, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    out, scale = torch.empty_like(q), math.log2(math.e) / math.sqrt(d)
    compare(f"{length}, d{d}" + (f", {shared} heads share keys" if shared > 1 else ""), causal, HEADS * length * length,
            configurations, lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=shared > 1),
            lambda configuration: lib.bench_attention(*configuration, causal, shared, q, k, v, out, HEADS, length, d, scale), out)


def varlen(lengths, d, causal):
    starts = torch.tensor([0, *lengths], device="cuda", dtype=torch.int32).cumsum(0, dtype=torch.int32)
    q, k, v = (torch.randn(sum(lengths), HEADS, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    jagged = [torch.nested.nested_tensor_from_jagged(x, starts, min_seqlen=min(lengths), max_seqlen=max(lengths)).transpose(1, 2)
              for x in (q, k, v)]
    out, scale = torch.empty_like(q), math.log2(math.e) / math.sqrt(d)
    compare(f"{len(lengths)} sequences of {min(lengths)} to {max(lengths)}, d{d}", causal, HEADS * sum(n * n for n in lengths),
            [(128, 128, 8, 2), (64, 64, 4, 2)],
            lambda: F.scaled_dot_product_attention(*jagged, is_causal=causal).transpose(1, 2).values(),
            lambda configuration: lib.bench_varlen(*configuration, causal, q, k, v, out, starts, len(lengths), max(lengths), HEADS, d,
                                                   scale), out)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
print("| what | by | TFLOP/s | / sdpa |\n|---|---|---|---|")
for length in [int(x) for x in sys.argv[2:]] or [1024, 4096, 16384]:
    for d in (64, 128):
        for causal in (False, True):
            dense(length, d, causal, CONFIGURATIONS[d])
for causal in (False, True):
    dense(4096, 128, causal, [(128, 128, 8, 2, 1)], shared=4)
    varlen([4000, 129, 2500, 1024, 3333, 77, 512, 1800], 128, causal)
