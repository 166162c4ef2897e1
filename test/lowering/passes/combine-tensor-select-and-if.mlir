// RUN: tcc-opt %s --tritongpu-combine-tensor-select-and-if | FileCheck %s
// (There is no -errors file, because the pass accepts any module.)

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Both selects become results of the scf.if, beside its existing one; the pass adds an else branch if there is none.
// CHECK-LABEL: @combined
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor{{[^,]*}}, #{{[^,]*}}, %[[B:[a-z0-9]*]]: tensor
// CHECK-NOT: arith.select
// CHECK: %[[R:.*]]:3 = scf.if %{{.*}} -> (tensor<64xf32, #blocked>, tensor<64xf32, #blocked>, tensor<64xf32, #blocked>) {
// CHECK:   %[[S:.*]] = arith.addf
// CHECK:   scf.yield %[[S]], %[[A]], %[[B]] :
// CHECK: } else {
// CHECK:   scf.yield %[[B]], %[[B]], %[[A]] :
// CHECK: tt.return %[[R]]#0, %[[R]]#1, %[[R]]#2
tt.func @combined(%a: tensor<64xf32, #b>, %b: tensor<64xf32, #b>, %c: i1) -> (tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xf32, #b>) {
  %s = arith.select %c, %a, %b : tensor<64xf32, #b>
  %t = arith.select %c, %b, %a : tensor<64xf32, #b>
  %r = scf.if %c -> (tensor<64xf32, #b>) {
    %0 = arith.addf %a, %b : tensor<64xf32, #b>
    scf.yield %0 : tensor<64xf32, #b>
  } else {
    scf.yield %b : tensor<64xf32, #b>
  }
  tt.return %r, %s, %t : tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xf32, #b>
}

// CHECK-LABEL: @no_else
// CHECK: scf.if %{{.*}} -> (tensor<64xf32, #blocked>) {
// CHECK:   tt.store
// CHECK:   scf.yield %arg0
// CHECK: } else {
// CHECK-NEXT: scf.yield %arg1
tt.func @no_else(%a: tensor<64xf32, #b>, %b: tensor<64xf32, #b>, %p: tensor<64x!tt.ptr<f32>, #b>, %c: i1) -> tensor<64xf32, #b> {
  %s = arith.select %c, %a, %b : tensor<64xf32, #b>
  scf.if %c {
    tt.store %p, %a : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.return %s : tensor<64xf32, #b>
}

// Inside the branches the condition is known, at any depth.
// CHECK-LABEL: @inside
// CHECK-NOT: arith.select
// CHECK: scf.if %arg3
// CHECK:   scf.if %arg4
// CHECK:     tt.store %arg2, %arg0
// CHECK: } else {
// CHECK:   tt.store %arg2, %arg1
// CHECK-NOT: arith.select
// CHECK: tt.return
tt.func @inside(%a: tensor<64xf32, #b>, %b: tensor<64xf32, #b>, %p: tensor<64x!tt.ptr<f32>, #b>, %c: i1, %d: i1) -> tensor<64xf32, #b> {
  %s = arith.select %c, %a, %b : tensor<64xf32, #b>
  scf.if %c {
    scf.if %d {
      tt.store %p, %s : tensor<64x!tt.ptr<f32>, #b>
    }
  } else {
    tt.store %p, %s : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.return %s : tensor<64xf32, #b>
}

// If there are two branches, the first is used.
// CHECK-LABEL: @two
// CHECK: %[[R:.*]] = scf.if %arg3 -> (tensor
// CHECK: tt.store %arg2, %[[R]]
// CHECK: scf.if %arg3 {
tt.func @two(%a: tensor<64xf32, #b>, %b: tensor<64xf32, #b>, %p: tensor<64x!tt.ptr<f32>, #b>, %c: i1) {
  %s = arith.select %c, %a, %b : tensor<64xf32, #b>
  scf.if %c {
    tt.store %p, %a : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.store %p, %s : tensor<64x!tt.ptr<f32>, #b>
  scf.if %c {
    tt.store %p, %b : tensor<64x!tt.ptr<f32>, #b>
  }
  tt.return
}

// A select stays if it is needed before the branch, defined behind it, selects element by element, or has another
// condition.
// CHECK-LABEL: @stay
// CHECK: arith.select %arg3
// CHECK: arith.select %arg4
// CHECK: arith.select %arg5
// CHECK: scf.if %arg3 {
// CHECK: arith.select %arg3
tt.func @stay(%a: tensor<64xf32, #b>, %b: tensor<64xf32, #b>, %p: tensor<64x!tt.ptr<f32>, #b>, %c: i1, %d: i1, %m: tensor<64xi1, #b>) -> (tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xf32, #b>) {
  %s = arith.select %c, %a, %b : tensor<64xf32, #b>
  tt.store %p, %s : tensor<64x!tt.ptr<f32>, #b>
  %t = arith.select %d, %a, %b : tensor<64xf32, #b>
  %u = arith.select %m, %a, %b : tensor<64xi1, #b>, tensor<64xf32, #b>
  scf.if %c {
    tt.store %p, %a : tensor<64x!tt.ptr<f32>, #b>
  }
  %v = arith.select %c, %b, %a : tensor<64xf32, #b>
  tt.return %t, %u, %v : tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xf32, #b>
}
}
