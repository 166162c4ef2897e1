"""Passes every spelling of every nvcc option to tcc.

    nvcc-options.py TCC LIST DOCS [NVCC]      tests the options; with NVCC, its --help must not contain others
    nvcc-options.py --list NVCC               prints the names in its --help, for LIST

The table in docs/driver.md states what an option must do: "Ignored" means a warning that names the option, "Refused" an error
that names it, and anything else must work without a message. All spellings must do the same: they print the same steps.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

JOINED = ["-I", "-D", "-U", "-L", "-l", "-O", "-t", "-m"]  # options whose value nvcc accepts in the same word
NO_INPUT = ["--help", "--version", "--list-gpu-arch", "--list-gpu-code"]
NEEDS_TOOLKIT = "is part of the CUDA toolkit"


def names_of(nvcc):
    text = subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=True).stdout
    lines = (re.match(r"(--\S+) .*?\(?(--?[^\s()]+)\)?\s*$", line) for line in text.splitlines())
    return [match.groups() for match in lines if match]


def spellings(long, short, value):
    if not value:
        return [[long], [short]]
    words = [[name, value] for name in (long, short)] + [[name + "=" + value] for name in (long, short)]
    return words + [[short + value]] if short in JOINED else words


def documented(docs):
    table = {}
    for line in open(docs):
        row = re.match(r"\| `(--[^`]+)`(?:, `[^`]+`)? \| (.*?) \|$", line)
        if row:
            table[row[1]] = row[2]
    return table


def run(tcc, long, words):
    # -code must accompany -arch, and the device link takes objects.
    before = ["-arch=compute_90"] if long == "--gpu-code" else []
    inputs = [] if long in NO_INPUT else ["k.o"] if long == "--device-link" else ["k.tt.cpp"]
    done = subprocess.run([tcc, "--dryrun", *before, *words, *inputs], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def judge(meaning, code, output, words):
    if NEEDS_TOOLKIT in output:
        return None
    if meaning.startswith("Refused"):
        return None if code == 1 and f"error: {' '.join(words)}: " in output else "is not refused by its name"
    if meaning.startswith("Ignored"):
        return None if code == 0 and f"warning: {' '.join(words)} is ignored: " in output else "is ignored without a warning"
    return "is not taken" if code or "error:" in output or "warning:" in output else None


def main():
    if sys.argv[1] == "--list":
        for names in names_of(sys.argv[2]):
            print(*names)
        return 0
    tcc, listed, docs = sys.argv[1:4]
    table = documented(docs)
    options = [(line.split() + [None])[:3] for line in open(listed) if not line.startswith("#")]
    failures = []
    if len(sys.argv) > 4:
        known = {(long, short) for long, short, _ in options}
        failures += [f"{names}: nvcc has it, the list has not" for names in names_of(sys.argv[4]) if names not in known]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chdir(folder)
        open("k.tt.cpp", "w").write("int main() {}\n")
        open("k.o", "w")
        open("more.txt", "w").write("-DA\n")
        os.mkdir("libdevice")
        open("libdevice/libdevice.10.bc", "w")
        tried = [(option, words) for option in options for words in spellings(*option)]
        results = pool.map(lambda one: run(tcc, one[0][0], one[1]), tried)
        steps = {}
        for (option, words), (code, output) in zip(tried, results):
            long = option[0]
            if long not in table:
                failures.append(f"{long}: is not in the table of {docs}")
                table[long] = ""
            if why := judge(table[long], code, output, words):
                failures.append(f"{' '.join(words)}: {why} ({table[long]}): {output.strip()[:200]}")
            printed = "\n".join(line for line in output.splitlines() if not line.startswith("tcc: "))
            if steps.setdefault(long, printed) != printed:
                failures.append(f"{' '.join(words)}: does something else than {long}")
    print(*failures, f"{len(tried)} spellings of {len(options)} options, {len(failures)} failures", sep="\n")
    return 1 if failures else 0


sys.exit(main())
