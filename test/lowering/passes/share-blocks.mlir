// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-share-blocks=num-programs=3 --canonicalize --cse 2>&1 | FileCheck %s
// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-share-blocks=num-programs=3 --tritongpu-specialize-loops --tritongpu-rotate-loops --triton-nvidia-gpu-overlap-products --canonicalize --cse 2>/dev/null | FileCheck %s --check-prefix=LOOPS

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

// CHECK-DAG: warning: its programs have a block each: none of its loops has dots whose operands are copied by tensor maps from where neighbours in the grid load, too
// CHECK-DAG: warning: its programs have a block each: it asks for the result of what acts on others
// CHECK: "ttg.programs-axis" = 1 : i32, "ttg.programs-per-block" = 3 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// Programs along y load the same tiles, but their loops differ in length. The last block may have surplus programs:
// they compute what the last program does, and do not store.
// CHECK-LABEL: tt.func public @heads
// CHECK-SAME: %[[ALL:[^ :]*]]: i32) attributes
// CHECK: %[[BLOCK:.*]] = tt.get_program_id y
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c3_i32
// CHECK: %[[IN:.*]] = ttng.program_in_block
// CHECK: %[[INDEX:.*]] = arith.addi %[[FIRST]], %[[IN]]
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[INDEX]], %[[ALL]]
// CHECK: %[[LAST:.*]] = arith.subi %[[ALL]], %c1_i32
// CHECK: %[[PROGRAM:.*]] = arith.minsi %[[INDEX]], %[[LAST]]
// CHECK: %[[KEYS:.*]] = arith.muli %[[PROGRAM]], %c64_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[KEYS]]
// CHECK: scf.if %[[THERE]] {
// CHECK-NEXT: tt.store
// CHECK-NEXT: }
// CHECK: tt.return

// The partition loads as far as any program of the block goes, if the block has one; a slot is empty when all their
// warps have read it.
// LOOPS-LABEL: tt.func public @heads
// LOOPS: %[[IN:.*]] = ttng.program_in_block
// LOOPS: %[[OWN:.*]] = arith.muli %{{.*}}, %c64_i32
// The bounds of each of the three programs.
// LOOPS-COUNT-3: arith.cmpi sgt
// LOOPS: %[[BEGIN:.*]] = arith.minsi
// LOOPS: %[[END:.*]] = arith.maxsi
// LOOPS: %[[ONE:.*]] = arith.cmpi eq, %[[IN]], %c0_i32
// LOOPS: scf.if %[[ONE]] {
// LOOPS: ttng.init_barrier %{{.*}}, 1 :
// LOOPS: scf.if %[[ONE]] {
// LOOPS: ttng.init_barrier %{{.*}}, 12 :
// LOOPS: ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 32>}
// LOOPS: ttng.pass_turn {first}
// LOOPS: scf.for %{{.*}} = %[[BEGIN]] to
// LOOPS-NEXT: ttng.take_turn
// LOOPS-NEXT: ttng.pass_turn
// LOOPS: ttng.wait_barrier
// LOOPS: ttng.arrive_barrier
// LOOPS: } {ttng.others_iterations}
// LOOPS: scf.if
// LOOPS: ttng.warp_group_dot
// LOOPS: scf.for
// LOOPS: ttng.take_turn
// LOOPS: ttng.warp_group_dot
// LOOPS: ttng.pass_turn
// LOOPS: ttng.uneven
// LOOPS: scf.for %[[I:[^ ]*]] = %{{.*}} to %[[END]]
// A rotated loop takes one turn less than it has iterations; so does a program without iterations.
// LOOPS-NEXT: %[[BEHIND:.*]] = arith.cmpi ne, %[[I]], %[[BEGIN]]
// LOOPS-NEXT: scf.if %[[BEHIND]] {
// LOOPS-NEXT: ttng.take_turn
// LOOPS-NEXT: ttng.pass_turn
// LOOPS: } {ttng.others_iterations}
// LOOPS: ttng.take_turn {last}
// LOOPS: partition0
// LOOPS: scf.for %[[J:[^ ]*]] =
// LOOPS: %[[TWO:.*]] = arith.ori
// LOOPS: %[[MADE:.*]] = arith.ori %[[TWO]],
// LOOPS: ttng.barrier_expect %[[FULL:.*]], 8192, %[[MADE]]
// LOOPS: %[[NONE:.*]] = arith.xori %[[MADE]], %true
// LOOPS: ttng.arrive_barrier %[[FULL]], 1, %[[NONE]]
// LOOPS: ttng.async_tma_copy_global_to_local %{{.*}}, %[[MADE]]
// LOOPS: tt.return
tt.func public @heads(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c4096 = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %y = tt.get_program_id y : i32
  %x = tt.get_program_id x : i32
  %n = arith.muli %y, %c64 : i32
  %head = arith.muli %x, %c4096 : i32
  %kh = tt.addptr %k, %head : !tt.ptr<f16>, i32
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %qp = tt.addptr %qs, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %qt = tt.load %qp : tensor<64x64x!tt.ptr<f16>, #b>
  %qm = ttg.local_alloc %qt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %ks = tt.splat %kh : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %vs = tt.splat %v : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %vb = tt.addptr %vs, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %o = arith.muli %i, %c64 : i32
    %offset = tt.splat %o : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %kb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %vp = tt.addptr %vb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %qm, %km, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    %scaled = arith.mulf %acc, %p : tensor<64x64xf32, #mma>
    %e = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>, #b>
    %vm = ttg.local_alloc %vt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %vm, %scaled : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
  tt.store %os, %r : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}

// The loads of a program depend on all of its numbers.
// CHECK-LABEL: tt.func public @apart
// CHECK-NOT: program_in_block
// CHECK: tt.return
tt.func public @apart(%k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c4096 = arith.constant 4096 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %x = tt.get_program_id x : i32
  %head = arith.muli %x, %c4096 : i32
  %kh = tt.addptr %k, %head : !tt.ptr<f16>, i32
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ks = tt.splat %kh : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %o = arith.muli %i, %c64 : i32
    %offset = tt.splat %o : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %kb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %km, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
  tt.store %os, %r : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}

// A surplus program would draw a ticket that no other program gets.
// CHECK-LABEL: tt.func public @tickets
// CHECK-NOT: program_in_block
// CHECK: tt.return
tt.func public @tickets(%k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32, %out: !tt.ptr<f32>, %tickets: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %true = arith.constant true
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %x = tt.get_program_id x : i32
  %first = tt.atomic_rmw add, relaxed, gpu, %tickets, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %o = arith.muli %i, %c64 : i32
    %offset = tt.splat %o : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %kb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %km, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %s : tensor<64x64xf32, #mma>
  }
  %at = arith.addi %first, %x : i32
  %place = tt.addptr %out, %at : !tt.ptr<f32>, i32
  %os = tt.splat %place : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
  tt.store %os, %r : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}
}
