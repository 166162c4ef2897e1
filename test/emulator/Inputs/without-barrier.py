"""usage: without-barrier.py in.ptx N out.ptx     removes the N-th bar.sync"""
import sys

source, number, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
lines, seen = [], 0
for line in open(source):
    if line.strip().startswith("bar.sync"):
        seen += 1
        if seen == number:
            line = "\n"  # later lines keep their numbers
    lines.append(line)
if seen < number:
    sys.exit(f"{source} has {seen} barriers")
open(target, "w").writelines(lines)
