// Offsets that may overflow: 32-bit products of two numbers without known bounds.
//
// RUN: %tcc --emit=ttir %s -o %t 2>&1 | count 0
// RUN: %tcc -Wtile-offset --emit=ttir %s -o %t 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

extern "C" __tile_global__ void rows(float *x, int stride) {
  auto row = tt::program_id(0);
  // CHECK: offset-warnings.tt.cpp:[[#@LINE+1]]:21: warning: this offset is a product of 32-bit integers, which overflows beyond 2^31: make one of them int64_t [-Wtile-offset]
  tt::store(x + row * stride + tt::arange<32>(), 1.0f);
}

extern "C" __tile_global__ void blocks(float *x, int m, int n) {
  auto i = (tt::program_id(0) * 32 + tt::arange<32>()).col();
  auto j = (tt::program_id(1) * 32 + tt::arange<32>()).row();
  for (int k = 0; k < m; ++k) {
    // CHECK: offset-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: this offset is a product
    tt::store(x + long(k * n), 1.0f);
    // CHECK: offset-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: this offset is a product
    tt::store(x + (i * n + j), 1.0f, i < m && j < n);
  }
}

// A 64-bit factor, a constant, or a number with a known bound.
extern "C" __tile_global__ void fine(float *x, int m, int n) {
  auto row = int64_t(tt::program_id(0));
  auto i = tt::arange<32>();
  tt::store(x + row * n + i, 1.0f);
  tt::store(x + (tt::program_id(0) * 32 + i), 1.0f);
  tt::store(x + (i.col() * n + i.row()), 1.0f);
  tt::store(x + tt::program_id(0) % 8 * n + i, float(m * n));
}
