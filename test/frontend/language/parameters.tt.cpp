// One argument of the tt.func for each parameter of the kernel, structs included.
//
// RUN: %raise %s | FileCheck %s
// RUN: %raise --params %s | FileCheck %s --check-prefix=PARAMS
#include <tilecc/tt.h>

struct view {
  const float *data;
  int size;
};
struct two { int a, b; };
struct large { const float *p; long n[4]; };
struct handle { float *p; };
struct empty {};
struct alignas(32) aligned { float f[8]; };
struct flags { bool a; short b; bool c; };

// CHECK-LABEL: @structs(
// CHECK-SAME: %[[V:[a-z0-9]+]]: !llvm.struct<(i64, i32)>, %[[T:[a-z0-9]+]]: !llvm.struct<(i32, i32)>, %[[L:[a-z0-9]+]]: !llvm.struct<(i64, array<4 x i64>)>, %[[H:[a-z0-9]+]]: !tt.ptr<f32>, %{{[a-z0-9]+}}: i8, %{{[a-z0-9]+}}: i16
// CHECK-DAG: %[[D:.*]] = llvm.extractvalue %[[V]][0] : !llvm.struct<(i64, i32)>
// CHECK-DAG: %[[P:.*]] = tt.int_to_ptr %[[D]] : i64 -> !tt.ptr<f32>
// CHECK-DAG: llvm.extractvalue %[[V]][1] : !llvm.struct<(i64, i32)>
// CHECK-DAG: llvm.extractvalue %[[T]][1] : !llvm.struct<(i32, i32)>
// CHECK-DAG: llvm.extractvalue %[[L]][1, 2] : !llvm.struct<(i64, array<4 x i64>)>
// CHECK: tt.store {{.*}} : !tt.ptr<f32>
//
// PARAMS: structs {{.*}}parameters.tt.cpp:[[#@LINE+9]] warps unsaid stages unsaid ctas 1
// PARAMS-NEXT: v kind 2 size 16 align 8 offset 0
// PARAMS-NEXT: t kind 2 size 8 align 4 offset 16
// PARAMS-NEXT: l kind 2 size 40 align 8 offset 24
// PARAMS-NEXT: h kind 2 size 8 align 8 offset 64
// PARAMS-NEXT: e kind 2 size 1 align 1 offset 72
// PARAMS-NEXT: s kind 1 size 2 align 2 offset 74
// PARAMS-NEXT: a kind 2 size 32 align 32 offset 76
// PARAMS-NEXT: f kind 2 size 6 align 2 offset 108
extern "C" __tile_global__ void structs(view v, two t, large l, handle h, empty e, short s, aligned a, flags f) {
  h.p[0] = v.data[v.size] + t.a * t.b + l.n[2] + s + a.f[3] + f.c;
}

// Attributes may depend on template parameters; promises are attributes of arguments.
// PARAMS: attributes<int, 8> {{.*}} warps 8 stages 5 ctas 2
// PARAMS-NEXT: x kind 0
// PARAMS-NEXT: n kind 1 size 4 align 4 offset 8 no_specialize
// CHECK-LABEL: @_Z10attributesIiLi8EEvPT_i(
// CHECK-SAME: !tt.ptr<i32> {tt.divisibility = 32 : i32}, %{{.*}}: i32 {tt.no_specialize})
template <class T, int W>
[[tt::num_warps(W), tt::num_stages(sizeof(T) + 1), tt::num_ctas(2)]] __tile_global__ void
attributes(T *x [[tt::divisible(W * sizeof(T))]], int n [[tt::no_specialize]]) {
  tt::store(x + n, 1);
}
template __tile_global__ void attributes<int, 8>(int *, int);

// CHECK-LABEL: @apart(
// CHECK-SAME: !tt.ptr<f32> {llvm.noalias}, %{{.*}}: !tt.ptr<f32>)
extern "C" __tile_global__ void apart(float *__restrict__ x, const float *y) { x[0] = y[0]; }

// CHECK-LABEL: @_ZN5outer9in_spacesEPf
namespace outer {
__tile_global__ void in_spaces(float *x) { x[0] = 1; }
namespace {
// CHECK-LABEL: @_ZN5outer{{.*}}hidden
__tile_global__ void hidden(float *x) { x[0] = 2; }
} // namespace
void use(float *x) { hidden<<<1>>>(x); }
} // namespace outer
