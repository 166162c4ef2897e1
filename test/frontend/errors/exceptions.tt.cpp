// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void thrower(float *x, int n) {
  if (n < 0)
    // CHECK: exceptions.tt.cpp:[[#@LINE+1]]:5: error: throw is not available in a tile kernel
    throw n;
  // CHECK: exceptions.tt.cpp:[[#@LINE+1]]:3: error: try is not available in a tile kernel
  try {
    x[0] = 1;
  } catch (...) {
  }
}
