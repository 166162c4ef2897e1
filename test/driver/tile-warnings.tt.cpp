// Warnings before a kernel is compiled: uninitialized tiles, and tiles that are too large for a GPU's registers.
//
// RUN: %tcc --emit=ttir %s -o %t 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
// RUN: not %tcc -Werror=tile-size --emit=ttir %s -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %tcc -Wno-tile-uninitialized -Wno-tile-size --emit=ttir %s -o %t 2>&1 | count 0
// RUN: %tcc -Wno-tile-uninitialized --emit=cpu-llvm %s -o %t 2>&1 | count 0
#include <tilecc/tt.h>

using T = tt::tile<float, 32>;

extern "C" __tile_global__ void accumulator(float *x, int n) {
  T sum;
  for (int i = 0; i < n; ++i)
    // CHECK: tile-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: a tile is used here that has no value yet: `tt::tile<...> x{}` would be filled with zeros [-Wtile-uninitialized]
    sum += tt::load(x + i * 32 + tt::arange<32>());
  tt::store(x + tt::arange<32>(), sum);
}

extern "C" __tile_global__ void never(float *x) {
  T y;
  // CHECK: tile-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: a tile is used here that has no value yet
  tt::store(x + tt::arange<32>(), y);
}

extern "C" __tile_global__ void sometimes(float *x, int n) {
  T y;
  if (n > 3) {
    if (n > 5)
      y = tt::load(x + tt::arange<32>());
    else
      y = tt::zeros<float, 32>();
  }
  // CHECK: tile-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: a tile is used here that has no value where a condition did not hold: `tt::tile<...> x{}` would be filled with zeros [-Wtile-uninitialized]
  tt::store(x + tt::arange<32>(), y);
}

// Assigned later, on every path to the use.
extern "C" __tile_global__ void later(float *x, int n) {
  T y;
  for (int i = 0; i < n; ++i) {
    if (i == 0)
      y = tt::load(x + tt::arange<32>());
    else
      y += 1.0f;
    tt::store(x + tt::arange<32>(), y);
  }
}

extern "C" __tile_global__ [[tt::num_warps(4)]] void large(float *x) {
  auto i = tt::arange<65536>();
  // CHECK: tile-warnings.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: warning: each of a program's 128 threads on a GPU would hold 512 elements of this tile, and has 255 registers: use smaller tiles or more warps, {{\[\[}}tt::num_warps(N)]] [-Wtile-size]
  // ERROR: tile-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: each of a program's 128 threads on a GPU would hold 512 elements of this tile, and has 255 registers: use smaller tiles or more warps, {{\[\[}}tt::num_warps(N)]] [-Werror,-Wtile-size]
  tt::store(x + i, tt::load(x + i) * 2.0f);
}
extern "C" __tile_global__ [[tt::num_warps(8)]] void fits(float *x) {
  auto i = tt::arange<65536>();
  tt::store(x + i, tt::load(x + i) * 2.0f);
}

// A case that falls through: every path to the store assigns a value.
extern "C" __tile_global__ void falls_through(float *x, int n, float v) {
  auto i = tt::arange<32>();
  T y;
  switch (n) {
  case 0:
    y = tt::load(x + i);
    [[fallthrough]];
  case 1:
    y = tt::load(x + i + 32) * v;
    break;
  case 3:
    y = tt::load(x + i) * 2;
    [[fallthrough]];
  default:
    y = tt::load(x + i + 64) + 3;
  }
  tt::store(x + i, y);
}
