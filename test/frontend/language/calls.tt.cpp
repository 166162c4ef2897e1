// A kernel that calls kernels contains their bodies. These stay kernels of their own if host code names them;
// parameters keep their attributes.
// RUN: %raise %s | FileCheck %s
// RUN: %tcc -c -arch=compute_80 --cpu-level=2 %s -o /dev/null
#include <tilecc/tt.h>

struct factors {
  float a;
  int b;
};
template <int N> __tile_global__ void scale(const float *x, float *y, factors f) {
  if (f.b < 0)
    return;
  auto i = tt::program_id(0) * N + tt::arange<N>();
  tt::store(y + i, tt::load(x + i) * f.a);
}
template <int N> __tile_global__ void both(const float *x, float *t [[tt::temporary]], float *y, factors f) {
  tt::call<scale<N>>(x, t, f);
  f.a += 1;
  tt::call<scale<N>>(t, y, f);
}
template <int N> __tile_global__ void once(const float *x, float *y, factors f) { tt::call<scale<N>>(x, y, f); }
void launch(float *x, factors f) {
  both<64><<<1>>>(x, x, x, f);
  once<32><<<1>>>(x, x, f); // nothing can launch scale<32>
  scale<64><<<1>>>(x, x, f);
}

// CHECK-NOT: @{{.*}}scaleILi32
// CHECK: tt.func public @{{.*}}scaleILi64{{.*}}(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !llvm.struct<(f32, i32)>)
// CHECK-COUNT-1: tt.store
// CHECK-NOT: tt.store
// CHECK: tt.func public @{{.*}}both{{.*}}(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32> {tt.temporary}, %arg2: !tt.ptr<f32>,
// CHECK-COUNT-2: tt.store
// CHECK-NOT: call
// CHECK: tt.return
// CHECK-NOT: @{{.*}}scaleILi32
