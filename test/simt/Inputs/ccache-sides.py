"""Compiles a source, changed in what only one side sees, with ccache, and prints its hits and misses.

    ccache-sides.py TCC-NVCC
"""
import os
import subprocess
import sys

environment = {**{name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")},
               "CCACHE_DIR": os.path.abspath("ccache"), "CCACHE_NODIRECT": "1"}


def compile(what, device, host):
    with open("k.cu", "w") as source:
        source.write(f"__global__ void k(int *x) {{\n#ifdef __CUDA_ARCH__\n  *x = {device};\n#endif\n}}\n"
                     f"#ifndef __CUDA_ARCH__\nint f() {{ return {host}; }}\n#endif\n")
    subprocess.run(["ccache", "--zero-stats"], env=environment, check=True, capture_output=True)
    subprocess.run(["ccache", sys.argv[1], "-arch=sm_90", "-c", "k.cu", "-o", "k.o"], env=environment, check=True)
    stats = subprocess.run(["ccache", "--print-stats"], env=environment, check=True, capture_output=True, text=True).stdout
    counts = dict(line.split() for line in stats.splitlines())
    print(f"{what}: a {'hit' if int(counts['preprocessed_cache_hit']) else 'miss'}", flush=True)


compile("first", 1, 1)
compile("device code changed", 2, 1)
compile("host code changed", 1, 2)
compile("as before", 1, 1)
