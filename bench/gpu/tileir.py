#!/usr/bin/env python3
"""Kernels of cuTile Python on one GPU: compares the cubins that tcc makes from their bytecode with those of NVIDIA's
tileiras.

  bench/gpu/tileir.py --build FOLDER --tcc build/bin/tcc-tileiras --tileiras PATH    anywhere, with PyPI's cuda-tile
  bench/gpu/tileir.py FOLDER                                                         on the GPU's machine, with torch

The first command exports every kernel of tileir_kernels.py as bytecode (version 13.1) and assembles it with both. The
second one compares their results, launches both cubins in the same way, with a block of one thread as cuTile does, and
prints the ratio of tileiras' time to tcc's. `--also NAME=FLAGS` builds further cubins of tcc, with more options.
"""
import argparse
import ctypes
import json
import os
import pathlib
import subprocess

ROUNDS = 7
ITEM_BYTES = {"f16": 2, "f32": 4}


def export(folder):
    import cuda.tile as ct
    from cuda.tile.compilation import (ArrayConstraint, CallingConvention, KernelSignature, ScalarConstraint,
                                       export_kernel)
    from tileir_kernels import KERNELS
    types = {"f16": ct.float16, "f32": ct.float32}

    def constrain(kind, shape, *_):  # as cuTile's launches do: marks sizes that are multiples of 16
        return ArrayConstraint(
            types[kind], len(shape), index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
            may_alias_internally=False, stride_constant=[None] * (len(shape) - 1) + [1], base_addr_divisible_by=16,
            stride_divisible_by=[16 // ITEM_BYTES[kind]] * (len(shape) - 1) + [1],
            shape_divisible_by=[16 if size % 16 == 0 else 1 for size in shape])

    launches = {}
    for number, (name, case) in enumerate(KERNELS.items()):
        file = f"{number:02}"
        parameters = [constrain(*array) for array in case["arrays"]]
        parameters += [ScalarConstraint(ct.float32)] * len(case.get("floats", ())) + case["constants"]
        export_kernel(case["kernel"], [KernelSignature(parameters, CallingConvention.cutile_python_v1(), symbol="k")],
                      str(folder / f"{file}.tilebc"), gpu_code="sm_90", output_format="tileir_bytecode",
                      bytecode_version="13.1")
        launches[name] = {"file": file, "arrays": case["arrays"], "floats": case.get("floats", []),
                          "grid": [*case["grid"], 1, 1][:3]}
    (folder / "launches.json").write_text(json.dumps(launches, indent=1))
    return launches


def build(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    compilers = {"tcc": (options.tcc, ""), "tileiras": (options.tileiras, "")}
    compilers |= {name: (options.tcc, flags) for name, flags in options.also}
    toolkit = pathlib.Path(options.tileiras).resolve().parents[1]
    environment = os.environ | {"CUDA_HOME": str(toolkit), "PATH": f"{toolkit}/bin:{os.environ['PATH']}"}
    for name, launch in export(options.folder).items():
        for compiler, (command, flags) in compilers.items():
            file = options.folder / launch["file"]
            subprocess.run([command, "--gpu-name=sm_90", f"{file}.tilebc", "-o", f"{file}.{compiler}.cubin"], check=True,
                           env=environment | {"TCC_APPEND_FLAGS": flags})
        print(name, flush=True)
    (options.folder / "compilers.json").write_text(json.dumps(list(compilers)))


class Launch:
    """A cubin's kernel with its arguments in place."""

    def __init__(self, cuda, cubin, grid, values):
        def check(code):
            if code:
                raise RuntimeError(f"{cubin}: the driver says {code}")
        self.cuda, self.check, self.grid, self.values = cuda, check, grid, values
        library, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuLibraryLoadData(ctypes.byref(library), cubin.read_bytes(), None, None, 0, None, None, 0))
        check(cuda.cuLibraryGetKernel(ctypes.byref(self.kernel), library, b"k"))
        self.pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))

    def __call__(self, stream):
        self.check(self.cuda.cuLaunchKernel(self.kernel, *self.grid, 1, 1, 1, 0, ctypes.c_void_p(stream), self.pointers,
                                            None))


def time(folder):
    import torch
    import triton
    from timing import medians, off_by
    torch.empty(1, device="cuda")  # makes torch's context current
    cuda = ctypes.CDLL("libcuda.so.1")
    compilers = json.loads((folder / "compilers.json").read_text())
    others = [compiler for compiler in compilers if compiler != "tcc"]
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
    print("| kernel | " + " | ".join(f"{other} / tcc" for other in others) + " | tcc, us |\n|---|" + "---|" * len(compilers))
    for name, launch in json.loads((folder / "launches.json").read_text()).items():
        torch.manual_seed(0)
        tensors = [torch.randn(shape, device="cuda").to(getattr(torch, {"f16": "float16", "f32": "float32"}[kind]))
                   for kind, shape, *_ in launch["arrays"]]
        out = next(tensor for tensor, array in zip(tensors, launch["arrays"]) if len(array) > 2)
        values = []
        for tensor in tensors:
            values += [ctypes.c_void_p(tensor.data_ptr()), *map(ctypes.c_int32, tensor.shape),
                       *map(ctypes.c_int32, tensor.stride())]
        values += map(ctypes.c_float, launch["floats"])
        stream = torch.cuda.current_stream().cuda_stream
        calls, results = {}, {}
        for compiler in compilers:
            run = Launch(cuda, folder / f"{launch['file']}.{compiler}.cubin", launch["grid"], values)
            out.zero_()
            run(stream)
            torch.cuda.synchronize()
            results[compiler] = out.clone()
            calls[compiler] = lambda run=run: run(stream)
        for other in others:
            if not (error := off_by(results["tcc"], results[other])) <= 1e-2:
                print(f"{name}: {other}'s results differ by {error}")
        times = medians(calls, ROUNDS)
        print(f"| {name} | " + " | ".join(f"{times[other] / times['tcc']:.3f}" for other in others) +
              f" | {1000 * times['tcc']:.1f} |", flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--build", action="store_true")
parser.add_argument("--tcc", default="build/bin/tcc-tileiras")
parser.add_argument("--tileiras", default="tileiras")
parser.add_argument("--also", type=lambda text: text.split("=", 1), action="append", default=[], metavar="NAME=FLAGS")
options = parser.parse_args()
if options.build:
    build(options)
else:
    time(options.folder)
