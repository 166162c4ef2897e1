// A mask of a store with fewer dimensions than the pointers gets a warning that names them; operations without effects
// exist only for their value.
//
// RUN: %raise %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not="{{error|warning|note}}:"
#include <tilecc/tt.h>

__tile_global__ void masks(float *x, int n) {
  auto i = tt::arange<32>();
  auto p = x + i.col() * 32 + i.row();
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: the mask of this store has fewer dimensions than its pointers, and is taken for their last ones: say so with mask.row(), or mask.col() for the first
  tt::store(p, 1.0f, i < n);
  auto y = tt::load(p, i < n, 0.0f); // reads too little, which the stored value shows
  tt::store(p, y, (i < n).col());
  tt::store(p, y, i.row() < n);
  tt::store(p, y, n > 3);
}

__tile_global__ void unused(float *x, int n) {
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value of function declared with 'nodiscard' attribute
  tt::load(x + tt::arange<32>());
  auto block = tt::make_block_ptr<32>(x, {n}, {1}, {0});
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  tt::advance(block, {32});
  auto desc = tt::make_tensor_descriptor<32>(x, {n}, {1});
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  desc.load({0});
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  tt::multiple_of<16>(n);
  auto y = tt::load(block);
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  tt::exp(y);
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  y + 1;
  // CHECK: memory-warnings.tt.cpp:[[#@LINE+1]]:3: warning: ignoring return value
  y.to<int>();
  tt::atomic_add(x + tt::arange<32>(), y);
}
