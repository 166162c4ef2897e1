#!/usr/bin/env python3
"""Compares the speed and the results of executables of this folder, made by several compilers.

usage: times.py [--rounds N] NVCC TCC...

Runs the executables alternately, in random order. For each benchmark, prints the first one's median time in
microseconds and the others' times over it. Exits with 1 if results differ by more than one part in 1000."""
import argparse
import collections
import math
import random
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("executables", nargs="+")
options = parser.parse_args()

times, results = collections.defaultdict(list), {}
for _ in range(options.rounds):
    for executable in random.sample(options.executables, len(options.executables)):
        output = subprocess.run([executable], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
        for line in output.splitlines():
            name, time, result = line.split()
            times[name, executable].append(float(time))
            results[name, executable] = float(result)

first, *others = options.executables
names = [name for name, executable in times if executable == first]
median = {key: statistics.median(values) for key, values in times.items()}
ratios = {name: [median[name, other] / median[name, first] for other in others] for name in names}
differ = False
for name in sorted(names, key=lambda name: -ratios[name][-1]):
    expected = results[name, first]
    wrong = [other for other in others if not math.isclose(results[name, other], expected, rel_tol=1e-3)]
    differ |= bool(wrong)
    print(f"{name:18} {median[name, first]:9.1f}", *(f"{ratio:6.3f}" for ratio in ratios[name]),
          f"results differ: {wrong}" if wrong else "")
for i, other in enumerate(others):
    mean = statistics.geometric_mean(ratios[name][i] for name in names)
    most = max(ratios[name][i] for name in names)
    print(f"{other}: geometric mean {mean:.3f}, most {most:.3f}, {len(names)} programs")
sys.exit(differ)
