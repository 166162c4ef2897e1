"""Checks that every pair of an operation and an element type has cases, or that the language rejects it with the message in refused.txt.

  check-operations.py tcc folder [--update]
"""
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

TYPES = {"bool": "bool", "int8": "int8_t", "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t", "int32": "int32_t",
         "uint32": "uint32_t", "int64": "int64_t", "uint64": "uint64_t", "float16": "tt::float16", "bfloat16": "tt::bfloat16",
         "float": "float", "double": "double", "float8_e4m3fn": "tt::float8_e4m3fn", "float8_e5m2": "tt::float8_e5m2"}
tcc, folder = sys.argv[1], pathlib.Path(sys.argv[2])

operations, types_of, elsewhere = {}, {}, set()
for line in (folder / "operations.txt").read_text().splitlines():
    if line.startswith("# without pairs: "):
        elsewhere |= set(line.split(": ")[1].split())
    elif line and not line.startswith("#"):
        name, expression = line.split("|", 1)
        name, _, types = name.strip().partition(" [")
        operations[name] = expression.strip()
        types_of[name] = types.rstrip("]").split() or list(TYPES)

# The types that each operation has cases for.
cases = {name: set() for name in operations}
for line in (folder / "cases.txt").read_text().splitlines():
    head, counts = line.split(": ")
    for name in operations:
        if any(fnmatch.fnmatchcase(head.split(" ")[1], pattern) for pattern in name.split(",")):
            cases[name] |= {count.split(" ")[0] for count in counts.split(", ")}

# The functions of the language, as the headers declare them in namespace tt. (Some names are of macros and members.)
functions = set()
headers = folder / "../../frontend/include/tilecc"
for header in sorted((headers / "tt").glob("*.h")) + [headers / "detail/marks.h"]:
    namespaces = []
    # These are not included by tilecc/tt.h.
    for line in header.read_text().splitlines() if header.name not in ("libdevice.h", "threads.h", "communication.h") else []:
        if match := re.match(r"namespace (\w+)", line):
            namespaces.append(match[1])
        elif line.startswith("} // namespace"):
            namespaces.pop()
        elif namespaces == ["tt"]:
            match = re.match(r"__TILECC_(?:FUNCTION|ATOMIC)\((\w+)", line) or \
                    re.match(r"(?:template <.*> )?__TILECC_(?:FN|VALUE) (?:inline )?[^=;{(]*?\b(\w+)\(", line)
            functions |= {match[1]} - {"name", "op", "operator", "to", "int"} if match else set()
used = set(re.findall(r"\btt::(\w+)", " ".join(operations.values())))

# Compiles one kernel per line for each of the others. If two operations reject a type in the same way, a translation
# unit reports it once, so each pair that was not rejected is compiled again, alone.
pairs = [(name, element) for name in operations for element in types_of[name] if element not in cases[name]]
prologue = ["#include <stdint.h>", "#include <tilecc/tt.h>", "#include <tilecc/libdevice.h>",
            "struct first_of { template <class T> __tile__ T operator()(T a, T b) const { return a; } };"]


def kernel(number):
    name, element = pairs[number]
    return (f"__tile_global__ void k{number}({TYPES[element]} *p) {{ using T = {TYPES[element]}; auto i = tt::arange<16>(); "
            f"auto b = i < 3; auto x = tt::load(p + i), y = x; (void)b, (void)y; (void)({operations[name]}); }}")


def messages_of(numbers):
    with tempfile.TemporaryDirectory() as temporary:
        path = pathlib.Path(temporary) / "pairs.tt.cpp"
        path.write_text("\n".join(prologue + [kernel(number) for number in numbers]) + "\n")
        run = subprocess.run([tcc, "-ferror-limit=0", "--emit=ttir", str(path), "-o", str(path) + ".ttir"], capture_output=True,
                             text=True)
    found = {}
    for line in run.stderr.splitlines():
        match = re.match(r".*pairs\.tt\.cpp:(\d+):\d+: error: (.*)", line)
        if match and int(match[1]) > len(prologue):
            found.setdefault(numbers[int(match[1]) - len(prologue) - 1], match[2])
    return found


messages = messages_of(range(len(pairs)))
for number in set(range(len(pairs))) - set(messages):
    messages |= messages_of([number])

# A line for each operation and message, in which the element type is T: `add [float8_e4m3fn, float8_e5m2]: ...`.
same = {}
for number, (name, element) in enumerate(pairs):
    if number in messages:
        spelled = {"int32": "int", "uint32": "unsigned"}.get(element, element)
        text = re.sub(rf"tile<{spelled}(?=[ ,])", "tile<T", messages[number])
        same.setdefault((name, text), []).append(element)
refused = [f"{name} [{', '.join(elements)}]: {text}" for (name, text), elements in same.items()]
accepted = [f"{name} {element}" for number, (name, element) in enumerate(pairs) if number not in messages]

expected = folder / "refused.txt"
if "--update" in sys.argv:
    expected.write_text("\n".join(refused) + "\n")
failures = [f"{function} is a function of the language, and not in operations.txt" for function in sorted(functions - used - elsewhere)]
contents = set(re.findall(r"\w+", (headers / "tt.h").read_text()))
failures += [f"{function} is not in the table of contents, tilecc/tt.h" for function in sorted(functions - contents)]
failures += [f"{function} in operations.txt is no function of the language" for function in sorted(elsewhere - functions)]
failures += [f"{name} in operations.txt has no case of any type" for name in operations if not cases[name]]
failures += [f"the language takes {pair}, and there is no case" for pair in accepted]
known = expected.read_text().splitlines()
failures += [f"not in refused.txt: {line}" for line in refused if line not in known]
failures += [f"in refused.txt, and not so: {line}" for line in known if line not in refused]
for failure in failures:
    print(failure, file=sys.stderr)
print(f"{sum(map(len, cases.values()))} pairs have cases, {len(refused)} are refused")
sys.exit(bool(failures))
