"""budgets.txt: what tcc may need for each kernel of the corpus, compared with what Triton needs."""
import math
import pathlib

PATH = pathlib.Path(__file__).resolve().parent / "budgets.txt"
# In the order of the table: how much worse a figure may be before a test fails.
COLUMNS = {
    "instructions": 0.02, "executed": 0.02, "shared": 0, "registers": 0.15, "spills": 0, "global": 0, "wide": 0,
    "barriers": 0, "copies": 0
}
GOALS = {"instructions": 0.92, "shared": 1.0}  # geometric means
MOST = 1.3  # times Triton's instructions, for a single kernel
HEADER = """\
# What tcc needs for each kernel of kernels/, and what Triton 3.6 needs: tcc/Triton. A test fails if tcc needs more than
# these figures, has more narrow accesses or fewer asynchronous copies, or computes other results. Improvements lower
# the budgets by `compare.py --update`. All figures are from machine code for sm_80, except `executed`: the PTX
# instructions that warps run in the emulator. `global` counts accesses to global memory and `wide` those of 128 bits,
# `copies` counts cp.async, and `shared` and `spills` are bytes.
# Goals: geometric means of at most 0.92 of Triton's instructions and 1.0 of its shared memory, and no kernel above 1.3
# times the instructions, except where a remark explains why. `compare.py --table` shows the current means.
"""


def read():
    """{kernel: (figures of tcc, figures of Triton, remark)}"""
    rows = {}
    for line in PATH.read_text().splitlines() if PATH.exists() else []:
        line, _, remark = line.partition("#")
        if not line.strip() or line.startswith("kernel "):
            continue
        name, *cells = line.split()
        pairs = [tuple(map(int, cell.split("/"))) for cell in cells]
        ours, theirs = ({key: pair[side] for key, pair in zip(COLUMNS, pairs, strict=True)} for side in (0, 1))
        rows[name] = ours, theirs, remark.strip()
    return rows


def format_rows(rows, remarks):
    table = [["kernel", *COLUMNS]]
    for name, row in rows.items():
        table.append([name, *(f"{row['tcc'][key]}/{row['triton'][key]}" for key in COLUMNS)])
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        for row in table
    ]
    return [line + (f"  # {remarks[row[0]]}" if remarks.get(row[0]) else "") for line, row in zip(lines, table)]


def write(rows):
    """`rows` replace the lines of their kernels; other kernels keep theirs."""
    known = read()
    remarks = {name: remark for name, (_, _, remark) in known.items()}
    rows = {name: {"tcc": ours, "triton": theirs} for name, (ours, theirs, _) in known.items()} | rows
    PATH.write_text(HEADER + "\n" + "\n".join(format_rows(rows, remarks)) + "\n")


def check(rows):
    """Messages about figures that are worse than their budget."""
    problems = []
    known = read()
    for name, row in rows.items():
        if name not in known:
            problems.append(f"{name}: budgets.txt has no line for it; run compare.py --update")
            continue
        ours, theirs, remark = known[name]
        if ratio({"tcc": ours, "triton": theirs}, "instructions") > MOST and not remark:
            problems.append(f"{name}: more than {MOST} times Triton's instructions, and no remark says why")
        for key, slack in COLUMNS.items():
            value, budget = row["tcc"][key], ours[key]
            if key == "wide":  # a loop that is not unrolled has fewer of all accesses
                is_worse = row["tcc"]["global"] - value > ours["global"] - budget
            else:
                is_worse = value < budget if key == "copies" else value > budget * (1 + slack)
            if is_worse:
                problems.append(f"{name}: {value} {key}, the budget is {budget}")
            if row["triton"][key] != theirs[key]:
                problems.append(
                    f"{name}: Triton has {row['triton'][key]} {key}, not {theirs[key]}: compare.py --update")
    return problems


def ratio(row, key):
    """tcc's figure divided by Triton's. Shared memory is counted as a GPU allocates it: in units of 128 bytes, plus 1 KiB
    for the driver."""
    ours, theirs = row["tcc"][key], row["triton"][key]
    if key == "shared":
        ours, theirs = (1024 + math.ceil(value / 128) * 128 for value in (ours, theirs))
    return ours / theirs


def geomean(rows, key):
    return math.exp(sum(math.log(ratio(row, key)) for row in rows.values()) / len(rows))


def print_table(rows):
    """Prints the kernels, the worst in instructions first, then the means."""
    rows = dict(sorted(rows.items(), key=lambda item: -ratio(item[1], "instructions")))
    lines = format_rows(rows, {})
    print("ratio  " + lines[0])
    for line, row in zip(lines[1:], rows.values()):
        print(f"{ratio(row, 'instructions'):5.2f}  {line}")
    if not rows:
        return
    print(f"\n{len(rows)} kernels; geometric means of tcc's figures by Triton's:")
    for key in ("instructions", "executed", "shared", "registers", "global"):
        mean = geomean(rows, key)
        goal = f"  (goal {GOALS[key]}: {'met' if mean <= GOALS[key] else 'missed'})" if key in GOALS else ""
        print(f"  {key:<13}{mean:.3f}{goal}")
    print("Sums, tcc/Triton:")
    for key in ("spills", "wide", "barriers", "copies"):
        ours, theirs = (sum(row[compiler][key] for row in rows.values()) for compiler in ("tcc", "triton"))
        print(f"  {key:<13}{ours}/{theirs}")
