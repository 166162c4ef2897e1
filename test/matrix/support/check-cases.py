"""Compares cases.txt with the folder: every family must have cases and a program, and there must be at least 2,000 cases.

  check-cases.py cases.txt folder
"""
import collections
import pathlib
import sys

families = collections.Counter()
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    head, counts = line.split(": ")
    families[head.split(" ")[0]] += sum(int(count.split(" ")[1]) for count in counts.split(", "))
programs = {path.name.removesuffix(".tt.cpp") for path in pathlib.Path(sys.argv[2]).glob("*.tt.cpp")}
problems = [f"no case of {family}" for family in programs - set(families)]
problems += [f"cases of {family}, which is not here" for family in set(families) - programs]
total = sum(families.values())
if total < 2000:
    problems.append(f"only {total} cases")
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{total} cases: {', '.join(f'{family} {count}' for family, count in sorted(families.items()))}")
sys.exit(bool(problems))
