// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --canonicalize --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#turned32 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// A pointer that the loop advances, rows `stride` apart, and masked rows. The tile of pointers is removed, and one
// address stays.
// CHECK-LABEL: tt.func @masked
// CHECK-SAME: %[[M:[^ ]*]]: i32, %[[N:[^ ]*]]: i32, %[[STRIDE:[^ ]*]]: i32 {{.*}}, %[[Q:[^ ]*]]: !ttg.memdesc<{{[^>]*}}>, %[[MAP:[^ ]*]]: !tt.tensordesc<tensor<1x1x64x64xf16
// CHECK-SAME: base = -1 : i32, box = array<i64: 64, 64, 1, 1>, bytes = 2 : i32, limits = array<i64: -1, -1>, parameter = 3 : i32, sizes = array<i64: 64, 64, 2147483648, 8192>, strides = array<i64: 2, 16, 34359738368>, swizzle = 128
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (tensor<64x64xf32, #mma>, !tt.ptr<f16>)
// CHECK: %[[ADDRESS:.*]] = tt.ptr_to_int %[[P]]
// CHECK: %[[LEFT:.*]] = arith.minsi %{{.*}}, %c64_i64
// CHECK: %[[KEPT:.*]] = arith.maxsi %[[LEFT]], %c0_i64
// CHECK: %[[MASKED:.*]] = arith.subi %c64_i64, %[[KEPT]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[MASKED]], %{{.*}} : i64
// CHECK: %[[LOWER:.*]] = arith.subi %[[ADDRESS]], %[[BYTES]]
// CHECK: arith.shrui %[[LOWER]], %c35_i64
// CHECK: arith.shrui %[[LOWER]], %c4_i64
// CHECK: %[[ROW:.*]] = arith.trunci %[[MASKED]]
// CHECK: tt.descriptor_load %[[MAP]][%{{.*}}, %{{.*}}, %[[ROW]], %c0_i32] {ttng.may_begin_outside} : {{.*}} -> tensor<64x64xf16
// CHECK-NOT: tt.load
tt.func @masked(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %stride: i32 {tt.divisibility = 16 : i32}, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %none = arith.constant dense<0.0> : tensor<64x64xf16, #b>
  %by = arith.constant dense<64> : tensor<64x64xi32, #b>
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %strides = tt.splat %stride : i32 -> tensor<64xi32, #rows>
  %offsets = arith.muli %row, %strides : tensor<64xi32, #rows>
  %o1 = tt.expand_dims %offsets {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #b>
  %o2 = tt.broadcast %o1 : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
  %o3 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %o4 = tt.broadcast %o3 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %p1 = tt.addptr %ps, %o2 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %p2 = tt.addptr %p1, %o4 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %limit = tt.splat %m : i32 -> tensor<64xi32, #rows>
  %below = arith.cmpi slt, %row, %limit : tensor<64xi32, #rows>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1, #rows> -> tensor<64x1xi1, #b>
  %mask = tt.broadcast %m1 : tensor<64x1xi1, #b> -> tensor<64x64xi1, #b>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %pi = %p2) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #b>) : i32 {
    %x = tt.load %pi, %mask, %none : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %next = tt.addptr %pi, %by : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    scf.yield %d, %next : tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #b>
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

// A descriptor's block has unsigned comparisons. The map begins at the argument and has its sizes; the indices are
// coordinates.
// CHECK-LABEL: tt.func @described
// CHECK-SAME: base = 0 : i32, {{.*}}limits = array<i64: -1, 1>, parameter = -1 : i32, sizes = array<i64: 64, 0, 2147483648, 8192>, strides = array<i64: 128, 16, 34359738368>
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %c100_i32
// CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}, %[[INDEX:.*]], %c0_i32] : !tt
tt.func @described(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c100 = arith.constant 100 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %base = tt.bitcast %p {tt.divisibility = dense<16> : tensor<1xi32>} : !tt.ptr<f16> -> !tt.ptr<f16>
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %o3 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %o4 = tt.broadcast %o3 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %strides = arith.constant dense<64> : tensor<64xi32, #rows>
  %limit = tt.splat %m : i32 -> tensor<64xi32, #rows>
  %ps = tt.splat %base : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %first = arith.subi %i, %c100 : i32
    %firsts = tt.splat %first : i32 -> tensor<64xi32, #rows>
    %index = arith.addi %firsts, %row : tensor<64xi32, #rows>
    %offsets = arith.muli %index, %strides : tensor<64xi32, #rows>
    %o1 = tt.expand_dims %offsets {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #b>
    %o2 = tt.broadcast %o1 : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %p1 = tt.addptr %ps, %o2 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %p2 = tt.addptr %p1, %o4 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %below = arith.cmpi ult, %index, %limit : tensor<64xi32, #rows>
    %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1, #rows> -> tensor<64x1xi1, #b>
    %mask = tt.broadcast %m1 : tensor<64x1xi1, #b> -> tensor<64x64xi1, #b>
    %x = tt.load %p2, %mask : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// If the pointers are computed from a descriptor's coordinates, no address is left: the map is that of a matrix.
// CHECK-LABEL: tt.func @matrix
// CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #{{.*}}>>
// CHECK-SAME: base = 0 : i32, box = array<i64: 64, 64>, {{.*}}limits = array<i64: 2, 1>, parameter = 4 : i32, sizes = array<i64: 0, 0>, strides = array<i64: 2>
// CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt
tt.func @matrix(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32 {tt.divisibility = 16 : i32}, %k: i32, %stride: i32 {tt.divisibility = 16 : i32}, %start: i32 {tt.divisibility = 16 : i32}, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %base = tt.bitcast %p {tt.divisibility = dense<16> : tensor<1xi32>} : !tt.ptr<f16> -> !tt.ptr<f16>
  %wide = arith.extsi %stride : i32 to i64
  %known = tt.bitcast %wide {tt.divisibility = dense<8> : tensor<1xi32>} : i64 -> i64
  %from = arith.extsi %start : i32 to i64
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %starts = tt.splat %start : i32 -> tensor<64xi32, #columns>
  %columns = arith.addi %starts, %column : tensor<64xi32, #columns>
  %ends = tt.splat %n : i32 -> tensor<64xi32, #columns>
  %left = arith.cmpi ult, %columns, %ends : tensor<64xi32, #columns>
  %m2 = tt.expand_dims %left {axis = 0 : i32} : tensor<64xi1, #columns> -> tensor<1x64xi1, #b>
  %mask2 = tt.broadcast %m2 : tensor<1x64xi1, #b> -> tensor<64x64xi1, #b>
  %o3 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %o4 = tt.broadcast %o3 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %rows64 = arith.extsi %row : tensor<64xi32, #rows> to tensor<64xi64, #rows>
  %strides = tt.splat %known : i64 -> tensor<64xi64, #rows>
  %own = arith.muli %rows64, %strides : tensor<64xi64, #rows>
  %o1 = tt.expand_dims %own {axis = 1 : i32} : tensor<64xi64, #rows> -> tensor<64x1xi64, #b>
  %limit = tt.splat %m : i32 -> tensor<64xi32, #rows>
  %r = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %at = arith.extsi %i : i32 to i64
    %down = arith.muli %at, %known : i64
    %offset = arith.addi %down, %from : i64
    %begin = tt.addptr %base, %offset : !tt.ptr<f16>, i64
    %p0 = tt.splat %begin : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #b>
    %p1 = tt.addptr %p0, %o1 : tensor<64x1x!tt.ptr<f16>, #b>, tensor<64x1xi64, #b>
    %p2 = tt.broadcast %p1 : tensor<64x1x!tt.ptr<f16>, #b> -> tensor<64x64x!tt.ptr<f16>, #b>
    %p3 = tt.addptr %p2, %o4 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %firsts = tt.splat %i : i32 -> tensor<64xi32, #rows>
    %index = arith.addi %firsts, %row : tensor<64xi32, #rows>
    %below = arith.cmpi ult, %index, %limit : tensor<64xi32, #rows>
    %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1, #rows> -> tensor<64x1xi1, #b>
    %mask1 = tt.broadcast %m1 : tensor<64x1xi1, #b> -> tensor<64x64xi1, #b>
    %mask = arith.andi %mask1, %mask2 : tensor<64x64xi1, #b>
    %x = tt.load %p3, %mask : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// An operand by columns is loaded by rows, and transposed in memory.
// CHECK-LABEL: tt.func @columns
// CHECK: %[[X:.*]] = tt.descriptor_load {{.*}} -> tensor<64x32xf16
// CHECK: %[[ROWS:.*]] = ttg.local_alloc %[[X]] : {{.*}} -> !ttg.memdesc<64x32xf16, #shared
// CHECK: ttg.memdesc_trans %[[ROWS]] {order = array<i32: 1, 0>}
tt.func @columns(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %q: !ttg.memdesc<64x32xf16, #shared32, #smem>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %by = arith.constant dense<128> : tensor<1x64xi32, #c>
  %row = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #c}>>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>>
  %o1 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #c}>> -> tensor<32x1xi32, #c>
  %o2 = tt.broadcast %o1 : tensor<32x1xi32, #c> -> tensor<32x64xi32, #c>
  %o3 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>> -> tensor<1x64xi32, #c>
  %o4 = arith.muli %o3, %by : tensor<1x64xi32, #c>
  %o5 = tt.broadcast %o4 : tensor<1x64xi32, #c> -> tensor<32x64xi32, #c>
  %o6 = arith.addi %o2, %o5 : tensor<32x64xi32, #c>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %pi = tt.addptr %p, %i : !tt.ptr<f16>, i32
    %ps = tt.splat %pi : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #c>
    %p1 = tt.addptr %ps, %o6 : tensor<32x64x!tt.ptr<f16>, #c>, tensor<32x64xi32, #c>
    %x = tt.load %p1 : tensor<32x64x!tt.ptr<f16>, #c>
    %xm = ttg.local_alloc %x : (tensor<32x64xf16, #c>) -> !ttg.memdesc<32x64xf16, #turned32, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x32xf16, #shared32, #smem> * !ttg.memdesc<32x64xf16, #turned32, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// The TMA would not wait for stores by threads.
// CHECK-LABEL: tt.func @stored
// CHECK: tt.load
// CHECK-NOT: tt.descriptor_load
tt.func @stored(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: tensor<64x64xf16, #b>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %o3 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %o4 = tt.broadcast %o3 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %p1 = tt.addptr %ps, %o4 : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  tt.store %p1, %v : tensor<64x64x!tt.ptr<f16>, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %x = tt.load %p1 : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}
