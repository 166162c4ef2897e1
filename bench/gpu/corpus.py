#!/usr/bin/env python3
"""Twenty kernels of test/corpus, timed on one GPU: tcc's code compared with Triton's, both generated from the same
TTIR.

  bench/gpu/corpus.py --build FOLDER --tcc build/bin/tcc [--arch 90]    anywhere, with a python that has Triton 3.6
  bench/gpu/corpus.py FOLDER                                            on the GPU's machine, with torch

The first command compiles every kernel with both and assembles both PTX with the ptxas of Triton's wheel. The second one
compares their results, and then launches both cubins in the same way through the driver, in interleaved rounds of Triton's
do_bench. Each figure is the median of 7 rounds.
"""
import argparse
import ctypes
import importlib
import json
import pathlib
import re
import statistics
import sys

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "test" / "corpus"
ROUNDS = 7
# Cases of the corpus with sizes that keep a GPU busy. Each entry lists the differences from the case.
TIMED = {
    "softmax": dict(x="f32[8192x4000]", out="f32[8192x4000]=out", stride="i32=4000", columns="i32=4000", BLOCK=4096,
                    warps=8, grid=(8192, )),
    "softmax_online": dict(x="bf16[8192x8000]", out="bf16[8192x8000]=out", columns="i32=8000", BLOCK=1024,
                           grid=(8192, )),
    "layer_norm": dict(x="f16[8192x8192]", w="f16[8192]", b="f16[8192]", out="f16[8192x8192]=out",
                       mean_out="f32[8192]=out", rstd_out="f32[8192]=out", columns="i32=8192", grid=(8192, )),
    "add_rms_norm": dict(x="bf16[16384x4096]", residual="bf16[16384x4096]=inout", w="bf16[4096]",
                         out="bf16[16384x4096]=out", columns="i32=4096", BLOCK=4096, warps=8, grid=(16384, )),
    "rms_norm_heads": dict(x="f16[524288x128]", out="f16[524288x128]=out", rows="i32=524288", grid=(16384, )),
    "cross_entropy": dict(logits="f32[4096x32000]", labels="i64[4096]=<32000", loss="f32[4096]=out",
                          lse_out="f32[4096]=out", columns="i32=32000", BLOCK=4096, warps=8, grid=(4096, )),
    "silu_and_mul": dict(x="f16[8192x22016]", out="f16[8192x11008]=out", width="i32=11008", grid=(8192, )),
    "adamw": dict(p="f32[67108864]=inout", g="f32[67108864]", m="f32[67108864]=inout", v="f32[67108864]=inout:0.25",
                  n="i32=67108864", grid=(65536, )),
    "dropout": dict(x="f32[67108864]", out="f32[67108864]=out", n="i32=67108864", grid=(65536, )),
    "jensen_shannon": dict(mean_student="f32[16384x4096]", target="f32[16384x4096]", loss="f32[16384]=out",
                           columns="i32=4096", BLOCK=4096, warps=8, grid=(16384, )),
    "argmax_strided": dict(x="f32[131072x200]", values="f32[131072]=out", indices="i64[131072]=out", m="i32=131072",
                           M=32, grid=(4096, )),
    "quantize_rows": dict(x="bf16[16384x4096]", q="i8[16384x4096]=out", scales="f32[16384]=out", columns="i32=4096",
                          BLOCK=4096, warps=8, grid=(16384, )),
    "cumsum_chunk": dict(g="f32[8192x64x64]", out="f32[8192x64x64]=out", grid=(8192, )),
    "embedding": dict(ids="i64[65536]=<50000", table="f16[50000x1024]", out="f16[65536x1024]=out", width="i32=1024",
                      BLOCK=1024, grid=(65536, )),
    "transpose": dict(x="f32[8192x8200]", out="f32[8200x8192]=out", rows="i32=8192", columns="i32=8200",
                      grid=(128, 257)),
    "matmul_bf16_large": dict(a="bf16[4096x4096]", b="bf16[4096x4096]", c="bf16[4096x4096]=out", m="i32=4096",
                              n="i32=4096", k="i32=4096", grid=(32, 32)),
    "matmul_int8_weights": dict(x="f16[4096x4096]", w="i8[4096x4096]", scale="f16[4096]", out="f16[4096x4096]=out",
                                n="i32=4096", k="i32=4096", BM=64, BN=128, grid=(64, 32)),
    "matmul_f32_ieee": dict(a="f32[1024x1024]", b="f32[1024x1024]", c="f32[1024x1024]=out", n="i32=1024",
                            k="i32=1024", grid=(16, 16)),
    "attention_full": dict(q="bf16[16384x128]", k="bf16[16384x128]", v="bf16[16384x128]", o="bf16[16384x128]=out",
                           length="i32=16384", grid=(128, )),
    "conv1d_causal": dict(x="f32[1048576x64]", out="f32[1048576x64]=out", length="i32=1048576", grid=(65536, )),
}
# Additional kernels that were once much slower than Triton's. Many programs do the same work.
BESIDE = {
    "linear_attention_states": dict(k="bf16[4096x64]", v="bf16[4096x64]", g="f32[4096]=-0.02", h="f32[128x64x64]=out",
                                    length="i32=4096", grid=(792, )),
    "linear_attention_two_states": dict(q="bf16[2048x64]", k="bf16[2048x64]", v="bf16[2048x128]", g="f32[2048]=-0.05",
                                        o="f32[2048x128]=out", length="i32=2048", grid=(528, )),
    "attention_backward_wide": dict(q="f16[8192x64]", k="f16[8192x64]", v="f16[8192x64]", do="f16[8192x64]",
                                    lse="f32[8192]=20", delta="f32[8192]", dk="f32[8192x64]=out", dv="f32[8192x64]=out",
                                    length="i32=8192", grid=(64, )),
}
TORCH_TYPES = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "i64": "int64",
               "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8"}


def threads_of(ptx):
    """Returns the number of threads of a block, including those of warps that only load."""
    return int(re.search(r"\.(?:req|max)ntid\s+(\d+)", ptx.read_text())[1])


def build(folder, tcc, arch):
    sys.path[:0] = [str(CORPUS / "kernels"), str(CORPUS)]  # before this folder, which also has an attention.py
    import compare
    from case import CASES
    for file in sorted((CORPUS / "kernels").glob("*.py")):
        importlib.import_module(file.stem)
    launches = {}
    for name, changes in (TIMED | BESIDE).items():
        case = CASES[name].changed(**changes)
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        shared = {"triton": compare.compile_by_triton(case, place, ("cuda", arch, 32)),
                  "tcc": compare.compile_by_tcc(tcc, case, place, arch)}
        for compiler in shared:
            compare.run(compare.tool("ptxas"), f"--gpu-name={compare.sm(arch)}", place / f"{compiler}.ptx", "-o",
                        folder / f"{name}.{compiler}.cubin")
        launches[name] = {
            "symbol": case.kernel.fn.__name__, "grid": [*case.grid, 1, 1][:3],
            "threads": {compiler: threads_of(place / f"{compiler}.ptx") for compiler in shared}, "shared": shared,
            "arguments": [{"type": a.triton, "count": a.count if a.is_buffer else None, "contents": a.contents,
                           "output": a.is_output} for a in case.passed()]}
        print(name, shared, flush=True)
    (folder / "launches.json").write_text(json.dumps(launches, indent=1))


def make_tensor(torch, argument):
    kind, contents, count = getattr(torch, TORCH_TYPES[argument["type"]]), argument["contents"], argument["count"]
    if not contents:
        return torch.zeros(count, dtype=kind, device="cuda")
    if contents == "random" and kind.is_floating_point:
        return torch.randn(count, device="cuda").to(kind)
    if contents == "random" or contents.startswith("<"):
        low, high = (-128, 128) if contents == "random" else (0, int(contents[1:]))
        return torch.randint(low, high, (count, ), device="cuda").to(kind)
    return torch.full((count, ), float(contents), device="cuda").to(kind)


class Launch:
    """A cubin's kernel with its arguments in place."""

    def __init__(self, torch, cuda, cubin, entry, compiler):
        def check(code):
            if code:
                raise RuntimeError(f"{cubin}: the driver says {code}")
        self.cuda, self.check = cuda, check
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), cubin.read_bytes()))
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, entry["symbol"].encode()))
        self.shared = entry["shared"][compiler]
        if self.shared > 48 * 1024:
            check(cuda.cuFuncSetAttribute(self.function, 8, self.shared))  # MAX_DYNAMIC_SHARED_SIZE_BYTES
        self.grid, self.threads = entry["grid"], entry["threads"][compiler]
        torch.manual_seed(0)
        self.tensors, self.outputs, values = [], [], []
        for argument in entry["arguments"]:
            if argument["count"] is None:
                numeric = {"fp32": ctypes.c_float, "i32": ctypes.c_int32, "i64": ctypes.c_int64}[argument["type"]]
                text = argument["contents"]
                values.append(numeric(float(text) if numeric is ctypes.c_float else int(text)))
                continue
            self.tensors.append(make_tensor(torch, argument))
            if argument["output"]:
                self.outputs.append(self.tensors[-1])
            values.append(ctypes.c_void_p(self.tensors[-1].data_ptr()))
        values += [ctypes.c_void_p(0)] * 2  # Triton's scratch memory; tcc's kernels ignore additional parameters
        self.values = values
        self.pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))

    def __call__(self, stream):
        self.check(self.cuda.cuLaunchKernel(self.function, *self.grid, self.threads, 1, 1, self.shared,
                                            ctypes.c_void_p(stream), self.pointers, None))


def time(folder):
    import torch
    import triton
    torch.cuda.init()
    torch.empty(1, device="cuda")  # makes torch's context current
    cuda = ctypes.CDLL("libcuda.so.1")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
    print("| kernel | tcc, us | Triton, us | tcc's speed / Triton's |\n|---|---|---|---|")
    ratios = []
    for name, entry in json.loads((folder / "launches.json").read_text()).items():
        launches = {compiler: Launch(torch, cuda, folder / f"{name}.{compiler}.cubin", entry, compiler)
                    for compiler in ("tcc", "triton")}
        stream = torch.cuda.current_stream().cuda_stream
        for launch in launches.values():
            launch(stream)
        torch.cuda.synchronize()
        for ours, theirs in zip(launches["tcc"].outputs, launches["triton"].outputs):
            # Sums that overflow must overflow on both sides.
            ours, theirs = ours.double(), theirs.double()
            finite = theirs.isfinite()
            error = (ours - theirs)[finite].norm() / theirs[finite].norm().clamp(min=1e-30)
            if not error <= 2e-2 or not torch.equal(ours[~finite].nan_to_num(0.5), theirs[~finite].nan_to_num(0.5)):
                print(f"{name}: results differ by {error}")
        times = {compiler: [] for compiler in launches}
        for _ in range(ROUNDS):
            for compiler, launch in launches.items():
                times[compiler].append(1000 * triton.testing.do_bench(lambda: launch(stream), warmup=10, rep=50,
                                                                      return_mode="median"))
        tcc, other = (statistics.median(times[compiler]) for compiler in ("tcc", "triton"))
        if name in TIMED:
            ratios.append(other / tcc)
        print(f"| {name} | {tcc:.1f} | {other:.1f} | {other / tcc:.3f} |", flush=True)
        del launches
    print(f"of the twenty: geometric mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--build", action="store_true")
parser.add_argument("--tcc", default="build/bin/tcc")
parser.add_argument("--arch", type=int, default=90)
options = parser.parse_args()
if options.build:
    build(options.folder, options.tcc, options.arch)
else:
    time(options.folder)
