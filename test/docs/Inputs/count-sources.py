"""Counts the sources that match each pattern of the table "Counts" in docs/adding.md. Prints counts that differ from the
table, includes of back ends' headers by neutral folders, includes of the runtime's private headers by other folders, and
files of the driver that include each other in a ring, and then exits with 1."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
FOLDERS = ["driver", "builder", "library", "compile", "targets", "lowering", "frontend", "runtime/src", "runtime/internal", "runtime/include", "tools"]
SUFFIXES = {".cpp", ".h", ".td", ".def"}
sources = {path.relative_to(root): path.read_text() for folder in FOLDERS for path in (root / folder).rglob("*")
           if path.suffix in SUFFIXES}
table = (root / "docs/adding.md").read_text().split("\n## Counts\n")[1]
rows = re.findall(r"^\| (.*?) \| .*? \| (\d+) \| `(.*)` \|$", table, re.M)
wrong = False
for what, count, pattern in rows:
    outside = tuple(re.findall(r"`([\w/]+/)`", what.partition("outside")[2]))
    found = sorted(str(path) for path, text in sources.items()
                   if re.search(pattern.replace("\\|", "|"), text) and not str(path).startswith(outside))
    if len(found) != int(count):
        wrong = True
        print(f"{what}: the table says {count} sources, and there are {len(found)}:", *found, sep="\n  ")

NEUTRAL = {"lowering", "compile", "builder", "driver", "library"}
backends = [path.name for path in (root / "targets").iterdir() if path.is_dir()]
include = re.compile(rf'^#include "targets/(?:{"|".join(backends)})/.*', re.M)
for path, text in sorted(sources.items()):
    for match in include.finditer(text) if path.parts[0] in NEUTRAL else ():
        wrong = True
        line = text.count("\n", 0, match.start()) + 1
        print(f"{path}:{line}: {match[0]}: ask an interface of targets/Backend.h instead (docs/adding.md, Counts)")

private = re.compile(r'^#include "runtime/src/.*\.h".*', re.M)
for path in (path for folder in ("emulator", "tools", *NEUTRAL) for path in (root / folder).rglob("*") if path.suffix in SUFFIXES):
    for match in private.finditer(path.read_text()):
        wrong = True
        print(f"{path.relative_to(root)}: {match[0]}: only runtime/internal is for other folders")

# A unit is a header and its source. Those that include nothing that is left, or that nothing left includes, are in no ring.
units = {path.stem: set() for path in sources if path.parts[0] == "driver"}
for path, text in sources.items():
    if path.parts[0] == "driver":
        units[path.stem] |= set(re.findall(r'^#include "driver/(\w+)\.h"', text, re.M)) - {path.stem}
assert sum(map(len, units.values())) > 100
left = None
while left != set(units):
    left = set(units)
    included = set().union(*units.values())
    units = {unit: includes & left for unit, includes in units.items() if includes & left and unit in included}
for unit, includes in sorted(units.items()):
    wrong = True
    print(f"driver/{unit} is in a ring of includes, by way of {', '.join(sorted(includes))}")
sys.exit(wrong or not rows or not backends)
