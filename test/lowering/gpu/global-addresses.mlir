// If a thread makes many accesses with known strides, it keeps one address and computes the others from it.
// RUN: tcc-opt %s --tcc-ttgir --tcc-gpu-to-llvm | tcc-translate --to-ptx | FileCheck %s

// 64 rows of 64 columns by 128 threads: 32 accesses each. The loop carries one address, and adds a step for each bit of
// 32.
// CHECK-LABEL: .entry rows(
// CHECK-NOT: mul.lo
// CHECK: ld.global.b16 %rs{{[0-9]+}}, [[[ADDRESS:%rd[0-9]+]]];
// CHECK-NEXT: add.s64 [[NEXT:%rd[0-9]+]], [[ADDRESS]], %rd{{[0-9]+}};
// CHECK-NEXT: ld.global.b16 %rs{{[0-9]+}}, [[[NEXT]]];
// CHECK-COUNT-30: ld.global.b16
// CHECK: add.s64 [[ADDRESS]], [[ADDRESS]], 128;
// CHECK-NOT: , 128;
// CHECK: st.global.b16
tt.func public @rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %n: i32, %stride: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %further = arith.constant dense<64> : tensor<64x64xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %strides = tt.splat %stride : i32 -> tensor<64x1xi32>
  %starts = arith.muli %rows, %strides : tensor<64x1xi32>
  %a = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %b = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %a, %b : tensor<64x64xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %first = tt.addptr %base, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %sum:2 = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero, %at = %first)
      -> (tensor<64x64xf16>, tensor<64x64x!tt.ptr<f16>>) : i32 {
    %x = tt.load %at : tensor<64x64x!tt.ptr<f16>>
    %t = arith.addf %s, %x : tensor<64x64xf16>
    %next = tt.addptr %at, %further : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    scf.yield %t, %next : tensor<64x64xf16>, tensor<64x64x!tt.ptr<f16>>
  }
  %to = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %place = tt.addptr %to, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  tt.store %place, %sum#0 : tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// Constant strides become immediate offsets of the instructions.
// CHECK-LABEL: .entry constants(
// CHECK: st.global.b32 [%rd[[#AT:]]],
// CHECK-NEXT: st.global.b32 [%rd[[#AT]]+1024],
// CHECK-COUNT-14: st.global.b32 [%rd[[#AT]]+
tt.func public @constants(%q: !tt.ptr<f32>) {
  %c = arith.constant dense<2> : tensor<2048xi32>
  %r = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %offsets = arith.muli %r, %c : tensor<2048xi32>
  %one = arith.constant dense<1.0> : tensor<2048xf32>
  %to = tt.splat %q : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %place = tt.addptr %to, %offsets : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  tt.store %place, %one : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// A zero-extended number may be too large for a signed one, so each address is computed.
// CHECK-LABEL: .entry unsigned(
// CHECK-COUNT-16: mul.wide.u32
tt.func public @unsigned(%q: !tt.ptr<f32>, %stride: i32) {
  %s = tt.splat %stride : i32 -> tensor<2048xi32>
  %r = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %product = arith.muli %r, %s : tensor<2048xi32>
  %offsets = arith.extui %product : tensor<2048xi32> to tensor<2048xi64>
  %one = arith.constant dense<1.0> : tensor<2048xf32>
  %to = tt.splat %q : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %place = tt.addptr %to, %offsets : tensor<2048x!tt.ptr<f32>>, tensor<2048xi64>
  tt.store %place, %one : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: .entry unsigned_number(
// CHECK-NOT: mul.wide.s32
// CHECK: ret;
tt.func public @unsigned_number(%q: !tt.ptr<f32>, %stride: i32) {
  %long = arith.extui %stride : i32 to i64
  %s = tt.splat %long : i64 -> tensor<2048xi64>
  %r = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
  %rows = arith.extsi %r : tensor<2048xi32> to tensor<2048xi64>
  %offsets = arith.muli %rows, %s : tensor<2048xi64>
  %one = arith.constant dense<1.0> : tensor<2048xf32>
  %to = tt.splat %q : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %place = tt.addptr %to, %offsets : tensor<2048x!tt.ptr<f32>>, tensor<2048xi64>
  tt.store %place, %one : tensor<2048x!tt.ptr<f32>>
  tt.return
}
