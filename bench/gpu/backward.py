#!/usr/bin/env python3
"""tcc's backward pass of attention and its decoding kernel, compared with torch's scaled_dot_product_attention on one
GPU, in one process (timing.py). Needs torch and Triton; prints TFLOP/s (a causal product counts half) or TB/s, and the
ratio.

  bench/gpu/backward.py libbackward.so [length ...]
"""
import math
import sys

import torch
import torch.nn.functional as F

from timing import Library, medians, off_by

HEADS, D, FORMS, PAIRS = 32, 128, 2, [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)]
lib = Library(sys.argv[1])


def report(work, what, median, digits):
    for name in sorted(median, key=median.get):
        print(f"| {what} | {name} | {work / median[name] / 1e9:.{digits}f} | {median['sdpa'] / median[name]:.3f} |", flush=True)


def backward(length, causal):
    q, k, v, dout = (torch.randn(1, HEADS, length, D, device="cuda", dtype=torch.bfloat16) for _ in range(4))
    inputs = [x.requires_grad_() for x in (q, k, v)]
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    expected = torch.autograd.grad(out, inputs, dout, retain_graph=True)
    calls = {"sdpa": lambda: torch.autograd.grad(out, inputs, dout, retain_graph=True)}
    scale = 1 / math.sqrt(D)
    log_sum = torch.empty(HEADS, length, device="cuda")
    for head in range(HEADS):
        scores = (q[0, head].detach() @ k[0, head].detach().T).float() * scale
        if causal:
            scores.masked_fill_(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
        log_sum[head] = torch.logsumexp(scores, 1) / math.log(2)
    delta, gradients = torch.empty_like(log_sum), [torch.empty_like(q) for _ in range(3)]
    for pair in PAIRS:
        for x in gradients:
            x.detach().fill_(float("nan"))
        call = lambda pair=pair: lib.bench_backward(*pair, causal, q, k, v, out, dout, log_sum, delta, *gradients, HEADS, length,
                                                    scale)
        call()
        for name, x, y in zip(("dq", "dk", "dv"), gradients, expected):
            assert off_by(x, y) < 2e-2, f"{name} of pair {pair} is wrong: off by {off_by(x, y)}"
        calls["tcc, {} and {}".format(*pair)] = call
    sum_q = torch.empty(HEADS, length, D, device="cuda")
    for number in range(FORMS):
        for x in gradients:
            x.detach().fill_(float("nan"))
        call = lambda number=number: lib.bench_gradients(number, causal, q, k, v, out, dout, log_sum, delta, sum_q, *gradients, HEADS,
                                                         length, scale)
        call()
        for name, x, y in zip(("dq", "dk", "dv"), gradients, expected):
            assert off_by(x, y) < 2e-2, f"{name} of one kernel, number {number}, is wrong: off by {off_by(x, y)}"
        calls[f"tcc, all at once, {number}"] = call
    work = 10 * HEADS * length * length * D / (2 if causal else 1)
    report(work, f"backward {length}{', causal' if causal else ''}", medians(calls), 0)


def decode(sequences, length):
    kv_heads, scale = 8, 1 / math.sqrt(D)
    q = torch.randn(sequences, kv_heads * 4, 1, D, device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn(sequences, kv_heads, length, D, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    calls = {"sdpa": lambda: F.scaled_dot_product_attention(q, k, v, enable_gqa=True)}
    expected, heads = calls["sdpa"](), sequences * kv_heads
    part, stats = torch.empty(heads * 8 * 4, D, device="cuda"), torch.empty(heads * 8 * 4, 2, device="cuda")
    for splits in (1, 2, 4, 8):
        out = torch.full_like(q, float("nan"))
        call = lambda splits=splits, out=out: lib.bench_decode(splits, q, k, v, part, stats, out, heads, length,
                                                               scale * math.log2(math.e))
        call()
        assert off_by(out, expected) < 1e-2, f"decoding in {splits} parts is wrong: off by {off_by(out, expected)}"
        calls[f"tcc, {splits} parts"] = call
    report(2 * k.numel() * 2, f"decoding, {sequences} sequences of {length} (TB/s)", medians(calls), 2)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
print("| work | what | TFLOP/s | / sdpa |\n|---|---|---|---|")
for length in [int(x) for x in sys.argv[2:]] or [4096]:
    for causal in (False, True):
        backward(length, causal)
decode(32, 4096)
decode(4, 16384)
