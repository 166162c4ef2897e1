"""Checks the machine code of a kernel for sm_100a against its budget:

  blackwell-budgets.py tcc ptxas nvdisasm kernels.tt.cpp 'kernel<...>' key=number ...

Nothing may spill. In the innermost loop that contains matrix instructions:
  loop       at most this many instructions
  mma        exactly this many matrix instructions
  commits waits barriers   at most this many arrivals of dots, waits for mbarriers, and barriers of threads
In all of the code:
  registers  at most this many registers (the highest number in any instruction: with setmaxnreg, ptxas reports the number
             with which all warps start)
"""
import os
import re
import subprocess
import sys
import tempfile

tcc, ptxas, nvdisasm, source, kernel = sys.argv[1:6]
budget = {key: int(number) for key, number in (argument.split("=") for argument in sys.argv[6:])}
with tempfile.TemporaryDirectory() as folder:
    ptx, cubin = os.path.join(folder, "kernel.ptx"), os.path.join(folder, "kernel.cubin")
    subprocess.run([tcc, "--emit=ptx", "-O2", "-arch=sm_100a", "--tensor-maps=true", f"--kernel={kernel}", source, "-o", ptx], check=True)
    report = subprocess.run([ptxas, "-v", "-arch=sm_100a", ptx, "-o", cubin], stderr=subprocess.PIPE, text=True, check=True).stderr
    sass = subprocess.run([nvdisasm, "-c", cubin], stdout=subprocess.PIPE, text=True, check=True).stdout

code, labels = [], {}
for line in sass.splitlines():
    if label := re.match(r"\.(L\w+):", line):
        labels[label[1]] = len(code)
    elif instruction := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", line):
        code.append(instruction[1])
loops = []
for end, instruction in enumerate(code):
    if (target := re.search(r"\bBRA\b.*\.(L\w+)\)", instruction)) and (begin := labels.get(target[1], end + 1)) <= end:
        if any(re.search(r"\bUTC\w*MMA\b", inside) for inside in code[begin:end + 1]):
            loops.append(code[begin:end + 1])
if not loops:
    sys.exit(f"{kernel}: no loop contains matrix instructions of tensor memory")
loop = min(loops, key=len)


def count(pattern):
    return sum(bool(re.search(pattern, instruction)) for instruction in loop)


found = {
    "loop": len(loop), "mma": count(r"\bUTC\w*MMA\b"), "commits": count(r"\bUTCBAR\b"), "waits": count(r"TRYWAIT"),
    "barriers": count(r"\bBAR\."),
    "registers": 1 + max(int(number) for instruction in code for number in re.findall(r"\bR(\d+)\b", instruction)),
}
over = [f"{found[key]} {key}, at most {most} are allowed" for key, most in budget.items() if found[key] > most]
if found["mma"] != budget["mma"]:
    over.append(f"{found['mma']} matrix instructions in the loop, not {budget['mma']}")
if "0 bytes spill stores, 0 bytes spill loads" not in report:
    over.append("it spills: " + report)
for problem in over:
    print(f"{kernel}: {problem}")
if over:
    print(f"{kernel} has " + " ".join(f"{key}={number}" for key, number in found.items()))
sys.exit(bool(over))
