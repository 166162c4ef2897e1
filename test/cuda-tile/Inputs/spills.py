"""Reads tcc's table of --resource-usage, and fails if a kernel has more than the given bytes of spill stores per thread."""
import sys

most = int(sys.argv[1])
rows = [line.split() for line in sys.stdin if " sm_" in line]
# A kernel's name may contain spaces. After it come the target, the variant, the registers and the spill stores.
spilled = {}
for row in rows:
    target = next(i for i, column in enumerate(row) if column.startswith("sm_"))
    spilled[" ".join(row[:target])] = int(row[target + 3])
if not rows:
    sys.exit("no kernel in the table")
for name, stores in spilled.items():
    if stores > most:
        print(f"{name} spills {stores} bytes a thread, more than {most}")
sys.exit(any(stores > most for stores in spilled.values()))
