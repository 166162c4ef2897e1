#!/usr/bin/env python3
"""Matrix products whose launches end with a part of a round of blocks (tails.tt.cpp), compared with cuBLAS on one GPU,
in one process (timing.py), on random inputs. Prints cuBLAS's time divided by tcc's for each size of tile. A second
library is built by another compiler version from the same source; figures are then printed as before -> now.

  bench/gpu/tails.py [--few-tiles] libtails.so [libtails-before.so]

With --few-tiles, the products have 4 to 80 tiles of 128x128 and loops of all lengths instead.
"""
import sys

import torch

from timing import Library, medians, off_by

few = sys.argv[1] == "--few-tiles"
libraries = dict(zip(("now", "before"), map(Library, sys.argv[1 + few:])))
tiles = ("128x128", "128x256", "256x128")
sizes = [(n, n, n) for n in (1408, 1536, 1792, 2000, 2048, 2304, 2560, 3000, 3072, 4096, 8192)]
sizes += [(4000, 4104, 4096), (4096, 14336, 4096), (768, 3072, 768), (5120, 5120, 1024), (2048, 5632, 2048), (6000, 6000, 3000)]
if few:
    shapes = [(256, 256), (512, 512), (512, 1024), (640, 1024), (768, 1024), (1024, 1024), (1024, 1280)]
    sizes = [(m, n, k) for m, n in shapes for k in (512, 2048, 4096, 8192, 16384, 65536)]


def normal(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(torch.bfloat16)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}; cuBLAS's time in us, and cuBLAS's time / tcc's")
print("| product | cuBLAS, us | " + " | ".join(tiles) + " |\n|" + "---|" * (len(tiles) + 2))
for m, n, k in sizes:
    a, b, out = normal(m, k), normal(k, n), torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
    expected, numbers = a @ b, (m, n, k, *a.stride(), *b.stride(), *out.stride())
    calls = {"cuBLAS": lambda: torch.matmul(a, b, out=out)}
    for who, library in libraries.items():
        for tile in tiles:
            calls[who, tile] = lambda call=getattr(library, "bench_matmul_" + tile): call(a, b, out, *numbers)
            out.zero_()
            calls[who, tile]()
            if not off_by(out, expected) < 1e-2:
                print(f"{m}x{n}x{k}: {who}, {tile} is wrong: off by {off_by(out, expected)}")
    time = medians(calls)
    ratio = lambda who, tile: f"{time['cuBLAS'] / time[who, tile]:.3f}"
    print(f"| {m}x{n}x{k} | {time['cuBLAS'] * 1000:.1f} | " + " | ".join(" -> ".join(ratio(who, tile) for who in reversed(libraries)) for tile in tiles) + " |",
          flush=True)
