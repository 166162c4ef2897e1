// RUN: tcc-opt %s --normalize-locations --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: @f
tt.func public @f(%x: f32) {
  // CHECK-NEXT: arith.addf {{.*}} loc("a.cpp":1:2)
  %0 = arith.addf %x, %x : f32 loc("name"("a.cpp":1:2))
  // CHECK-NEXT: arith.subf {{.*}} loc("a.cpp":3:4)
  %1 = arith.subf %x, %x : f32 loc(callsite(unknown at "a.cpp":3:4))
  // CHECK-NEXT: arith.mulf {{.*}} loc(callsite("b.h":5:6 at "a.cpp":7:8))
  %2 = arith.mulf %x, %x : f32 loc(callsite("n"("b.h":5:6) at "a.cpp":7:8))
  // CHECK-NEXT: arith.divf {{.*}} loc("c.h":9:1)
  %3 = arith.divf %x, %x : f32 loc(fused[unknown, "c.h":9:1])
  // CHECK-NEXT: arith.negf {{.*}} loc(unknown)
  %4 = arith.negf %x : f32 loc(callsite(unknown at unknown))
  tt.return
}
