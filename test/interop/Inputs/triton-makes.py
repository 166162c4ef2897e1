#!/usr/bin/env python3
"""Compiles a kernel with Triton 3.6, which needs no GPU, and writes its IR: FOLDER/KERNEL.ttir and .ttgir.

  triton-makes.py SM file.py:KERNEL FOLDER name=type ...
"""
import importlib.util
import os
import sys
import tempfile

os.environ["TRITON_ALWAYS_COMPILE"] = "1"
with tempfile.TemporaryDirectory() as cache:
    os.environ["TRITON_CACHE_DIR"] = cache
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    sm, what, folder = sys.argv[1:4]
    path, name = what.split(":")
    spec = importlib.util.spec_from_file_location("kernels", path)
    kernels = sys.modules["kernels"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    signature = dict(argument.split("=") for argument in sys.argv[4:])
    kernel = triton.compile(ASTSource(fn=getattr(kernels, name), signature=signature, constexprs={}),
                            target=GPUTarget("cuda", int(sm), 32), options={"num_warps": 4})
    for stage in ("ttir", "ttgir"):
        with open(os.path.join(folder, f"{name}.{stage}"), "w") as file:
            file.write(str(kernel.asm[stage]))
