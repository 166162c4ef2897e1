// Types of C++ that no device supports are errors at the lines that use them.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void extended(float *p, int n) {
  // CHECK: wide-types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: long double is not available in a tile kernel
  p[0] = 1.0L * n;
}
__tile_global__ void quotient(long *p, long n) {
  p[1] = (__int128(n) * n) >> 64;
  // CHECK: wide-types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: this operation on integers of more than 64 bits is not available in a tile kernel
  p[0] = (__int128(n) * n) / p[1];
}
