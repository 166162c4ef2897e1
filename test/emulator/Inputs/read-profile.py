"""Prints a profile of the emulator: the counts of each instruction, findings, and where warps waited."""
import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
assert profile["format"] == "tilecc-profile" and profile["version"] == 2
for kernel in profile["kernels"]:
    launches = f"{kernel['launches']} launch{'es' if kernel['launches'] > 1 else ''}"
    print(f"{kernel['symbol']} of {kernel['ptx'].split('/')[-1]}, {kernel['target']}: {launches}, grid {kernel['grid']}, block {kernel['block']}")
    instructions = kernel["instructions"]
    for instruction in instructions:
        counts = ", ".join(f"{name} {value}" for name, value in instruction.items() if name not in ("line", "text", "source"))
        place = f" at {instruction['source']}" if "source" in instruction else ""
        print(instruction["text"] + place + (": " + counts if counts else ""))
    for finding in kernel["findings"]:
        print(f"finding at {instructions[finding['instruction']]['text']}: {finding['text']}", end="")
    for timeline in kernel["timelines"]:
        print(f"launch {timeline['launch']}, block {timeline['block']}")
        for i, warp in enumerate(timeline["warps"]):
            waits = [f" {begin} to {end} ({end - begin} steps) at {instructions[at]['text']}" for begin, end, at in warp["waits"]]
            print(f"warp {i} until {warp['end']}:{','.join(waits)}")
    for i, warp in enumerate(kernel["warps"]):
        print(f"warp {i} of {warp['blocks']} blocks: waited {warp['waited']} of {warp['steps']} steps")
