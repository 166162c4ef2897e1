// RUN: tcc-opt %s --tcc-ttir --tcc-ttgir='arch=80' --tcc-gpu-to-llvm='arch=80' | FileCheck %s
// Divisions that round up or down are divisions that round towards zero, with a correction.

// CHECK-LABEL: @quotients
// CHECK-DAG: llvm.sdiv
// CHECK-DAG: llvm.udiv
// CHECK-NOT: arith.
tt.func public @quotients(%p: !tt.ptr<i32>, %a: i32, %b: i32) {
  %x = arith.ceildivsi %a, %b : i32
  %y = arith.ceildivui %a, %b : i32
  %z = arith.floordivsi %a, %b : i32
  %s = arith.addi %x, %y : i32
  %t = arith.addi %s, %z : i32
  tt.store %p, %t : !tt.ptr<i32>
  tt.return
}
