#!/usr/bin/env python3
"""Chains of dependent launches in one stream (chains.tt.cpp), compared with torch's eager kernels, with the same in a
CUDA graph, and with Triton, on one GPU, in one process (timing.py). A second library is built by another compiler version
from the same source. Prints the time of a layer, or of an addition, in microseconds; torch's products are cuBLAS's.

  bench/gpu/chains.py libchains.so [libchains-before.so]
"""
import sys

import torch
import triton
import triton.language as tl

from timing import Library, medians, off_by

libraries = dict(zip(("tcc", "tcc before"), map(Library, sys.argv[1:])))


@triton.jit
def triton_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def in_graph(call):
    call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def normal(*shape):
    return torch.randn(*shape, device="cuda").to(torch.bfloat16)


def show(what, calls, count):
    time = medians(calls)
    print(f"| {what} | " + " | ".join(f"{time[who] * 1000 / count:.2f}" if who in time else "" for who in columns) + " |", flush=True)


columns = [*libraries, "torch", "torch, graph", "Triton"]
torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}; us per layer or addition")
print("| chain | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
for rows, width, inner, layers in [(r, w, i, n) for w, i, n in ((1024, 2816, 24), (4096, 11008, 8)) for r in (1, 16, 128, 1024)]:
    w, up, down = 1 + 0.1 * normal(layers, width), normal(layers, 2 * inner, width) / width**0.5, normal(layers, width, inner) / inner**0.5
    first = normal(rows, width)
    x, residual, normed = torch.empty_like(first), torch.empty_like(first), torch.empty_like(first)
    gates, hidden = torch.empty(rows, 2 * inner, device="cuda", dtype=torch.bfloat16), torch.empty(rows, inner, device="cuda", dtype=torch.bfloat16)

    def torch_layers(x, residual):
        for i in range(layers):
            residual += x
            torch.matmul(torch.nn.functional.rms_norm(residual, (width,), w[i], 1e-6), up[i].T, out=gates)
            torch.mul(torch.nn.functional.silu(gates[:, :inner]), gates[:, inner:], out=hidden)
            torch.matmul(hidden, down[i].T, out=x)

    def check(who, call):
        x.copy_(first), residual.zero_()
        call()
        expected_x, expected_residual = first.clone(), torch.zeros_like(first)
        torch_layers(expected_x, expected_residual)
        if not off_by(residual, expected_residual) < 3e-2:
            print(f"{rows}x{width}: {who} is wrong: off by {off_by(residual, expected_residual)}")

    calls = {"torch": lambda: torch_layers(x, residual)}
    calls["torch, graph"] = in_graph(calls["torch"])
    for who, library in libraries.items():
        calls[who] = lambda library=library: library.bench_layers(x, residual, w, normed, up, gates, hidden, down, rows, width, inner, layers)
        check(who, calls[who])
    show(f"feed-forward of {rows} rows, {width} to {inner}", calls, layers)

for n in (1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 24):
    count = 100
    x, y = torch.zeros(n, device="cuda"), torch.zeros(n, device="cuda")

    def adds(add):
        for i in range(count):
            add(x, y, x if i % 2 else y)

    calls = {"torch": lambda: adds(lambda a, b, out: torch.add(a, b, out=out)),
             "Triton": lambda: adds(lambda a, b, out: triton_add[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024))}
    calls["torch, graph"] = in_graph(calls["torch"])
    for who, library in libraries.items():
        calls[who] = lambda library=library: library.bench_adds(x, y, n, count)
        x.fill_(1), y.fill_(0)
        library.bench_adds(x, y, n, 10)
        if not (x == 89).all() or not (y == 55).all():
            print(f"additions of {n}: {who} is wrong")
    show(f"addition of {n}", calls, count)
