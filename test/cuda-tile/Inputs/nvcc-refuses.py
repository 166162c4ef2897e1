"""Checks that a compiler reports an error (on standard input) at each line of a source that follows a CHECK."""
import re
import sys

path = sys.argv[1]
wanted = {n + 1 for n, line in enumerate(open(path), 1) if "// CHECK:" in line}
got = {int(n) for n in re.findall(re.escape(path) + r"\((\d+)\): error", sys.stdin.read())}
for line in sorted(wanted - got):
    print(f"{path}:{line}: taken")
sys.exit(bool(wanted - got) or not wanted)
