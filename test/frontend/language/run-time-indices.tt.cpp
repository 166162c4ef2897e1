// Arrays are values: an index at run time becomes a selection, and loops that index by their counter are unrolled.
//
// RUN: %raise %s | FileCheck %s
#include <initializer_list>
#include <tilecc/tt.h>

constexpr float levels[4] = {1.0f, 2.0f, 4.0f, 8.0f};
struct work {
  float *out[2];
  struct range {
    int first, count;
  } ranges[2];
};

// CHECK-LABEL: @table
// CHECK-DAG: %[[C1:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %arg1, %c1_i32 : i32
// CHECK: %[[IS3:.*]] = arith.cmpi eq, %arg1, %c3_i32 : i32
// CHECK: arith.select %[[IS1]], %[[C2]], %[[C1]] : f32
// CHECK: arith.select %[[IS3]], %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: tt.store
extern "C" __tile_global__ void table(float *x, int n) { x[0] = levels[n]; }

// Pointers of a struct parameter, and a member that is copied as a whole.
// CHECK-LABEL: @members
// CHECK: llvm.extractvalue %arg0[0, 0]
// CHECK: %[[SECOND:.*]] = arith.cmpi eq
// CHECK-DAG: arith.select %[[SECOND]], %{{.*}}, %{{.*}} : !tt.ptr<f32>
// CHECK-DAG: arith.select %[[SECOND]], %{{.*}}, %{{.*}} : i32
// CHECK: tt.store
extern "C" __tile_global__ void members(work w) {
  int i = tt::program_id(0);
  work::range range = w.ranges[i];
  w.out[i][range.first] = range.count;
}

// CHECK-LABEL: @written
// CHECK: %[[IS:.*]] = arith.cmpi eq, %arg1, %c0_i32 : i32
// CHECK: arith.select %[[IS]], %{{.*}}, %{{.*}} : f32
extern "C" __tile_global__ void written(float *x, int n) {
  float sums[2] = {x[0], x[1]};
  sums[n] += 1.0f;
  x[2] = sums[0];
}

// CHECK-LABEL: @accumulators
// CHECK: scf.for {{.*}} -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
// CHECK-NOT: scf.for
// CHECK-NOT: arith.select
// CHECK: tt.return
extern "C" __tile_global__ void accumulators(float *x, int n) {
  tt::tile<float, 32> sums[3]{};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      sums[k] += tt::load(x + (k * n + i) * 32 + tt::arange<32>());
  for (int k = 0; k < 3; ++k)
    tt::store(x + k * 32 + tt::arange<32>(), sums[k]);
}

// Loops over an array, a list and a member of a parameter, whose counter is a pointer; `break` may leave them.
// CHECK-LABEL: @elements
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
// CHECK: tt.return
extern "C" __tile_global__ void elements(float *x, work w, int n) {
  tt::tile<float, 32> tiles[] = {tt::zeros<float, 32>(), tt::load(x + tt::arange<32>())};
  auto sum = tt::zeros<float, 32>();
  for (auto tile : tiles)
    sum += tile;
  for (float level : levels)
    sum *= level;
  for (int i : {3, 5, 7}) {
    if (i == n)
      break;
    sum += i;
  }
  for (float *out : w.out)
    tt::store(out + tt::arange<32>(), sum);
}
