"""Assembles kernels of the matrix with ptxas for every other target: two for each, selected by a seed, or all with --all.

  check-targets.py tcc folder seed|--all
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TARGETS = ["sm_80", "sm_86", "sm_89", "sm_100", "sm_120"]
tcc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
families = sorted(folder.glob("*.tt.cpp"))
failures = 0


def run(*arguments):
    return subprocess.run([tcc, "-O0", *map(str, arguments)], capture_output=True, text=True)


def judge(what, result):
    global failures
    if result.returncode:
        failures += 1
        print(f"{what}:\n{result.stderr[:2000]}", file=sys.stderr)


with tempfile.TemporaryDirectory() as temporary:
    output = pathlib.Path(temporary) / "image"
    if sys.argv[3] == "--all":
        for family in families:
            targets = [f"-gencode=arch=compute_{target[3:]},code={target}" for target in TARGETS]
            judge(family.name, run("-fatbin", *targets, family, "-o", output))
        print(f"{len(families)} families for {len(TARGETS)} targets, {failures} failed")
    else:
        choose = random.Random(sys.argv[3])
        for target in TARGETS:
            family = choose.choice(families)
            known = run("--emit=ttir", "--kernel=none", family).stderr  # "... has no kernel 'none'; it has a<1>, b<2>"
            names = re.split(r", (?=\(anonymous)", known.split("; it has ")[1].splitlines()[0])
            kernel = choose.choice(names)
            print(family.name, target, kernel)
            judge(f"{family.name} {target} {kernel}",
                  run("-cubin", f"-arch={target}", "--variant=all", f"--kernel={kernel}", family, "-o", output))
sys.exit(failures != 0)
