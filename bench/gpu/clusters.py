#!/usr/bin/env python3
"""Softmax of rows that exceed the registers of one block, computed by clusters of blocks, compared with torch's
softmax, Triton's and a copy, in one process: medians of 7 interleaved rounds in random order, on random inputs, checked
against torch. Needs torch and Triton; prints speeds as fractions of the copy's speed.

  bench/gpu/clusters.py libclusters.so [ROWSxCOLUMNS ...]
"""
import sys

import torch
import triton
import triton.language as tl

from timing import Library, medians

FORMS = {32768: [(1, 16), (1, 32), (2, 16), (4, 8)], 65536: [(2, 32), (4, 16), (8, 8)],
         131072: [(4, 32), (8, 16), (16, 8)]}
DEFAULT = ["4096x32768", "2048x65536", "1024x131072", "2048x50257"]


@triton.jit
def softmax(x, y, n, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.program_id(0).to(tl.int64)
    v = tl.load(x + row * n + i, i < n, -float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + i, e / tl.sum(e, 0), i < n)


def measure(lib, rows, n):
    size = triton.next_power_of_2(n)
    x = torch.randn(rows, n, device="cuda")
    y, expected = torch.empty_like(x), torch.softmax(x, 1)
    calls = {"copy": lambda: y.copy_(x), "torch": lambda: torch.softmax(x, 1)}
    for warps in (16, 32):
        calls[f"Triton, {warps} warps"] = lambda warps=warps: softmax[(rows,)](x, y, n, size, num_warps=warps)
    for form in FORMS[size]:
        calls["tcc, %d blocks of %d warps" % form] = lambda form=form: lib.bench_softmax(*form, size, x, y, rows, n)
    for name, call in calls.items():
        if "copy" not in name and "torch" not in name:
            y.zero_()
            call()
            torch.testing.assert_close(y, expected, rtol=1e-4, atol=1e-8)
    times = medians(calls)
    print(f"softmax f32 {rows}x{n}")
    for name, time in times.items():
        print(f"  {name:28} {8e-6 * rows * n / time:7.0f} GB/s {times['copy'] / time:6.3f}", flush=True)


if __name__ == "__main__":
    for shape in sys.argv[2:] or DEFAULT:
        measure(Library(sys.argv[1]), *map(int, shape.split("x")))
