#!/usr/bin/env python3
"""Measures the processor time to compile one file of many kernels for several GPUs: `tcc -c` compared with `nvcc -c`.
The file for nvcc has SIMT kernels for the same work, written as CUDA programmers write them. Prints the medians of
interleaved runs, in CPU seconds (all processes), and the sizes of the objects.

  bench/compile-time/many.py --tcc build/bin/tcc [--nvcc nvcc] [--kernels 32] [--runs 3] [--keep DIR] [TCC OPTION...]
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

# Each computation in both languages: an elementwise function, a sum over rows, a softmax, a normalization of rows.
TILE = """#include <tilecc/tt.h>
{kernels}
void launch(const float *x, const float *y, float *out, int n, int columns) {{
{launches}
}}
"""
TILE_KERNELS = [
    """__tile_global__ void map{k}(const float *x, const float *y, float *out, int n, int columns) {{
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto a = tt::load(x + i, i < n), b = tt::load(y + i, i < n);
  tt::store(out + i, tt::exp(a * {k}.5f) + b * a - {k}.0f, i < n);
}}""",
    """__tile_global__ void sum{k}(const float *x, const float *y, float *out, int n, int columns) {{
  int row = tt::program_id(0);
  auto total = tt::zeros<float, 1024>();
  for (int start = 0; start < columns; start += 1024) {{
    auto i = start + tt::arange<1024>();
    total = total + tt::load(x + row * columns + i, i < columns, 0.0f) * {k}.0f;
  }}
  tt::store(out + row, tt::sum(total));
}}""",
    """__tile_global__ void softmax{k}(const float *x, const float *y, float *out, int n, int columns) {{
  int row = tt::program_id(0);
  auto i = tt::arange<1024>();
  auto a = tt::load(x + row * columns + i, i < columns, -1e30f) * {k}.0f;
  auto e = tt::exp(a - tt::max(a));
  tt::store(out + row * columns + i, e / tt::sum(e), i < columns);
}}""",
    """__tile_global__ void norm{k}(const float *x, const float *y, float *out, int n, int columns) {{
  int row = tt::program_id(0);
  auto i = tt::arange<1024>();
  auto a = tt::load(x + row * columns + i, i < columns, 0.0f);
  auto mean = tt::sum(a) / columns;
  auto d = tt::where(i < columns, a - mean, tt::zeros<float, 1024>());
  auto scale = tt::rsqrt(tt::sum(d * d) / columns + {k}e-5f);
  tt::store(out + row * columns + i, d * scale * tt::load(y + i, i < columns), i < columns);
}}""",
]
SIMT = """__device__ float reduce(float value, float *shared, bool isMax) {{
  for (int step = 16; step; step /= 2) {{
    float other = __shfl_xor_sync(~0u, value, step);
    value = isMax ? fmaxf(value, other) : value + other;
  }}
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < 8; ++warp) value = isMax ? fmaxf(value, shared[warp]) : value + shared[warp];
  __syncthreads();
  return value;
}}
{kernels}
void launch(const float *x, const float *y, float *out, int n, int columns) {{
{launches}
}}
"""
SIMT_KERNELS = [
    """__global__ void map{k}(const float *x, const float *y, float *out, int n, int columns) {{
  int i = (blockIdx.x * 256 + threadIdx.x) * 4;
  if (n % 4 == 0 && i < n) {{
    float4 a = *(const float4 *)(x + i), b = *(const float4 *)(y + i);
    float4 r = {{__expf(a.x * {k}.5f) + b.x * a.x - {k}.0f, __expf(a.y * {k}.5f) + b.y * a.y - {k}.0f,
                __expf(a.z * {k}.5f) + b.z * a.z - {k}.0f, __expf(a.w * {k}.5f) + b.w * a.w - {k}.0f}};
    *(float4 *)(out + i) = r;
  }} else {{
    for (int j = i; j < i + 4 && j < n; ++j) out[j] = __expf(x[j] * {k}.5f) + y[j] * x[j] - {k}.0f;
  }}
}}""",
    """__global__ void sum{k}(const float *x, const float *y, float *out, int n, int columns) {{
  __shared__ float shared[8];
  float total = 0;
  for (int i = threadIdx.x; i < columns; i += 256) total += x[blockIdx.x * columns + i] * {k}.0f;
  total = reduce(total, shared, false);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}}""",
    """__global__ void softmax{k}(const float *x, const float *y, float *out, int n, int columns) {{
  __shared__ float shared[8];
  float a[4], most = -1e30f, total = 0;
  for (int j = 0; j < 4; ++j) {{
    int i = threadIdx.x + j * 256;
    a[j] = i < columns ? x[blockIdx.x * columns + i] * {k}.0f : -1e30f;
    most = fmaxf(most, a[j]);
  }}
  most = reduce(most, shared, true);
  for (int j = 0; j < 4; ++j) total += a[j] = __expf(a[j] - most);
  total = reduce(total, shared, false);
  for (int j = 0; j < 4; ++j)
    if (int i = threadIdx.x + j * 256; i < columns) out[blockIdx.x * columns + i] = a[j] / total;
}}""",
    """__global__ void norm{k}(const float *x, const float *y, float *out, int n, int columns) {{
  __shared__ float shared[8];
  float a[4], mean = 0, square = 0;
  for (int j = 0; j < 4; ++j) {{
    int i = threadIdx.x + j * 256;
    mean += a[j] = i < columns ? x[blockIdx.x * columns + i] : 0;
  }}
  mean = reduce(mean, shared, false) / columns;
  for (int j = 0; j < 4; ++j) {{
    a[j] = threadIdx.x + j * 256 < columns ? a[j] - mean : 0;
    square += a[j] * a[j];
  }}
  float scale = rsqrtf(reduce(square, shared, false) / columns + {k}e-5f);
  for (int j = 0; j < 4; ++j)
    if (int i = threadIdx.x + j * 256; i < columns) out[blockIdx.x * columns + i] = a[j] * scale * y[i];
}}""",
]
NAMES = ["map", "sum", "softmax", "norm"]


def source(frame, kernels, count, launch):
    bodies = (kernels[k % 4].format(k=k) for k in range(count))
    launches = (f"  {NAMES[k % 4]}{k}{launch}(x, y, out, n, columns);" for k in range(count))
    return frame.format(kernels="\n".join(bodies), launches="\n".join(launches))


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tcc", default="build/bin/tcc")
    parser.add_argument("--nvcc", default="nvcc", help="'none': tcc alone")
    parser.add_argument("--kernels", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", help="leave the sources and objects in this folder")
    args, options = parser.parse_known_args()
    archs = [f"-gencode=arch=compute_{n},code=sm_{n}" for n in (80, 86, 89)] + \
            ["-gencode=arch=compute_90,code=[sm_90,compute_90]"]
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        tile, simt = os.path.join(folder, "many.tt.cpp"), os.path.join(folder, "many.cu")
        open(tile, "w").write(source(TILE, TILE_KERNELS, args.kernels, "<<<n>>>"))
        open(simt, "w").write(source(SIMT, SIMT_KERNELS, args.kernels, "<<<n, 256>>>"))
        commands = {"tcc": [args.tcc, "-O2", *archs, *options, "-c", tile, "-o", os.path.join(folder, "tcc.o")]}
        if args.nvcc != "none":
            commands["nvcc"] = [args.nvcc, "-O2", "-std=c++20", *archs, "-c", simt, "-o", os.path.join(folder, "nvcc.o")]
        times = {name: [] for name in commands}
        for _ in range(args.runs):
            for name, command in commands.items():
                times[name].append(cpu_seconds(command))
        print("| compiler | CPU, s | wall, s | object, KB |\n|---|---|---|---|")
        median = {}
        for name, values in times.items():
            median[name] = statistics.median(cpu for cpu, _ in values)
            size = os.path.getsize(os.path.join(folder, name + ".o")) // 1024
            print(f"| {name} | {median[name]:.2f} | {statistics.median(wall for _, wall in values):.2f} | {size} |")
        if "nvcc" in median:
            print(f"\ntcc / nvcc: {median['tcc'] / median['nvcc']:.2f}")


main()
