"""Compiles each mistake of a file, all in one process, and checks how it is reported.

    check-mistakes.py TCC MISTAKES FOLDER

A mistake is a source behind a line `//--- name`; <tilecc/tt.h> is included in front of a source that includes nothing.
The comment `// <- text` marks the line at which the first error must be reported, and is a part of the message. All
messages of a mistake together, with the lines of source that they show, take at most six lines; each error has a
location; and none names tcc's internals. `check-mistakes.py --update ...` writes the messages into the file instead.
"""

import pathlib
import re
import subprocess
import sys

MOST_LINES = 6
MARK = re.compile(r"// <-(.*)$")


def read(path):
    parts = re.split(r"^//--- (\S+)\n", path.read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def complete(text):
    if "#include" in text or "// without the header" in text:
        return text
    host = "#include <tilecc/host.h>\n" if "tt::buffer" in text else ""
    return f"{host}#include <tilecc/tt.h>\n{text}"


def compile_all(tcc, folder, mistakes):
    """Returns what is printed about each mistake, line by line."""
    for name, text in mistakes.items():
        (folder / f"{name}.tt.cpp").write_text(complete(text))
    command = [tcc, "-fsyntax-only", *(f"{name}.tt.cpp" for name in mistakes)]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if printed.returncode != 1:
        sys.exit(f"tcc ended with status {printed.returncode}:\n{printed.stderr}")
    said = {name: [] for name in mistakes}
    current = None
    for line in printed.stderr.splitlines():
        if re.match(r"\d+ (error|warning)s? .*generated", line):
            current = None
            continue
        start = re.match(r"([\w-]+)\.tt\.cpp:\d+:", line)
        current = start[1] if start and current is None else current
        if current is None:
            sys.exit(f"a message without a file: {line}")
        said[current].append(line)
    return said


def find_faults(name, text, lines):
    marked = next(i for i, line in enumerate(complete(text).splitlines(), 1) if MARK.search(line))
    expected = MARK.search(text.splitlines()[marked - 1 - complete(text)[:-len(text)].count("\n")])[1].strip()
    first = next((line for line in lines if " error: " in line), "")
    found = re.match(rf"{re.escape(name)}\.tt\.cpp:(\d+):\d+: error: (.*)", first)
    if not found:
        return ["no error with its file and line"]
    faults = []
    if int(found[1]) != marked:
        faults.append(f"reported at line {found[1]}, not {marked}")
    if expected not in found[2] or not expected:
        faults.append(f"the message has no '{expected}'")
    if len(lines) > MOST_LINES:
        faults.append(f"{len(lines)} lines")
    if any(internal in line for line in lines for internal in ("detail::", "builtin::", "__tilecc")):
        faults.append("names internals")
    return faults


def update(path, mistakes, said):
    text = ""
    for name, source in mistakes.items():
        message = next((line.split(" error: ", 1)[1] for line in said[name] if " error: " in line), "")
        text += f"//--- {name}\n" + re.sub(r"// <-.*$", lambda _: f"// <- {message}", source, flags=re.M)
    path.write_text(text)


def main():
    updates = "--update" in sys.argv
    tcc, path, folder = (argument for argument in sys.argv[1:] if argument != "--update")
    path, folder = pathlib.Path(path), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    mistakes = read(path)
    said = compile_all(tcc, folder, mistakes)
    if updates:
        return update(path, mistakes, said)
    faults = {name: find_faults(name, text, said[name]) for name, text in mistakes.items()}
    for name, found in faults.items():
        for fault in found:
            print(f"{name}: {fault}\n  " + "\n  ".join(said[name]))
    print(f"{sum(not found for found in faults.values())} of {len(mistakes)} mistakes are told well")
    return any(faults.values())


sys.exit(main())
