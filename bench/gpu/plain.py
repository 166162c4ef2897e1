#!/usr/bin/env python3
"""Kernels as in tutorials (plain.tt.cpp) compared with torch and with the same loops in Triton (below), on one GPU, in
one process (timing.py), on random-normal bf16 inputs. A second library is built by another compiler version from the
same source. Needs torch and Triton; prints the ratio of torch's time to each time and, with two libraries, the speed-up
of the first over the second.

  bench/gpu/plain.py libplain.so [libplain-before.so] [attention] [matmul] [only-plain]

With `only-plain`, forms with attributes are left out, as in libraries compiled with -DONLY_PLAIN.
"""
import math
import sys

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

import peers
from timing import Library, medians, off_by

WINDOW = 1024
TILES = {64: ["128x128", "128x128, a block each", "128x64", "64x128", "64x128, 2 share", "64x128, 3 share"],
         128: ["128x128", "128x128, a block each", "128x64", "64x128, 2 share"]}
BY_TRITON = [(128, 128, 8, 2), (128, 128, 8, 3), (128, 64, 4, 3), (128, 64, 8, 3), (64, 64, 4, 3)]
MATMUL = ["128x128", "128x256", "256x128", "128x128, 4 warps", "128x128, 4 stages", "128x256, 4 stages", "256x128, 4 stages",
          "128x128, persistent", "128x256, persistent"]
SIZES = [(1024,) * 3, (2048,) * 3, (4096,) * 3, (8192,) * 3, (4096, 14336, 4096), (4000, 4104, 4096)]
names = [x for x in sys.argv[1:] if x.endswith(".so")]
words = [x for x in sys.argv[1:] if x not in names]
wanted = [x for x in words if x != "only-plain"] or ["attention", "matmul"]
if "only-plain" in words:
    TILES = {d: [tile for tile in tiles if "," not in tile] for d, tiles in TILES.items()}
    MATMUL = MATMUL[:2]
libraries = {"": Library(names[0]), **{" before": Library(name) for name in names[1:]}}


@triton.jit
def attend(q, k, v, out, length, window, scale, FORM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    block = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64) * length * D
    m = block * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    rows = m[:, None] * D + d[None, :]
    queries = tl.load(q + head + rows, mask=(m < length)[:, None], other=0.0)
    largest = tl.full((BM,), -1e30, tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    begin, end = 0, length
    if FORM == 2:
        begin = tl.maximum(block * BM - window, 0) // BN * BN
    if FORM != 0:
        end = tl.minimum(block * BM + BM, length)
    for start in range(begin, end, BN):
        n = start + tl.arange(0, BN)
        keys = tl.load(k + head + (n[None, :] * D + d[:, None]), mask=(n < length)[None, :], other=0.0)
        scores = tl.dot(queries, keys) * scale
        scores = tl.where((n < length)[None, :], scores, -1e30)
        if FORM != 0:
            scores = tl.where(m[:, None] >= n[None, :], scores, -1e30)
        if FORM == 2:
            scores = tl.where(m[:, None] - n[None, :] < window, scores, -1e30)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + head + (n[:, None] * D + d[None, :]), mask=(n < length)[:, None], other=0.0)
        acc = tl.dot(p.to(values.dtype), values, acc * shrink[:, None])
        largest = after
    tl.store(out + head + rows, (acc / total[:, None]).to(out.dtype.element_ty), mask=(m < length)[:, None])


def compare(what, torch_s, expected, calls, out):
    """`calls`: functions that fill `out`, by name. Missing ones are skipped."""
    timed = {"torch": torch_s}
    for name, call in calls.items():
        out.fill_(float("nan"))
        try:
            call()
        except (RuntimeError, triton.runtime.errors.OutOfResources) as error:
            if "before" not in name and "Triton" not in name:
                raise
            continue
        if off_by(out, expected) < 1e-2:
            timed[name] = call
        else:
            print(f"{what}: {name} is wrong: off by {off_by(out, expected)}")
    median = medians(timed, rounds=5)
    triton_s = min((time, name) for name, time in median.items() if name.startswith("Triton"))
    line = [f"torch/Triton {median['torch'] / triton_s[0]:.3f} ({triton_s[1][7:]})"]
    for name, time in median.items():
        if name.startswith("tcc") and not name.endswith("before"):
            before = median.get(name + " before")
            line.append(f"{name[4:]}: {median['torch'] / time:.3f}" + (f" (before {median['torch'] / before:.3f})" if before else ""))
    print(f"| {what} | " + " | ".join(line) + " |", flush=True)


def attention(form, d, length, heads):
    q, k, v = (torch.randn(1, heads, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    out, scale = torch.empty_like(q), math.log2(math.e) / math.sqrt(d)
    kind = ["full", "causal", "window"].index(form)
    i = torch.arange(length, device="cuda")
    seen = (i[:, None] >= i) & (i[:, None] - i < WINDOW) if form == "window" else None
    expected = F.scaled_dot_product_attention(q, k, v, is_causal=form == "causal", attn_mask=seen)
    # For a window, torch computes full causal attention.
    torch_s = lambda: F.scaled_dot_product_attention(q, k, v, is_causal=form != "full")
    calls = {}
    for bm, bn, warps, stages in BY_TRITON:
        calls[f"Triton {bm}x{bn}, {warps} warps, {stages} stages"] = lambda x=(bm, bn, warps, stages): attend[
            (triton.cdiv(length, x[0]), heads)](q, k, v, out, length, WINDOW, scale, kind, x[0], x[1], d, num_warps=x[2], num_stages=x[3])
    for tile in TILES[d]:
        for suffix, lib in libraries.items():
            calls[f"tcc {tile}{suffix}"] = lambda lib=lib, tile=tile: lib.bench_plain_attention(
                f"{form} {d}: {tile}", q, k, v, out, heads, length, WINDOW, scale)
    compare(f"{form} D{d} {heads}x{length}", torch_s, expected, calls, out)


def matmul(m, n, k):
    a, b = torch.randn(m, k, device="cuda", dtype=torch.bfloat16), torch.randn(k, n, device="cuda", dtype=torch.bfloat16)
    out = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
    calls = {}
    for bm, bn, warps, stages in [(128, 256, 8, 3), (128, 128, 4, 3), (128, 128, 8, 4), (256, 128, 8, 3)]:
        calls[f"Triton {bm}x{bn}, {warps} warps, {stages} stages"] = lambda x=(bm, bn, warps, stages): peers.matmul[
            (triton.cdiv(m, x[0]) * triton.cdiv(n, x[1]),)](a, b, out, m, n, k, k, n, 1, n, False, BM=x[0], BN=x[1], BK=64, GROUP=8,
                                                           num_warps=x[2], num_stages=x[3])
    for tile in MATMUL:
        for suffix, lib in libraries.items():
            calls[f"tcc {tile}{suffix}"] = lambda lib=lib, tile=tile: lib.bench_plain_matmul(tile, a, b, out, m, n, k)
    compare(f"{m}x{n}x{k}", lambda: torch.matmul(a, b, out=out), torch.matmul(a, b), calls, out)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}; torch's time / each time")
if "matmul" in wanted:
    for size in SIZES:
        matmul(*size)
if "attention" in wanted:
    for heads, length in (32, 1024), (96, 1024), (16, 2048), (160, 2048), (32, 4096), (48, 4096), (16, 8192), (32, 16384):
        for d in TILES:
            for form in ("full", "causal", "window"):
                attention(form, d, length, heads)
