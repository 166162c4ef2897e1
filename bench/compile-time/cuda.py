#!/usr/bin/env python3
"""How long CUDA sources take: `tcc -c` beside `nvcc -c`, for one GPU, in interleaved runs. Prints the medians of processor seconds (all
processes) and of elapsed ones, and their quotients. The sources are the tests' own: small ones, and some with CUB and Thrust.

  bench/compile-time/cuda.py --tcc build/bin/tcc [--nvcc nvcc] [--arch sm_90] [--runs 3] [PROGRAM...]
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

PROGRAMS = ["vector-add", "shared-memory", "templates", "graphs", "cub", "cub-scan-select", "thrust", "thrust-iterators"]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tcc", required=True)
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--arch", default="sm_90")
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("programs", nargs="*", default=PROGRAMS)
args = parser.parse_args()
sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/simt/programs")


def measure(command):
    used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elapsed, now = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, elapsed


print(f"{'program':18} {'tcc cpu':>8} {'nvcc cpu':>8} {'ratio':>6}  {'tcc':>8} {'nvcc':>8} {'ratio':>6}")
with tempfile.TemporaryDirectory() as folder:
    for program in args.programs:
        common = ["-O2", "-std=c++20", f"-arch={args.arch}", "-c", os.path.join(sources, program + ".cu"), "-o", os.path.join(folder, "o")]
        commands = [[args.tcc, *common], [args.nvcc, "--extended-lambda", *common]]
        runs = [[measure(command) for command in commands] for _ in range(args.runs)]
        line = f"{program:18}"
        for which in range(2):
            ours, theirs = (statistics.median(run[compiler][which] for run in runs) for compiler in range(2))
            line += f" {ours:8.2f} {theirs:8.2f} {ours / theirs:6.2f} "
        print(line, flush=True)
