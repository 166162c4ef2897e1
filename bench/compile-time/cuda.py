#!/usr/bin/env python3
"""Measures the compile time of CUDA sources: `tcc -c` compared with `nvcc -c`, for one GPU, in interleaved runs. Also
measures `tcc -c --preamble-dir` for a source that was compiled before; the time of the first run, which fills the
folder, is printed as well. Prints the medians of processor seconds (all processes) and of elapsed seconds, and their
ratios to nvcc's. The sources belong to the tests: small ones, and some with CUB and Thrust.

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


names = ("tcc", "first", "again", "nvcc")
print(f"{'program':18}" + "".join(f"{name + ' cpu':>11} {'ratio':>5} {'elapsed':>8} {'ratio':>5}" for name in names))
with tempfile.TemporaryDirectory() as folder:
    for program in args.programs:
        source, output = os.path.join(sources, program + ".cu"), os.path.join(folder, "o")
        common = ["-O2", "-std=c++20", f"-arch={args.arch}", "-c", source, "-o", output]
        keep = [args.tcc, *common, f"--preamble-dir={folder}"]
        first = [measure(keep)]
        commands = [[args.tcc, *common], keep, [args.nvcc, "--extended-lambda", *common]]
        plain, again, nvcc = zip(*[[measure(command) for command in commands] for _ in range(args.runs)])
        theirs = [statistics.median(run[which] for run in nvcc) for which in range(2)]
        line = f"{program:18}"
        for runs in (plain, first, again, nvcc):
            ours = [statistics.median(run[which] for run in runs) for which in range(2)]
            line += f"{ours[0]:11.2f} {ours[0] / theirs[0]:5.2f} {ours[1]:8.2f} {ours[1] / theirs[1]:5.2f}"
        print(line, flush=True)
