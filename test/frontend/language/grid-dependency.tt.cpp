// Launches that overlap: accesses do not move across grid_dependency_wait and grid_dependency_launch, in any order of
// passes. GPUs of 9.0 and later have instructions for them; on others, and on the CPU, launches do not overlap.
//
// RUN: %raise %s | FileCheck %s
// RUN: %raise %s | tcc-opt --tcc-ttir | FileCheck %s
// RUN: tcc --emit=ptx -arch=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: tcc --emit=ptx -arch=compute_90 %s | FileCheck %s --check-prefix=PTX
// RUN: tcc --emit=ptx -arch=sm_80 %s | FileCheck %s --check-prefix=OLD
// RUN: tcc --emit=cpu-llvm %s | FileCheck %s --check-prefix=OLD
#include <tilecc/tt.h>

// CHECK-LABEL: @chained(
// CHECK: %[[W:.*]] = tt.load
// CHECK: tt.grid_dependency_launch
// CHECK: tt.grid_dependency_wait
// CHECK: %[[X:.*]] = tt.load
// CHECK: arith.addf %[[X]], %[[W]]
// CHECK: tt.store
// PTX: ld.global
// PTX-NOT: ld.global
// PTX: griddepcontrol.launch_dependents;
// PTX-NOT: ld.global
// PTX: griddepcontrol.wait;
// PTX: ld.global
// PTX: st.global
// OLD-NOT: griddepcontrol
extern "C" __tile_global__ void chained(const float *x, const float *w, float *out) {
  auto i = tt::arange<256>();
  auto weights = tt::load(w + i);
  tt::grid_dependency_launch();
  tt::grid_dependency_wait();
  tt::store(out + i, tt::load(x + i) + weights);
}
