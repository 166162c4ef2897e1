#!/usr/bin/env python3
"""Summarizes JUnit files of test runs: lists the slowest, the failed and the skipped tests, and finally prints `N passed, N failed,
N skipped`."""
import collections
import sys
import xml.etree.ElementTree as ElementTree

passed, failed, skipped, times = 0, [], collections.defaultdict(list), []
for path in sys.argv[1:]:
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        failed.append(f"{path}: no results ({error})")
        continue
    if not cases:
        failed.append(f"{path}: no test ran")
    for case in cases:
        name = f"{case.get('classname', '')}.{case.get('name')}"
        times.append((float(case.get("time") or 0), name))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif (skip := case.find("skipped")) is not None or case.get("status") in ("notrun", "disabled"):
            reason = (skip.get("message") if skip is not None else None) or "disabled"
            skipped[reason].append(name)
        else:
            passed += 1

print("the slowest tests, in seconds:")
for time, name in sorted(times, reverse=True)[:10]:
    print(f"  {time:6.1f}  {name}")
for reason, names in sorted(skipped.items()):
    print(f"skipped ({reason}): {len(names)}")
    for name in names:
        print(f"  {name}")
for name in failed:
    print(f"FAILED {name}")
print(f"{passed} passed, {len(failed)} failed, {sum(map(len, skipped.values()))} skipped")
sys.exit(1 if failed or not passed else 0)
