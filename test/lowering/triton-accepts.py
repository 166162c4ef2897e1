"""Asks Triton, with no GPU, to compile .ttir or .ttgir files: `triton-accepts.py --sm 90 --warps 4 FILE...`"""
import argparse
import os
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("files", nargs="+")
parser.add_argument("--sm", type=int, default=90)
parser.add_argument("--warps", type=int, default=4)
arguments = parser.parse_args()

os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="triton-cache-")  # what it took before does not count

import triton
from triton.backends.compiler import GPUTarget

for path in arguments.files:
    try:
        kernel = triton.compile(path, target=GPUTarget("cuda", arguments.sm, 32), options={"num_warps": arguments.warps})
    except Exception as error:
        sys.exit(f"{path}: Triton {triton.__version__} does not take it: {error}")
    print(f"{os.path.basename(path)}: {kernel.metadata.name}, {len(kernel.asm['cubin'])} bytes of cubin")
