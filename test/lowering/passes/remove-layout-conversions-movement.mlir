// The layout of a load is propagated forward through operations that only rename coordinates, and the layout of a store
// backward.
// RUN: tcc-opt %s --tritongpu-remove-layout-conversions --canonicalize | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#tall = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#two = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-DAG: [[LOADED:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[TURNED:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-DAG: [[ALL:#.*]] = #ttg.linear<{register = {{\[\[}}8], [16], [32], [64{{\]\]}}, lane = {{\[\[}}128], [256], [512], [1024], [1{{\]\]}}, warp = {{\[\[}}2], [4{{\]\]}}, block = []}>

// One conversion is left: to the layout of the store.
// CHECK-LABEL: @forward
// CHECK: %[[X:.*]] = tt.load {{.*}}[[LOADED]]>
// CHECK: %[[T:.*]] = tt.trans %[[X]] {order = array<i32: 1, 0>} : tensor<128x16xf32, [[LOADED]]> -> tensor<16x128xf32, [[TURNED]]>
// CHECK: %[[R:.*]] = tt.reshape %[[T]] : tensor<16x128xf32, [[TURNED]]> -> tensor<2048xf32, [[ALL]]>
// CHECK: %[[F:.*]] = tt.gather %[[R]][%{{.*}}] {axis = 0 : i32} : (tensor<2048xf32, [[ALL]]>, tensor<2048xi32, [[ALL]]>) -> tensor<2048xf32, [[ALL]]>
// CHECK: %[[M:.*]] = arith.maxnumf %[[R]], %[[F]] : tensor<2048xf32, [[ALL]]>
// CHECK: ttg.convert_layout %[[M]]
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @forward(%p: tensor<128x16x!tt.ptr<f32>, #row>, %q: tensor<2048x!tt.ptr<f32>, #one>) {
  %c1 = arith.constant dense<1> : tensor<2048xi32, #one>
  %x = tt.load %p : tensor<128x16x!tt.ptr<f32>, #row>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x16xf32, #row> -> tensor<16x128xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>>
  %tc = ttg.convert_layout %t : tensor<16x128xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<16x128xf32, #tall>
  %r = tt.reshape %tc : tensor<16x128xf32, #tall> -> tensor<2048xf32, #one>
  %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
  %i = arith.xori %range, %c1 : tensor<2048xi32, #one>
  %f = tt.gather %r[%i] {axis = 0 : i32} : (tensor<2048xf32, #one>, tensor<2048xi32, #one>) -> tensor<2048xf32, #one>
  %m = arith.maxnumf %r, %f : tensor<2048xf32, #one>
  tt.store %q, %m : tensor<2048x!tt.ptr<f32>, #one>
  tt.return
}

// If each thread holds both elements of a pair, it is split without conversion; the halves are in the layout of the
// loads.
// CHECK-LABEL: @halves
// CHECK-NOT: convert_layout
// CHECK: tt.split
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @halves(%p: tensor<128x2x!tt.ptr<f32>, #pairs>, %q: tensor<128x!tt.ptr<f32>, #one>) {
  %x = tt.load %p : tensor<128x2x!tt.ptr<f32>, #pairs>
  %c = ttg.convert_layout %x : tensor<128x2xf32, #pairs> -> tensor<128x2xf32, #two>
  %d = ttg.convert_layout %c : tensor<128x2xf32, #two> -> tensor<128x2xf32, #pairs>
  %l, %r = tt.split %d : tensor<128x2xf32, #pairs> -> tensor<128xf32, #one>
  %s = arith.subf %l, %r : tensor<128xf32, #one>
  tt.store %q, %s : tensor<128x!tt.ptr<f32>, #one>
  tt.return
}

// If the elements are in different threads, the pair is converted before it is split.
// CHECK-LABEL: @apart
// CHECK: %[[C:.*]] = ttg.convert_layout
// CHECK: tt.split %[[C]]
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @apart(%p: tensor<128x2x!tt.ptr<f32>, #two>, %q: tensor<128x!tt.ptr<f32>, #one>) {
  %x = tt.load %p : tensor<128x2x!tt.ptr<f32>, #two>
  %d = ttg.convert_layout %x : tensor<128x2xf32, #two> -> tensor<128x2xf32, #pairs>
  %l, %r = tt.split %d : tensor<128x2xf32, #pairs> -> tensor<128xf32, #one>
  %s = arith.subf %l, %r : tensor<128xf32, #one>
  tt.store %q, %s : tensor<128x!tt.ptr<f32>, #one>
  tt.return
}

}
