// Attributes' values are checked where the template is instantiated, at the attribute.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:3: error: 'tt::num_warps' must be a power of two from 1 to 32, not 3
[[tt::num_warps(3)]] __tile_global__ void three(float *x) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:3: error: 'tt::num_warps' must be a power of two from 1 to 32, not 0
[[tt::num_warps(0)]] __tile_global__ void zero(float *x) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:20: error: 'tt::num_warps' must be a power of two from 1 to 32, not 64
template <int W> [[tt::num_warps(W)]] __tile_global__ void many(float *x) {}
void launch(float *x) { many<64><<<1>>>(x); }
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:3: error: 'tt::num_stages' must be a number from 1 to 64, not -1
[[tt::num_stages(-1)]] __tile_global__ void stages(float *x) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:3: error: 'tt::num_ctas' must be a power of two from 1 to 16, not 5
[[tt::num_ctas(5)]] __tile_global__ void ctas(float *x) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:3: error: 'tt::num_consumers' must be a number from 1 to 4, not 5
[[tt::num_consumers(5)]] __tile_global__ void consumers(float *x) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:43: error: 'tt::divisible' must be a power of two, not 12
__tile_global__ void divisible(float *x [[tt::divisible(12)]]) {}
// CHECK-DAG: attributes.tt.cpp:[[#@LINE+1]]:41: error: 'tt::divisible' is for pointers and integers, not 'float'
__tile_global__ void of_float(float x [[tt::divisible(16)]]) {}
