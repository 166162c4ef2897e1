"""Writes CSV like that of `ncu --csv --page source --print-source sass` for the machine code of a page: write-ncu-sass.py PAGE KERNEL.
Instruction n, counted from 1, has been executed n times."""
import csv
import re
import sys

from model import model_of

model = model_of(open(sys.argv[1], encoding="utf-8").read())
kernel = next(kernel for kernel in model["kernels"] if kernel["name"] == sys.argv[2])
stage = next(stage for stage in kernel["variants"][0]["stages"] if stage["name"] == "sass")
out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL)
out.writerow(["Kernel Name", sys.argv[2]])
out.writerow(["Address", "Source", "Warp Stall Sampling (All Samples)", "Instructions Executed"])
code = [found for line in stage["lines"] if (found := re.match(r"\s*/\*([0-9a-f]+)\*/\s+(.*?)\s*;", model["strings"][line]))]
for i, found in enumerate(code):
    # ncu prints addresses where nvdisasm prints labels.
    out.writerow([hex(0x7F0000000000 + int(found[1], 16)), re.sub(r"`\(.*\)", "0x7f00000002f0", found[2]), "0", f"{i + 1:,}"])
