"""Checks the trace of profile-scopes.tt.cpp: check-times.py [--cpu | --cut | --launches=N] TRACE [STEPS]. STEPS is a profile of the
emulator of the same run, whose timeline must agree with the trace."""
import json
import re
import sys

options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
launches = next((int(option.split("=")[1]) for option in options if option.startswith("--launches=")), 1)
events = [event for event in json.load(open(files[0])) if event["ph"] == "X"]
scopes = sorted((event for event in events if event["cat"] == "scope"), key=lambda event: (event["ts"], -event["dur"]))
source = open(__file__.replace("Inputs/check-times.py", "profile-scopes.tt.cpp")).read().split("\n")
ROUNDING = 0.0021  # microseconds: times have three digits


def end(event):
    return event["ts"] + event["dur"]


def nest(lane):
    """The names of the scopes in a lane, each as its path: row/write/twice. Scopes must nest."""
    paths, open_scopes = [], []
    for event in lane:
        while open_scopes and end(open_scopes[-1]) <= event["ts"] + ROUNDING / 2 and event["dur"] >= 0:
            open_scopes.pop()
        assert not open_scopes or end(event) <= end(open_scopes[-1]) + ROUNDING, (open_scopes[-1], event)
        open_scopes.append(event)
        paths.append("/".join(scope["name"] for scope in open_scopes))
    return paths


def line_of(text):
    return next(i for i, line in enumerate(source, 1) if text in line)


for event in scopes:  # each says where it is in the source
    assert event["args"]["file"].endswith("profile-scopes.tt.cpp"), event
    expected = {"row": 'outer("row")', "write": 'inner("write")', "twice": 'scope("twice")'}.get(event["name"])
    assert not expected or event["args"]["line"] == line_of(expected), event

if "--cpu" in options:
    programs = {}
    for event in scopes:
        programs.setdefault((event["args"]["program"], event["tid"]), []).append(event)
    own = [lane for lane in programs.values() if any(event["name"] == "row" for event in lane)]
    assert sum(event["name"] == "row" for event in scopes) == 2 * 8 * 3, len(own)  # every launch is recorded
    for lane in own:
        paths = nest(lane)
        assert "loop/row/write/twice" in paths, paths
    sys.exit()

warps = [event for event in events if event["cat"] == "warp"]


def scopes_of(warp):
    return [event for event in scopes if event["tid"] == warp["tid"] and warp["ts"] - ROUNDING <= event["ts"] <= end(warp) + ROUNDING]


rows = [warp for warp in warps if warp["name"] == "rows"]
if "--cut" in options:
    assert 0 < len(rows) < 8, rows
    sys.exit()
assert len(rows) == 8 * launches, len(rows)
for warp in rows:
    assert not warp["args"]["full"] and warp["args"]["records"] == 2 * (1 + 2 * 3) + 3 or launches > 1, warp  # "twice" is one
    if launches == 1:
        assert nest(scopes_of(warp)) == ["loop"] + 3 * ["loop/row", "loop/row/write", "loop/row/write/twice"], nest(scopes_of(warp))
if launches > 1:
    sys.exit()

# The producers and the consumers of the specialized product.
product = {warp["args"]["where"]: warp for warp in sorted(warps, key=lambda warp: warp["tid"]) if warp["name"].startswith("product")}
assert len(product) == 2, product
program, producers = (nest(scopes_of(warp)) for warp in product.values())
assert producers[0] == "partition 0" and any("wait at barrier" in path for path in producers), producers
assert any(path.endswith("wait for dots") for path in program) and any(path.endswith("wait at barrier") for path in program), program

if len(files) > 1:
    # The timeline has the same waits, a constant number of steps later in all warps: those before the first record.
    profile = next(kernel for kernel in json.load(open(files[1]))["kernels"] if kernel["name"].startswith("product"))
    zero = min(warp["ts"] for warp in product.values())
    shifts = set()
    for where, warp in product.items():
        number = int(re.search(r"warp (\d+)", where)[1])
        timeline = profile["timelines"][0]["warps"][number]
        waits = [(begin, last) for begin, last, at in timeline["waits"] if "mbarrier.try_wait" in profile["instructions"][at]["text"] and last - begin > 20]
        recorded = [event for event in scopes_of(warp) if event["name"].startswith("wait at barrier")]
        for begin, last in waits:
            lengths = [event for event in recorded if event["dur"] * 1000 + 5 >= last - begin]
            assert lengths, (where, begin, last, [event["dur"] for event in recorded])
            nearest = min(lengths, key=lambda event: abs((event["ts"] - zero) * 1000 - begin))
            shifts.add(round(begin - (nearest["ts"] - zero) * 1000))
    assert not shifts or max(shifts) - min(shifts) < 60, shifts
