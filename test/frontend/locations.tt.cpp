// Every operation has file:line:column; inlined operations have the chain of calls, and arguments their names.
//
// RUN: %raise --debug-locations %s | FileCheck %s
// RUN: %raise --debug-locations -ffile-prefix-map=%S=/mapped %s | FileCheck %s --check-prefix=MAPPED
#include <tilecc/tt.h>

__tile__ float helper(const float *x, int n) {
  return x[n] * 2.0f;
}

__tile_global__ void kernel(const float *x, float *out, int n) {
  auto i = tt::arange<64>();
  float s = helper(x, n);
  auto acc = tt::zeros<float, 64>();
  for (int k = 0; k < n; ++k)
    acc += tt::load(x + i + k);
  tt::store(out + i, acc + s);
}

// CHECK: #[[FUNC:.*]] = loc("{{.*}}locations.tt.cpp":11:22)
// CHECK: tt.func public @{{.*}}(%{{.*}}: !tt.ptr<f32> loc("x"(#[[FUNC]])), %{{.*}}: !tt.ptr<f32> loc("out"(#[[FUNC]])), %{{.*}}: i32 loc("n"(#[[FUNC]])))
// CHECK: tt.make_range {{.*}} loc(#[[RANGE:.*]])
// CHECK: tt.addptr {{.*}} : !tt.ptr<f32>, i32 loc(#[[ADDR:.*]])
// CHECK: tt.load {{.*}} : !tt.ptr<f32> loc(#[[ADDR]])
// CHECK: arith.mulf {{.*}} loc(#[[MUL:.*]])
// CHECK: scf.for
// CHECK: tt.load {{.*}} loc(#[[LOAD:.*]])
// CHECK: arith.addf {{.*}} loc(#[[ADD:.*]])
// CHECK: } loc(#[[FOR:.*]])
// CHECK: tt.store {{.*}} loc(#[[STORE:.*]])
// CHECK-DAG: #[[RANGE]] = loc("{{.*}}locations.tt.cpp":12:12)
// CHECK-DAG: #[[INADDR:.*]] = loc("{{.*}}locations.tt.cpp":8:10)
// CHECK-DAG: #[[CALL:.*]] = loc("{{.*}}locations.tt.cpp":13:13)
// CHECK-DAG: #[[ADDR]] = loc(callsite(#[[INADDR]] at #[[CALL]]))
// CHECK-DAG: #[[INMUL:.*]] = loc("{{.*}}locations.tt.cpp":8:15)
// CHECK-DAG: #[[MUL]] = loc(callsite(#[[INMUL]] at #[[CALL]]))
// CHECK-DAG: #[[LOAD]] = loc("{{.*}}locations.tt.cpp":16:12)
// CHECK-DAG: #[[ADD]] = loc("{{.*}}locations.tt.cpp":16:9)
// CHECK-DAG: #[[FOR]] = loc("{{.*}}locations.tt.cpp":15:3)
// CHECK-DAG: #[[STORE]] = loc("{{.*}}locations.tt.cpp":17:3)
// CHECK-NOT: loc("{{.*}}tilecc/

// MAPPED: loc("/mapped/locations.tt.cpp":12:12)
