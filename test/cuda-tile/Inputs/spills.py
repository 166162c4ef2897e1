"""Reads tcc's table of --resource-usage, and fails where a kernel spills more than so many bytes of stores a thread."""
import sys

most = int(sys.argv[1])
rows = [line.split() for line in sys.stdin if " sm_" in line]
# A kernel's name may have spaces; behind the target and the variant all columns are numbers.
spilled = {" ".join(row[:-8]): int(row[-5]) for row in rows}
if not rows:
    sys.exit("no kernel in the table")
for name, stores in spilled.items():
    if stores > most:
        print(f"{name} spills {stores} bytes a thread, more than {most}")
sys.exit(any(stores > most for stores in spilled.values()))
