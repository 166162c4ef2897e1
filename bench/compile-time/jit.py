#!/usr/bin/env python3
"""Measures how long it takes to compile vector_add at run time: libtilecc compared with NVRTC and Triton, from text
(Triton: from a function) to machine code for one architecture, without caches. `first` is the first compilation of a
process, including loading the library (Triton: its import); `next` is a compilation in a process that has compiled
before; `cpu` is the processor time of the latter, including ptxas, which other programs disturb less. Prints medians of
interleaved runs, each in a separate process. Needs CUDA's libnvrtc and ptxas, which libtilecc and Triton run; needs no
GPU.

  bench/compile-time/jit.py --library build/lib/libtilecc.so --python build/triton/bin/python [--sm 90] [--runs 7]
"""
import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TILE = b"""#include <tilecc/tt.h>
template <int BLOCK>
__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(out + i, tt::load(x + i, i < n) + tt::load(y + i, i < n), i < n);
}
// %d
"""
SIMT = b"""template <int BLOCK>
__global__ void add(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n)
    out[i] = x[i] + y[i];
}
// %d
"""


def compile_tile(library, sm, number):
    program, data, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    library.tilecc_program_log.restype = ctypes.c_char_p
    options = (ctypes.c_char_p * 1)(b"-arch=sm_%d" % sm)
    library.tilecc_program_create(ctypes.byref(program), TILE % number, b"add.tt.cpp", 0, None, None)
    library.tilecc_program_add_name_expression(program, b"add<1024>")
    if library.tilecc_program_compile(program, 1, options):
        sys.exit(library.tilecc_program_log(program).decode())
    library.tilecc_program_get(program, 2, ctypes.byref(data), ctypes.byref(size))
    assert size.value, "no cubin: is there a ptxas?"
    library.tilecc_program_destroy(ctypes.byref(program))


def compile_simt(library, sm, number):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_char_p * 1)(b"-arch=sm_%d" % sm)
    library.nvrtcCreateProgram(ctypes.byref(program), SIMT % number, b"add.cu", 0, None, None)
    library.nvrtcAddNameExpression(program, b"add<1024>")
    assert library.nvrtcCompileProgram(program, 1, options) == 0
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    library.nvrtcGetCUBIN(program, ctypes.create_string_buffer(size.value))
    assert size.value
    library.nvrtcDestroyProgram(ctypes.byref(program))


def compile_triton(sm, number):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "gpu"))
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    import peers

    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
    types = dict(x="*fp32", y="*fp32", out="*fp32", n="i32", BLOCK="constexpr")
    source = ASTSource(fn=peers.vector_add, signature=types, constexprs={(4,): 1024},
                       attrs={(i,): [["tt.divisibility", 16]] for i in range(4)})
    assert triton.compile(source, target=GPUTarget("cuda", sm, 32), options={"num_warps": 4}).asm["cubin"]
    shutil.rmtree(os.environ["TRITON_CACHE_DIR"])


def in_this_process(which, args):
    """Prints the times of the first compilation and of four more, in milliseconds: elapsed, then processor time."""
    def clocks():
        usage = os.times()
        return time.perf_counter(), usage.user + usage.system + usage.children_user + usage.children_system

    start, library, times, cpu = clocks(), None, [], []
    if which != "triton":
        library = ctypes.CDLL(args.library if which == "libtilecc" else args.nvrtc)
    for number in range(5):
        if which == "triton":
            compile_triton(args.sm, number)
        else:
            (compile_tile if which == "libtilecc" else compile_simt)(library, args.sm, number)
        now = clocks()
        times.append((now[0] - start[0]) * 1e3)
        cpu.append((now[1] - start[1]) * 1e3)
        start = now
    print(*times, *cpu)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--library", default="build/lib/libtilecc.so")
parser.add_argument("--nvrtc", default="/usr/local/cuda/lib64/libnvrtc.so")
parser.add_argument("--ptxas", default=shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas")
parser.add_argument("--python", help="a Python that can import triton; without this option, Triton is omitted")
parser.add_argument("--sm", type=int, default=90)
parser.add_argument("--runs", type=int, default=7)
parser.add_argument("--one", choices=["libtilecc", "nvrtc", "triton"], help=argparse.SUPPRESS)
args = parser.parse_args()
if args.one:
    in_this_process(args.one, args)
    sys.exit()

compilers = ["libtilecc", "nvrtc"] + (["triton"] if args.python else [])
first, later, cpu = {c: [] for c in compilers}, {c: [] for c in compilers}, {c: [] for c in compilers}
environment = dict(os.environ, TRITON_PTXAS_PATH=args.ptxas, TRITON_PTXAS_BLACKWELL_PATH=args.ptxas)
for run in range(args.runs):
    for compiler in compilers:
        python = args.python if compiler == "triton" else sys.executable
        command = [python, os.path.abspath(__file__), "--one", compiler, "--library", os.path.abspath(args.library),
                   "--nvrtc", args.nvrtc, "--sm", str(args.sm)]
        times = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()
        first[compiler].append(float(times[0]))
        later[compiler] += map(float, times[1:5])
        cpu[compiler] += map(float, times[6:])
print(f"{'ms':12}{'first':>10}{'next':>10}{'cpu':>10}{'next / libtilecc':>20}")
base = statistics.median(later["libtilecc"])
for compiler in compilers:
    next_one = statistics.median(later[compiler])
    print(f"{compiler:12}{statistics.median(first[compiler]):10.1f}{next_one:10.1f}{statistics.mean(cpu[compiler]):10.1f}"
          f"{next_one / base:20.2f}")
