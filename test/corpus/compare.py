#!/usr/bin/env python3
"""Compares tcc with Triton on the kernels of this folder: both compile each to sm_80, tcc from Triton's TTIR.

  compare.py --table [KERNEL or FILE...]      prints what both need, the worst kernel first, and the geometric means
  compare.py --check [KERNEL or FILE...]      fails if tcc needs more than budgets.txt allows, or if results differ
  compare.py --update                         rewrites budgets.txt; remarks stay
  compare.py --keep=FOLDER [KERNEL or FILE...]     keeps TTIR, PTX and machine code of both

The ptxas and nvdisasm of Triton's wheel assemble and disassemble both PTX, and the emulator runs both with the same
input. Outputs must agree within the case's tolerance times the largest magnitude, by default 1e-6 for f32, 2e-3 for f16,
and 2e-2 for bf16. Needs a python that has Triton 3.6, but no GPU. README.md has details.
"""
import argparse
import contextlib
import importlib
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import budgets
from case import CASES

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCES = {"fp64": 1e-12, "fp32": 1e-6, "fp16": 2e-3, "bf16": 2e-2}
# Triton's reductions store registers that were never written, in lanes whose results are not used.
CHECKS = {"tcc": "all", "triton": "memory"}
MOST_INSTRUCTIONS = 20_000_000  # warp instructions in a run


class Failure(Exception):
    """A kernel that one of the compilers or the emulator rejected."""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{pathlib.Path(command[0]).name}: {(done.stderr + done.stdout).strip()[:1000]}")
    return done.stdout + done.stderr


def tool(name):
    import triton
    return pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / name


def sm(arch):
    """ptxas' name of the architecture. Triton's and tcc's code for 90 uses features of that chip only."""
    return f"sm_{arch}{'a' if arch == 90 else ''}"


def compile_by_triton(case, folder, gpu=("cuda", 80, 32), num_stages=None, last="ptx"):
    """Runs Triton's stages up to `last`, and keeps what each of them makes. `gpu` is its GPUTarget: the kind, the
    architecture and the size of a warp. Returns the shared memory that a launch adds."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import CompilationError, make_backend
    target = GPUTarget(*gpu)
    backend = make_backend(target)
    source = case.source()
    options = backend.parse_options({
        "num_warps": case.warps,
        "num_stages": num_stages or case.stages,
        **source.parse_options()
    })
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    stages, metadata = {}, {"target": target, **options.__dict__}
    backend.add_stages(stages, options, source.language)
    try:
        module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                                context)
        for stage, make in stages.items():
            module = make(module, metadata)
            path = folder / f"triton.{stage}"
            path.write_bytes(module) if isinstance(module, bytes) else path.write_text(str(module))
            if stage == last:
                break
    except (CompilationError, RuntimeError) as error:
        raise Failure(f"Triton: {error}") from error
    return metadata["shared"]


def compile_by_tcc(tcc, case, folder, arch=80):
    """Compiles Triton's TTIR to PTX; returns the shared memory that a launch needs, from the table of --resource-usage."""
    flags = [
        f"--cuda-path={tool('ptxas').parents[1]}", f"-arch=sm_{arch}", f"--num-warps={case.warps}",
        f"--num-stages={case.stages}"
    ]
    (folder / "kept").mkdir(exist_ok=True)
    table = run(tcc, *flags, "-cubin", "--resource-usage", "--keep", f"--keep-dir={folder / 'kept'}",
                folder / "triton.ttir", "-o", folder / "tcc.cubin")
    (ptx, ) = (folder / "kept").glob("*.ptx")
    ptx.rename(folder / "tcc.ptx")
    header, row = (re.split(r"  +", line.strip()) for line in table.splitlines()[-2:])
    return int(dict(zip(header, row))["shared"])


def measure(folder, compiler, dynamic_shared):
    """The figures that ptxas and nvdisasm give for one compiler's PTX."""
    cubin = folder / f"{compiler}.cubin"
    report = run(tool("ptxas"), "-v", "--gpu-name=sm_80", folder / f"{compiler}.ptx", "-o", cubin)
    sass = run(tool("nvdisasm"), "-c", cubin)
    (folder / f"{compiler}.sass").write_text(sass)
    code = re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?\s*(\S+).*;", sass, re.MULTILINE)
    code = [opcode for opcode in code if opcode != "NOP"]

    def count(pattern):
        return sum(bool(re.match(pattern, opcode)) for opcode in code)

    shared = re.search(r"(\d+) bytes smem", report)
    return {
        "instructions": len(code),
        "shared": dynamic_shared + (int(shared[1]) if shared else 0),
        "registers": int(re.search(r"Used (\d+) registers", report)[1]),
        "spills": sum(map(int, re.findall(r"(\d+) bytes spill", report))),
        "global": count(r"(LDG|STG|LDGSTS)\b"),
        "wide": count(r"(LDG|STG|LDGSTS)\b.*\.128"),
        "barriers": count(r"BAR\.(SYNC|RED)"),
        "copies": count(r"LDGSTS"),
    }


def count_scratch_arguments(case, ptx):
    """The number of parameters that Triton adds for its scratch memory, which none of these kernels uses."""
    return ptx.read_text().split(".entry", 1)[1].split(")", 1)[0].count(".param") - len(case.passed())


def emulate(tcc_run, case, code, dynamic_shared, scratch_arguments, lanes=32):
    """Runs one compiler's `code`, a file that is named after it, with warps of `lanes` threads. Returns the outputs'
    elements, and how many instructions the warps ran."""
    folder, compiler = code.parent, code.stem
    command = [
        tcc_run, code, "--grid=" + ",".join(map(str, case.grid)), f"--block={lanes * case.warps}", "--stats",
        f"--shared={dynamic_shared}", f"--max-instructions={MOST_INSTRUCTIONS}", f"--checks={CHECKS[compiler]}"
    ]
    for number, argument in enumerate(case.passed()):
        command += ["--arg", argument.command(number + 1, folder / f"{argument.name}.in")]
        if argument.is_output:
            command.append(f"--save={number}:{folder}/{compiler}.{argument.name}")
    command += ["--arg", "u64:0"] * scratch_arguments
    executed = re.search(r"^(\d+) (?:warp|wave) instructions", run(*command), re.MULTILINE)
    outputs = {
        argument.name: argument.decode((folder / f"{compiler}.{argument.name}").read_bytes())
        for argument in case.passed() if argument.is_output
    }
    return outputs, int(executed[1])


def difference(case, ours, theirs):
    """A message if outputs differ by more than the tolerance, otherwise None."""
    for argument in case.passed():
        if not argument.is_output:
            continue
        a, b = ours[argument.name], theirs[argument.name]
        finite = [abs(v) for v in b if abs(v) < float("inf")]
        tolerance = TOLERANCES.get(argument.triton,
                                   0) if case.tolerance is None or not argument.is_float else case.tolerance
        allowed = tolerance * max(finite, default=0)
        for i, (x, y) in enumerate(zip(a, b)):
            if not (x == y or abs(x - y) <= allowed or x != x and y != y):
                return f"{argument.name}[{i}] is {x}, by Triton {y}"
    return None


def compare_kernel(name, keep, compile_both, measure, emulate):
    """One kernel's name; its figures, {"tcc": ..., "triton": ...}; and the message of what failed.

    `compile_both(case, folder)` leaves each compiler's files in the folder and returns the shared memory that a launch
    of each adds. `measure(folder, compiler, shared)` returns figures of one compiler's files, and
    `emulate(case, folder, compiler, shared)` what the function emulate does."""
    case = CASES[name]
    with contextlib.ExitStack() as stack:
        if keep:
            folder = pathlib.Path(keep) / name
            folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            row, outputs = {}, {}
            for compiler, shared in compile_both(case, folder).items():
                row[compiler] = measure(folder, compiler, shared)
                outputs[compiler], row[compiler]["executed"] = emulate(case, folder, compiler, shared)
            wrong = difference(case, outputs["tcc"], outputs["triton"])
            return name, row, wrong and f"{name}: {wrong}"
        except Failure as failure:
            return name, None, f"{name}: {failure}"


def compare(job):
    name, options = job

    def compile_both(case, folder):
        return {"triton": compile_by_triton(case, folder), "tcc": compile_by_tcc(options.tcc, case, folder)}

    def emulate_ptx(case, folder, compiler, shared):
        ptx = folder / f"{compiler}.ptx"
        return emulate(options.tcc_run, case, ptx, shared, count_scratch_arguments(case, ptx))

    return compare_kernel(name, options.keep, compile_both, measure, emulate_ptx)


def load_kernels(parser, what):
    """Imports all kernels. Returns the names of those that are in `what`, or whose file is; all if it is empty."""
    sys.path += [str(HERE), str(HERE / "kernels")]
    for file in sorted((HERE / "kernels").glob("*.py")):
        importlib.import_module(file.stem)
    for one in set(what) - set(CASES) - {case.group for case in CASES.values()}:
        parser.error(f"there is no kernel and no file {one}")
    return [name for name, case in CASES.items() if not what or name in what or case.group in what]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    for flag in ("table", "check", "update"):
        action.add_argument(f"--{flag}", action="store_true")
    action.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--tcc", default=str(HERE.parents[1] / "build" / "bin" / "tcc"))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("what", nargs="*")
    options = parser.parse_args()
    options.tcc_run = pathlib.Path(options.tcc).parent / "tcc-run"
    names = load_kernels(parser, options.what)
    with multiprocessing.Pool(options.j) as pool:
        results = pool.map(compare, [(name, options) for name in names], chunksize=1)
    problems = [problem for _, _, problem in results if problem]
    rows = {name: row for name, row, _ in results if row}

    if options.table:
        budgets.print_table(rows)
    elif options.update:
        budgets.write(rows)
    elif options.check:
        problems += budgets.check(rows)
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
