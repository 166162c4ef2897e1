"""Checks suites_of() of scripts/check: each source of the project has suites that exist, and some have these."""
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
function = re.search(r"^suites_of\(\) \{.*?^\}$", (root / "scripts/check").read_text(), re.M | re.S)[0]
EXPECTED = {
    "lowering/passes/Membar.cpp": ["lowering"], "compile/Fusion.cpp": ["lowering"], "targets/Registry.cpp": ["lowering"],
    "targets/nvidia/PTX.cpp": ["lowering"], "targets/cpu/EmitMovement.cpp": ["lowering/cpu"], "targets/spirv/a.cpp": ["spirv"],
    "targets/amd/a.cpp": ["amd"], "builder/SpillRetry.cpp": ["driver", "library"], "frontend/Invocation.cpp": ["frontend"],
    "tools/tcc-lsp/Lines.cpp": ["lsp"], "tools/tcc-run/Argument.cpp": ["emulator"], "tools/tcc-explore/FileWatch.cpp": ["page"],
    "examples/README.md": ["examples"], "scripts/check": [], "test/unit/compile/CompileTest.cpp": [],
    "test/docs/adding.test": ["docs/adding.test"], "test/docs/Inputs/count-sources.py": ["docs"], "test/no-such.test": [],
    "test/driver/lit.local.cfg": [], "test/e2e/support/a.h": ["e2e"],
}
FOLDERS = ["lowering", "compile", "targets", "builder", "frontend", "driver", "library", "page", "runtime", "emulator", "tools"]
sources = [str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob("*.cpp")]
files = list(EXPECTED) + sources
script = f'{function}\nwhile read -r file; do suites_of "$file" | tr "\\n" " "; echo; done'
lines = subprocess.run(["bash", "-c", script], input="\n".join(files) + "\n", env={**os.environ, "root": str(root)}, text=True,
                       stdout=subprocess.PIPE, check=True).stdout.splitlines()
wrong = False
for file, line in zip(files, lines, strict=True):
    suites = line.split()
    if suites != EXPECTED.get(file, suites) or (file in sources and not suites):
        wrong = True
        print(f"{file}: suites {suites}, expected {EXPECTED.get(file, 'some')}")
    for suite in suites:
        if not (root / "test" / suite).exists():
            wrong = True
            print(f"{file}: there is no test/{suite}")
sys.exit(wrong)
