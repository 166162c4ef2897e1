// RUN: tcc-opt %s --tritongpu-keep-stores-in-warps --canonicalize --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#narrow = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 8], order = [0, 1]}>

// Each warp has 16 rows, as in the dot. Lanes lie along a line of 128 bytes; registers hold the row that the dot has in
// registers, and the rest of both rows.
// CHECK: #[[ALIGNED:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 8], [0, 16], [0, 32], [8, 0], [0, 64]], warp = {{\[\[}}16, 0], [32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Addresses and masks are computed in that layout. In a program of one tile, the store stays as it is.
// CHECK-LABEL: @rows
// CHECK: %[[M:.*]] = tt.make_range {{.*}} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #[[ALIGNED]]}>>
// CHECK: %[[P:.*]] = tt.addptr {{.*}} : tensor<128x128x!tt.ptr<bf16>, #[[ALIGNED]]>
// CHECK: %[[X:.*]] = ttg.convert_layout %{{.*}} : tensor<128x128xbf16, #mma> -> tensor<128x128xbf16, #[[ALIGNED]]>
// CHECK: tt.store %[[P]], %[[X]], %{{.*}} : tensor<128x128x!tt.ptr<bf16>, #[[ALIGNED]]>
// CHECK: ttg.convert_layout %{{.*}} -> tensor<128x128xbf16, #blocked
tt.func @rows(%p: !tt.ptr<bf16>, %x: tensor<128x128xbf16, #mma>, %n: i32, %a: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x128xf16, #shared, #smem>, %acc: tensor<128x128xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant dense<128> : tensor<128x1xi32, #b>
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<128x1xi32, #b>
  %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x128xi32, #b>
  %first = arith.muli %rows, %c128 : tensor<128x1xi32, #b>
  %f = tt.broadcast %first : tensor<128x1xi32, #b> -> tensor<128x128xi32, #b>
  %s = tt.broadcast %columns : tensor<1x128xi32, #b> -> tensor<128x128xi32, #b>
  %o = arith.addi %f, %s : tensor<128x128xi32, #b>
  %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>, #b>
  %q = tt.addptr %ps, %o : tensor<128x128x!tt.ptr<bf16>, #b>, tensor<128x128xi32, #b>
  %limit = tt.splat %n : i32 -> tensor<128x1xi32, #b>
  %isRow = arith.cmpi slt, %rows, %limit : tensor<128x1xi32, #b>
  %mask = tt.broadcast %isRow : tensor<128x1xi1, #b> -> tensor<128x128xi1, #b>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s0 = %acc) -> (tensor<128x128xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %a, %k, %s0 : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    %v = ttg.convert_layout %x : tensor<128x128xbf16, #mma> -> tensor<128x128xbf16, #b>
    tt.store %q, %v, %mask : tensor<128x128x!tt.ptr<bf16>, #b>
  }
  %w = ttg.convert_layout %x : tensor<128x128xbf16, #mma> -> tensor<128x128xbf16, #b>
  tt.store %q, %w, %mask : tensor<128x128x!tt.ptr<bf16>, #b>
  tt.return
}

// A warp has 64 bytes of a row, so a store would write parts of cache lines. By columns, it has 32 bytes.
// CHECK-LABEL: @parts
// CHECK: ttg.convert_layout %{{.*}} -> tensor<64x64xbf16, #blocked
// CHECK: ttg.convert_layout %{{.*}} -> tensor<128x128xbf16, #blocked
tt.func @parts(%p: tensor<64x64x!tt.ptr<bf16>, #b>, %x: tensor<64x64xbf16, #narrow>, %q: tensor<128x128x!tt.ptr<bf16>, #t>, %y: tensor<128x128xbf16, #mma>, %n: i32, %a: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x128xf16, #shared, #smem>, %acc: tensor<128x128xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s0 = %acc) -> (tensor<128x128xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %a, %k, %s0 : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    %v = ttg.convert_layout %x : tensor<64x64xbf16, #narrow> -> tensor<64x64xbf16, #b>
    tt.store %p, %v : tensor<64x64x!tt.ptr<bf16>, #b>
    %w = ttg.convert_layout %y : tensor<128x128xbf16, #mma> -> tensor<128x128xbf16, #t>
    tt.store %q, %w : tensor<128x128x!tt.ptr<bf16>, #t>
  }
  tt.return
}

// Pointers that cannot be recomputed stay where they are.
// CHECK-LABEL: @loaded
// CHECK: ttg.convert_layout %{{.*}} -> tensor<128x128xbf16, #blocked
tt.func @loaded(%p: tensor<128x128x!tt.ptr<bf16>, #b>, %x: tensor<128x128xbf16, #mma>, %n: i32, %a: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x128xf16, #shared, #smem>, %acc: tensor<128x128xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s0 = %acc) -> (tensor<128x128xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %a, %k, %s0 : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    %v = ttg.convert_layout %x : tensor<128x128xbf16, #mma> -> tensor<128x128xbf16, #b>
    tt.store %p, %v : tensor<128x128x!tt.ptr<bf16>, #b>
  }
  tt.return
}
}
