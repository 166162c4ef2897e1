// A reshape that may reorder elements moves none: each thread keeps its registers, and no shared memory is needed.
// RUN: tcc-opt %s --tcc-gpu-to-llvm='arch=80' | FileCheck %s --implicit-check-not=nvvm.barrier --implicit-check-not=nvvm.shfl
#wide = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#narrow = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.shared = 0
  // CHECK-LABEL: llvm.func @reorder
  // CHECK-COUNT-8: llvm.store
  tt.func public @reorder(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #wide>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #wide>
    %pp = tt.addptr %ps, %i : tensor<1024x!tt.ptr<f32>, #wide>, tensor<1024xi32, #wide>
    %x = tt.load %pp : tensor<1024x!tt.ptr<f32>, #wide>
    %y = tt.reshape %x allow_reorder : tensor<1024xf32, #wide> -> tensor<1024xf32, #narrow>
    %j = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #narrow>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #narrow>
    %qp = tt.addptr %qs, %j : tensor<1024x!tt.ptr<f32>, #narrow>, tensor<1024xi32, #narrow>
    tt.store %qp, %y : tensor<1024x!tt.ptr<f32>, #narrow>
    tt.return
  }
}
