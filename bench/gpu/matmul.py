#!/usr/bin/env python3
"""tcc's matrix products compared with cuBLAS (torch) and, if torch has no comparable product, with Triton (peers.py) on
one GPU, in one process: each figure is the median of 7 interleaved rounds of Triton's do_bench, in random order, on
random inputs. Needs torch and Triton; prints TFLOP/s and the ratio to the first line's.

  bench/gpu/matmul.py libmatmul.so [TYPE:MxNxK ...]      such as bf16:4096x4096x4096, f16:..., fp8:..., int8:...,
                                                         "fp8 precise:..." (sums of 128 products, compared with torch's
                                                         without fast accumulation)
"""
import ctypes
import sys

import torch
import triton

import peers
from timing import medians

CONFIGURATIONS = {
    "bf16": [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 64, 8, 4), (128, 128, 64, 4, 3)],
    "f16": [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 64, 8, 4), (128, 128, 64, 4, 3)],
    "fp8": [(128, 256, 128, 8, 3), (128, 256, 128, 8, 4), (256, 128, 128, 8, 3), (128, 128, 128, 4, 3)],
}
CONFIGURATIONS["int8"] = [x for x in CONFIGURATIONS["fp8"] if x[4] == 3]
CONFIGURATIONS["fp8 precise"] = [(128, 128, 128, 8, 4), (128, 128, 128, 4, 3)]
# For small products: these have a two-dimensional grid and no persistent form.
SMALL = {"bf16": [(128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (128, 64, 128, 4, 3), (64, 128, 128, 4, 3), (128, 64, 64, 8, 4),
                  (64, 64, 128, 4, 4), (128, 64, 128, 8, 3), (64, 128, 128, 4, 4), (64, 128, 64, 4, 6), (64, 128, 64, 4, 8),
                  (128, 64, 64, 4, 6)]}
DEFAULT = ["bf16:4096x4096x4096", "bf16:8192x8192x8192", "bf16:2048x2048x2048", "bf16:1024x1024x1024", "bf16:4000x4104x4096",
           "f16:4096x4096x4096", "f16:8192x8192x8192", "fp8:4096x4096x4096", "fp8:8192x8192x8192", "fp8 precise:4096x4096x4096", "int8:4096x4096x4096",
           "int8:8192x8192x8192"]
lib = ctypes.CDLL(sys.argv[1])
lib.bench_error.restype = ctypes.c_char_p


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def product(kind, configuration, a, b, c, form=0):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    (m, n), k = c.shape, a.shape[1]
    code = lib.bench_matmul(kind.encode(), form, *configuration, pointer(a), pointer(b), pointer(c), m, n, k, stream)
    if code:
        raise RuntimeError(f"tcc's launch failed with {code}: {lib.bench_error().decode()}")


def by_descriptors(kind, configuration, a, b, c):
    product(kind, configuration, a, b, c, form=1)


def persistent(kind, configuration, a, b, c):
    product(kind, configuration, a, b, c, form=2)


def by_blocks(kind, configuration, a, b, c):
    product(kind, configuration, a, b, c, form=3)


def persistent_in_fours(kind, configuration, a, b, c):
    product(kind, configuration, a, b, c, form=4)


def by_blocks_in_fours(kind, configuration, a, b, c):
    product(kind, configuration, a, b, c, form=5)


def by_triton(kind, configuration, a, b, c):
    (bm, bn, bk, warps, stages), (m, n), k = configuration, c.shape, a.shape[1]
    along_k, along_n = (1, k) if b.shape[0] == n and kind in ("fp8", "int8") else (n, 1)
    peers.matmul[(triton.cdiv(m, bm) * triton.cdiv(n, bn),)](
        a, b, c, m, n, k, k, along_k, along_n, n, torch_type(kind)[1] == torch.int32, BM=bm, BN=bn, BK=bk, GROUP=8,
        num_warps=warps, num_stages=stages)


def torch_type(kind):
    """Returns the types of the operands and of the product."""
    return {"bf16": (torch.bfloat16, torch.bfloat16), "f16": (torch.float16, torch.float16),
            "fp8": (torch.float8_e4m3fn, torch.bfloat16), "fp8 precise": (torch.float8_e4m3fn, torch.bfloat16), "int8": (torch.int8, torch.int32)}[kind]


def operands(kind, m, n, k):
    """Returns A, B (column-major for 8-bit types: an N x K matrix), and a call of torch's product."""
    inputs, output = torch_type(kind)
    c = torch.empty(m, n, device="cuda", dtype=output)
    if kind == "int8":
        a, b = (torch.randint(-127, 128, shape, device="cuda", dtype=torch.int8) for shape in ((m, k), (n, k)))
        return a, b, c, lambda: torch._int_mm(a, b.t())
    if kind.startswith("fp8"):
        a, b = (torch.randn(shape, device="cuda").to(inputs) for shape in ((m, k), (n, k)))
        one = torch.ones((), device="cuda")
        return a, b, c, lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=output, use_fast_accum=kind == "fp8")
    a, b = (torch.randn(shape, device="cuda", dtype=inputs) for shape in ((m, k), (k, n)))
    return a, b, c, lambda: torch.matmul(a, b, out=c)


torch.manual_seed(0)
print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
print("| product | what | TFLOP/s | / torch |\n|---|---|---|---|")
for wanted in sys.argv[2:] or DEFAULT:
    kind, shape = wanted.split(":")
    m, n, k = map(int, shape.split("x"))
    a, b, c, torch_product = operands(kind, m, n, k)
    expected = torch_product().clone().float()
    calls = {"torch": torch_product}
    tried = [(who, call, x) for who, call in (("tcc", product), ("tcc, descriptors", by_descriptors), ("tcc, persistent", persistent),
                                         ("tcc, [[tt::persistent]]", by_blocks), ("tcc, persistent, groups of 4", persistent_in_fours),
                                         ("tcc, [[tt::persistent]], groups of 4", by_blocks_in_fours))
             for x in CONFIGURATIONS[kind] + (SMALL.get(kind, []) if call in (product, by_descriptors) and m * n <= 4 << 20 else [])
             if (call is by_descriptors if kind == "fp8 precise" else x[3] == 8 or call in (product, by_descriptors))]
    if kind == "int8":
        tried += [("Triton", by_triton, x) for x in CONFIGURATIONS[kind]]
    for who, call, configuration in tried:
        c.zero_() if kind == "int8" else c.fill_(float("nan"))
        call(kind, configuration, a, b, c)
        error = ((c.float() - expected).norm() / expected.norm()).item()
        assert error < 1e-2, f"{who}'s {kind} product in {configuration} is wrong: off by {error}"
        name = "{} {}x{}x{}, {} warps, {} stages".format(who, *configuration)
        calls[name] = lambda call=call, configuration=configuration: call(kind, configuration, a, b, c)
    median = medians(calls)
    for name in sorted(median, key=median.get):
        print(f"| {wanted} | {name} | {2 * m * n * k / median[name] / 1e9:.0f} | {median['torch'] / median[name]:.3f} |",
              flush=True)
