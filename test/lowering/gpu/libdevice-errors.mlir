// RUN: tcc-opt %s --split-input-file --convert-triton-gpu-to-llvm=libdevice=%cuda/nvvm/libdevice/libdevice.10.bc --verify-diagnostics
// RUN: not tcc-opt %s --split-input-file --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tcc-opt %s --split-input-file --convert-triton-gpu-to-llvm=libdevice=/no/such/file 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// REQUIRES: cuda

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @unknown(%p: !tt.ptr<f32>, %x: f32) {
    // NONE: libdevice-errors.mlir:[[#@LINE+3]]:{{.*}}: error: '__nv_sinpi2' is in libdevice, which is part of the CUDA toolkit (12.8 or later); install it, or name its folder with --cuda-path
    // UNREADABLE: libdevice-errors.mlir:[[#@LINE+2]]:{{.*}}: error: cannot read libdevice: /no/such/file: No such file or directory
    // expected-error @+1 {{libdevice has no function '__nv_sinpi2'}}
    %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinpi2"} : (f32) -> f32
    tt.store %p, %0 : !tt.ptr<f32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @types(%p: !tt.ptr<f64>, %x: f64) {
    // expected-error @+1 {{libdevice's '__nv_sinf' has operands or a result of other types}}
    %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf"} : (f64) -> f64
    tt.store %p, %0 : !tt.ptr<f64>
    tt.return
  }
}

// -----

module {
  tt.func public @own(%p: !tt.ptr<f32>, %x: f32) {
    // expected-error @+1 {{names '__nv_sinf', which library 'tilecc' does not have}}
    %0 = tt.extern_elementwise %x {libname = "tilecc", libpath = "", pure = true, symbol = "__nv_sinf"} : (f32) -> f32
    tt.store %p, %0 : !tt.ptr<f32>
    tt.return
  }
}
