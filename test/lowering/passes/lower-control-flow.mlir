// RUN: tcc-opt %s --tritongpu-lower-control-flow | FileCheck %s

// Loops and branches become blocks. The region of a combiner stays a single block.
// CHECK-LABEL: @f
// CHECK-NOT: scf.for
// CHECK: cf.cond_br
// CHECK: "tt.reduce"
// CHECK: scf.if
// CHECK: tt.reduce.return
tt.func public @f(%x: tensor<512xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %c = arith.cmpf olt, %l, %r : f32
      %z = scf.if %c -> (f32) {
        scf.yield %l : f32
      } else {
        scf.yield %r : f32
      }
      tt.reduce.return %z : f32
    }) : (tensor<512xf32>) -> f32
  }
  tt.return
}
