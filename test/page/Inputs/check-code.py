"""Compares the instructions of a page with those of --emit=ptx, cubin and cpu-asm: check-code.py TCC NVDISASM FOLDER SOURCE."""
import pathlib
import re
import subprocess
import sys

from model import model_of

tcc, nvdisasm, folder, source = sys.argv[1:5]
page, cubin = pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "code.cubin"


# CPU functions are named after the text of their IR, which contains the numbers of metadata.
hash_suffix = r"\.h[0-9a-f]{16}"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tcc_output(*options):
    return run(tcc, *options, source, "-o", "-")


def ptx_instructions(text):
    return [line.strip() for line in text.split("\n") if re.match(r"\s+(@!?%p\d+ +)?[a-z]", line) and not line.strip().startswith("//")]


def sass_instructions(text):
    return [line.split("*/", 1)[1].strip() for line in text.split("\n") if re.match(r"\s*/\*[0-9a-f]+\*/", line)]


def cpu_instructions(text):
    text = re.sub(r"\.L\w+", ".L", text)
    return [re.sub(hash_suffix, "", line.strip()) for line in text.split("\n") if re.match(r"\t[a-z]", line)]


def body(text, begin, end):
    found = re.search(re.escape(begin) + ".*?" + end, text, re.S)
    assert found, f"no {begin}"
    return found[0]


run(tcc, "--emit=html", "-arch=sm_90", source, "-o", page)
run(tcc, "-cubin", "--variant=all", "-arch=sm_90", source, "-o", cubin)
ptx, cpu, sass = tcc_output("--emit=ptx", "--variant=all", "-arch=sm_90"), re.sub(hash_suffix, "", tcc_output("--emit=cpu-asm")), run(nvdisasm, "-c", cubin)
model = model_of(page.read_text())
compared = 0


def compare(what, code, stages, read, whole):
    global compared
    stage = next(stage for stage in stages if stage["name"] == code)
    shown, made = read("\n".join(model["strings"][line] for line in stage["lines"])), read(whole)
    assert shown and shown == made, f"{what}: {code} has {len(shown)} instructions in the page, and {len(made)} without it: " + str(
        [pair for pair in zip(shown, made) if pair[0] != pair[1]][:3])
    compared += len(shown)


for kernel in model["kernels"]:
    for variant in kernel["variants"]:
        symbol = variant["symbol"]
        compare(symbol, "ptx", variant["stages"], ptx_instructions, body(ptx, f".entry {symbol}(", "\n}"))
        compare(symbol, "sass", variant["stages"], sass_instructions, body(sass, f".text.{symbol}:", "(\n//---|$)"))
    for level in kernel["cpu"]:
        symbol = re.sub(hash_suffix, "", level["symbol"])
        compare(symbol, "asm", level["stages"], cpu_instructions, body(cpu, f"\n{symbol}:", r"\n\.Lfunc_end"))
print(compared, "instructions are the same")
