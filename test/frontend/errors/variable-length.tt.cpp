// An array of variable length is an error at its line, whether or not anything reads it.
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="error:"
#include <tilecc/tt.h>

__tile_global__ void written(float *x, int n) {
  // CHECK: variable-length.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: an array of variable length, whose size is not a constant, is not available in a tile kernel
  float a[n];
  for (int i = 0; i < n; ++i)
    a[i] = i;
  x[0] = 1;
}
__tile_global__ void read(float *x, int n) {
  // CHECK: variable-length.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: an array of variable length, whose size is not a constant, is not available in a tile kernel
  float a[n];
  a[0] = 1;
  x[0] = a[0];
}
