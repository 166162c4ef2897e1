#!/usr/bin/env python3
"""Measures the time that tcc needs from source to cubin, compared with Triton's cold compile of the same kernel, for
the kernels of bench/gpu and one architecture. Both times include ptxas (the same one). Neither includes process start
and imports: Triton compiles in this process, and the time of `tcc --version` is subtracted from tcc's. tcc's source has
one kernel in one configuration and a launch. Parsing it with the language's header and instantiating it are included.
tcc generates only the variant that Triton generates (every argument divisible by 16). Needs Triton 3.6 and a CUDA
toolkit, but no GPU. Prints medians of interleaved runs: elapsed time, and processor time (user and system, including
ptxas), which other work on the cores disturbs less.

  bench/compile-time/kernels.py --tcc build/bin/tcc [--ptxas /usr/local/cuda/bin/ptxas] [--sm 90] [--runs 5]
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tcc", default="build/bin/tcc")
parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
parser.add_argument("--sm", type=int, default=90)
parser.add_argument("--runs", type=int, default=5)
args = parser.parse_args()

gpu = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "gpu")
sys.path.insert(0, gpu)
os.environ["TRITON_PTXAS_PATH"] = args.ptxas
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import peers

# kernel, tcc's template arguments, Triton's signature (pointers and integers are multiples of 16), warps
ROWS = "stride=i32 columns=i32"
KERNELS = [
    ("vector_add", "1024, 4", "x=*fp32 y=*fp32 out=*fp32 n=i32 BLOCK=1024", 4),
    ("softmax_rows", "1024, 4", f"x=*fp32 out=*fp32 {ROWS} BLOCK=1024", 4),
    ("softmax_rows", "4096, 8", f"x=*fp32 out=*fp32 {ROWS} BLOCK=4096", 8),
    ("layer_norm", "4096, 8", f"x=*fp32 w=*fp32 b=*fp32 out=*fp32 {ROWS} epsilon=fp32 BLOCK=4096", 8),
    ("transpose_copy", "64, 64, 8", "x=*fp32 out=*fp32 rows=i32 columns=i32 M=64 N=64", 8),
    ("row_sum", "4096, 8", "x=*fp32 out=*fp32 columns=i32 BLOCK=4096", 8),
    ("dequantize", "4096, 8", "q=*i8 scale=*fp32 out=*fp32 columns=i32 BLOCK=4096", 8),
]


def triton_source(name, signature):
    types, constants, attributes = {}, {}, {}
    for i, argument in enumerate(signature.split()):
        key, value = argument.split("=")
        if value.isdigit():
            types[key], constants[(i,)] = "constexpr", int(value)
        else:
            types[key] = value
            if value != "fp32":
                attributes[(i,)] = [["tt.divisibility", 16]]
    return ASTSource(fn=getattr(peers, name), signature=types, constexprs=constants, attrs=attributes)


def now():
    """Returns elapsed and processor seconds of this process and its children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def since(start):
    return [after - before for after, before in zip(now(), start)]


def compile_with_triton(name, signature, warps, folder):
    source = triton_source(name, signature)
    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)
    start = now()
    kernel = triton.compile(source, target=GPUTarget("cuda", args.sm, 32), options={"num_warps": warps})
    elapsed = since(start)
    assert "cubin" in kernel.asm
    return elapsed


def write_tcc_source(name, arguments, folder):
    """Extracts this kernel from kernels.tt.cpp and adds a use of it."""
    with open(os.path.join(gpu, "kernels.tt.cpp")) as file:
        text = file.read()
    kernel = re.search(rf"template <[^>]*>\n\[\[tt::num_warps\(WARPS\)\]\] __tile_global__ void {name}\(.*?\n}}\n", text, re.S)[0]
    path = os.path.join(folder, name + ".tt.cpp")
    with open(path, "w") as file:
        file.write(f"#include <tilecc/tt.h>\n{kernel}auto use = {name}<{arguments}>;\n")
    return path


def run(*command):
    start = now()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return since(start)


toolkit = os.path.dirname(os.path.dirname(os.path.realpath(args.ptxas)))
with tempfile.TemporaryDirectory() as folder:
    compile_with_triton(*KERNELS[0][::2], KERNELS[0][3], folder)  # modules that Triton imports at its first compilation
    print("| kernel | warps | tcc, ms | Triton, ms | tcc / Triton | processor: tcc, ms | Triton, ms | tcc / Triton |\n" + "|---" * 8 + "|")
    for name, arguments, signature, warps in KERNELS:
        source = write_tcc_source(name, arguments, folder)
        cubin = [args.tcc, f"--cuda-path={toolkit}", "-cubin", f"-arch=sm_{args.sm}", "--variant=a16", source, "-o",
                 os.path.join(folder, "kernel.cubin")]
        run(*cubin)  # warms the page cache
        ours, starts, theirs = [], [], []
        for _ in range(args.runs):
            starts.append(run(args.tcc, "--version"))
            ours.append(run(*cubin))
            theirs.append(compile_with_triton(name, signature, warps, folder))
        figures = ""
        for i in range(2):
            mine, start, other = (statistics.median(run[i] for run in runs) * 1e3 for runs in (ours, starts, theirs))
            figures += f" {mine - start:.0f} | {other:.0f} | {(mine - start) / other:.2f} |"
        print(f"| {name}<{arguments}> | {warps} |{figures}", flush=True)
