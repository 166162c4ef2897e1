#!/usr/bin/env python3
"""Measures the time of `tcc -c` compared with `nvcc -c` and, if requested, clang's CUDA mode: the same kernel, with and
without heavy standard headers, for the same two architectures. Runs are interleaved; prints medians and ratios.

  bench/compile-time/run.py --tcc build/bin/tcc [--nvcc nvcc] [--runs 11]
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tcc", default="build/bin/tcc")
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--clang", default="", help="also measures clang's CUDA mode, with this clang++")
parser.add_argument("--runs", type=int, default=11)
args = parser.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
tile, simt = os.path.join(here, "add.tt.cpp"), os.path.join(here, "add.cu")
nvcc_archs = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
compilers = {
    "tcc": [args.tcc, "-O2", "-c", tile],  # the same by default: sm_80 and sm_90 code and compute_90 PTX
    "nvcc": [args.nvcc, "-O2", "-std=c++20", *nvcc_archs, "-c", simt],
}
if args.clang:
    compilers["clang"] = [args.clang, "-O2", "-std=c++20", "--cuda-gpu-arch=sm_80", "--cuda-gpu-arch=sm_90",
                          "-Wno-unknown-cuda-version", "-c", simt]

with tempfile.TemporaryDirectory() as folder:
    print(f"| headers | {' | '.join(f'{c}, s' for c in compilers)} | tcc / nvcc |")
    print(f"|---|{'---|' * (len(compilers) + 1)}")
    for headers, flags in (("light", []), ("heavy", ["-DHEAVY"])):
        times = {name: [] for name in compilers}
        for run in range(args.runs + 1):  # the first warms the page cache
            for name, command in compilers.items():
                start = time.perf_counter()
                subprocess.run([*command, *flags, "-o", os.path.join(folder, name + ".o")], check=True)
                if run:
                    times[name].append(time.perf_counter() - start)
        median = {name: statistics.median(values) for name, values in times.items()}
        print(f"| {headers} | {' | '.join(f'{median[c]:.3f}' for c in compilers)} | "
              f"{median['tcc'] / median['nvcc']:.2f} |")
        sys.stdout.flush()
