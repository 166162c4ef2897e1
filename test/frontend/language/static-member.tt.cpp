// A kernel may be a static member of a class, and its helpers members, too.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

template <int BLOCK> struct Filler {
  static __tile__ float value(int i) { return i * 2.0f; }
  // CHECK-LABEL: tt.func public @{{.*}}Filler{{.*}}fill
  // CHECK: arith.mulf
  // CHECK: tt.store
  static __tile_global__ void fill(float *x, int i) { tt::store(x + tt::arange<BLOCK>(), value(i)); }
};

void launch(float *x) { Filler<16>::fill<<<1>>>(x, 3); }
