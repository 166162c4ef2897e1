#!/usr/bin/env python3
"""Measures the compilation of large files: the processor seconds (user, all processes) of `tcc -c` for sm_80 and sm_90,
as the minimum of interleaved runs, and the memory of the largest process. Compares several tcc if more than one is
given.

  bench/compile-time/scale.py --tcc build/bin/tcc [--tcc OTHER] [--runs 3] [part of a file's name...]
"""
import argparse
import os
import random
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--tcc", action="append", required=True)
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("names", nargs="*", default=[""])
args = parser.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
examples = os.path.join(here, "..", "..", "examples")
FILES = {  # goals, in seconds
    os.path.join(here, "cumsum.tt.cpp"): 2,
    os.path.join(here, "sort.tt.cpp"): 3,
    os.path.join(here, "unrolled.tt.cpp"): 6,
    os.path.join(here, "instances.tt.cpp"): 3,
    os.path.join(here, "matmuls.tt.cpp"): 5,
    os.path.join(examples, "05-flash-attention", "flash-attention.tt.cpp"): 3,
    os.path.join(examples, "15-attention-backward", "attention-backward.tt.cpp"): 3,
}
FILES = {source: goal for source, goal in FILES.items() if any(name in os.path.basename(source) for name in args.names)}
TARGETS = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"]


def compile_once(tcc, source, output):
    """Returns user seconds and megabytes."""
    null = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawnp(tcc, [tcc, "-w", "-c", source, *TARGETS, "-o", output], os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(null)
    _, status, used = os.wait4(process, 0)
    assert status == 0, f"{tcc} {source}"
    return used.ru_utime, used.ru_maxrss / 1024


best = {}
with tempfile.TemporaryDirectory() as folder:
    jobs = [(tcc, source) for tcc in args.tcc for source in FILES]
    for _ in range(args.runs):
        random.shuffle(jobs)
        for job in jobs:
            now = compile_once(*job, os.path.join(folder, "a.o"))
            best[job] = min(best.get(job, now), now)

print("| file |" + "".join(f" {tcc}, s | MB |" for tcc in args.tcc) + " goal |")
print("|---|" + "---|---|" * len(args.tcc) + "---|")
for source, goal in FILES.items():
    figures = "".join(f" {seconds:.2f} | {memory:.0f} |" for seconds, memory in (best[tcc, source] for tcc in args.tcc))
    print(f"| {os.path.basename(source)} |{figures} {goal} |")
