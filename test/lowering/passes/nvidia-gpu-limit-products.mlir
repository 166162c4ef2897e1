// RUN: tcc-opt %s --triton-nvidia-gpu-limit-products --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#turned = #ttg.linear<{register = [[1, 0]], lane = [], warp = [], block = []}>
#side = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
!a = !ttg.memdesc<128x64xf16, #shared, #smem>
!b = !ttg.memdesc<64x64xf16, #shared, #smem>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// Rows of a tile that begins at row %first, of %m.
// CHECK-LABEL: tt.func @masked
// CHECK-SAME: %[[M:[^ ]*]]: i32, %[[FIRST:[^ ]*]]: i32
// CHECK-DAG: %[[END:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG: %[[BEGIN:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK: %[[MOST:.*]] = arith.minsi %c128_i64, %[[LEFT]]
// CHECK: %[[KEPT:.*]] = arith.maxsi %[[MOST]], %c0_i64
// CHECK: %[[ROWS:.*]] = arith.trunci %[[KEPT]] : i64 to i32
// CHECK: scf.for
// CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %{{.*}} rows(%[[ROWS]])
tt.func @masked(%m: i32, %first: i32, %k: i32, %x: !a, %y: !b, %p: tensor<128x64x!tt.ptr<f16>, #b>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !a * !b -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
  %begin = tt.splat %first : i32 -> tensor<128xi32, #rows>
  %row = arith.addi %begin, %range : tensor<128xi32, #rows>
  %limit = tt.splat %m : i32 -> tensor<128xi32, #rows>
  %below = arith.cmpi slt, %row, %limit : tensor<128xi32, #rows>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<128xi1, #rows> -> tensor<128x1xi1, #b>
  %mask = tt.broadcast %m1 : tensor<128x1xi1, #b> -> tensor<128x64xi1, #b>
  %halves = arith.truncf %sums : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
  %out = ttg.convert_layout %halves : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #b>
  tt.store %p, %out, %mask : tensor<128x64x!tt.ptr<f16>, #b>
  tt.return
}

// Stored twice, once transposed: as many rows as the larger of both. An index that is compared as unsigned may begin
// below zero, and then counts from there.
// CHECK-LABEL: tt.func @turned
// CHECK-DAG: %[[END:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK-DAG: arith.subi %[[END]], %{{.*}}
// CHECK: arith.maxsi
// CHECK: scf.for
// CHECK: ttng.warp_group_dot {{.*}} rows(
tt.func @turned(%m: i32, %first: i32, %k: i32, %x: !a, %y: !b, %p: tensor<128x64x!tt.ptr<f32>, #mma>, %q: tensor<64x128x!tt.ptr<f32>, #b>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !a * !b -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %limit = tt.splat %m : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %below = arith.cmpi slt, %range, %limit : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi1, #mma>
  %mask = tt.broadcast %m1 : tensor<128x1xi1, #mma> -> tensor<128x64xi1, #mma>
  tt.store %p, %sums, %mask : tensor<128x64x!tt.ptr<f32>, #mma>
  %range2 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #columns>
  %begin2 = tt.splat %first : i32 -> tensor<128xi32, #columns>
  %column2 = arith.addi %begin2, %range2 : tensor<128xi32, #columns>
  %limit2 = tt.splat %m : i32 -> tensor<128xi32, #columns>
  %below2 = arith.cmpi ult, %column2, %limit2 : tensor<128xi32, #columns>
  %n1 = tt.expand_dims %below2 {axis = 0 : i32} : tensor<128xi1, #columns> -> tensor<1x128xi1, #b>
  %mask2 = tt.broadcast %n1 : tensor<1x128xi1, #b> -> tensor<64x128xi1, #b>
  %t = tt.trans %sums {order = array<i32: 1, 0>} : tensor<128x64xf32, #mma> -> tensor<64x128xf32, #turned>
  %out = ttg.convert_layout %t : tensor<64x128xf32, #turned> -> tensor<64x128xf32, #b>
  tt.store %q, %out, %mask2 : tensor<64x128x!tt.ptr<f32>, #b>
  tt.return
}

// All rows are needed: by a store whose mask has only columns, by a sum of all rows, by the loop itself. If the warp
// groups of a row lie along the columns, none can be skipped. A limit that is loaded behind the loop is not known in
// front of it.
// CHECK-LABEL: tt.func @by_columns
// CHECK-NOT: rows(
// CHECK-LABEL: tt.func @summed
// CHECK-NOT: rows(
// CHECK-LABEL: tt.func @side_by_side
// CHECK-NOT: rows(
// CHECK-LABEL: tt.func @loaded_behind
// CHECK-NOT: rows(
tt.func @by_columns(%m: i32, %k: i32, %x: !a, %y: !b, %p: tensor<128x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !a * !b -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
  %limit = tt.splat %m : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
  %below = arith.cmpi slt, %range, %limit : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
  %m1 = tt.expand_dims %below {axis = 0 : i32} : tensor<64xi1, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi1, #mma>
  %mask = tt.broadcast %m1 : tensor<1x64xi1, #mma> -> tensor<128x64xi1, #mma>
  tt.store %p, %sums, %mask : tensor<128x64x!tt.ptr<f32>, #mma>
  tt.return
}
tt.func @summed(%m: i32, %k: i32, %x: !a, %y: !b, %p: tensor<128x64x!tt.ptr<f32>, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !a * !b -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %limit = tt.splat %m : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %below = arith.cmpi slt, %range, %limit : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi1, #mma>
  %mask = tt.broadcast %m1 : tensor<128x1xi1, #mma> -> tensor<128x64xi1, #mma>
  tt.store %p, %sums, %mask : tensor<128x64x!tt.ptr<f32>, #mma>
  %all = "tt.reduce"(%sums) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<128x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>
  tt.return %all : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>
}
tt.func @side_by_side(%m: i32, %k: i32, %x: !ttg.memdesc<64x64xf16, #shared, #smem>, %y: !b, %p: tensor<64x64x!tt.ptr<f32>, #side>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #side>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #side>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !b -> tensor<64x64xf32, #side>
    scf.yield %d : tensor<64x64xf32, #side>
  }
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #side}>>
  %limit = tt.splat %m : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #side}>>
  %below = arith.cmpi slt, %range, %limit : tensor<64xi32, #ttg.slice<{dim = 1, parent = #side}>>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1, #ttg.slice<{dim = 1, parent = #side}>> -> tensor<64x1xi1, #side>
  %mask = tt.broadcast %m1 : tensor<64x1xi1, #side> -> tensor<64x64xi1, #side>
  tt.store %p, %sums, %mask : tensor<64x64x!tt.ptr<f32>, #side>
  tt.return
}
tt.func @loaded_behind(%pm: !tt.ptr<i32>, %k: i32, %x: !a, %y: !b, %p: tensor<128x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %sums = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %x, %y, %acc : !a * !b -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  %m = tt.load %pm : !tt.ptr<i32>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %limit = tt.splat %m : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %below = arith.cmpi slt, %range, %limit : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %m1 = tt.expand_dims %below {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi1, #mma>
  %mask = tt.broadcast %m1 : tensor<128x1xi1, #mma> -> tensor<128x64xi1, #mma>
  tt.store %p, %sums, %mask : tensor<128x64x!tt.ptr<f32>, #mma>
  tt.return
}

}
