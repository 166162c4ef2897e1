// RUN: tcc-opt --convert-triton-gpu-to-llvm --split-input-file %s | FileCheck %s
// RUN: sed 's/cuda:90/cuda:80/' %s | tcc-opt --convert-triton-gpu-to-llvm --split-input-file | FileCheck %s --check-prefix=BITS

// One instruction converts two elements if the target has such instructions; otherwise the bits are computed.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @from_f32
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%{{.*}}, %{{.*}}) : (f32, f32) -> i16
  // CHECK-NOT: call_intrinsic
  // BITS-LABEL: @from_f32
  // BITS-NOT: nvvm.ff.to
  // BITS-COUNT-4: llvm.fadd
  tt.func public @from_f32(%x: f32, %p: !tt.ptr<f8E4M3FN>) {
    %a = tt.splat %x : f32 -> tensor<128xf32, #blocked>
    %b = tt.fp_to_fp %a, rounding = rtne : tensor<128xf32, #blocked> -> tensor<128xf8E4M3FN, #blocked>
    %q = tt.splat %p : !tt.ptr<f8E4M3FN> -> tensor<128x!tt.ptr<f8E4M3FN>, #blocked>
    tt.store %q, %b : tensor<128x!tt.ptr<f8E4M3FN>, #blocked>
    tt.return
  }

  // CHECK-LABEL: @from_f16
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%{{.*}}) : (vector<2xf16>) -> i16
  // BITS-LABEL: @from_f16
  // BITS: llvm.fpext
  tt.func public @from_f16(%x: f16, %p: !tt.ptr<f8E5M2>) {
    %a = tt.splat %x : f16 -> tensor<128xf16, #blocked>
    %b = tt.fp_to_fp %a, rounding = rtne : tensor<128xf16, #blocked> -> tensor<128xf8E5M2, #blocked>
    %q = tt.splat %p : !tt.ptr<f8E5M2> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    tt.store %q, %b : tensor<128x!tt.ptr<f8E5M2>, #blocked>
    tt.return
  }

  // f64 is first rounded to odd in f32: the code compares it with the rounded value.
  // CHECK-LABEL: @from_f64
  // CHECK: llvm.fptrunc %{{.*}} : f64 to f32
  // CHECK: llvm.fcmp "one"
  // CHECK: llvm.nvvm.ff.to.e5m2x2.rn
  tt.func public @from_f64(%x: f64, %p: !tt.ptr<f8E5M2>) {
    %b = tt.fp_to_fp %x, rounding = rtne : f64 -> f8E5M2
    tt.store %p, %b : !tt.ptr<f8E5M2>
    tt.return
  }

  // CHECK-LABEL: @to_bf16
  // CHECK: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.*}}) : (i16) -> vector<2xf16>
  // CHECK: llvm.fpext
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  // BITS-LABEL: @to_bf16
  // BITS-NOT: call_intrinsic
  // BITS: llvm.fmul
  tt.func public @to_bf16(%q: !tt.ptr<f8E4M3FN>, %p: !tt.ptr<bf16>) {
    %x = tt.load %q : !tt.ptr<f8E4M3FN>
    %b = tt.fp_to_fp %x : f8E4M3FN -> bf16
    tt.store %p, %b : !tt.ptr<bf16>
    tt.return
  }

  // Pairs of e5m2 are permuted to the upper bytes of f16 by one instruction.
  // BITS-LABEL: @from_e5m2
  // BITS-COUNT-2: llvm.call_intrinsic "llvm.nvvm.prmt"
  // BITS-NOT: llvm.nvvm.prmt
  tt.func public @from_e5m2(%q: !tt.ptr<f8E5M2>, %p: !tt.ptr<f16>) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    %qs = tt.splat %q : !tt.ptr<f8E5M2> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %qa = tt.addptr %qs, %r : tensor<128x!tt.ptr<f8E5M2>, #blocked>, tensor<128xi32, #blocked>
    %x = tt.load %qa : tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %b = tt.fp_to_fp %x : tensor<128xf8E5M2, #blocked> -> tensor<128xf16, #blocked>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %pa = tt.addptr %ps, %r : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    tt.store %pa, %b : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // Constants are bytes, and all other operations move bytes.
  // CHECK-LABEL: @constants
  // CHECK-DAG: llvm.mlir.constant(56 : i8)
  // CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i8
  tt.func public @constants(%c: i1, %p: !tt.ptr<f8E4M3FN>) {
    %x = tt.load %p : !tt.ptr<f8E4M3FN>
    %one = arith.constant 1.0 : f8E4M3FN
    %b = arith.select %c, %x, %one : f8E4M3FN
    tt.store %p, %b : !tt.ptr<f8E4M3FN>
    tt.return
  }
}
