"""Removes each barrier, fence, wait and arrival from a program's PTX, one at a time, and runs the program on the emulator.

  without-each.py [--part=K/N] [--kernels=a,b] program [arguments]

`{kernel}` in the arguments stands for the name of the kernel that contains the instruction. With --kernels, only instructions of
these kernels are removed. With --part=K/N, only every N-th instruction is removed, beginning with number K (from 1), and it is not
checked whether the reasons in the source are too many; --part=all is the default.

The program has one PTX (-arch=compute_90 --cuda-path=none), and TILECC_DEVICE=emu:sm_90 is set. The program's own checks or those
of the emulator must detect each removal. An undetected removal fails, whether the instruction is unnecessary or its absence has
no visible effect, unless the source states the reason: at its line as `// unseen: the reason`, or on a separate line with the
number of such instructions in a kernel, `// unseen: kernel instruction count: the reason`, where `*` stands for every kernel and
for any number. It is also an error if all removals at a line with a reason are detected, or if the number differs. Instructions
that the program never executes fail as well, except in variants for other arguments than the program's.
"""
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

# Instructions that synchronize, and their replacements.
CHANGES = [(re.compile(rb"(?<=\t)(?:@!?\S+[ \t]+)?(?:" + instruction + rb")[^;\n]*;"), replacement) for instruction, replacement in [
    (rb"bar\.sync|bar\.warp\.sync|barrier\.sync|bar\.arrive|barrier\.arrive", b""),
    (rb"cp\.async\.wait_group|cp\.async\.wait_all|cp\.async\.bulk\.wait_group|cp\.async\.mbarrier\.arrive", b""),
    (rb"fence\.proxy\.async|fence\.mbarrier_init|wgmma\.fence|wgmma\.commit_group|wgmma\.wait_group", b""),
    (rb"cp\.async\.bulk\.commit_group|mbarrier\.init|mbarrier\.arrive", b""),
    (rb"barrier\.cluster\.arrive|barrier\.cluster\.wait|fence\.acq_rel\.cluster", b""),
    (rb"tcgen05\.wait|tcgen05\.commit", b""),
]] + [
    # An arrival that expects no bytes; a wait that returns at once.
    (re.compile(rb"(?<=\t)((?:@!?\S+[ \t]+)?mbarrier\.arrive)\.expect_tx([^,\n]*, \[[^,\n]*\]), [^;\n]*;"), rb"\1\2;"),
    (re.compile(rb"(?<=\t)mbarrier\.try_wait[^ \n]* (\S+), [^;\n]*;"), rb"setp.eq.b32 \1, 0, 0;"),
]
LISTED = re.compile(r"^// unseen: (\S+) (\S+) (\d+|\*): (.*)")
LOCATION = re.compile(rb"\t\.loc\t(\d+) (\d+) (\d+)(?:, function_name [^,\n]+, inlined_at (\d+) (\d+) (\d+))?")


def find_all(image):
    """The changes: (start, end, replacement, entry, kernel, file, line)."""
    if image.count(b".address_size") != 1:
        sys.exit("the program has to have one PTX: compile it with -arch=compute_90 --cuda-path=none")
    files = {number: path.decode() for number, path in re.findall(rb'\t\.file\t(\d+) "([^"]+)"', image)}
    for match, replacement in sorted(((match, change) for pattern, change in CHANGES for match in pattern.finditer(image)),
                                     key=lambda found: found[0].start()):
        entry = image.rfind(b".entry", 0, match.start())
        name = re.match(rb"\.entry (?:_Z(\d+))?([\w$]+)", image[entry:entry + 4096])
        kernel = name[2][: int(name[1] or len(name[2]))].decode()
        locations = list(LOCATION.finditer(image, entry, match.start()))
        parts = locations[-1].groups() if locations else None
        file, line = (parts[3:5] if parts[3] else parts[:2]) if parts else (None, 0)
        yield match.start(), match.end(), match.expand(replacement), name[0], kernel, files.get(file, "?"), int(line)


def run(image, replacement, start, end, command):
    """Runs the program with `replacement` from start to end. Returns None if it succeeds, otherwise its first message."""
    with tempfile.TemporaryDirectory() as folder:
        changed = pathlib.Path(folder, "program")
        changed.write_bytes(image[:start] + replacement.ljust(end - start) + image[end:])
        changed.chmod(0o700)
        # The limit is a minute of processor time, because the elapsed time depends on the machine's load.
        try:
            result = subprocess.run(["prlimit", "--cpu=60", changed, *command[1:]], capture_output=True, text=True,
                                    timeout=500, check=False,
                                    env={**os.environ, "TILECC_EMU_MAX_INSTRUCTIONS": "50000000"})
        except subprocess.TimeoutExpired:
            return "it does not end"
        if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "it does not end"
    if result.returncode == 0:
        return None
    lines = result.stderr.splitlines() or [f"exit status {result.returncode}"]
    return re.sub(r"^\S+?: (error: )?", "", next((line for line in lines if "error:" in line), lines[0]))


def judge(task):
    image, (start, end, replacement, _, kernel, _, _), command = task
    words = [word.replace("{kernel}", kernel) for word in command]
    caught = run(image, replacement, start, end, words)
    if caught is None and run(image, b"trap;", start, end, words) is None:
        return "never", "the program does not come to it"
    return ("caught", caught) if caught is not None else ("unseen", "")


def main(command):
    chosen, part, parts = None, 1, 1
    if command[0].startswith("--part="):
        which = command.pop(0).removeprefix("--part=")
        part, parts = (1, 1) if which == "all" else map(int, which.split("/"))
    if command[0].startswith("--kernels="):
        chosen = command.pop(0).removeprefix("--kernels=").split(",")
    image = pathlib.Path(command[0]).read_bytes()
    found = [place for place in find_all(image) if chosen is None or place[4] in chosen]
    if missing := set(chosen or ()) - {place[4] for place in found}:
        sys.exit(f"there is nothing to take out of {', '.join(sorted(missing))}")
    total = len(found)
    found = found[part - 1::parts]
    if not found:
        sys.exit("there is nothing to take out")
    if (problem := run(image, b"", 0, 0, [word for word in command if word != "{kernel}"])) is not None:
        sys.exit(f"the program fails as it is: {problem}")

    # Processes, not threads: a file that one thread has just written cannot be executed while another one starts a
    # program.
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        verdicts = list(pool.map(judge, ((image, place, command) for place in found)))

    sources = {file: pathlib.Path(file).read_text().splitlines() for *_, file, _ in found if os.path.exists(file)}
    listed = {(kernel, instruction): [math.inf if count == "*" else int(count), reason] for lines in sources.values() for text in lines
              for kernel, instruction, count, reason in LISTED.findall(text) if kernel == "*" or chosen is None or kernel in chosen}
    counts, unseen_at, failed = collections.Counter(), set(), False
    launched = {name for place, (verdict, _) in zip(found, verdicts) if verdict != "never" for name in place[3:5]}
    for (start, end, replacement, entry, kernel, file, line), (verdict, reason) in zip(found, verdicts):
        if entry not in launched and kernel in launched:  # a variant for other arguments
            counts["of variants that are not launched"] += 1
            continue
        instruction = re.sub(r"^@\S+ ", "", " ".join(image[start:end].decode().split()))
        if verdict == "unseen" and (reason := next((reason for (k, i), reason in listed.items()
                                                    if k in (kernel, "*") and instruction.startswith(i) and reason[0]), None)):
            reason[0] -= 1
            verdict, reason = "needed", reason[1]
        elif verdict == "unseen":
            unseen_at.add((file, line))
            text = sources[file][line - 1] if file in sources and line else ""
            verdict, reason = ("needed", text.split("// unseen: ")[1]) if "// unseen: " in text else ("MISSED", "nothing happens")
        failed |= verdict in ("never", "MISSED")
        counts[verdict] += 1
        if replacement:
            instruction += f" as {' '.join(replacement.decode().split())}"
        print(f"{os.path.basename(file)}:{line}: {instruction} {verdict}: {reason}")
    if parts > 1:
        listed, sources = {}, {}
    for file, lines in sources.items():
        for number, text in enumerate(lines, 1):
            if "// unseen: " in text and not LISTED.match(text) and (file, number) not in unseen_at:
                print(f"{os.path.basename(file)}:{number}: says that something is unseen, and all of it is caught")
                failed = True
    for (kernel, instruction), (count, _) in listed.items():
        if count and count != math.inf:
            print(f"{kernel}: {count} more {instruction} are said to be unseen")
            failed = True
    of_total = f" of {total}, part {part} of {parts}," if parts > 1 else ""
    print(f"{len(found)}{of_total} taken out: {', '.join(f'{count} {verdict}' for verdict, count in sorted(counts.items()))}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
