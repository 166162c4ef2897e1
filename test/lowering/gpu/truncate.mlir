// Floats are rounded to 16 bits in pairs, by one GPU instruction that also packs them. A single float is rounded by an
// instruction of its own.
// RUN: tcc-opt %s --convert-triton-gpu-to-llvm | FileCheck %s

#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // CHECK-LABEL: llvm.func @pairs
  // CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
  // CHECK-NOT: llvm.fptrunc
  // CHECK: llvm.return
  tt.func public @pairs(%p: !tt.ptr<bf16>, %x: f32) {
    %v = tt.splat %x : f32 -> tensor<256xf32, #two>
    %h = arith.truncf %v : tensor<256xf32, #two> to tensor<256xbf16, #two>
    %s = tt.splat %p : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>, #two>
    tt.store %s, %h : tensor<256x!tt.ptr<bf16>, #two>
    tt.return
  }
  // CHECK-LABEL: llvm.func @single
  // CHECK: llvm.fptrunc %{{.*}} : f32 to f16
  tt.func public @single(%p: !tt.ptr<f16>, %x: f32) {
    %v = tt.splat %x : f32 -> tensor<128xf32, #one>
    %h = arith.truncf %v : tensor<128xf32, #one> to tensor<128xf16, #one>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #one>
    tt.store %s, %h : tensor<128x!tt.ptr<f16>, #one>
    tt.return
  }
}
