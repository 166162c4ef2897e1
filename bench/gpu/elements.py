#!/usr/bin/env python3
"""Matrix products of floats (as tf32), bytes and 8-bit floats (elements.tt.cpp) compared with torch and with Triton
(peers.py), on one GPU, in one process (timing.py), on random inputs. The right operand is stored by rows or by columns.
Prints torch's and Triton's time divided by tcc's for each size of tile. torch multiplies bytes and 8-bit floats only by
columns. A second library is built by another compiler version from the same source; then figures are former -> now.

  bench/gpu/elements.py libelements.so [libelements-before.so]
"""
import sys

import torch
import triton

import peers
from timing import Library, medians, off_by

libraries = dict(zip(("now", "before"), map(Library, sys.argv[1:])))
TILES = ("128x128", "128x256", "256x128")
SIZES = [(2048,) * 3, (4096,) * 3, (8192, 8192, 4096), (4096, 14336, 4096)]
BY_TRITON = [(128, 128, 4, 3), (128, 128, 8, 3), (128, 256, 8, 3), (256, 128, 8, 3)]


def random(kind, *shape):
    if kind == "int8":
        return torch.randint(-8, 8, shape, device="cuda", dtype=torch.int8)
    values = torch.randn(*shape, device="cuda")
    return values if kind == "float" else values.to(torch.float8_e4m3fn)


torch.backends.cuda.matmul.allow_tf32 = True
torch.manual_seed(0)
one = torch.ones((), device="cuda")
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}; "
      "torch's (Triton's) time over tcc's")
print("| elements | right operand | product | torch, us | Triton | " + " | ".join(TILES) + " |")
print("|" + "---|" * (len(TILES) + 5))
for kind, result, depth in ("float", torch.float32, 32), ("int8", torch.int32, 128), ("float8", torch.bfloat16, 128):
    for order in "by rows", "by columns":
        for M, N, K in SIZES:
            a, b = random(kind, M, K), random(kind, K, N) if order == "by rows" else random(kind, N, K).T
            out = torch.empty(M, N, device="cuda", dtype=result)
            by_torch = {"float": lambda a, b: a @ b, "int8": torch._int_mm,
                        "float8": lambda a, b: torch._scaled_mm(a, b, one, one, out_dtype=result)}[kind]
            columns = b if kind == "float" or order == "by columns" else b.T.contiguous().T
            expected, numbers = by_torch(a, columns), (M, N, K, *a.stride(), *b.stride(), *out.stride())
            calls = {"torch": lambda: by_torch(a, columns)}
            for bm, bn, warps, stages in BY_TRITON:
                grid = (triton.cdiv(M, bm) * triton.cdiv(N, bn),)
                calls["Triton", bm, bn, warps] = lambda bm=bm, bn=bn, w=warps, s=stages, grid=grid: peers.matmul[grid](
                    a, b, out, M, N, K, K, *b.stride(), N, kind == "int8", BM=bm, BN=bn, BK=depth, GROUP=8, num_warps=w,
                    num_stages=s)
            for who, library in libraries.items():
                for tile in TILES:
                    calls[who, tile] = lambda call=getattr(library, f"bench_{kind}_{tile}"): call(a, b, out, *numbers)
            for name in list(calls)[1:]:
                out.zero_()
                try:
                    calls[name]()
                except triton.runtime.errors.OutOfResources:
                    del calls[name]
                    continue
                if not off_by(out, expected) < 1e-2:
                    print(f"{kind} {order} {M}x{N}x{K}: {name} is wrong: off by {off_by(out, expected)}")
            time = medians(calls, rounds=5)
            best = min(time[name] for name in time if name[0] == "Triton")
            ratio = lambda who, tile: f"{time['torch'] / time[who, tile]:.3f} ({best / time[who, tile]:.3f})"
            row = [kind, order, f"{M}x{N}x{K}", f"{time['torch'] * 1000:.1f}", f"{time['torch'] / best:.3f}"]
            row += [" -> ".join(ratio(who, tile) for who in reversed(libraries)) for tile in TILES]
            print("| " + " | ".join(row) + " |", flush=True)
