"""Runs the kernels of multimem.tt.cpp on the emulator: multimem.py LIBRARY PTX"""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from emulator import Emulator

RANKS, SIZE, N = 3, 1024, 1000  # elements of a copy, and those that the kernels access
TYPES = {"f": "f", "d": "d", "i": "i", "DF16_": "e"}  # by their names in symbols

with open(sys.argv[2]) as file:
    ptx = file.read()
symbols = {}
for symbol in re.findall(r"\.entry (\S+)\(", ptx):
    if found := re.match(r"_Z\d+(sum|put|add|count|pair)I(f|d|i|DF16_)E", symbol):
        symbols.setdefault(found.groups(), symbol)
wrong = 0


def expect(what, got, wanted):
    global wrong
    if list(got) != list(wanted):
        wrong += 1
        at = next(i for i, (a, b) in enumerate(zip(got, wanted)) if a != b)
        print(f"{what}: element {at} is {got[at]} and not {wanted[at]}")


for letter, code in TYPES.items():
    size = struct.calcsize(code)
    pack = lambda values: struct.pack(f"<{len(values)}{code}", *values)
    inputs = [[(rank + 1) * (i % 50) for i in range(SIZE)] for rank in range(RANKS)]
    x = [i % 40 for i in range(SIZE)]
    sums = [sum(column) for column in zip(*inputs)]
    for kernel, result in {
        "sum": None,
        "put": lambda old, i: x[i] if i < N else old,
        "add": lambda old, i: old + x[i] if i < N else old,
        "count": lambda old, i: old + i if i < 8 else old,
        "pair": lambda old, i: old + sums[i] - i if i < 512 else old,
    }.items():
        if (kernel, letter) not in symbols:
            continue
        with Emulator(sys.argv[1]) as device:
            copies = [device.put(pack(values)) for values in inputs]
            everywhere = device.multicast(copies, SIZE * size)
            other = device.put(pack(x))
            isShort = kernel in ("count", "pair")
            args = [everywhere] if isShort else [everywhere, other, N]
            findings = device.launch(ptx, symbols[kernel, letter], (1 if isShort else 2,), 1, 65536, args, cluster=1 + (kernel == "pair"))
            if findings:
                wrong += 1
                print("".join(findings))
            values = lambda address: struct.unpack(f"<{SIZE}{code}", device.get(address, SIZE * size))
            if result is None:
                expect(f"sum of {code}", values(other)[:N], sums[:N])
            else:
                for rank, copy in enumerate(copies):
                    expect(f"{kernel} of {code}, rank {rank}", values(copy), [result(old, i) for i, old in enumerate(inputs[rank])])
sys.exit(wrong != 0)
