#!/usr/bin/env python3
"""Counts cases: converts a family's --list to lines of cases.txt, `family operation: type count, type count`.

  ./family --list | count-cases.py
"""
import collections
import sys

counts = collections.defaultdict(collections.Counter)
for line in sys.stdin:
    head, forms = line.split(":")
    family, name = head.split(" ")
    operation, element = name.split("/")[:2]
    names = [f"{name}/{form}" for form in forms.split()]
    if len(set(names)) < len(names):
        sys.exit(f"{head} has a form twice")
    counts[family, operation][element] += len(names)
for (family, operation), types in sorted(counts.items()):
    print(f"{family} {operation}: {', '.join(f'{element} {count}' for element, count in types.items())}")
