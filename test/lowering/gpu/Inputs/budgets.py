"""Checks a kernel against its budget: budgets.py tcc kernels.tt.cpp <cuda or ''> 'kernel<...>' key=value ...

  loads=8x128 stores=8x128   as many accesses to global memory, each of so many bits; 4x128+1x32 where they differ
  barriers=2 branches=0      at most so many in the PTX (a loop has one branch, and one around it)
  early=12                   so many loads before the first barrier
  registers=40               at most, as ptxas counts them for sm_90; nothing may spill (both only where there is a ptxas)
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

tcc, source, cuda, kernel = sys.argv[1:5]
ptxas = os.path.join(cuda, "bin", "ptxas") if cuda else ""
budget = dict(argument.split("=") for argument in sys.argv[5:])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "kernel.ptx")
    subprocess.run([tcc, "-ptx", "-arch=sm_90", f"--kernel={kernel}", source, "-o", path], check=True)
    with open(path) as file:
        ptx = file.read()
    report = subprocess.run([ptxas, "-v", "-arch=sm_90", path, "-o", os.path.join(folder, "kernel.cubin")],
                            capture_output=True, text=True, check=True).stderr if ptxas else ""


def widths(instruction):
    count = collections.Counter()
    for vector, bits in re.findall(rf"\b{instruction}\.global[\w:.]*?(?:\.v(\d))?\.[bfsu](\d+)\b", ptx):
        count[int(vector or 1) * int(bits)] += 1
    return "+".join(f"{count[bits]}x{bits}" for bits in sorted(count, reverse=True))


body = ptx[ptx.index("\n{"):]
found = {
    "loads": widths("ld"), "stores": widths("st"),
    "barriers": body.count("bar.sync"), "branches": len(re.findall(r"\bbra\b", body)),
    "early": len(re.findall(r"\bld\.global", body.split("bar.sync")[0])),
}
over = []
for key, value in budget.items():
    if key in ("loads", "stores"):
        if found[key] != value:
            over.append(f"{key} are {found[key]}, not {value}")
    elif key == "early":
        if found[key] < int(value):
            over.append(f"{found[key]} loads come before the first barrier, not {value}")
    elif key in found:
        if found[key] > int(value):
            over.append(f"{found[key]} {key}, at most {value} are allowed")
if report:
    used = int(re.search(r"Used (\d+) registers", report)[1])
    if used > int(budget["registers"]):
        over.append(f"{used} registers, at most {budget['registers']} are allowed")
    spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", report)
    if spills.groups() != ("0", "0"):
        over.append(f"it spills: {spills[0]}")
for problem in over:
    print(f"{kernel}: {problem}")
sys.exit(bool(over))
