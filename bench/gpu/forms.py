#!/usr/bin/env python3
"""tcc's matrix products grouped by expert and with 4-bit weights, compared with the same kernels in Triton (peers.py)
on one GPU, in one process (timing.py), both with the configurations below. Needs torch and Triton; prints TFLOP/s and
the ratio to Triton's best.

  bench/gpu/forms.py libforms.so
"""
import sys

import torch
import triton

import peers
from timing import Library, medians, off_by

GROUPED = [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 64, 8, 4), (128, 128, 64, 4, 3), (64, 128, 64, 4, 4)]
INT4 = {True: [(16, 64, 128, 4, 3), (16, 64, 128, 4, 4), (16, 32, 128, 4, 4), (16, 128, 64, 4, 4), (16, 64, 64, 4, 4)],
        False: [(128, 128, 64, 8, 3), (128, 128, 64, 4, 3), (128, 256, 64, 8, 3), (128, 128, 64, 4, 4), (128, 64, 64, 4, 4),
               (128, 128, 128, 8, 3)]}
lib = Library(sys.argv[1])


def compare(what, work, configurations, makers, expected):
    """Each of `makers` (name: function) takes a configuration and a tensor and returns a call that fills the tensor."""
    calls, out = {}, torch.empty_like(expected)
    for x in configurations:
        for who, make in makers.items():
            name = "{} {}x{}x{}, {} warps, {} stages".format(who, *x)
            out.fill_(float("nan"))
            call = make(*x, out)
            call()
            assert off_by(out, expected) < 1e-2, f"{name} is wrong: off by {off_by(out, expected)}"
            calls[name] = call
    median = medians(calls)
    best = min(time for name, time in median.items() if name.startswith("Triton"))
    for name in sorted(median, key=median.get):
        print(f"| {what} | {name} | {work / median[name] / 1e9:.1f} | {best / median[name]:.3f} |", flush=True)


def grouped(experts, rows, n, k):
    """Distributes rows as a random choice of experts would."""
    counts = torch.bincount(torch.randint(0, experts, (rows,)), minlength=experts).tolist()
    a = torch.randn(rows, k, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(experts, k, n, device="cuda", dtype=torch.bfloat16)
    starts = [sum(counts[:e]) for e in range(experts)]
    expected = torch.cat([a[s:s + count] @ b[e] for e, (s, count) in enumerate(zip(starts, counts))])
    end = torch.tensor([s + count for s, count in zip(starts, counts)], dtype=torch.int32, device="cuda")

    def tiles(bm):
        pairs = [(e, s) for e in range(experts) for s in range(starts[e], starts[e] + counts[e], bm)]
        return torch.tensor(pairs, dtype=torch.int32, device="cuda").T.contiguous()

    def ours(bm, bn, bk, warps, stages, out, by_blocks=False):
        expert, begin = tiles(bm)
        return lambda: lib.bench_grouped(by_blocks, bm, bn, bk, warps, stages, a, b, out, expert, begin, end, len(expert), n, k)

    def by_blocks(*args):
        return ours(*args, by_blocks=True)

    def triton_s(bm, bn, bk, warps, stages, out):
        expert, begin = tiles(bm)
        return lambda: peers.grouped[(len(expert) * (n // bn),)](a, b, out, expert, begin, end, n, k, BM=bm, BN=bn, BK=bk, GROUP=8,
                                                                num_warps=warps, num_stages=stages)

    compare(f"{experts} experts, {rows}x{n}x{k}", 2 * rows * n * k, GROUPED,
            {"tcc": ours, "tcc, [[tt::persistent]]": by_blocks, "Triton": triton_s}, expected)


def int4(m, n, k):
    a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    b = torch.randint(0, 256, (k // 2, n), device="cuda", dtype=torch.uint8)
    scales = (torch.rand(k // 128, n, device="cuda") / 8).to(torch.bfloat16)
    whole = torch.stack((b & 15, b >> 4), 1).reshape(k, n).to(torch.bfloat16) - 8
    expected = a @ (whole * scales.repeat_interleave(128, 0))

    def ours(bm, bn, bk, warps, stages, out):
        return lambda: lib.bench_int4(bm, bn, bk, warps, stages, a, b, scales, out, m, n, k)

    def triton_s(bm, bn, bk, warps, stages, out):
        return lambda: peers.int4_weights[(n // bn, triton.cdiv(m, bm))](a, b, scales, out, m, n, k, BM=bm, BN=bn, BK=bk,
                                                                        num_warps=warps, num_stages=stages)

    compare(f"int4 {m}x{n}x{k}", 2 * m * n * k, INT4[m == 16], {"tcc": ours, "Triton": triton_s}, expected)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
print("| product | what | TFLOP/s | / best of Triton |\n|---|---|---|---|")
grouped(8, 8192, 14336, 4096)
grouped(64, 8192, 2816, 2048)
int4(16, 8192, 8192)
int4(4096, 8192, 8192)
