#!/usr/bin/env python3
"""Convolutions (convolution.tt.cpp) compared with cuDNN (through torch, channels last) and with the same loop in Triton
(below), on one GPU, in one process (timing.py), on random-normal bf16 images. A second library, built from the same
source by an earlier compiler, can be compared, too. Prints the ratio of cuDNN's time to each time, with the fastest
tile.

  bench/gpu/convolution.py libconvolution.so [libconvolution-before.so]
"""
import sys

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from timing import Library, medians, off_by

# BM, BN, BK, warps and stages, as in convolution.tt.cpp.
TILES = {"128x128x64, 4 warps, 3 stages": (128, 128, 64, 4, 3), "128x128x64, 8 warps, 4 stages": (128, 128, 64, 8, 4),
         "128x256x64, 8 warps, 3 stages": (128, 256, 64, 8, 3), "256x128x64, 8 warps, 3 stages": (256, 128, 64, 8, 3),
         "128x64x64, 4 warps, 4 stages": (128, 64, 64, 4, 4)}
KINDS = [("3x3", 3, 1, 1), ("3x3 step 2", 3, 2, 1), ("1x1", 1, 1, 0), ("1x1 step 2", 1, 2, 0)]
SIZES = [(32, 56, 56, 128, 256), (32, 28, 28, 256, 256), (32, 14, 14, 256, 512), (32, 56, 56, 64, 64)]
libraries = {name: Library(path) for name, path in zip(("tcc", "before"), sys.argv[1:])}


@triton.jit
def convolve(x, w, out, N, H, W, C, K, P, Q, R: tl.constexpr, S: tl.constexpr, STEP: tl.constexpr, PADDING: tl.constexpr,
             BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    M, columns, pid = N * P * Q, tl.cdiv(K, BN), tl.program_id(0)
    m = pid // columns * BM + tl.arange(0, BM)
    n = pid % columns * BN + tl.arange(0, BN)
    image, p, q = m // (P * Q), m // Q % P, m % Q
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, R * S * C, BK):
        k = start + tl.arange(0, BK)
        c, s, r = k % C, k // C % S, k // C // S
        h = (p * STEP - PADDING)[:, None] + r[None, :]
        v = (q * STEP - PADDING)[:, None] + s[None, :]
        inside = (m < M)[:, None] & (h >= 0) & (h < H) & (v >= 0) & (v < W) & (k < R * S * C)[None, :]
        pixels = tl.load(x + (((image[:, None] * H + h) * W + v) * C + c[None, :]), mask=inside, other=0.0)
        weights = tl.load(w + (k[:, None] * K + n[None, :]), mask=(k < R * S * C)[:, None] & (n < K)[None, :], other=0.0)
        acc = tl.dot(pixels, weights, acc)
    tl.store(out + (m[:, None] * K + n[None, :]), acc.to(tl.bfloat16), mask=(m < M)[:, None] & (n < K)[None, :])


torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
for kind, r, step, padding in KINDS:
    for n, h, w, c, k in SIZES:
        x = torch.randn(n, c, h, w, device="cuda", dtype=torch.bfloat16).to(memory_format=torch.channels_last)
        weights = torch.randn(k, c, r, r, device="cuda", dtype=torch.bfloat16) / (r * c**0.5)
        mine, theirs = weights.permute(2, 3, 1, 0).contiguous(), weights.to(memory_format=torch.channels_last)
        expected = F.conv2d(x, theirs, stride=step, padding=padding)
        p, q = expected.shape[2:]
        out = torch.empty(n, p, q, k, device="cuda", dtype=torch.bfloat16)
        calls = {"cuDNN": lambda: F.conv2d(x, theirs, stride=step, padding=padding)}
        for tile, (bm, bn, bk, warps, stages) in TILES.items():
            grid = (triton.cdiv(n * p * q, bm) * triton.cdiv(k, bn),)
            calls[f"Triton: {tile}"] = lambda grid=grid, bm=bm, bn=bn, bk=bk, warps=warps, stages=stages: convolve[grid](
                x, mine, out, n, h, w, c, k, p, q, r, r, step, padding, bm, bn, bk, num_warps=warps, num_stages=stages)
            for name, lib in libraries.items():
                calls[f"{name}: {tile}"] = lambda lib=lib, tile=tile: lib.bench_convolution(kind, tile, x, mine, out, n, h, w, c, k, p, q)
        for name, call in calls.items():
            if name == "cuDNN":
                continue
            out.fill_(float("nan"))
            call()
            error = off_by(out.permute(0, 3, 1, 2), expected)
            if not error < 1e-2:
                sys.exit(f"{kind} {n}x{h}x{w}x{c} to {k}, {name}: off by {error}")
        times = medians(calls, rounds=5)
        line = [f"cuDNN {times['cuDNN'] * 1000:.1f} us"]
        for name in [*libraries, "Triton"]:
            time, best = min((time, call) for call, time in times.items() if call.startswith(name + ":"))
            line.append(f"{name} {times['cuDNN'] / time:.3f} ({best[len(name) + 2:]})")
        print(f"{kind} {n}x{h}x{w}x{c} to {k}: " + "; ".join(line), flush=True)
