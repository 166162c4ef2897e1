#!/usr/bin/env python3
"""Bias, GELU, dropout and a residual on one GPU: tcc's graph of four launches, the single launch that tt::fuse makes of
it, and torch.compile of the same function, with and without a CUDA graph. One process; each figure is the median of
5 interleaved rounds of Triton's do_bench, in single precision. The fused and unfused results must be identical.
Needs torch and Triton; libtilecc.so is found through the library's run path, and finds its own files. Prints
microseconds, and the time relative to the fused graph.

  bench/gpu/fusion.py libfusion.so [rows ...]         rows of 4096 columns
"""
import ctypes
import sys

import torch
import torch.nn.functional as F

from timing import medians

COLUMNS, P, SEED = 4096, 0.1, 42
lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p


def check(code):
    if code:
        raise RuntimeError(lib.bench_error().decode())


def capture(tensors, rows, fused):
    layer, launches = ctypes.c_void_p(), ctypes.c_int()
    check(lib.bench_capture(ctypes.byref(layer), *(ctypes.c_void_p(t.data_ptr()) for t in tensors), rows, COLUMNS,
                            ctypes.c_float(P), SEED, int(fused), ctypes.byref(launches)))
    assert launches.value == (1 if fused else 4), lib.bench_error().decode()
    return layer


def launch(layer):
    check(lib.bench_launch(layer, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))


@torch.compile
def compiled(x, bias, residual):
    return F.dropout(F.gelu(x + bias), P, training=True) + residual


def captured_by_torch(*inputs):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            compiled(*inputs)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        compiled(*inputs)
    return graph


torch.manual_seed(0)
torch.set_grad_enabled(False)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
print("| rows | what | us | / fused | TB/s of 12 bytes an element |\n|---|---|---|---|---|")
for rows in [int(x) for x in sys.argv[2:]] or [1024, 4096, 16384]:
    x, residual, t1, t2, t3, out = (torch.randn(rows, COLUMNS, device="cuda") for _ in range(6))
    bias = torch.randn(COLUMNS, device="cuda")
    tensors = (x, bias, residual, t1, t2, t3, out)
    unfused, fused = capture(tensors, rows, False), capture(tensors, rows, True)
    launch(unfused)
    expected = out.clone()
    out.fill_(float("nan"))
    launch(fused)
    assert torch.equal(out.view(torch.int32), expected.view(torch.int32)), "fusing changed bits"
    kept = out != residual
    assert abs(kept.float().mean().item() - (1 - P)) < 0.01, "dropout keeps the wrong share of elements"
    reference = F.gelu(x + bias) / (1 - P) + residual
    assert torch.allclose(out[kept], reference[kept], rtol=1e-4, atol=1e-5), "the layer is wrong"

    torch_graph = captured_by_torch(x, bias, residual)
    calls = {"fused": lambda: launch(fused), "unfused graph": lambda: launch(unfused),
             "torch.compile": lambda: compiled(x, bias, residual), "torch.compile, CUDA graph": torch_graph.replay}
    median = medians(calls, rounds=5)
    for name in calls:
        print(f"| {rows} | {name} | {median[name] * 1e3:.1f} | {median[name] / median['fused']:.2f} | "
              f"{12 * rows * COLUMNS / median[name] / 1e9:.2f} |", flush=True)
    lib.bench_destroy(unfused), lib.bench_destroy(fused)
