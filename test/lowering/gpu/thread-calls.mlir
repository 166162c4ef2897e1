// Calls of code for threads: the barriers, the threads that call, and how arguments and results are passed.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s
// RUN: sed '/^#two/s/sizePerThread = .2./sizePerThread = [1]/' %s > %t.mlir
// RUN: not tcc-opt %t.mlir --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: 'tt.call_threads' op takes the items of a thread, which must be neighbours, from 'tensor<256xf32

#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Each function is declared once, with generic pointers.
// CHECK-DAG: llvm.func @f(!llvm.ptr, i32) -> i32 attributes {convergent}
// CHECK-DAG: llvm.func @g(f32) attributes {convergent}

// One thread calls, and shared memory passes its result to the others.
// CHECK-LABEL: llvm.func @by_one
// CHECK: %[[POINTER:.*]] = llvm.addrspacecast %arg0 : !llvm.ptr<1> to !llvm.ptr
// CHECK: nvvm.barrier0
// CHECK: llvm.cond_br
// CHECK: %[[RESULT:.*]] = llvm.call @f(%[[POINTER]], %arg1)
// CHECK-NEXT: llvm.store %[[RESULT]], %[[SLOT:.*]] : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-NEXT: llvm.load %[[SLOT]] : !llvm.ptr<3> -> i32
// CHECK-NOT: nvvm.barrier0
tt.func public @by_one(%p: !tt.ptr<i32>, %n: i32) {
  %a = tt.call_threads once "f"(%p, %n) : (!tt.ptr<i32>, i32) -> i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
}

// All threads call, between barriers.
// CHECK-LABEL: llvm.func @by_all
// CHECK: nvvm.barrier0
// CHECK-NEXT: llvm.call @g(%arg2)
// CHECK: nvvm.barrier0
// CHECK: nvvm.barrier0
// CHECK: %[[RESULT:.*]] = llvm.call @f(
// CHECK: nvvm.barrier0
// CHECK: llvm.insertelement %[[RESULT]]
tt.func public @by_all(%p: !tt.ptr<i32>, %n: i32, %x: f32) {
  tt.call_threads all "g"(%x) : (f32) -> ()
  %a = tt.call_threads all "f"(%p, %n) : (!tt.ptr<i32>, i32) -> i32
  tt.store %p, %a : !tt.ptr<i32>
  tt.return
}

// The elements of a thread are an array of its own.
// CHECK-LABEL: llvm.func @items
// CHECK: %[[ITEMS:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x f32> {alignment = 16 : i64}
// CHECK: llvm.store %arg0, %{{.*}} : f32, !llvm.ptr
// CHECK: llvm.store %arg0, %{{.*}} : f32, !llvm.ptr
// CHECK: nvvm.barrier0
// CHECK-NEXT: llvm.call @h(%[[ITEMS]], %arg1)
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> f32
tt.func public @items(%x: f32, %n: i32, %p: !tt.ptr<f32>) {
  %t = tt.splat %x : f32 -> tensor<256xf32, #two>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #two>
  %a = tt.call_threads items "h"(%t, %n) {threads = 128 : i32} : (tensor<256xf32, #two>, i32) -> tensor<256xf32, #two>
  tt.store %q, %a : tensor<256x!tt.ptr<f32>, #two>
  tt.return
}

// A tile in shared memory is stored and loaded by vectors.
// CHECK-LABEL: llvm.func @shared
// CHECK: %[[TILE:.*]] = llvm.getelementptr %{{.*}}[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: %[[GENERIC:.*]] = llvm.addrspacecast %[[TILE]] : !llvm.ptr<3> to !llvm.ptr
// CHECK: nvvm.barrier0
// CHECK-NEXT: llvm.call @s(%[[GENERIC]])
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
tt.func public @shared(%x: f32, %p: !tt.ptr<f32>) {
  %t = tt.splat %x : f32 -> tensor<32x16xf32, #rows>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #rows>
  %a = tt.call_threads shared "s"(%t) : (tensor<32x16xf32, #rows>) -> tensor<32x16xf32, #rows>
  tt.store %q, %a : tensor<32x16x!tt.ptr<f32>, #rows>
  tt.return
}
}
