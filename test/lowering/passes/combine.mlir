// RUN: tcc-opt %s --triton-combine | FileCheck %s

// CHECK-LABEL: @dot_add
// CHECK-SAME: %[[A:arg0]]: {{.*}}, %[[B:arg1]]: {{.*}}, %[[C:arg2]]: tensor<16x16xf32>
// CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK-NEXT: tt.return %[[D]]
tt.func @dot_add(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// The dot also has another use.
// CHECK-LABEL: @dot_add_two_uses
// CHECK: arith.addf
tt.func @dot_add_two_uses(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %a, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  tt.return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: @addptr
// CHECK: %[[SUM:.*]] = arith.constant 12 : i32
// CHECK: tt.addptr %arg0, %[[SUM]]
// CHECK-NOT: tt.addptr
tt.func @addptr(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = tt.addptr %p, %c5 : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %c7 : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @select_of_load
// CHECK: %[[ONE:.*]] = arith.constant dense<1.0{{.*}}>
// CHECK: %[[V:.*]] = tt.load %arg0, %arg1, %[[ONE]]
// CHECK-NEXT: tt.return %[[V]]
tt.func @select_of_load(%p: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>) -> tensor<16xf32> {
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %one : tensor<16xi1>, tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// The masks differ: where the select's mask is true, the loaded value counts.
// CHECK-LABEL: @select_of_other_load
// CHECK: arith.select
tt.func @select_of_other_load(%p: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>, %n: tensor<16xi1>) -> tensor<16xf32> {
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %n, %0, %one : tensor<16xi1>, tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// Reversed along the first and the last of three axes of size two (the tile with ones comes from a reshape or an
// expand_dims): bits 2 and 0 of the position. A sum or another axis is something else.
// CHECK-LABEL: @reversed_bits
// CHECK-DAG: %[[FIVE:.*]] = arith.constant dense<5> : tensor<8xi32>
// CHECK-DAG: %[[PLACE:.*]] = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
// CHECK: %[[OTHER:.*]] = arith.xori %[[PLACE]], %[[FIVE]]
// CHECK: %[[E:.*]] = tt.expand_dims %[[OTHER]] {axis = 0 : i32}
// CHECK: %[[I:.*]] = tt.broadcast %[[E]] : tensor<1x8xi32> -> tensor<4x8xi32>
// CHECK: %[[R:.*]] = tt.gather %arg0[%[[I]]] {axis = 1 : i32}
// CHECK: tt.return %[[R]]
tt.func @reversed_bits(%x: tensor<4x8xi16>) -> tensor<4x8xi16> {
  %y = tt.reshape %x : tensor<4x8xi16> -> tensor<4x2x2x2xi16>
  %0 = "tt.reduce"(%y) <{axis = 1 : i32}> ({
  ^bb0(%a: i16, %b: i16):
    %c = arith.xori %a, %b : i16
    tt.reduce.return %c : i16
  }) : (tensor<4x2x2x2xi16>) -> tensor<4x2x2xi16>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4x2x2xi16> -> tensor<4x1x2x2xi16>
  %2 = tt.broadcast %1 : tensor<4x1x2x2xi16> -> tensor<4x2x2x2xi16>
  %3 = arith.xori %y, %2 : tensor<4x2x2x2xi16>
  %4 = "tt.reduce"(%3) <{axis = 3 : i32}> ({
  ^bb0(%a: i16, %b: i16):
    %c = arith.xori %a, %b : i16
    tt.reduce.return %c : i16
  }) : (tensor<4x2x2x2xi16>) -> tensor<4x2x2xi16>
  %5 = tt.reshape %4 : tensor<4x2x2xi16> -> tensor<4x2x2x1xi16>
  %6 = tt.broadcast %5 : tensor<4x2x2x1xi16> -> tensor<4x2x2x2xi16>
  %7 = arith.xori %3, %6 : tensor<4x2x2x2xi16>
  %8 = tt.reshape %7 : tensor<4x2x2x2xi16> -> tensor<4x8xi16>
  tt.return %8 : tensor<4x8xi16>
}
// CHECK-LABEL: @sums_of_bits
// CHECK: tt.reduce
// CHECK-NOT: tt.gather
tt.func @sums_of_bits(%x: tensor<8xi16>) -> (tensor<8xi16>, tensor<8xi16>) {
  %y = tt.reshape %x : tensor<8xi16> -> tensor<2x2x2xi16>
  %0 = "tt.reduce"(%y) <{axis = 1 : i32}> ({
  ^bb0(%a: i16, %b: i16):
    %c = arith.addi %a, %b : i16
    tt.reduce.return %c : i16
  }) : (tensor<2x2x2xi16>) -> tensor<2x2xi16>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<2x2xi16> -> tensor<2x1x2xi16>
  %2 = tt.broadcast %1 : tensor<2x1x2xi16> -> tensor<2x2x2xi16>
  %3 = arith.xori %y, %2 : tensor<2x2x2xi16>
  %4 = tt.reshape %3 : tensor<2x2x2xi16> -> tensor<8xi16>
  %5 = "tt.reduce"(%y) <{axis = 2 : i32}> ({
  ^bb0(%a: i16, %b: i16):
    %c = arith.xori %a, %b : i16
    tt.reduce.return %c : i16
  }) : (tensor<2x2x2xi16>) -> tensor<2x2xi16>
  %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<2x2xi16> -> tensor<2x1x2xi16>
  %7 = tt.broadcast %6 : tensor<2x1x2xi16> -> tensor<2x2x2xi16>
  %8 = arith.xori %y, %7 : tensor<2x2x2xi16>
  %9 = tt.reshape %8 : tensor<2x2x2xi16> -> tensor<8xi16>
  tt.return %4, %9 : tensor<8xi16>, tensor<8xi16>
}

// CHECK-LABEL: @narrow_arithmetic
// CHECK-SAME: %[[X:.*]]: tensor<64xf16>, %[[Y:.*]]: tensor<64xf16>
tt.func @narrow_arithmetic(%x: tensor<64xf16>, %y: tensor<64xf16>) -> (tensor<64xf16>, tensor<64xf16>) {
  %a = arith.extf %x : tensor<64xf16> to tensor<64xf32>
  %b = arith.extf %y : tensor<64xf16> to tensor<64xf32>
  // CHECK-DAG: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : tensor<64xf16>
  // CHECK-DAG: %[[DIFFERENCE:.*]] = arith.subf %[[X]], %[[Y]] : tensor<64xf16>
  %c = arith.mulf %a, %a : tensor<64xf32>
  %d = arith.subf %a, %b : tensor<64xf32>
  %e = arith.truncf %c : tensor<64xf32> to tensor<64xf16>
  %f = arith.truncf %d : tensor<64xf32> to tensor<64xf16>
  // CHECK: tt.return %[[SQUARE]], %[[DIFFERENCE]]
  tt.return %e, %f : tensor<64xf16>, tensor<64xf16>
}

// Neither a sum of a product nor a product that is also used in f32 is narrowed, nor one of another type.
// CHECK-LABEL: @wide_arithmetic
// CHECK-NOT: arith.{{addf|mulf}} {{.*}}f16
tt.func @wide_arithmetic(%x: tensor<64xf16>, %z: tensor<64xbf16>) -> (tensor<64xf16>, tensor<64xf32>, tensor<64xf16>) {
  %a = arith.extf %x : tensor<64xf16> to tensor<64xf32>
  %b = arith.extf %z : tensor<64xbf16> to tensor<64xf32>
  %c = arith.mulf %a, %a : tensor<64xf32>
  %d = arith.addf %c, %a : tensor<64xf32>
  %e = arith.truncf %d : tensor<64xf32> to tensor<64xf16>
  %f = arith.mulf %a, %b : tensor<64xf32>
  %g = arith.truncf %f : tensor<64xf32> to tensor<64xf16>
  tt.return %e, %c, %g : tensor<64xf16>, tensor<64xf32>, tensor<64xf16>
}
