#!/usr/bin/env python3
"""Compares tcc with Triton for an AMD GPU on the kernels of this folder, tcc from Triton's TTIR; no GPU is needed.

  amd.py [--target=gfx942] [KERNEL or FILE...]     prints what both need, and the geometric means
  amd.py --keep=FOLDER [KERNEL or FILE...]         also keeps TTIR, TTGIR, assembly and code objects of both

The emulator runs both code objects with the same input, and outputs must agree as in compare.py. Static figures are
from the assembly and its metadata; `executed` counts the instructions that waves run. Needs a python that has Triton
3.6.
"""
import argparse
import contextlib
import importlib
import math
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile

import compare
from case import CASES

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = ["instructions", "executed", "registers", "spills", "lds", "barriers", "global", "wide", "shared"]
# Triton's reductions store registers that were never written, in lanes whose results are not used.
CHECKS = {"tcc": "all", "triton": "memory"}


def lanes_of(target):
    return 64 if target.startswith("gfx9") else 32


def stages_of(case):
    """At most Triton's default for AMD GPUs: with more, its code takes more LDS than there is."""
    return min(case.stages, 2)


def compile_by_triton(case, folder, target):
    """Runs Triton's stages up to a code object; returns the LDS that a launch adds."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import CompilationError, make_backend
    gpu = GPUTarget("hip", target, lanes_of(target))
    backend = make_backend(gpu)
    source = case.source()
    options = backend.parse_options({"num_warps": case.warps, "num_stages": stages_of(case), **source.parse_options()})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    stages, metadata = {}, {"target": gpu, **options.__dict__}
    backend.add_stages(stages, options, source.language)
    try:
        module = source.make_ir(gpu, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                                context)
        for stage in ("ttir", "ttgir", "llir", "amdgcn", "hsaco"):
            module = stages[stage](module, metadata)
            path = folder / f"triton.{stage}"
            path.write_bytes(module) if stage == "hsaco" else path.write_text(str(module))
    except (CompilationError, RuntimeError) as error:
        raise compare.Failure(f"Triton: {error}") from error
    return metadata["shared"]


def compile_by_tcc(tcc, case, folder, target):
    flags = [f"-arch={target}", f"--num-warps={case.warps}", f"--num-stages={stages_of(case)}", "-w", folder / "triton.ttir"]
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


def emulate(tcc_run, case, folder, compiler, target, dynamic_lds):
    command = [
        tcc_run, folder / f"{compiler}.hsaco", "--grid=" + ",".join(map(str, case.grid)),
        f"--block={lanes_of(target) * case.warps}", "--stats", f"--shared={dynamic_lds}",
        f"--max-instructions={compare.MOST_INSTRUCTIONS}", f"--checks={CHECKS[compiler]}"
    ]
    for number, argument in enumerate(case.passed()):
        command += ["--arg", argument.command(number + 1, folder / f"{argument.name}.in")]
        if argument.is_output:
            command.append(f"--save={number}:{folder}/{compiler}.{argument.name}")
    if compiler == "triton":
        command += ["--arg", "u64:0"] * 2  # its scratch memory, which none of these kernels uses
    executed = re.search(r"^(\d+) (?:wave|warp) instructions", compare.run(*command), re.MULTILINE)
    outputs = {
        argument.name: argument.decode((folder / f"{compiler}.{argument.name}").read_bytes())
        for argument in case.passed() if argument.is_output
    }
    return outputs, int(executed[1])


def run(job):
    name, options = job
    case = CASES[name]
    with contextlib.ExitStack() as stack:
        if options.keep:
            folder = pathlib.Path(options.keep) / name
            folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            dynamic = {"triton": compile_by_triton(case, folder, options.target),
                       "tcc": compile_by_tcc(options.tcc, case, folder, options.target)}
            row = {compiler: measure(folder, compiler, lds) for compiler, lds in dynamic.items()}
            outputs = {}
            for compiler, lds in dynamic.items():
                outputs[compiler], row[compiler]["executed"] = emulate(options.tcc_run, case, folder, compiler,
                                                                       options.target, lds)
            wrong = compare.difference(case, outputs["tcc"], outputs["triton"])
            return name, row, wrong and f"{name}: {wrong}"
        except compare.Failure as failure:
            return name, None, f"{name}: {failure}"


def print_table(rows):
    def ratio(row, figure):
        return (row["tcc"][figure] + 1) / (row["triton"][figure] + 1)

    print(f"{'tcc/Triton':28}" + "".join(f"{figure:>15}" for figure in FIGURES))
    for name, row in sorted(rows.items(), key=lambda item: -ratio(item[1], "executed")):
        print(f"{name:28}" + "".join(f"{row['tcc'][f]:>8}/{row['triton'][f]:<6}" for f in FIGURES))
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
    sys.path += [str(HERE), str(HERE / "kernels")]
    for file in sorted((HERE / "kernels").glob("*.py")):
        importlib.import_module(file.stem)
    names = [name for name, case in CASES.items()
             if not options.what or name in options.what or case.group in options.what]
    with multiprocessing.Pool(options.j) as pool:
        results = pool.map(run, [(name, options) for name in names], chunksize=1)
    print_table({name: row for name, row, _ in results if row})
    problems = [problem for _, _, problem in results if problem]
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
