// RUN: tcc-opt %s --tritongpu-global-scratch-memory-allocation --verify-diagnostics

tt.func private @f() -> !tt.ptr<i8> {
  // expected-error @+1 {{'ttg.global_scratch_alloc' op stands in a function that is not inlined, which has no scratch space}}
  %0 = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
  tt.return %0 : !tt.ptr<i8>
}
