"""Prints the contents of a page, for FileCheck: read-page.py PAGE [KERNEL [STAGE...]]. Prints the source locations of each line of a
stage, the innermost first, and then the line: "ptx a16 sm_90a | scale.h:5 < add.tt.cpp:7 | add.f32 ...". Without a kernel it prints the kernels."""
import json
import sys

from model import model_of

model = model_of(open(sys.argv[1], encoding="utf-8").read())
strings, chains, files = model["strings"], model["chains"], model["files"]


def name(file):
    return files[file]["name"].split("/")[-1]


def chain_text(chain):
    numbers = chains[chain]
    return " < ".join(f"{name(file)}:{line}" for file, line in zip(numbers[::2], numbers[1::2]))


def print_text(prefix, text):
    for line, own in zip(text["lines"], text["chains"]):
        own = own if isinstance(own, list) else [own] if own >= 0 else []
        print(prefix, "|", " & ".join(map(chain_text, own)) or "-", "|", strings[line].strip())


def print_stage(prefix, stage):
    if "missing" in stage:
        print(prefix, "is missing:", stage["missing"])
    else:
        print_text(prefix, stage)


def print_run(prefix, run, variant):
    print(prefix, "|", run["launch"])
    if run["stage"] == "source":
        text = files[run["file"]]["text"].split("\n")
        where = {row: (f"{name(run['file'])}:{row}", text[row - 1].strip()) for row, *_ in run["rows"]}
    else:
        stage = next(stage for stage in variant["stages"] if stage["name"] == run["stage"])
        own = [chain[0] if isinstance(chain, list) else chain for chain in stage["chains"]]
        where = {i: (chain_text(own[i]) if own[i] >= 0 else "-", strings[line].strip()) for i, line in enumerate(stage["lines"])}
    for row, *counts in run["rows"]:
        counted = ", ".join(f"{metric} {count}" for metric, count in zip(run["metrics"], counts) if count)
        print(prefix, "|", " | ".join(where[row]), "|", counted)
    for finding in run["findings"]:
        print(prefix, "| finding |", " | ".join(where[finding["row"]]), "|", finding["text"].split("\n")[0])
    for timeline in run["timelines"]:
        for i, warp in enumerate(timeline["warps"]):
            print(prefix, "|", timeline["block"], f"| warp {i} |", warp["end"], *(f"{begin}-{end} at {where[row][0]}" for begin, end, row in warp["waits"]))
    for i, warp in enumerate(run["warpSums"]):
        print(prefix, f"| all blocks | warp {i} | {warp['blocks']} blocks, {warp['steps']} steps, {warp['waited']} waited")


if len(sys.argv) == 2:
    print("source:", model["source"].split("/")[-1], "files:", " ".join(sorted(name(i) for i in range(len(files)) if "text" in files[i])))
    for kernel in model["kernels"]:
        print("kernel", kernel["name"], "line", kernel["line"])
        for variant in kernel["variants"]:
            print(" ", variant["target"], variant["name"], " ".join(stage["name"] for stage in variant["stages"]), "--", variant["assumption"])
        for cpu in kernel["cpu"]:
            print(" ", cpu["level"], " ".join(stage["name"] for stage in cpu["stages"]))
    sys.exit()

def print_times(times):
    print(f"times | {times['launch']}, {len(times['tracks'])} of {times['trackCount']} shown")
    for track in times["tracks"]:
        for scope, begin, end, file, line in track["scopes"]:
            print(f"times | {track['name']} | {scope} | {begin}-{end}", f"| {name(file)}:{line}" if file >= 0 else "")


if sys.argv[2] == "notes":
    print(*model["notes"], sep="\n")
    sys.exit()

kernel = next(kernel for kernel in model["kernels"] if kernel["name"] == sys.argv[2])
for wanted in sys.argv[3:]:
    if wanted == "times":
        for times in kernel["times"]:
            print_times(times)
        continue
    if wanted.startswith("cpu-"):
        for cpu in kernel["cpu"]:
            for stage in cpu["stages"]:
                if stage["name"] == wanted[4:]:
                    print_stage(f"{wanted} {cpu['level']}", stage)
        continue
    for variant in kernel["variants"]:
        prefix = f"{wanted} {variant['name']} {variant['target']}"
        if wanted == "passes":
            for done in variant["passes"]:
                print(prefix, "|", done["name"] or "(begin)", "|", f"{len(done['lines'])} lines" if "lines" in done else "no change")
        elif wanted == "layouts":
            for layout in variant["layouts"]:
                print(prefix, "|", layout["type"], layout["shape"], layout["elementBits"], "shared" if layout["shared"] else "registers",
                      *(f"{each['name']}={each['bases']}" for each in layout["inputs"]))
        elif wanted == "costs":
            print(prefix, "|", json.dumps(variant.get("costs", variant.get("noCosts"))))
        elif wanted == "accesses":
            for access in variant["accesses"]:
                print(prefix, "|", access)
        elif wanted == "work":
            for work in variant["work"]:
                print(prefix, "|", work)
        elif wanted == "remarks":
            for remark in variant["remarks"]:
                print(prefix, "|", f"{name(remark['file'])}:{remark['line']}", "|", remark["kind"], "|", remark["text"])
        elif wanted == "runs":
            for run in variant["runs"]:
                print_run(f"{prefix} {run['maker']}", run, variant)
        for stage in variant["stages"]:
            if stage["name"] == wanted:
                print_stage(prefix, stage)
