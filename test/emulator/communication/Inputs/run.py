"""Runs a protocol of several ranks on the emulator, right and with each of its planted bugs.

  run.py LIBRARY PROTOCOL.PTX --bugs=N --ranks=N [--blocks=N] [--rounds=N] [--seeds=N] [--bug=N]

A run without a bug must have the right results and no finding; a run with one must have a finding. The places and kinds of findings
are printed. With --seeds, the runs are in N random orders. Otherwise there is one run of each, in the deterministic order. --bug selects
one bug, or 0 for the right protocol, and prints whole findings. The exit status is 1 if a run is not as it must be.
"""
import argparse
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from emulator import Emulator, Failure

MOST_RANKS, THREADS, BYTES, ERRORS_AT = 16, 64, 4 * 16640, 4 * 16384  # as in ranks.cuh


def run(arguments, ptx, bug, **schedule):
    """Returns the findings, and the number of wrong results."""
    with Emulator(arguments.library, **schedule) as device:
        memory = [device.put(bytes(BYTES)) for _ in range(arguments.ranks)]
        job = struct.pack(f"<{MOST_RANKS + 1}Qiii4x", *memory, *[0] * (MOST_RANKS - len(memory)), device.multicast(memory, BYTES),
                          arguments.ranks, arguments.rounds, bug)
        findings = device.launch(ptx, "protocol", (arguments.blocks, 1, arguments.ranks), THREADS, 0, [job], ranks=True)
        if bug == 0:
            device.launch(ptx, "verify", (1, 1, arguments.ranks), THREADS, 0, [job])
        wrong = sum(struct.unpack("<I", device.get(address + ERRORS_AT, 4))[0] for address in memory)
        return findings, wrong


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("library")
    parser.add_argument("ptx")
    parser.add_argument("--blocks", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--bugs", type=int, required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--bug", type=int)
    arguments = parser.parse_args()
    with open(arguments.ptx) as file:
        ptx = file.read()
    schedules = [{"schedule": "random", "seed": seed} for seed in range(arguments.seeds)] or [{}]
    failed = False
    for bug in range(arguments.bugs + 1) if arguments.bug is None else [arguments.bug]:
        for schedule in schedules:
            findings, wrong = run(arguments, ptx, bug, **schedule)
            if arguments.bug is not None:
                print("".join(findings), end="")
            name = f"PLANTED {bug}" if bug else "right"
            order = f" (seed {schedule['seed']})" if schedule else ""
            if bug == 0 and (findings or wrong):
                failed = True
                print(f"{name}{order}: {wrong} WRONG results, and these findings:\n{''.join(findings)}", end="")
            elif bug and not findings:
                failed = True
                print(f"{name}{order}: MISSED: no finding")
            elif not schedule:
                for line in dict.fromkeys(finding.split(": kernel ")[0] for finding in findings or ["no finding"]):
                    print(f"{name}: {line}")
    sys.exit(failed)


main()
