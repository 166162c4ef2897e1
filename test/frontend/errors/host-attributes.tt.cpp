// Attributes of kernels have no meaning elsewhere, and are reported there.
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

// CHECK: host-attributes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'tt::num_warps' is an attribute of kernels, and 'host' is none: a kernel is marked __tile_global__
[[tt::num_warps(4)]] void host(int) {}
// CHECK: host-attributes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'tt::num_stages' is an attribute of kernels, and 'helper' is none
[[tt::num_stages(2)]] __tile__ float helper(float x) { return x; }
// CHECK: host-attributes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'tt::num_ctas' is an attribute of kernels, and 'many' is none
template <class T> [[tt::num_ctas(2)]] void many(T) {}
// CHECK: host-attributes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'tt::persistent' is an attribute of kernels, and 'steady' is none
[[tt::persistent]] void steady(int) {}
[[tt::num_warps(8)]] __tile_global__ void kernel(float *x) { x[0] = 1; }
