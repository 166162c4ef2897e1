#!/usr/bin/env python3
"""CUTLASS's examples, compiled by tcc-nvcc and by nvcc with one command line each, and run one after the other on one
GPU. Prints, for each example and compiler, the processor seconds of the compile, the exit status, what the program
reports about its results, and the speed that it reports. Needs the `source` folder of the nvidia-cutlass package, which
has the headers and the examples.

  bench/gpu/cutlass.py SOURCE OUT PATTERN...      such as '48_*/*.cu', relative to SOURCE/examples

COMPILERS names the compilers, by default "tcc-nvcc nvcc"; after SECONDS, no further compile starts.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

FLAGS = ["-std=c++17", "-O3", "-DCUTLASS_ENABLE_TENSOR_CORE_MMA=1", "-DCUTE_USE_PACKED_TUPLE=1", "--expt-relaxed-constexpr",
         "-gencode", "arch=compute_90a,code=sm_90a"]
FOLDERS = ["include", "tools/util/include", "examples/common"]
SPEED = re.compile(r"(?:GFLOPs?|TFLOP/s)[^0-9\n]{0,12}([0-9.]+(?:e[+-]?\d+)?)|\[ *([0-9.]+)\]GFlop|([0-9.]+) *(?:GFLOPs|TFLOP/s)", re.I)

root, out = map(pathlib.Path, sys.argv[1:3])
sources = [source for pattern in sys.argv[3:] for source in sorted((root / "examples").glob(pattern))]
compilers = os.environ.get("COMPILERS", "tcc-nvcc nvcc").split()
end = time.time() + float(os.environ.get("SECONDS", "3600"))
out.mkdir(parents=True, exist_ok=True)


def compile_one(job):
    """Returns the program, or None, and the compiler's processor seconds or the first error."""
    compiler, source = job
    program = out / f"{compiler}-{source.stem}"
    command = [compiler, *FLAGS, *(f"-I{root / folder}" for folder in FOLDERS), f"-I{source.parent}", source, "-o", program, "-lcuda"]
    if "tutorial" in source.parts:
        command.append("-lcublas")
    log = program.with_suffix(".log")
    if time.time() > end:
        return None, "not compiled: no time is left"
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        errors = [line for line in log.read_text(errors="replace").splitlines() if "error" in line.lower()]
        return None, f"not compiled: {errors[0] if errors else log}"
    return program, f"{usage.ru_utime + usage.ru_stime:.0f} s"


def run(program):
    try:
        result = subprocess.run([program.absolute()], capture_output=True, text=True, timeout=120, cwd=out)
    except subprocess.TimeoutExpired:
        return "runs longer than two minutes"
    text = result.stdout + result.stderr
    program.with_suffix(".out").write_text(text)
    verdict = "passed" if re.search("passed|success", text, re.I) else "does not report its result"
    speeds = ["".join(groups) for groups in SPEED.findall(text)]
    return f"exit status {result.returncode}, {verdict}" + (f", GFLOP/s {', '.join(speeds[:4])}" if speeds else "")


jobs = [(compiler, source) for source in sources for compiler in compilers]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    programs = dict(zip(jobs, pool.map(compile_one, jobs)))
for source in sources:
    print(source.relative_to(root / "examples"))
    for compiler in compilers:
        program, what = programs[compiler, source]
        print(f"  {compiler}: {what}" + (f", {run(program)}" if program else ""), flush=True)
