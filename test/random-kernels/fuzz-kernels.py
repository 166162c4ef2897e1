"""Runs random kernels on the CPU and on the PTX emulator, with all checks, and compares the results with
those of an interpreter of the same TTIR (evaluate.py). Integers and small integers in floats must be equal; other floats
must be within the error that the interpreter allows for each element. On the CPU, the same kernel also runs as C++
(source.py).

  fuzz-kernels.py --build DIR [--seconds 60] [--seed N] [--cases N] [--jobs 2] [--keep DIR] [kernel.json ...]

The seed of a run is printed; case i has seed N + i. A kernel that fails is reduced, and kept as kernel.json and
kernel.ttir. With files, it runs those kernels. Exits with 1 if a case failed.
"""

import argparse
import concurrent.futures
import copy
import json
import math
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time

import devices
from evaluate import Interpreter
from generate import Generator
from ir import FLOATS, Printer, bodies, operations, types_of
from source import Writer

SECONDS_OF_CASE, SECONDS_OF_REDUCTION = 120, 90


def compare(name, kernel, expected, errors, results):
    for number, (buffer, data) in enumerate(zip(kernel["buffers"], results)):
        got = devices.unpack(buffer["dtype"], data)
        for i, (want, error, value) in enumerate(zip(expected[number], errors[number], got)):
            if value == want or error and abs(value - want) <= error:
                continue
            raise devices.Failure(
                f"{name}: element {i} of buffer {number} is {value!r}, not {want!r}"
                + (f" within {error!r}" if error else "")
            )


def check(kernel, seed, build, folder):
    """Raises an exception if the kernel fails."""
    with open(os.path.join(folder, "kernel.ttir"), "w") as file:
        file.write(Printer(kernel).print())
    with open(os.path.join(folder, "kernel.json"), "w") as file:
        json.dump({"seed": seed, "kernel": kernel}, file)
    tcc = os.path.join(build, "bin", "tcc")
    inputs = devices.contents(kernel, seed)
    expected = [list(values) for values in inputs]
    interpreter = Interpreter(kernel, expected)
    interpreter.run()
    for values in expected:
        if any(isinstance(value, float) and not math.isfinite(value) for value in values):
            raise devices.Failure("generator: a result is not finite")
    data = [devices.pack(buffer["dtype"], values) for buffer, values in zip(kernel["buffers"], inputs)]
    # With one thread block for each program, and with several.
    for arch, blocks in ((80, 1), (90, 1), (90, 2 << seed % 3)):
        name = f"sm_{arch}" + (f"-by-{blocks}" if blocks > 1 else "")
        flags = ["--emit=ptx", f"-arch=sm_{arch}", "-fcheck-replicas", f"--num-ctas={blocks}"]
        devices.compile_kernel(tcc, folder, kernel, flags, f"{name}.ptx")
        results = devices.emulate(build, folder, kernel, data, arch, seed, f"{name}.ptx", blocks)
        compare(f"emu:{name}", kernel, expected, interpreter.errors, results)
    with open(os.path.join(folder, "kernel.tt.cpp"), "w") as file:
        file.write(Writer(kernel).write())
    for name, source in (("cpu", "kernel.ttir"), ("source", "kernel.tt.cpp")):
        for level in devices.cpu_levels():
            file = f"{name}-v{level}"
            devices.compile_kernel(tcc, folder, kernel, ["--emit=cpu-asm", f"--cpu-level={level}"], f"{file}.s", source)
            compare(name, kernel, expected, interpreter.errors, devices.run_on_cpu(folder, file, kernel, data))


def judge(make, seed, build, folder):
    """Tests the kernel that `make` returns in a separate process, which may crash. Returns a message, or None."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(False)

    def run():
        os.makedirs(folder, exist_ok=True)
        try:
            check(make(), seed, build, folder)
            send.send(None)
        except devices.Failure as failure:
            send.send(str(failure))
        except Exception as error:  # an error of the fuzzer itself
            import traceback

            send.send(f"fuzzer: {traceback.format_exc()[-1500:]}{error}")

    process = context.Process(target=run)
    process.start()
    send.close()
    process.join(SECONDS_OF_CASE)
    if process.is_alive():
        process.kill()
        process.join()
        return f"no end within {SECONDS_OF_CASE} s"
    return receive.recv() if receive.poll() else f"the run ended with status {process.exitcode}"


# --- reduction --------------------------------------------------------------------------------------------------------


def without_unused(kernel):
    """Removes unused operations, also if their results are only carried by loops."""
    while True:
        used = set()
        for op in operations(kernel["body"]):
            used.update(op["in"])
            for name in ("yields_body", "yields_else"):
                used.update(op.get(name, []))
        changed = False

        def sweep(body):
            nonlocal changed
            kept = []
            for op in body:
                if op["op"] not in ("store", "atomic") and not any(i in used for i in op["out"]):
                    changed = True
                    continue
                for inner in bodies(op):
                    inner[:] = sweep(inner)
                kept.append(op)
            return kept

        kernel["body"] = sweep(kernel["body"])
        if not changed:
            return kernel


def renamed(kernel, old, new):
    for op in operations(kernel["body"]):
        for name in ("in", "yields_body", "yields_else"):
            if name in op:
                op[name] = [new if i == old else i for i in op[name]]


def candidates(kernel):
    """Smaller kernels, the smallest first: without a store, with a constant or an operand instead of a result, ..."""
    stores = [op for op in kernel["body"] if op["op"] == "store"]
    for index in range(len(stores)):
        if len(stores) > 1:
            smaller = copy.deepcopy(kernel)
            smaller["body"].remove(stores[index])
            yield without_unused(smaller)
    types, places = types_of(kernel), set()  # the values that determine store offsets: two threads must not store to the same element
    for op in reversed(list(operations(kernel["body"]))):
        if op["op"] == "store":
            places.add(op["in"][0])
        if places & set(op["out"]):
            places.update(op["in"])
            continue
        for out, kind in zip(op["out"], op["types"]):
            for other in op["in"]:
                if tuple(types[other]) == tuple(kind):
                    smaller = copy.deepcopy(kernel)
                    renamed(smaller, out, other)
                    yield without_unused(smaller)
            if op["op"] != "const":
                smaller = copy.deepcopy(kernel)
                twin = next(o for o in operations(smaller["body"]) if o["out"] == op["out"])
                if len(op["out"]) == 1:
                    for name in list(twin):
                        if name not in ("out", "types"):
                            del twin[name]
                    twin.update({"op": "const", "in": [], "value": 1.0 if kind[0] in FLOATS else 1})
                    yield without_unused(smaller)
    for name, values in (("warps", (1, 2, 4)), ("grid", (1,)), ("stages", (1, 2))):
        for value in values:
            if value < kernel[name]:
                yield {**copy.deepcopy(kernel), name: value}


def reduce(kernel, seed, build, folder, problem):
    """Searches for a smaller kernel that fails in the same way, according to the message's first words."""

    def sort_of(text):
        return " ".join(text.split(": ")[0].split()[:3]) + (text.split("error: ")[1][:25] if "error: " in text else "")

    end, progress = time.monotonic() + SECONDS_OF_REDUCTION, True
    while progress:
        progress = False
        for smaller in candidates(kernel):
            if time.monotonic() > end:
                return kernel, problem
            found = judge(lambda: smaller, seed, build, folder)
            if found and sort_of(found) == sort_of(problem):
                kernel, problem, progress = smaller, found, True
                break
    return kernel, problem


def work(first, arguments, seed, folder):
    """Runs every `jobs`-th case from `first` on. Returns the number of cases, and how many failed."""
    ran, failed, end = 0, 0, time.monotonic() + arguments.seconds
    for number in range(first, arguments.cases, arguments.jobs):
        if time.monotonic() > end:
            break
        mine, at = seed + number, os.path.join(folder, str(seed + number))
        ran += 1
        problem = judge(lambda: Generator(mine).generate(), mine, arguments.build, at)
        if problem:
            if not problem.startswith(("fuzzer", "generator")) and os.path.exists(os.path.join(at, "kernel.json")):
                kernel = json.load(open(os.path.join(at, "kernel.json")))["kernel"]
                kernel, problem = reduce(kernel, mine, arguments.build, at, problem)
                judge(lambda: kernel, mine, arguments.build, at)  # writes its files
            failed += 1
            print(f"seed {mine}: {problem}", flush=True)
        else:
            shutil.rmtree(at)
    return ran, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, default=1 << 62)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default=None, help="a folder for what failed")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    folder = os.path.abspath(arguments.keep or tempfile.mkdtemp(prefix="tcc-kernels-"))
    failed = ran = 0
    for path in arguments.files:
        kept = json.load(open(path))
        problem = judge(
            lambda: kept["kernel"], kept["seed"], arguments.build, os.path.join(folder, os.path.basename(path))
        )
        ran, failed = ran + 1, failed + bool(problem)
        if problem:
            print(f"{path}: {problem}")
    seed = arguments.seed if arguments.seed is not None else random.randrange(1 << 40)
    if not arguments.files:
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("fork")) as pool:
            for count, bad in [
                job.result() for job in [pool.submit(work, i, arguments, seed, folder) for i in range(arguments.jobs)]
            ]:
                ran, failed = ran + count, failed + bad
    print(f"random kernels, seed {seed}: {ran} ran, {failed} failed" + (f"; they are in {folder}" if failed else ""))
    sys.exit(bool(failed))


main()
