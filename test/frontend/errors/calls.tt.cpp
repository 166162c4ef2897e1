// Mistakes with tt::call and with temporary parameters, each at its line.
//
// RUN: not %raise -DFEW %s 2>&1 | FileCheck %s --check-prefix=FEW --implicit-check-not="{{error|warning|note}}:"
// RUN: not %raise -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not="{{error|warning|note}}:"
// RUN: not %raise -DRECURSIVE %s 2>&1 | FileCheck %s --check-prefix=RECURSIVE --implicit-check-not="{{error|warning|note}}:"
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning|note}}:"
#include <tilecc/tt.h>

__tile_global__ void scale(float *x, int n) { *x = *x * n; }

#ifdef FEW
__tile_global__ void few(float *x) {
  // FEW: calls.tt.cpp:[[#@LINE+1]]:7: error: tt::call: the kernel takes another number of arguments
  tt::call<scale>(x);
}
#endif
#ifdef WRONG
__tile_global__ void wrong(float *x) {
  // WRONG: calls.tt.cpp:[[#@LINE+1]]:7: error: cannot initialize a parameter of type 'float *' with an lvalue of type 'int'
  tt::call<scale>(3, 4);
}
#endif
#ifdef RECURSIVE
// RECURSIVE: calls.tt.cpp:[[#@LINE+1]]:42: error: recursion ('endless' calls itself) is not available in a tile kernel
__tile_global__ void endless(float *x) { tt::call<endless>(x); }
#endif
#if !defined(FEW) && !defined(WRONG) && !defined(RECURSIVE)
// CHECK: calls.tt.cpp:[[#@LINE+1]]:37: error: 'tt::temporary' is for pointers, not 'int'
__tile_global__ void number(int n [[tt::temporary]], float *x) { *x = n; }
#endif
