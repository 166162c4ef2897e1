// RUN: tcc-opt %s --triton-nvidia-gpu-store-by-columns --canonicalize --cse | FileCheck %s

// Each thread holds 64 columns of its row, of which it loads and stores 32 at a time. A warp stores its own rows: four
// lanes store 64 bytes of a row.
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-DAG: #[[STORED:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = {{\[\[}}0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}32, 0], [64, 0]], block = []}>
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#lines = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#vector = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {

// Addresses and masks are recomputed for each part. The vector that is added to each row is in shared memory, from which
// each part is loaded.
// CHECK-LABEL: @added
// CHECK: %[[PART:.*]] = ttng.tmem_subslice %arg0 {N = 0 : i32}
// CHECK: %[[TILE:.*]] = ttng.tmem_load %[[PART]] {{.*}} -> tensor<128x32xf32, #[[ROWS]]>
// CHECK: %[[SHARED:.*]] = ttg.local_alloc %arg2
// CHECK: %[[FIRST:.*]] = ttg.memdesc_subslice %[[SHARED]][0]
// CHECK: ttg.local_load %[[FIRST]]
// CHECK: %[[SUM:.*]] = arith.addf %[[TILE]]
// CHECK: %[[HALF:.*]] = arith.truncf %[[SUM]]
// CHECK: %[[X:.*]] = ttg.convert_layout %[[HALF]] : tensor<128x32xf16, #[[ROWS]]> -> tensor<128x32xf16, #[[STORED]]>
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<128x32x!tt.ptr<f16>, #[[STORED]]>
// CHECK: tt.make_range {end = 64 : i32, start = 32 : i32}
// CHECK: ttng.tmem_subslice %arg0 {N = 32 : i32}
// CHECK: ttg.memdesc_subslice %[[SHARED]][32]
// CHECK: tt.store
// CHECK-NOT: tt.store
tt.func @added(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: !tt.ptr<f16>, %bias: tensor<64xf32, #vector>, %n: i32) {
  %m = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #lines}>>
  %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #lines}>>
  %stride = tt.splat %n : i32 -> tensor<128x1xi32, #lines>
  %row = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #lines}>> -> tensor<128x1xi32, #lines>
  %first = arith.muli %row, %stride : tensor<128x1xi32, #lines>
  %column = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #lines}>> -> tensor<1x64xi32, #lines>
  %f = tt.broadcast %first : tensor<128x1xi32, #lines> -> tensor<128x64xi32, #lines>
  %c = tt.broadcast %column : tensor<1x64xi32, #lines> -> tensor<128x64xi32, #lines>
  %o = arith.addi %f, %c : tensor<128x64xi32, #lines>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #lines>
  %q = tt.addptr %base, %o : tensor<128x64x!tt.ptr<f16>, #lines>, tensor<128x64xi32, #lines>
  %limit = tt.splat %n : i32 -> tensor<128x64xi32, #lines>
  %mask = arith.cmpi slt, %c, %limit : tensor<128x64xi32, #lines>
  %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %in_row = ttg.convert_layout %bias : tensor<64xf32, #vector> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>
  %line = tt.expand_dims %in_row {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xf32, #rows>
  %all = tt.broadcast %line : tensor<1x64xf32, #rows> -> tensor<128x64xf32, #rows>
  %added = arith.addf %tile, %all : tensor<128x64xf32, #rows>
  %half = arith.truncf %added : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  %x = ttg.convert_layout %half : tensor<128x64xf16, #rows> -> tensor<128x64xf16, #lines>
  tt.store %q, %x, %mask : tensor<128x64x!tt.ptr<f16>, #lines>
  tt.return
}

// So is a vector of different constants.
// CHECK-LABEL: @constants
// CHECK: ttg.local_alloc
// CHECK: ttng.tmem_subslice %arg0 {N = 32 : i32}
tt.func @constants(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: !tt.ptr<f32>) {
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #lines>
  %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %bytes = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F"> : tensor<1x64xi8, #rows>
  %line = arith.sitofp %bytes : tensor<1x64xi8, #rows> to tensor<1x64xf32, #rows>
  %all = tt.broadcast %line : tensor<1x64xf32, #rows> -> tensor<128x64xf32, #rows>
  %added = arith.addf %tile, %all : tensor<128x64xf32, #rows>
  %x = ttg.convert_layout %added : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  tt.store %base, %x : tensor<128x64x!tt.ptr<f32>, #lines>
  tt.return
}

// A tile that is also reduced is loaded as a whole. So is one that a dot overwrites before it is stored, and one that is
// added to a tile in registers.
// CHECK-LABEL: @reduced
// CHECK-NOT: ttng.tmem_subslice
tt.func @reduced(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: tensor<128x64x!tt.ptr<f32>, #lines>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
  %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %most = "tt.reduce"(%tile) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<128x64xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  %x = ttg.convert_layout %tile : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  tt.store %p, %x : tensor<128x64x!tt.ptr<f32>, #lines>
  tt.return %most : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
}
// CHECK-LABEL: @overwritten
// CHECK-NOT: ttng.tmem_subslice
tt.func @overwritten(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: !tt.ptr<f32>, %other: tensor<128x64xf32, #rows>) {
  %true = arith.constant true
  %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  ttng.tmem_store %other, %sum, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %x = ttg.convert_layout %tile : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #lines>
  tt.store %q, %x : tensor<128x64x!tt.ptr<f32>, #lines>
  tt.return
}
// CHECK-LABEL: @two
// CHECK-NOT: ttng.tmem_subslice
tt.func @two(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: !tt.ptr<f32>, %other: tensor<128x64xf32, #rows>) {
  %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %added = arith.addf %tile, %other : tensor<128x64xf32, #rows>
  %x = ttg.convert_layout %added : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #lines>
  tt.store %q, %x : tensor<128x64x!tt.ptr<f32>, #lines>
  tt.return
}
// The same memory may have changed since a load before the loop.
// CHECK-LABEL: @earlier
// CHECK-NOT: ttng.tmem_subslice
tt.func @earlier(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #lines>
  %first = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  scf.for %i = %zero to %n step %one : i32 {
    %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    %added = arith.addf %tile, %first : tensor<128x64xf32, #rows>
    %x = ttg.convert_layout %added : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
    tt.store %q, %x : tensor<128x64x!tt.ptr<f32>, #lines>
  }
  tt.return
}
}
