// RUN: tcc-opt %s --convert-triton-to-tritongpu --tritongpu-coalesce | FileCheck %s

// CHECK-DAG: [[WIDE:#.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[BYTES:#.*]] = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[ONE:#.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[COLUMNS:#.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-DAG: [[REDUCED:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-DAG: [[STRIDED:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[ACROSS:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK-DAG: [[PIECES:#.*]] = #ttg.blocked<{sizePerThread = [32, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>

// An access of 128 bits covers four floats.
// CHECK-LABEL: @aligned
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, [[WIDE]]>
tt.func public @aligned(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<1024xf32> {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<f32>>
  tt.return %v : tensor<1024xf32>
}

// Nothing is known about the pointer.
// CHECK-LABEL: @unaligned
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, [[ONE]]>
tt.func public @unaligned(%p: !tt.ptr<f32>) -> tensor<1024xf32> {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<f32>>
  tt.return %v : tensor<1024xf32>
}

// An access could have 16 bytes, but then half of the threads would have none.
// CHECK-LABEL: @bytes
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<i8>, [[BYTES]]>
tt.func public @bytes(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}) -> tensor<1024xi8> {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<i8> -> tensor<1024x!tt.ptr<i8>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<i8>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<i8>>
  tt.return %v : tensor<1024xi8>
}

// Bytes that are converted to floats are loaded four at a time, like the floats are stored: no layout conversion is
// needed.
// CHECK-LABEL: @dequantize
// CHECK: tt.load %{{.*}} : tensor<4096x!tt.ptr<i8>, [[WIDE]]>
// CHECK: tt.store %{{.*}} : tensor<4096x!tt.ptr<f32>, [[WIDE]]>
tt.func public @dequantize(%q: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
  %sq = tt.splat %q : !tt.ptr<i8> -> tensor<4096x!tt.ptr<i8>>
  %aq = tt.addptr %sq, %r : tensor<4096x!tt.ptr<i8>>, tensor<4096xi32>
  %v = tt.load %aq : tensor<4096x!tt.ptr<i8>>
  %f = arith.sitofp %v : tensor<4096xi8> to tensor<4096xf32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
  %ap = tt.addptr %sp, %r : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
  tt.store %ap, %f : tensor<4096x!tt.ptr<f32>>
  tt.return
}

// Column-major: the first axis is contiguous, also through a loop that advances the pointers.
// CHECK-LABEL: @columns
// CHECK: scf.for
// CHECK: tt.load %{{.*}} : tensor<64x64x!tt.ptr<f32>, [[COLUMNS]]>
tt.func public @columns(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<4096> : tensor<64x64xi32>
  %ld = arith.constant dense<64> : tensor<1x64xi32>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %m = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %kl = arith.muli %k, %ld : tensor<1x64xi32>
  %mb = tt.broadcast %m : tensor<64x1xi32> -> tensor<64x64xi32>
  %kb = tt.broadcast %kl : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %mb, %kb : tensor<64x64xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %a = tt.addptr %s, %o : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a) -> (tensor<64x64x!tt.ptr<f32>>) : i32 {
    %v = tt.load %q : tensor<64x64x!tt.ptr<f32>>
    tt.store %q, %v : tensor<64x64x!tt.ptr<f32>>
    %next = tt.addptr %q, %step : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    scf.yield %next : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// A loop without loop-carried values is like any other: its start and step are known.
// CHECK-LABEL: @row
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, [[WIDE]]>
// CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f32>, [[WIDE]]>
tt.func public @row(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  scf.for %i = %c0 to %n step %c1024 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    %s = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %a : tensor<1024x!tt.ptr<f32>>
    tt.store %a, %v : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}

// Strides are unknown: among equal axes, the reduced axis is distributed over registers.
// CHECK-LABEL: @reduced_rows
// CHECK: tt.load %{{.*}} : tensor<128x32x!tt.ptr<f32>, [[REDUCED]]>
tt.func public @reduced_rows(%p: !tt.ptr<f32>, %sm: i32, %sn: i32) -> tensor<128xf32> {
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %m = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %n = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %bm = tt.splat %sm : i32 -> tensor<128x1xi32>
  %bn = tt.splat %sn : i32 -> tensor<1x32xi32>
  %om = arith.muli %m, %bm : tensor<128x1xi32>
  %on = arith.muli %n, %bn : tensor<1x32xi32>
  %wm = tt.broadcast %om : tensor<128x1xi32> -> tensor<128x32xi32>
  %wn = tt.broadcast %on : tensor<1x32xi32> -> tensor<128x32xi32>
  %o = arith.addi %wm, %wn : tensor<128x32xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
  %a = tt.addptr %s, %o : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
  %v = tt.load %a : tensor<128x32x!tt.ptr<f32>>
  %e = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.maxnumf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<128x32xf32>) -> tensor<128xf32>
  tt.return %e : tensor<128xf32>
}

// Here that is the first axis, and lanes are distributed along the last one as usual.
// CHECK-LABEL: @reduced_columns
// CHECK: tt.load %{{.*}} : tensor<128x32x!tt.ptr<f32>, [[STRIDED]]>
tt.func public @reduced_columns(%p: !tt.ptr<f32>, %sm: i32, %sn: i32) -> tensor<32xf32> {
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %m = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %n = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %bm = tt.splat %sm : i32 -> tensor<128x1xi32>
  %bn = tt.splat %sn : i32 -> tensor<1x32xi32>
  %om = arith.muli %m, %bm : tensor<128x1xi32>
  %on = arith.muli %n, %bn : tensor<1x32xi32>
  %wm = tt.broadcast %om : tensor<128x1xi32> -> tensor<128x32xi32>
  %wn = tt.broadcast %on : tensor<1x32xi32> -> tensor<128x32xi32>
  %o = arith.addi %wm, %wn : tensor<128x32xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
  %a = tt.addptr %s, %o : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
  %v = tt.load %a : tensor<128x32x!tt.ptr<f32>>
  %e = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.maxnumf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<128x32xf32>) -> tensor<32xf32>
  tt.return %e : tensor<32xf32>
}

// Each warp scans rows of its own; along the columns it accesses as many neighbours as before.
// CHECK-LABEL: @scanned_rows
// CHECK: tt.load %{{.*}} : tensor<16x512x!tt.ptr<f32>, [[STRIDED]]>
// CHECK-LABEL: @scanned_columns
// CHECK: tt.load %{{.*}} : tensor<16x512x!tt.ptr<f32>, [[ACROSS]]>
// If threads share columns, each has a contiguous part of them.
// CHECK-LABEL: @scanned_in_pieces
// CHECK: tt.load %{{.*}} : tensor<128x32x!tt.ptr<f32>, [[PIECES]]>
tt.func public @scanned_rows(%p: !tt.ptr<f32>) -> tensor<16x512xf32> {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x512x!tt.ptr<f32>>
  %v = tt.load %s : tensor<16x512x!tt.ptr<f32>>
  %e = "tt.scan"(%v) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.scan.return %z : f32
  }) : (tensor<16x512xf32>) -> tensor<16x512xf32>
  tt.return %e : tensor<16x512xf32>
}
tt.func public @scanned_columns(%p: !tt.ptr<f32>) -> tensor<16x512xf32> {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x512x!tt.ptr<f32>>
  %v = tt.load %s : tensor<16x512x!tt.ptr<f32>>
  %e = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.scan.return %z : f32
  }) : (tensor<16x512xf32>) -> tensor<16x512xf32>
  tt.return %e : tensor<16x512xf32>
}
tt.func public @scanned_in_pieces(%p: !tt.ptr<f32>) -> tensor<128x32xf32> {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
  %v = tt.load %s : tensor<128x32x!tt.ptr<f32>>
  %e = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.scan.return %z : f32
  }) : (tensor<128x32xf32>) -> tensor<128x32xf32>
  tt.return %e : tensor<128x32xf32>
}

// A tile that is added to memory is loaded in the layout of the atomic access: a word per lane from neighbouring
// elements, and few rows per thread.
// CHECK-LABEL: @atomic
// CHECK: tt.load %{{.*}} : tensor<8x64x!tt.ptr<f32>, [[STRIDED]]>
// CHECK: tt.atomic_rmw {{.*}} tensor<8x64xf32, [[STRIDED]]>
tt.func public @atomic(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %c64 = arith.constant dense<64> : tensor<8x1xi32>
  %r0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %r1 = arith.muli %r0, %c64 : tensor<8x1xi32>
  %r2 = tt.broadcast %r1 : tensor<8x1xi32> -> tensor<8x64xi32>
  %c0 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %c1 = tt.broadcast %c0 : tensor<1x64xi32> -> tensor<8x64xi32>
  %at = arith.addi %r2, %c1 : tensor<8x64xi32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>>
  %ap = tt.addptr %sp, %at : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
  %v = tt.load %ap : tensor<8x64x!tt.ptr<f32>>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>>
  %ao = tt.addptr %so, %at : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %ao, %v : (tensor<8x64x!tt.ptr<f32>>, tensor<8x64xf32>) -> tensor<8x64xf32>
  tt.return
}

// A tile that is also stored keeps its wide access.
// CHECK-LABEL: @atomic_and_store
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, [[WIDE]]>
// CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f32>, [[WIDE]]>
// CHECK: tt.atomic_rmw {{.*}} tensor<1024xf32, [[ONE]]>
tt.func public @atomic_and_store(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ap = tt.addptr %sp, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %ap : tensor<1024x!tt.ptr<f32>>
  %w = arith.addf %v, %v : tensor<1024xf32>
  tt.store %ap, %w : tensor<1024x!tt.ptr<f32>>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ao = tt.addptr %so, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %ao, %v : (tensor<1024x!tt.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  tt.return
}
