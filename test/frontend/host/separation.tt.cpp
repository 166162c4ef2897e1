// Options that instrument, harden or tune host code do not affect kernels: their TTIR is the same.
//
// RUN: %raise --debug-locations %s > %t.plain
// RUN: FileCheck %s < %t.plain
// RUN: %raise --debug-locations -fsanitize=undefined,address -fsanitize-trap=undefined %s | diff %t.plain -
// RUN: %raise --debug-locations -fprofile-instr-generate %s | diff %t.plain -
// RUN: %raise --debug-locations -gline-tables-only -O0 %s | diff %t.plain -
// RUN: %raise %s > %t.unnamed && %raise -g -O0 %s | diff %t.unnamed - && %raise --debug-locations -g %s | FileCheck %s --check-prefix=NAMED
// RUN: %raise --debug-locations -O3 -ffast-math -fwrapv -fstack-protector-all -ftrivial-auto-var-init=pattern %s | diff %t.plain -
// RUN: %raise --debug-locations -ftrapv -fno-exceptions -fno-rtti -march=x86-64-v4 %s | diff %t.plain -
// RUN: %raise --debug-locations -pg -finstrument-functions -fcf-protection=full %s | diff %t.plain -
//
// With -g, locations of values contain the names of variables.
// NAMED: loc("acc"(#loc
//
// The host's code is affected:
// RUN: %raise --host-llvm -fsanitize=undefined %s | FileCheck %s --check-prefix=UBSAN
// RUN: %raise --host-llvm -fprofile-instr-generate %s | FileCheck %s --check-prefix=PROFILE
// RUN: %raise --host-llvm -g %s | FileCheck %s --check-prefix=DEBUG
#include <bits/stdc++.h>
#include <tilecc/tt.h>

int add(int a, int b) { return a + b; }

__tile_global__ void kernel(float *x, const tt::float16 *h, int n) {
  auto acc = tt::zeros<float, 64>();
  for (int i = 0; i < n; ++i)
    acc += tt::load(x + i * n + tt::arange<64>());
  tt::store(x + tt::arange<64>(), acc);
  x[64] = h[0] * h[1] + h[2];
}

// CHECK: tt.func public @{{.*}}kernel
// CHECK: scf.for
// CHECK-NOT: fastmath
// CHECK: arith.mulf {{.*}} : f16
// UBSAN: call void @__ubsan_handle_add_overflow
// PROFILE: call void @llvm.instrprof.increment
// DEBUG: !DISubprogram(name: "kernel", linkageName: "_Z6kernelPfPKDF16_i"
