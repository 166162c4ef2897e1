// RUN: %tcc-opt --tritongpu-check-replicas %s | FileCheck %s
// Operands of memory accesses, exchanges, broadcasts and branches are compared, each once per block. Arithmetic in
// between, constants, kernel arguments and values in combiners are not compared.
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @kernel
tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  // CHECK: make_range
  // CHECK-NOT: compare_replicas
  // CHECK: tt.splat %arg0
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %base, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  // CHECK: %[[P:.*]] = tt.addptr
  // CHECK-NEXT: ttg.compare_replicas %[[P]]
  // CHECK-NEXT: %[[V:.*]] = tt.load
  %v = tt.load %p : tensor<128x!tt.ptr<f32>, #row>
  // CHECK-NEXT: arith.mulf
  %w = arith.mulf %v, %v : tensor<128xf32, #row>
  // CHECK-NEXT: ttg.compare_replicas
  // CHECK-NEXT: "tt.reduce"
  // CHECK-NOT: compare_replicas
  // CHECK: tt.reduce.return
  %s = "tt.reduce"(%w) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) {axis = 0 : i32} : (tensor<128xf32, #row>) -> f32
  %positive = arith.cmpf ogt, %s, %zero : f32
  // CHECK: %[[POSITIVE:.*]] = arith.cmpf
  // CHECK-NEXT: ttg.compare_replicas %[[POSITIVE]] : i1
  // CHECK-NEXT: scf.if
  scf.if %positive {
    // CHECK-NEXT: ttg.compare_replicas %[[S:.*]] : f32
    // CHECK-NEXT: tt.store
    tt.store %out, %s : !tt.ptr<f32>
    // CHECK-NEXT: tt.store
    tt.store %out, %s : !tt.ptr<f32>
  }
  %m = arith.fptosi %s : f32 to i32
  // CHECK: %[[M:.*]] = arith.fptosi
  // CHECK-NEXT: ttg.compare_replicas %[[M]]
  // CHECK-NEXT: scf.for
  %r = scf.for %k = %c0 to %m step %c1 iter_args(%t = %w) -> tensor<128xf32, #row> : i32 {
    // CHECK-NEXT: ttg.compare_replicas %[[S]]
    // CHECK-NEXT: tt.splat
    %spread = tt.splat %s : f32 -> tensor<128xf32, #row>
    // CHECK-NEXT: arith.addf
    %u = arith.addf %t, %spread : tensor<128xf32, #row>
    // CHECK-NEXT: scf.yield
    scf.yield %u : tensor<128xf32, #row>
  }
  // CHECK: ttg.compare_replicas
  // CHECK-NEXT: ttg.convert_layout
  %q = ttg.convert_layout %r : tensor<128xf32, #row> -> tensor<128xf32, #other>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #other>
  tt.store %outs, %q : tensor<128x!tt.ptr<f32>, #other>
  tt.return
}
}
