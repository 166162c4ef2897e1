// Tests the largest tiles, of 2^20 elements. With 32 warps, they must compile for GPUs and work. With too few warps,
// there must be an error at once.
// RUN: %tcc -O2 -arch=sm_90 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: not %tcc -arch=sm_90 -ptx -DWARPS=4 %s -o %t.ptx 2>&1 | FileCheck %s

#include "support/check.h"

#ifndef WARPS
#define WARPS 32
#endif

constexpr int size = 1 << 20;

[[tt::num_warps(WARPS)]] __tile_global__ void doubled(const float *x, float *out) {
  // CHECK: tile-largest.tt.cpp:[[#@LINE+1]]:{{.*}}: error: each thread would hold 8192 elements of a tile of 1048576 over 4 warps, and more than 1024 cannot be compiled; use smaller tiles or more warps
  auto i = tt::arange<size>();
  tt::store(out + i, tt::load(x + i) * 2.0f);
}

[[tt::num_warps(WARPS)]] __tile_global__ void extremes(const int *x, int *out) {
  // CHECK: tile-largest.tt.cpp:[[#@LINE+1]]:{{.*}}: error: each thread would hold 8192 elements of a tile of 1048576
  auto v = tt::load(x + tt::arange<size>());
  tt::store(out, tt::max(v));
  tt::store(out + 1, tt::sum(v));
}
// CHECK-NOT: error:

int main() {
  return e2e::run("tile-largest", [] {
    e2e::buffer<float> x(size, [](int) { return float(e2e::between(-100, 100)); }), out(size);
    doubled<<<1>>>(x.data(), out.data());
    out.expect_value([&](int i) { return x[i] * 2; });
    e2e::buffer<int> numbers(size, [](int) { return int(e2e::between(-1000, 1000)); }), results(2);
    extremes<<<1>>>(numbers.data(), results.data());
    results.expect_value([&](int which) {
      int64_t high = numbers[0], sum = 0;
      for (int i = 0; i < size; ++i) {
        high = std::max<int64_t>(high, numbers[i]);
        sum += numbers[i];
      }
      return int(which ? sum : high);
    });
  });
}
