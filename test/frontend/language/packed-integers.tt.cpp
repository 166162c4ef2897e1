// A function returns a small struct in one register. The kernel works with its members, and knows that they are its
// arguments.
//
// RUN: %raise %s | FileCheck %s --implicit-check-not=arith.shli --implicit-check-not=arith.shrui --implicit-check-not=arith.ori
#include <tilecc/tt.h>

struct sizes {
  int rows, columns;
};
struct mixed {
  int first;
  float factor;
  short small, large;
};
__tile__ sizes swapped(sizes s) { return {s.columns, s.rows}; }
__tile__ mixed make(int i, float f, short s) { return {i, f, s, 7}; }

// CHECK-LABEL: @members(
// CHECK-SAME: !tt.ptr<i32>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
extern "C" __tile_global__ void members(int *p, int m, int n) {
  sizes s = swapped({m, n});
  // CHECK: %[[P:.*]] = tt.addptr %{{.*}}, %[[N]] : !tt.ptr<i32>, i32
  // CHECK: tt.store %[[P]], %[[M]]
  tt::store(p + s.rows, s.columns);
}

// CHECK-LABEL: @types(
// CHECK-SAME: !tt.ptr<f32>, %[[I:[a-z0-9]+]]: i32, %[[F:[a-z0-9]+]]: f32, %[[S:[a-z0-9]+]]: i16
extern "C" __tile_global__ void types(float *p, int i, float f, short s) {
  mixed all = make(i, f, s);
  // CHECK: arith.extsi %[[S]] : i16 to i32
  // CHECK: tt.store %{{.*}}, %[[F]] : !tt.ptr<f32>
  tt::store(p + all.first + all.small + all.large, all.factor);
}
