"""Compiles the Python in a page of the documentation with Triton: check-python.py PAGE FOLDER, run by a python with Triton.

Arguments annotated tl.constexpr are 32, those named ..._ptr point to floats, all others are integers.
"""
import importlib.util
import pathlib
import re
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
source = page.read_text()
lines = [""] * (source.count("\n") + 1)  # their position in the page, for messages
for block in re.finditer(r"^```python\n(.*?)^```$", source, re.M | re.S):
    first = source.count("\n", 0, block.start(1))
    lines[first:first + block[1].count("\n")] = block[1].splitlines()
lines[0] = "import triton, triton.language as tl"
(folder / page.with_suffix(".py").name).write_text("\n".join(lines) + "\n")
spec = importlib.util.spec_from_file_location("page", folder / page.with_suffix(".py").name)
spec.loader.exec_module(module := importlib.util.module_from_spec(spec))

for kernel in vars(module).values():
    if not isinstance(kernel, JITFunction) or not kernel.__name__.endswith("_kernel"):
        continue
    constants = {parameter.name: 32 for parameter in kernel.params if parameter.is_constexpr}
    signature = {}
    for name in kernel.arg_names:
        signature[name] = "constexpr" if name in constants else "*fp32" if name.endswith("_ptr") else "i32"
    triton.compile(ASTSource(kernel, signature, constants), target=GPUTarget("cuda", 80, 32))
    print(f"{page.name}: {kernel.__name__}")
