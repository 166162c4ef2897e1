// A remainder is exact: one step if the quotient has few digits, and two nested loops around that step if it has many.
// Narrow types are computed in f32. No operation is contracted.
// RUN: tcc-opt --convert-triton-gpu-to-llvm %s | FileCheck %s --implicit-check-not=llvm.frem

module attributes {"ttg.num-warps" = 1 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @wide
  // CHECK-DAG: llvm.mlir.constant(0x4A800000 : f32)
  // CHECK-DAG: llvm.mlir.constant(2.38418579E-7 : f32)
  // CHECK: llvm.fcmp "ole"
  // CHECK: llvm.cond_br
  // CHECK: llvm.fcmp "ogt"
  // CHECK: llvm.cond_br
  // CHECK: llvm.fdiv %{{.*}}, %{{.*}} : f32
  // CHECK: llvm.br
  // CHECK: llvm.fdiv
  // CHECK-NEXT: llvm.intr.trunc
  // CHECK: llvm.intr.fma
  // CHECK: llvm.intr.copysign
  tt.func public @wide(%x: f32, %y: f32, %p: !tt.ptr<f32>) {
    %r = arith.remf %x, %y : f32
    tt.store %p, %r : !tt.ptr<f32>
    tt.return
  }

  // CHECK-LABEL: @narrow
  // CHECK-COUNT-2: llvm.fpext %{{.*}} : bf16 to f32
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  tt.func public @narrow(%x: bf16, %y: bf16, %p: !tt.ptr<bf16>) {
    %r = arith.remf %x, %y : bf16
    tt.store %p, %r : !tt.ptr<bf16>
    tt.return
  }
}
