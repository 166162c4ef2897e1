#!/usr/bin/env python3
"""Runs tcc with damaged inputs. It must not crash, hang, or report an internal error.

  test/fuzz.py [--tcc build/bin/tcc] [--seconds 30] [--seed N] [--jobs 2] [--keep DIR]

Takes the inputs of the tests (sources, TTIR, TTGIR, PTX) and command lines from --help, and changes each slightly: lines and words
are removed, doubled, exchanged or taken from another input, and numbers become extreme. The seed of a run is printed. Each case
has a seed N of its own, and `--seed N --cases 1` repeats it. Exits with 1 if a case failed.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBERS = ["0", "1", "-1", "7", "64", "1048576", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "1e400"]
KINDS = {  # kinds of input: the tests that have such inputs, and the stages that accept them
    ".tt.cpp": (["e2e", "frontend", "examples"], [["--emit=ttir"], ["-fsyntax-only"], ["--emit=ptx", "-arch=sm_90"]]),
    ".ttir": (["corpus", "driver", "Inputs"], [["--emit=ptx", "-arch=sm_80"], ["--emit=ttgir", "-arch=sm_90"],
                                               ["--emit=cpu-asm", "--cpu-level=3"]]),
    ".ttgir": (["Inputs", "driver"], [["--emit=ptx", "-arch=sm_90"]]),
    ".ptx": (["Inputs", "driver", "emulator"], [["-cubin", "-arch=sm_90", "--cuda-path=none"]]),
}


def inputs():
    """The texts of each kind."""
    found = {}
    for kind, (folders, _) in KINDS.items():
        paths = [path for folder in folders for base in (ROOT, os.path.join(ROOT, "test"))
                 for path in glob.glob(os.path.join(base, folder, "**", "*" + kind), recursive=True)]
        texts = [open(path, errors="replace").read() for path in sorted(set(paths))]
        found[kind] = [text for text in texts if len(text) < 20000 and "exit status 70" not in text]  # a bug on purpose
    return {kind: texts for kind, texts in found.items() if texts}


def mutate(text, others, rng):
    for _ in range(rng.choice([1, 1, 2, 4])):
        by_lines = rng.random() < 0.4
        parts = text.splitlines(keepends=True) if by_lines else re.findall(r"\w+|\s+|.", text)
        if not parts:
            return text
        at = rng.randrange(len(parts))
        what = rng.randrange(6)
        if what == 0:
            del parts[at:at + rng.choice([1, 1, 3])]
        elif what == 1:
            parts.insert(at, parts[at])
        elif what == 2:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif what == 3:
            donor = rng.choice(others)
            parts[at] = rng.choice((donor.splitlines(keepends=True) if by_lines else re.findall(r"\w+|\s+|.", donor)) or [""])
        elif what == 4:
            numbers = [i for i, part in enumerate(parts) if re.fullmatch(r"\d+", part)]
            parts[rng.choice(numbers) if numbers else at] = rng.choice(NUMBERS)
        else:
            parts[at] = "".join(rng.choice("()<>{}[]%#@\"'\\\0\xff;,:*&") for _ in range(rng.choice([1, 2, 5])))
        text = "".join(parts)
    return text


def options(tcc):
    """Words of command lines: tcc's own options, with valid and invalid values."""
    text = subprocess.run([tcc, "--help"], capture_output=True, text=True).stdout
    # Not the options that name output files or programs.
    unsafe = re.compile(r"-(o|odir|keep|objtemp|MF|MJ|run|dlink|lib|arbin|ccbin|cuda-path|time|ftime|save|precompile|tune|include)")
    return [word for word in re.findall(r"^  (-\S+)", text, re.M) if not unsafe.match("-" + word.lstrip("-"))]


def case(seed, texts, words, tcc, folder):
    """Runs one case. Returns a message if it failed, otherwise None."""
    rng = random.Random(seed)
    kind = rng.choice(list(texts) + ["options"])
    work = os.path.join(folder, str(seed))
    os.makedirs(work, exist_ok=True)
    if kind == "options":
        source, command = rng.choice(texts[".tt.cpp"]), ["-###"]
        for word in rng.choices(words, k=rng.randint(1, 5)):
            stem = re.split("<", word)[0]
            command.append(stem + rng.choice(["", "", rng.choice(NUMBERS), "x", "=", "sm_90", ",", "\xff"]))
        name = "x.tt.cpp"
    else:
        source, command = mutate(rng.choice(texts[kind]), texts[kind], rng), rng.choice(KINDS[kind][1])
        name = "x" + kind
    path = os.path.join(work, name)
    with open(path, "w", errors="surrogateescape") as file:
        file.write(source)
    command = [tcc, *command, name] + ([] if "-###" in command or "-fsyntax-only" in command else ["-o", "out"])
    try:
        done = subprocess.run(command, cwd=work, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
        status, message = done.returncode, done.stderr.decode(errors="replace")
        problem = None if status in (0, 1) else f"exit status {status}"
    except subprocess.TimeoutExpired:
        problem, message = "no end within 60 s", ""
    if not problem:
        subprocess.run(["rm", "-rf", work])
        return None
    return f"seed {seed}: {problem}: {' '.join(command)}\n  {' | '.join(message.strip().splitlines()[:3])[:400]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tcc", default=os.path.join(ROOT, "build", "bin", "tcc"))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--cases", type=int, default=1 << 62)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default=None, help="a folder for the inputs that failed")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.randrange(1 << 40)
    tcc, texts = os.path.abspath(arguments.tcc), inputs()
    words = options(tcc)
    folder = arguments.keep or tempfile.mkdtemp(prefix="tcc-fuzz-")
    end, failures, ran = time.monotonic() + arguments.seconds, [], 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def work(first):
            mine = []
            for number in range(first, arguments.cases, arguments.jobs):
                if time.monotonic() > end:
                    break
                mine.append(case(seed + number, texts, words, tcc, folder))
            return mine
        for results in pool.map(work, range(arguments.jobs)):
            ran += len(results)
            failures += [result for result in results if result]
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"fuzzing, seed {seed}: {ran} cases, {len(failures)} failed" + (f"; inputs in {folder}" if failures else ""))
    sys.exit(bool(failures))


main()
