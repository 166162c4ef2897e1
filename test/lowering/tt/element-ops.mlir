// Elementwise operations, atomic accesses, library functions, assembly and messages print as Triton 3.6 prints them.
// RUN: tcc-opt %s | FileCheck %s
// RUN: tcc-opt %s -mlir-print-op-generic | tcc-opt | FileCheck %s

// CHECK-LABEL: @combine
tt.func @combine(%x: tensor<8x16xf32>, %i: tensor<8x16xi32>) {
  // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 1 : i32}> ({
  // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK: (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %0:2 = "tt.reduce"(%x, %i) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tt.reduce.return %a, %d : f32, i32
  }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK: "tt.scan"(%{{.*}}, %{{.*}}) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: tt.scan.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK: (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8x16xf32>, tensor<8x16xi32>)
  %1:2 = "tt.scan"(%x, %i) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    tt.scan.return %c, %b : f32, i32
  }) : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8x16xf32>, tensor<8x16xi32>)
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 2 : i32}> ({
  // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : i32, i32
  %2 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.fptosi %a : f32 to i32
    tt.map_elementwise.return %c, %c : i32, i32
  }) : (tensor<8x16xf32>) -> tensor<8x16xi32>
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 1 : i32}> ({
  // CHECK: cf.cond_br
  // CHECK: tt.map_elementwise.return
  // CHECK: tt.map_elementwise.return
  %3 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    %c = arith.cmpf olt, %a, %a : f32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.map_elementwise.return %a : f32
  ^bb2:
    %n = arith.negf %a : f32
    tt.map_elementwise.return %n : f32
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  tt.return
}

// CHECK-LABEL: @atomics
tt.func @atomics(%p: tensor<16x!tt.ptr<i32>>, %v: tensor<16xi32>, %m: tensor<16xi1>, %q: !tt.ptr<f16>, %h: f16, %t: i1) {
  // CHECK: tt.atomic_rmw add, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %m : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
  // CHECK: tt.atomic_rmw umax, relaxed, cta, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) -> tensor<16xi32>
  %1 = tt.atomic_rmw umax, relaxed, cta, %p, %v : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) -> tensor<16xi32>
  // CHECK: tt.atomic_rmw exch, acquire, sys, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) -> tensor<16xi32>
  %2 = tt.atomic_rmw exch, acquire, sys, %p, %v : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) -> tensor<16xi32>
  // CHECK: tt.atomic_rmw fadd, release, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<f16>, f16, i1) -> f16
  %3 = tt.atomic_rmw fadd, release, gpu, %q, %h, %t : (!tt.ptr<f16>, f16, i1) -> f16
  // CHECK: tt.atomic_cas acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  %4 = tt.atomic_cas acq_rel, gpu, %p, %v, %v : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  tt.return
}

// CHECK-LABEL: @math
tt.func @math(%x: tensor<16xf32>, %i: tensor<16xi32>, %s: f64) {
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<16xi32>
  %0 = tt.mulhiui %i, %i : tensor<16xi32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<16xf32>
  %1 = tt.precise_divf %x, %x : tensor<16xf32>
  // CHECK: tt.precise_sqrt %{{.*}} : f64
  %2 = tt.precise_sqrt %s : f64
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %3 = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  // CHECK: tt.elementwise_inline_asm "shl.b32 $0, $1, 3;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<16xi32> -> tensor<16xi32>
  %4 = tt.elementwise_inline_asm "shl.b32 $0, $1, 3;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %i : tensor<16xi32> -> tensor<16xi32>
  // CHECK: tt.elementwise_inline_asm "{{.*}}" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = false} %{{.*}} : tensor<16xi32> -> tensor<16xi8>, tensor<16xi32>
  %5:2 = tt.elementwise_inline_asm "mov.b32 $0, $2;" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = false} %i : tensor<16xi32> -> tensor<16xi8>, tensor<16xi32>
  tt.return
}

// CHECK-LABEL: @calls
tt.func @calls(%p: !tt.ptr<i32>, %x: tensor<256xf32>, %y: tensor<8x8xf64>) {
  // CHECK: tt.call_threads once "f"(%{{.*}}) : (!tt.ptr<i32>) -> i32
  %0 = tt.call_threads once "f"(%p) : (!tt.ptr<i32>) -> i32
  // CHECK: tt.call_threads all "g"(%{{.*}}, %{{.*}}) : (!tt.ptr<i32>, i32) -> ()
  tt.call_threads all "g"(%p, %0) : (!tt.ptr<i32>, i32) -> ()
  // CHECK: tt.call_threads items "h"(%{{.*}}, %{{.*}}) {threads = 128 : i32} : (tensor<256xf32>, i32) -> tensor<256xf32>
  %1 = tt.call_threads items "h"(%x, %0) {threads = 128 : i32} : (tensor<256xf32>, i32) -> tensor<256xf32>
  // CHECK: tt.call_threads shared "s"(%{{.*}}, %{{.*}}) : (tensor<8x8xf64>, tensor<256xf32>) -> (tensor<8x8xf64>, tensor<256xf32>)
  %2:2 = tt.call_threads shared "s"(%y, %1) : (tensor<8x8xf64>, tensor<256xf32>) -> (tensor<8x8xf64>, tensor<256xf32>)
  tt.return
}

// CHECK-LABEL: @messages
tt.func @messages(%x: tensor<16xf32>, %i: i32, %c: tensor<16xi1>) {
  // CHECK: tt.print " v is: " {hex = false, isSigned = array<i32: 0, 1>} : %{{.*}}, %{{.*}} : tensor<16xf32>, i32
  tt.print " v is: " {hex = false, isSigned = array<i32: 0, 1>} : %x, %i : tensor<16xf32>, i32
  // CHECK: tt.print " just text" {hex = false, isSigned = array<i32>}
  tt.print " just text" {hex = false, isSigned = array<i32>}
  // CHECK: tt.assert %{{.*}}, "positive please" : tensor<16xi1>
  tt.assert %c, "positive please" : tensor<16xi1>
  tt.return
}

// CHECK-LABEL: @float8
tt.func @float8(%x: tensor<16xf32>, %h: f16) {
  // CHECK: %[[X:.*]] = tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<16xf32> -> tensor<16xf8E4M3FN>
  %0 = tt.fp_to_fp %x, rounding = rtne : tensor<16xf32> -> tensor<16xf8E4M3FN>
  // CHECK: tt.fp_to_fp %[[X]] : tensor<16xf8E4M3FN> -> tensor<16xbf16>
  %1 = tt.fp_to_fp %0 : tensor<16xf8E4M3FN> -> tensor<16xbf16>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : f16 -> f8E5M2
  %2 = tt.fp_to_fp %h, rounding = rtz : f16 -> f8E5M2
  tt.return
}
