// -Rtile=accesses, dots and pipelines report how the variant that most launches use is compiled for each GPU.
// RUN: %tcc --emit=ptx -arch=compute_90a -Rtile=accesses -Rtile=dots -Rtile=pipelines %s -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %tcc --emit=ptx -arch=compute_80 -Rtile=dots %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=AMPERE --implicit-check-not=remark:
// The TTIR is the same for all GPUs, so that there is nothing to report.
// RUN: %tcc --emit=ttir -Rtile=accesses %s -o %t.ttir 2>&1 | count 0
// They are the remarks of pages and annotations.
// RUN: %tcc --emit=annotations -arch=compute_90a %s | FileCheck %s --check-prefix=JSON
#include <tilecc/tt.h>

__tile_global__ void accesses(const float *x, const char *bytes, float *out, int n) {
  auto i = tt::arange<1024>();
  // CHECK-DAG: operation-remarks.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: each thread reads 16 bytes per instruction (4 elements), the most that one instruction can access
  // JSON: "text": "each thread reads 16 bytes per instruction (4 elements), the most that one instruction can access",
  auto wide = tt::load(x + i);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread reads 4 bytes per instruction, because neighbouring elements are not known to be adjacent in memory
  auto strided = tt::load(x + i * 3);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread reads 4 bytes per instruction, because neighbouring elements may have different bits of the mask
  auto masked = tt::load(x + i, i % 3 < 2, 0.0f);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread reads 4 bytes per instruction, because the addresses are only known to be multiples of 4 bytes
  auto shifted = tt::load(x + i + 1);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: one thread reads 1 byte, a scalar
  auto scalar = tt::load(bytes);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread updates 4 bytes per instruction, because {{.+}}
  tt::atomic_add(out + i * 3, wide + strided + masked);
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread writes 16 bytes per instruction (4 elements), the most that one instruction can access
  tt::store(out + n * 4 + i, shifted + float(scalar));
}

template <class T, tt::precision P = tt::precision::tf32> __tile__ auto product(const T *a, const T *b, int k) {
  auto i = tt::arange<64>();
  auto sum = tt::zeros<float, 64, 64>();
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: this loop is pipelined in 3 stages: loads start up to 2 iterations ahead
  for (int step = 0; step < k; step += 64) {
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread copies, asynchronously and to shared memory, 16 bytes per instruction
    auto left = tt::load(a + i(tt::all, tt::newaxis) * k + i(tt::newaxis, tt::all) + step);
    auto right = tt::load(b + i(tt::all, tt::newaxis) * 64 + i(tt::newaxis, tt::all) + step * 64);
    // CHECK-DAG: :[[#@LINE+4]]:{{[0-9]+}}: remark: wgmma.m64n64k16 computes the dot (f16 times f16, added in f32); its left operand is in shared memory
    // CHECK-DAG: :[[#@LINE+3]]:{{[0-9]+}}: remark: threads compute the dot by fused multiply-adds (f32 times f32, added in f32): with precision ieee, no matrix instruction multiplies f32
    // AMPERE-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: mma.sync.m16n8k16 computes the dot (f16 times f16, added in f32)
    // AMPERE-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: threads compute the dot
    sum = tt::dot<P>(left, right, sum);
  }
  return sum;
}

template <class T, tt::precision P> __tile_global__ void dots(const T *a, const T *b, float *c, int k) {
  auto i = tt::arange<64>();
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread writes
  tt::store(c + i(tt::all, tt::newaxis) * 64 + i(tt::newaxis, tt::all), product<T, P>(a, b, k));
}
template __global__ void dots<tt::float16, tt::precision::tf32>(const tt::float16 *, const tt::float16 *, float *, int);
template __global__ void dots<float, tt::precision::ieee>(const float *, const float *, float *, int);

__tile_global__ void loops(const float *x, float *out, int n) {
  float sum = 0;
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: this loop is not pipelined: it has no dot; tt::range(...).num_stages(n) pipelines it nevertheless
  for (int step = 0; step < n; ++step)
    // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread reads 4 bytes per instruction
    sum += tt::sum(tt::load(x + step * 128 + tt::arange<128>()));
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: one thread writes 4 bytes, a scalar
  tt::store(out, sum);
}
