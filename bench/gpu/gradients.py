#!/usr/bin/env python3
"""Gradients of convolutions (gradients.tt.cpp) compared with cuDNN (through torch, channels last), on one GPU, in one
process (timing.py), on random-normal bf16 tensors. A second library, built from the same source by an earlier compiler,
can be compared, too. Prints the ratio of cuDNN's time to each time, with the fastest tile and for all tiles.

  bench/gpu/gradients.py libgradients.so [libgradients-before.so]
"""
import sys

import torch

from timing import Library, medians, off_by

TILES = ["128x128x64, 4 warps, 3 stages", "128x128x64, 8 warps, 4 stages", "128x256x64, 8 warps, 3 stages",
         "256x128x64, 8 warps, 3 stages", "128x64x64, 4 warps, 4 stages", "64x64x64, 4 warps, 4 stages"]
SIZES = [(32, 56, 56, 128, 256), (32, 28, 28, 256, 256), (32, 14, 14, 256, 512), (32, 56, 56, 64, 64)]
libraries = {name: Library(path) for name, path in zip(("tcc", "before"), sys.argv[1:])}


def normal(*shape):
    values = torch.randn(*shape, device="cuda", dtype=torch.float32).to(torch.bfloat16)
    return values.to(memory_format=torch.channels_last)


torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}; cuDNN's time / each time")
for r in 3, 1:
    for n, h, w, c, k in SIZES:
        x, dy, weights = normal(n, c, h, w), normal(n, k, h, w), normal(k, c, r, r) / (r * c**0.5)

        def by_cudnn(*mask):
            padding = [r // 2, r // 2]
            return torch.ops.aten.convolution_backward(dy, x, weights, None, [1, 1], padding, [1, 1], False, [0, 0], 1, mask)

        mine = weights.permute(2, 3, 0, 1).contiguous()
        for what, number, a, b in ("images", 0, dy, mine), ("weights", 1, x, dy):
            mask = [i == number for i in range(3)]
            expected = by_cudnn(*mask)[number].permute(0, 2, 3, 1)
            out = torch.empty(expected.shape, device="cuda", dtype=torch.bfloat16)
            calls = {"cuDNN": lambda: by_cudnn(*mask)}
            for tile in TILES:
                for name, lib in libraries.items():
                    calls[name, tile] = lambda lib=lib, tile=tile: lib.bench_gradient(what, r, tile, a, b, out, n, h, w, c, k)
                    out.fill_(float("nan"))
                    calls[name, tile]()
                    if not off_by(out, expected) < 1e-2:
                        sys.exit(f"{what} {r}x{r} {n}x{h}x{w}x{c} to {k}, {name}, {tile}: off by {off_by(out, expected)}")
            times = medians(calls, rounds=5)
            line = [f"| {what}, {r}x{r}, {n}x{h}x{w}x{c} to {k} | {times['cuDNN'] * 1000:.1f}"]
            for name in reversed(libraries):
                best = min(TILES, key=lambda tile: times[name, tile])
                line.append(f"{times['cuDNN'] / times[name, best]:.3f} ({best}; " +
                            ", ".join(f"{times['cuDNN'] / times[name, tile]:.3f}" for tile in TILES) + ")")
            print(" | ".join(line) + " |", flush=True)
