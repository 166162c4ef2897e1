// Mistakes with tensor descriptors and block pointers.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void kernel(const float *x, unsigned *u, float *out, int n) {
  auto from = tt::make_tensor_descriptor<8, 16>(x, {n, n}, {n, 1});
  auto to = tt::make_tensor_descriptor<8, 16>(out, {n, n}, {n, 1});
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot store to a tensor of const float
  from.store({0, 0}, 1.0f);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<float, 16, 16> with tile<float, 8, 16>: dimension 0 is 16 and 8
  to.store({0, 0}, tt::zeros<float, 16, 16>());
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: gather and scatter are of descriptors with blocks of 1 x N elements
  to.scatter(1.0f, tt::arange<8>(), 0);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on blocks of unsigned int
  tt::make_tensor_descriptor<8>(u, {n}, {1}).atomic_max({0}, 1u);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on blocks of unsigned int
  tt::make_tensor_descriptor<16>(u, {n}, {1}).atomic_max({0}, 1u);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: padding::nan is for floating-point numbers
  (void)tt::make_tensor_descriptor<8>(u, {n}, {1}, tt::padding::nan).load({0});
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'make_tensor_descriptor' does not take these arguments: it is called as tt::make_tensor_descriptor<64, 32>(pointer, {rows, columns}, {stride, 1})
  auto a = tt::make_tensor_descriptor(x, n, n);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'make_block_ptr' does not take these arguments: it is called as tt::make_block_ptr<64, 32>(pointer, {rows, columns}, {stride, 1}, {row, column})
  auto b = tt::make_block_ptr(x, n);
  // CHECK-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the options of a load through a block pointer are
  (void)tt::load(tt::make_block_ptr<8>(x, {n}, {1}, {0}), tt::volatile_access);
}
