// Branches pass tiles register by register. A combiner with a branch is copied to each place where elements are
// combined.
// RUN: tcc-opt %s --tcc-ttir --tcc-ttgir --tcc-gpu-to-llvm | FileCheck %s
// RUN: tcc-opt %s --tcc-ttir --tcc-ttgir --tcc-gpu-to-llvm | tcc-translate --to-ptx | FileCheck %s --check-prefix=PTX

// An early return, a while loop that carries a tile of two registers, and a conditional inside that loop.
// CHECK-LABEL: llvm.func @flow(%arg0: !llvm.ptr<1>, %arg1: i32)
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 128>
// CHECK: llvm.cond_br %{{.*}}, ^[[EXIT:bb[0-9]+]], ^[[BODY:bb[0-9]+]]
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: llvm.return
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32)
// CHECK: ^[[HEAD]](%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// CHECK-NOT: unrealized_conversion_cast
// CHECK-LABEL: llvm.func @argmax
// PTX-LABEL: .visible .entry flow(
tt.func public @flow(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %stop = arith.cmpi slt, %n, %c1 : i32
  cf.cond_br %stop, ^exit, ^body
^exit:
  tt.return
^body:
  %r = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %a = tt.addptr %s, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  %v = tt.load %a : tensor<256x!tt.ptr<i32>>
  %w:2 = scf.while (%i = %c0, %t = %v) : (i32, tensor<256xi32>) -> (i32, tensor<256xi32>) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %t : i32, tensor<256xi32>
  } do {
  ^bb0(%i: i32, %t: tensor<256xi32>):
    %odd = arith.trunci %i : i32 to i1
    %u = scf.if %odd -> (tensor<256xi32>) {
      %x = arith.addi %t, %v : tensor<256xi32>
      scf.yield %x : tensor<256xi32>
    } else {
      %x = arith.muli %t, %v : tensor<256xi32>
      scf.yield %x : tensor<256xi32>
    }
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %u : i32, tensor<256xi32>
  }
  tt.store %a, %w#1 : tensor<256x!tt.ptr<i32>>
  tt.return
}

// PTX-LABEL: .visible .entry argmax(
// PTX: shfl.sync.bfly.b32
tt.func public @argmax(%x: !tt.ptr<f32>, %q: !tt.ptr<i32>) {
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %s = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %v = tt.load %a : tensor<128x!tt.ptr<f32>>
  %m:2 = "tt.reduce"(%v, %r) <{axis = 0 : i32}> ({
  ^bb0(%lv: f32, %li: i32, %rv: f32, %ri: i32):
    %c = arith.cmpf ogt, %lv, %rv : f32
    %z:2 = scf.if %c -> (f32, i32) {
      scf.yield %lv, %li : f32, i32
    } else {
      scf.yield %rv, %ri : f32, i32
    }
    tt.reduce.return %z#0, %z#1 : f32, i32
  }) : (tensor<128xf32>, tensor<128xi32>) -> (f32, i32)
  tt.store %q, %m#1 : !tt.ptr<i32>
  tt.return
}

// A value that is undefined on one path, a struct parameter, and an assumption.
// PTX-LABEL: .visible .entry poison(
tt.func public @poison(%s: !llvm.struct<(ptr, i32)>, %c: i1) {
  %n = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i32)>
  %g = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i32)>
  %addr = llvm.ptrtoint %g : !llvm.ptr to i64
  %p = tt.int_to_ptr %addr : i64 -> !tt.ptr<i32>
  %c0 = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  llvm.intr.assume %positive : i1
  %none = ub.poison : tensor<128xi32>
  %v = scf.if %c -> (tensor<128xi32>) {
    %t = tt.splat %n : i32 -> tensor<128xi32>
    scf.yield %t : tensor<128xi32>
  } else {
    scf.yield %none : tensor<128xi32>
  }
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %a = tt.addptr %ps, %r : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  tt.store %a, %v : tensor<128x!tt.ptr<i32>>
  tt.return
}
