"""usage: loops.py NAME LIMIT OURS.s PLAIN.s [FUNCTION]

Prints how many instructions the innermost loop with the most vector multiplications takes for each of them, in the code
of tcc and in that of Clang for a plain loop. Fails if tcc's takes more than LIMIT, or more than Clang's.
"""
import re
import sys


def function_lines(path, function):
    lines = open(path).read().splitlines()
    if not function:
        return lines
    begin = lines.index(f"{function}:") if f"{function}:" in lines else next(
        i for i, line in enumerate(lines) if line.startswith(f"{function}:"))
    end = next(i for i in range(begin, len(lines)) if lines[i].startswith(".Lfunc_end"))
    return lines[begin:end]


def innermost_loops(lines):
    """Yields the instructions of each loop that has no loop in it."""
    labels, latest = {}, -1
    for at, line in enumerate(lines):
        if label := re.match(r"(\.LBB\w+):", line):
            labels[label[1]] = at
        # AArch64's branches, and RISC-V's.
        branch = re.match(r"\t(?:b\.\w+|cbnz|cbz|tbnz|tbz|b|b(?:eq|ne|lt|ge|le|gt)[uz]?|j)\t.*?(\.LBB\w+)", line)
        if branch and branch[1] in labels:
            begin = labels[branch[1]]
            if begin > latest: # the back edge of another loop would be between
                yield [each.strip() for each in lines[begin:at + 1] if re.match(r"\t[a-z]", each)]
                latest = begin


def rate(path, function=None):
    loops = []
    for body in innermost_loops(function_lines(path, function)):
        products = sum(bool(re.match(r"f(n?m(la|ls|ad|sb))\t[vz]|vfn?m(acc|add|sac|sub)\.v[vf]\t", each)) for each in body)
        loops.append((products, len(body)))
    products, instructions = max(loops, key=lambda loop: (loop[0], -loop[1]))
    if not products:
        sys.exit(f"{path}: no loop multiplies vectors")
    return instructions / products


name, limit, ours, plain = sys.argv[1:5]
ours, plain = rate(ours), rate(plain, sys.argv[5] if len(sys.argv) > 5 else None)
print(f"{name}: {ours:.2f} instructions per multiplication of vectors, at most {limit}; Clang's loop {plain:.2f}")
if ours > float(limit) or ours > plain:
    sys.exit(f"{name}: the loop has become worse; if that is intended, change the limit in instructions.test")
