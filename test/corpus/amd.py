#!/usr/bin/env python3
"""Compares tcc with Triton for an AMD GPU on the kernels of this folder, tcc from Triton's TTIR; no GPU is needed.

  amd.py [--target=gfx942] [KERNEL or FILE...]     prints what both need, and the geometric means
  amd.py --keep=FOLDER [KERNEL or FILE...]         also keeps TTIR, TTGIR, assembly and code objects of both

The emulator runs both code objects with the same input, and outputs must agree as in compare.py. Static figures are
from the assembly and its metadata; `executed` counts the instructions that waves run. Needs a python that has Triton
3.6.
"""
import argparse
import math
import multiprocessing
import os
import pathlib
import re
import sys

import compare

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = ["instructions", "executed", "registers", "spills", "lds", "barriers", "global", "wide", "shared"]
SCRATCH_ARGUMENTS = {"tcc": 0, "triton": 2}  # none of these kernels uses Triton's


def lanes_of(target):
    return 64 if target.startswith("gfx9") else 32


def stages_of(case):
    """At most Triton's default for AMD GPUs: with more, its code takes more LDS than there is."""
    return min(case.stages, 2)


def compile_by_tcc(tcc, case, folder, target):
    flags = [
        f"-arch={target}", f"--num-warps={case.warps}", f"--num-stages={stages_of(case)}", "-w", folder / "triton.ttir"
    ]
    compare.run(tcc, "--emit=ttgir", *flags, "-o", folder / "tcc.ttgir")
    compare.run(tcc, "--emit=amdgcn", *flags, "-o", folder / "tcc.amdgcn")
    compare.run(tcc, "--emit=hsaco", *flags, "-o", folder / "tcc.hsaco")
    return 0


def measure(folder, compiler, dynamic_lds):
    assembly = (folder / f"{compiler}.amdgcn").read_text()
    code = re.findall(r"^\t([a-z]\w+)", assembly.split(".section\t.rodata")[0], re.MULTILINE)
    code = [opcode for opcode in code if opcode not in ("s_nop", "s_code_end")]

    def count(pattern):
        return sum(bool(re.match(pattern, opcode)) for opcode in code)

    def field(name):
        return int(re.search(rf"^\s+(?:- )?\.{name}:\s+(\d+)", assembly, re.MULTILINE)[1])

    accesses = r"(global|buffer)_(load|store)_"
    return {
        "instructions": len(code),
        "registers": field("vgpr_count"),
        "spills": field("vgpr_spill_count"),
        "lds": field("group_segment_fixed_size") + dynamic_lds,
        "barriers": count(r"s_barrier(_wait)?$"),
        "global": count(accesses),
        "wide": count(accesses + r"(dwordx4|b128)"),
        "shared": count(r"ds_(read|write|load|store)"),
    }


def compare_on_amd(job):
    name, options = job
    lanes = lanes_of(options.target)

    def compile_both(case, folder):
        gpu = ("hip", options.target, lanes)
        return {"triton": compare.compile_by_triton(case, folder, gpu, stages_of(case), last="hsaco"),
                "tcc": compile_by_tcc(options.tcc, case, folder, options.target)}

    def emulate(case, folder, compiler, lds):
        code = folder / f"{compiler}.hsaco"
        return compare.emulate(options.tcc_run, case, code, lds, SCRATCH_ARGUMENTS[compiler], lanes)

    return compare.compare_kernel(name, options.keep, compile_both, measure, emulate)


def print_table(rows):
    def ratio(row, figure):
        return (row["tcc"][figure] + 1) / (row["triton"][figure] + 1)

    print(f"{'tcc/Triton':28}" + "".join(f"{figure:>15}" for figure in FIGURES))
    for name, row in sorted(rows.items(), key=lambda item: -ratio(item[1], "executed")):
        print(f"{name:28}" + "".join(f"{row['tcc'][f]:>8}/{row['triton'][f]:<6}" for f in FIGURES))
    if not rows:
        return
    means = {f: math.exp(sum(math.log(ratio(row, f)) for row in rows.values()) / len(rows)) for f in FIGURES}
    print(f"{'geometric mean of ratios':28}" + "".join(f"{means[f]:>15.2f}" for f in FIGURES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--tcc", default=str(HERE.parents[1] / "build" / "bin" / "tcc"))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    options.tcc_run = pathlib.Path(options.tcc).parent / "tcc-run-amd"
    names = compare.load_kernels(parser, options.what)
    with multiprocessing.Pool(options.j) as pool:
        results = pool.map(compare_on_amd, [(name, options) for name in names], chunksize=1)
    print_table({name: row for name, row, _ in results if row})
    problems = [problem for _, _, problem in results if problem]
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
