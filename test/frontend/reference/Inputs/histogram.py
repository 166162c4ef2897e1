"""Checks that two TTIR files have the same operations, each the same number of times; `-` is standard input."""
import collections
import re
import sys


def histogram(path):
    text = sys.stdin.read() if path == "-" else open(path).read()
    ops = collections.Counter()
    for line in text.splitlines():
        match = re.match(r"\s*(?:%[\w:#, ]+ = )?\"?([a-z]+\.[a-z_.]+)\"?", line)
        if match:
            tile = re.search(r"(tensor<[^>]*>)", line)
            ops[match[1], tile[1] if tile else ""] += 1
    return ops


ours, theirs = map(histogram, sys.argv[1:3])
for op in sorted(set(ours) | set(theirs)):
    if ours[op] != theirs[op]:
        print(f"{op[0]} {op[1]}: {ours[op]} instead of {theirs[op]}")
sys.exit(not ours or ours != theirs)
