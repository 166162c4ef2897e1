"""Finds the modules of SPIR-V in a program, and has spirv-val look at each, where it is installed.

    check-modules.py PROGRAM [spirv-val]    prints how many there are, and how many instructions of each module are of
                                            Intel's extensions; exits with 1 if one is invalid, or none is there
"""
import shutil
import struct
import subprocess
import sys
import tempfile

MAGIC = 0x07230203
OP_ENTRY_POINT, MOST_OPCODES = 15, 7000
COUNTED = {6237: "matrix products", 6116: "conversions to bf16", 6117: "conversions from bf16"}


def modules(data):
    """(name of the entry point, bytes) of each module: instructions up to what is none."""
    start = data.find(struct.pack("<I", MAGIC))
    while start >= 0:
        end, name = start + 20, None
        while end + 4 <= len(data):
            word = struct.unpack_from("<I", data, end)[0]
            length, opcode = word >> 16, word & 0xFFFF
            if length == 0 or word == MAGIC or opcode > MOST_OPCODES:
                break
            if opcode == OP_ENTRY_POINT:
                name = data[end + 12 : end + 4 * length].split(b"\0")[0].decode()
            end += 4 * length
        if name:
            yield name, data[start:end]
        start = data.find(struct.pack("<I", MAGIC), start + 4)


def counts(module):
    """How often each instruction of COUNTED is in the module, as text."""
    numbers, at = dict.fromkeys(COUNTED.values(), 0), 20
    while at < len(module):
        word = struct.unpack_from("<I", module, at)[0]
        if word & 0xFFFF in COUNTED:
            numbers[COUNTED[word & 0xFFFF]] += 1
        at += 4 * (word >> 16)
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number)


def main():
    with open(sys.argv[1], "rb") as file:
        found = list(modules(file.read()))
    validator, invalid = shutil.which(sys.argv[2] if len(sys.argv) > 2 else "spirv-val"), 0
    for name, module in found:
        if text := counts(module):
            print(f"{name}: {text}")
    for name, module in found if validator else []:
        with tempfile.NamedTemporaryFile(suffix=".spv") as file:
            file.write(module)
            file.flush()
            result = subprocess.run([validator, "--target-env", "spv1.3", file.name], capture_output=True, text=True)
        if result.returncode:
            invalid += 1
            print(f"{name}: {result.stderr.strip()}")
    print(f"{len(found)} modules, {invalid} invalid" + ("" if validator else "; spirv-val is not installed"))
    return 1 if invalid or not found else 0


sys.exit(main())
