"""Compiles each header that sources include, with every short name defined as a macro that breaks any code that uses it.

short-macros.py TCC GXX INCLUDE [CUDA]: as tile code, as C++ by another compiler, and as SIMT code if there is a toolkit.
"""
import concurrent.futures
import pathlib
import re
import string
import subprocess
import sys
import tempfile

tcc, gxx, include = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
has_cuda = len(sys.argv) > 4
headers = include / "tilecc"
# For what tcc writes; parts of others.
not_included = {"abi.h", "stand_in.h", "runtime_graph.h", "runtime_library.h", "runtime_memory.h", "runtime_tune.h", "runtime_watch.h"}
keywords = {"do", "if", "as", "or", "tt"}


def listed(name, directive):
    return re.findall(rf'^#pragma {directive}\("(\w+)"\)$', (headers / "detail" / name).read_text(), re.MULTILINE)


def code_of(path):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    return re.sub(r'"(\\.|[^"\\])*"|^\s*#\s*(include|pragma)\b.*$', "", text, flags=re.MULTILINE)


pushed, popped = listed("push_macros.h", "push_macro"), listed("pop_macros.h", "pop_macro")
failures = [f"push_macros.h and pop_macros.h differ in {name}" for name in sorted(set(pushed) ^ set(popped))]
failures += [f"push_macros.h lacks {name}" for name in string.ascii_letters if name not in pushed]
for path in sorted(headers.rglob("*.h")):
    used = set(re.findall(r"(?<![\w'])[A-Za-z]\w?\b", code_of(path))) - keywords
    failures += [f"{path.relative_to(headers)}: push_macros.h lacks {name}" for name in sorted(used - set(pushed))]

definitions = [f"-D{name}=?" for name in pushed]
check = "\n#ifndef N\n#error the macro is gone\n#endif\n"


def compiled(job):
    number, (what, command, suffix, header) = job
    source = pathlib.Path(folder) / f"{number}{suffix}"
    source.write_text(f"#include <{header}>{check}")
    result = subprocess.run([*command, *definitions, "-fsyntax-only", str(source)], capture_output=True, text=True)
    return f"{header} as {what}: {result.stderr.splitlines()[0]}" if result.returncode else None


jobs = []
for path in sorted([*headers.glob("*.h"), *(headers / "cuda").glob("*.h")]):
    if path.name in not_included:
        continue
    is_cuda = path.parent.name == "cuda"
    name = path.name if is_cuda else f"tilecc/{path.name}"
    if path.name != "threads.h":  # calls SIMT code
        jobs.append(("tile code", [tcc, "-std=c++20"], ".tt.cpp", name))
    if not is_cuda:
        jobs.append(("C++", [gxx, "-std=c++20", f"-I{include}"], ".cpp", name))
    if has_cuda and path.name in ("tt.h", "threads.h", "runtime.h", "cuda_fp16.h", "cuda_tile.h"):
        jobs.append(("SIMT code", [tcc, "-std=c++20", "-arch=sm_90"], ".cu", name))
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    failures += filter(None, pool.map(compiled, enumerate(jobs)))
print("\n".join(failures) or f"all of {len(pushed)} names may be macros")
