"""Checks a kernel against its budget: budgets.py tcc kernels.tt.cpp <cuda or ''> 'kernel<...>' key=value ...

  loads=8x128 stores=8x128   exactly this many accesses to global memory x their bits; 4x128+1x32 if they differ
  barriers=2 branches=0      at most this many in the PTX (a loop has one branch, and one around it)
  early=12                   at least this many loads before the first barrier
  mma=128 wgmma=4 ldmatrix=32 copies=36   exactly this many instructions
  registers=40 shared=32     at most this many, from --resource-usage; nothing may spill, and ptxas may not serialize wgmma (C75xx)
                             (only checked if there is a ptxas)
  arch=80                    for sm_80, not for sm_90
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tcc, source, cuda, kernel = sys.argv[1:5]
budget = dict(argument.split("=") for argument in sys.argv[5:])
arch = budget.pop("arch", "90")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "kernel")
    stage = ["-cubin", f"--cuda-path={cuda}", "--keep", f"--keep-dir={folder}", "--resource-usage"] if cuda else ["--emit=ptx"]
    table = subprocess.run([tcc, *stage, f"-arch=sm_{arch}", f"--kernel={kernel}", source, "-o", path], stderr=subprocess.PIPE, text=True,
                           check=True).stderr
    ptx = "".join(file.read_text() for file in pathlib.Path(folder).glob("*.ptx")) if cuda else pathlib.Path(path).read_text()


def widths(instruction):
    count = collections.Counter()
    for vector, bits in re.findall(rf"\b{instruction}\.global[\w:.]*?(?:\.v(\d))?\.[bfsu](\d+)\b", ptx):
        count[int(vector or 1) * int(bits)] += 1
    return "+".join(f"{count[bits]}x{bits}" for bits in sorted(count, reverse=True))


body = ptx[ptx.index("\n{"):]
found = {
    "loads": widths("ld"), "stores": widths("st"),
    "barriers": body.count("bar.sync"), "branches": len(re.findall(r"\bbra\b", body)),
    "wgmma": len(re.findall(r"\bwgmma\.mma_async", body)),
    "mma": len(re.findall(r"\bmma\.sync", body)), "ldmatrix": len(re.findall(r"\bldmatrix\.sync", body)),
    "copies": len(re.findall(r"\bcp\.async\.c[ag]\.", body)),
    "early": len(re.findall(r"\bld\.global", body.split("bar.sync")[0])),
}
over = []
for key, value in budget.items():
    if key in ("loads", "stores", "mma", "wgmma", "ldmatrix", "copies"):
        if str(found[key]) != value:
            over.append(f"{key} are {found[key]}, not {value}")
    elif key == "early":
        if found[key] < int(value):
            over.append(f"{found[key]} loads come before the first barrier, not {value}")
    elif key in found:
        if found[key] > int(value):
            over.append(f"{found[key]} {key}, at most {value} are allowed")
if cuda:
    header, row = (re.split(r"  +", line.strip()) for line in table.splitlines()[-2:])
    used = dict(zip(header, row))
    for key in ("registers", "shared"):
        if int(used[key]) > int(budget[key]):
            over.append(f"{used[key]} {key}, at most {budget[key]} are allowed")
    over += re.findall(r"\(C75\d\d\).*", table)
    if used["spill stores"] != "0" or used["spill loads"] != "0":
        over.append(f"it spills: {used['spill stores']} bytes of stores and {used['spill loads']} of loads")
for problem in over:
    print(f"{kernel}: {problem}")
sys.exit(bool(over))
