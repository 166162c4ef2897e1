#!/usr/bin/env python3
"""Compiles files of IR with Triton 3.6, which needs no GPU. Fails if Triton rejects one.

  triton-accepts.py SM file.ttir file.ttgir ...
"""
import os
import sys
import tempfile

os.environ["TRITON_ALWAYS_COMPILE"] = "1"
with tempfile.TemporaryDirectory() as cache:
    os.environ["TRITON_CACHE_DIR"] = cache
    import triton
    from triton.backends.compiler import GPUTarget

    for path in sys.argv[2:]:
        kernel = triton.compile(path, target=GPUTarget("cuda", int(sys.argv[1]), 32), options={"num_warps": 4})
        print(f"{os.path.basename(path)}: {len(kernel.asm['cubin'])} bytes of code")
