"""cases.txt against the folder: every family has cases and a program, no case is named twice, and there are at least 2,000.

  check-cases.py cases.txt folder
"""
import collections
import pathlib
import sys

lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
families = collections.Counter()
names = collections.Counter()
for line in lines:
    head, forms = line.split(":")
    family, name = head.split(" ")
    families[family] += len(forms.split())
    for form in forms.split():
        names[f"{name}/{form}"] += 1
problems = [f"{name} is there {count} times" for name, count in names.items() if count > 1]
programs = {path.name.removesuffix(".tt.cpp") for path in pathlib.Path(sys.argv[2]).glob("*.tt.cpp")}
problems += [f"no case of {family}" for family in programs - set(families)]
problems += [f"cases of {family}, which is not here" for family in set(families) - programs]
total = sum(names.values())
if total < 2000:
    problems.append(f"only {total} cases")
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{total} cases: {', '.join(f'{family} {count}' for family, count in sorted(families.items()))}")
sys.exit(bool(problems))
