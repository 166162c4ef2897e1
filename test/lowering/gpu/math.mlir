// Functions on a GPU: hardware instructions if there are any, otherwise formulas, and calls of libdevice.
// RUN: tcc-opt %s --convert-triton-gpu-to-llvm=libdevice=%cuda/nvvm/libdevice/libdevice.10.bc | FileCheck %s
// RUN: tcc-opt %s --convert-triton-gpu-to-llvm="libdevice=%cuda/nvvm/libdevice/libdevice.10.bc fmad=false prec-div=true prec-sqrt=true" | FileCheck %s --check-prefix=PRECISE
// RUN: tcc-opt %s --convert-triton-gpu-to-llvm="libdevice=%cuda/nvvm/libdevice/libdevice.10.bc fast-math=true ftz=true" | FileCheck %s --check-prefix=FAST
// REQUIRES: cuda

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // CHECK: llvm.func @__nv_sinpif(f32) -> f32
  // FAST: llvm.func @f({{.*}}) attributes {denormal_fp_math_f32 = "preserve-sign,preserve-sign"
  // CHECK-LABEL: llvm.func @f(
  // PRECISE-LABEL: llvm.func @f(
  tt.func public @f(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: f32, %y: f32, %i: i32) {
    // CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
    %0 = tt.precise_sqrt %x : f32
    tt.store %p, %0 : !tt.ptr<f32>
    // CHECK: llvm.fdiv
    %1 = tt.precise_divf %x, %y : f32
    tt.store %p, %1 : !tt.ptr<f32>
    // CHECK: "llvm.nvvm.mulhi.ui"
    %2 = tt.mulhiui %i, %i : i32
    tt.store %q, %2 : !tt.ptr<i32>
    // CHECK: "llvm.nvvm.rsqrt.approx.f"
    // FAST: "llvm.nvvm.rsqrt.approx.ftz.f"
    %3 = math.rsqrt %x : f32
    tt.store %p, %3 : !tt.ptr<f32>
    // CHECK: "llvm.nvvm.div.full"
    // PRECISE: llvm.fdiv %{{.*}}, %{{.*}} : f32
    // FAST: "llvm.nvvm.div.approx.ftz.f"
    %4 = arith.divf %x, %y : f32
    tt.store %p, %4 : !tt.ptr<f32>
    // CHECK: "llvm.nvvm.sqrt.approx.f"
    // PRECISE: llvm.intr.sqrt
    // FAST: "llvm.nvvm.sqrt.approx.ftz.f"
    %5 = math.sqrt %x : f32
    tt.store %p, %5 : !tt.ptr<f32>
    // CHECK: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
    // PRECISE: llvm.fmul %{{.*}}, %{{.*}} : f32
    %6 = arith.mulf %x, %y : f32
    tt.store %p, %6 : !tt.ptr<f32>
    // CHECK: llvm.call @__nv_sinpif(
    %7 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinpif"} : (f32) -> f32
    tt.store %p, %7 : !tt.ptr<f32>
    // A large angle branches to code that uses a table of the digits of 2/pi.
    // CHECK: llvm.intr.fma
    // CHECK: llvm.cond_br
    // CHECK: llvm.mlir.addressof @two_over_pi.i32
    // FAST: "llvm.nvvm.sin.approx.ftz.f"
    %8 = math.sin %x : f32
    tt.store %p, %8 : !tt.ptr<f32>
    // FAST: tanh.approx.f32
    %9 = tt.extern_elementwise %x {libname = "tilecc", libpath = "", pure = true, symbol = "__nv_tanhf"} : (f32) -> f32
    tt.store %p, %9 : !tt.ptr<f32>
    // FAST: "llvm.nvvm.lg2.approx.ftz.f"
    // FAST: "llvm.nvvm.ex2.approx.ftz"
    %10 = tt.extern_elementwise %x, %y {libname = "tilecc", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
    tt.store %p, %10 : !tt.ptr<f32>
    tt.return
  }
}
