// debug_barrier is a barrier for all threads of a program, and memory accesses do not move across it.
// RUN: tcc-opt %s --tcc-ttgir --tcc-gpu-to-llvm | tcc-translate --to-ptx | FileCheck %s

// CHECK-LABEL: .entry rounds(
// CHECK: ld.global.b32
// CHECK-NEXT: ld.global.b32
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK: st.global.v2.b32
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: bar.sync
// CHECK: ret;
tt.func public @rounds(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<256xi32>
  %r = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
  %a = tt.addptr %s, %r : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  %b = tt.addptr %a, %one : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tt.load %b : tensor<256x!tt.ptr<i32>>
    gpu.barrier
    %is = tt.splat %i : i32 -> tensor<256xi32>
    %w = arith.addi %v, %is : tensor<256xi32>
    tt.store %a, %w : tensor<256x!tt.ptr<i32>>
    gpu.barrier
  }
  tt.return
}

// A thread loads again, behind the barrier, what it has stored: another thread may have stored since.
// CHECK-LABEL: .entry reloads(
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK: bar.sync 0;
// CHECK: ld.global.b32
// CHECK: st.global.b32
tt.func public @reloads(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %a = tt.addptr %s, %r : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  %v = tt.load %a : tensor<128x!tt.ptr<i32>>
  %t = tt.splat %q : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %b = tt.addptr %t, %r : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  tt.store %b, %v : tensor<128x!tt.ptr<i32>>
  gpu.barrier
  %w = tt.load %b : tensor<128x!tt.ptr<i32>>
  tt.store %a, %w : tensor<128x!tt.ptr<i32>>
  tt.return
}
