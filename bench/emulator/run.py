#!/usr/bin/env python3
"""Measures how fast the PTX emulator runs the kernels of the examples, with and without checks, on one thread and on all.

    bench/emulator/run.py [--build build] [--runs 7]

Prints millions of thread instructions per second and core, medians of the runs: an instruction that a warp executes counts
once for each thread that takes part.
"""
import argparse
import os
import re
import statistics
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# name, source, the launch of one kernel of it
KERNELS = [
    ("vector_add, 4 M floats", "examples/01-vector-add/vector-add.tt.cpp",
     ["--kernel=add<1024>$a16", "--grid=4096", "--block=128", "--arg=f32[4194304]=random", "--arg=f32[4194304]=random",
      "--arg=f32[4194304]", "--arg=s32:4194304"]),
    ("softmax, 4096 x 1024", "examples/02-softmax/softmax.tt.cpp",
     ["--kernel=softmax_rows<1024>$a16", "--grid=4096", "--block=128", "--shared=1024", "--arg=f32[4194304]=random",
      "--arg=f32[4194304]", "--arg=s32:1024", "--arg=s32:1024"]),
    ("matmul, 512^3, fma", "examples/03-matmul/matmul.tt.cpp",
     ["--kernel=matmul<128, 128, 32, 8>$a16", "--grid=16", "--block=256", "--shared=99000",
      "--arg=f32[262144]=random", "--arg=f32[262144]=random", "--arg=f32[262144]"] + ["--arg=s32:512"] * 6),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    binaries = os.path.join(os.path.abspath(options.build), "bin")
    cores = os.cpu_count()
    columns = [("no checks", "none", 1), ("all checks", "all", 1), (f"no checks, {cores} threads", "none", cores)]
    print("| kernel | " + " | ".join(name for name, _, _ in columns) + " |")
    print("| --- |" + " ---: |" * len(columns))
    with tempfile.TemporaryDirectory() as folder:
        for name, source, launch in KERNELS:
            ptx = os.path.join(folder, "kernel.ptx")
            subprocess.run([os.path.join(binaries, "tcc"), "-ptx", "-arch=sm_90a", os.path.join(ROOT, source), "-o", ptx],
                           check=True)
            cells = []
            for _, checks, threads in columns:
                rates = []
                for _ in range(options.runs):
                    run = subprocess.run(
                        [os.path.join(binaries, "tcc-run"), ptx, "--stats", f"--checks={checks}"] + launch, check=True,
                        capture_output=True, text=True, env=dict(os.environ, TILECC_NUM_THREADS=str(threads)))
                    count, seconds = re.search(r"(\d+) thread instructions in ([0-9.e+-]+) s", run.stdout + run.stderr).groups()
                    rates.append(int(count) / float(seconds) / 1e6)
                cells.append(f"{statistics.median(rates):.0f}")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
