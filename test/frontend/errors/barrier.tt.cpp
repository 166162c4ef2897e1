// A barrier is an error in host code, and in a combine function, which threads execute different numbers of times.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="error:"
// RUN: not %raise -DHOST %s 2>&1 | FileCheck %s --check-prefix=HOST --implicit-check-not="error:"
#include <tilecc/tt.h>

__tile_global__ void combines(int *x) {
  x[0] = tt::reduce<0>(tt::load(x + tt::arange<64>()), [](int a, int b) {
    // CHECK: barrier.tt.cpp:[[#@LINE+1]]:5: error: tt::debug_barrier is not available in the combine function of a reduction
    tt::debug_barrier();
    return a + b;
  });
}
__tile_global__ void combines_after_others(int *x) {
  x[0] = tt::reduce<0>(tt::load(x + tt::arange<64>()), [](int a, int b) {
    // CHECK: barrier.tt.cpp:[[#@LINE+1]]:5: error: tt::grid_dependency_wait is not available in the combine function of a reduction
    tt::grid_dependency_wait();
    return a + b;
  });
}
#ifdef HOST
// HOST: barrier.tt.cpp:[[#@LINE+1]]:23: error: __tile__ function 'debug_barrier' cannot be called by host code
void function() { tt::debug_barrier(); }
#endif
