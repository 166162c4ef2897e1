// RUN: tcc-opt %s --tritongpu-optimize-dot-operands --cse | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#op = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

// The loaded tile is converted, and elementwise operations are applied behind the conversion.
// CHECK-LABEL: @cast
// CHECK: [[X:%.*]] = ttg.convert_layout %arg0 : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK: [[F:%.*]] = arith.sitofp [[X]] : {{.*}} to tensor<64x64xf16, #ttg.dot_op
// CHECK: [[S:%.*]] = arith.mulf [[F]]
// CHECK: tt.return [[S]]
tt.func public @cast(%x: tensor<64x64xi8, #b>, %scale: f16) -> tensor<64x64xf16, #op> {
  %s = tt.splat %scale : f16 -> tensor<64x64xf16, #b>
  %0 = arith.sitofp %x : tensor<64x64xi8, #b> to tensor<64x64xf16, #b>
  %1 = arith.mulf %0, %s : tensor<64x64xf16, #b>
  %2 = ttg.convert_layout %1 : tensor<64x64xf16, #b> -> tensor<64x64xf16, #op>
  tt.return %2 : tensor<64x64xf16, #op>
}

// Two values computed from one tile share its conversion, and a conversion in between is removed.
// CHECK-LABEL: @shared
// CHECK: ttg.convert_layout %arg0
// CHECK-NOT: convert_layout
tt.func public @shared(%x: tensor<64x64xf32, #b>) -> (tensor<64x64xf32, #op>, tensor<64x64xf32, #op>) {
  %half = arith.constant dense<5.000000e-01> : tensor<64x64xf32, #b>
  %0 = arith.mulf %x, %half : tensor<64x64xf32, #b>
  %1 = arith.subf %x, %0 : tensor<64x64xf32, #b>
  %2 = ttg.convert_layout %0 : tensor<64x64xf32, #b> -> tensor<64x64xf32, #op>
  %3 = ttg.convert_layout %1 : tensor<64x64xf32, #b> -> tensor<64x64xf32, #op>
  tt.return %2, %3 : tensor<64x64xf32, #op>, tensor<64x64xf32, #op>
}

// Nothing moves if more bits would be converted, or if every warp would repeat an expensive computation.
// CHECK-LABEL: @stays
// CHECK: arith.addf %arg0, %arg1 : tensor<64x64xf32, #blocked>
// CHECK: arith.truncf {{.*}} : tensor<64x64xf32, #blocked>
// CHECK: math.exp2 {{.*}} : tensor<64x64xf16, #blocked>
tt.func public @stays(%x: tensor<64x64xf32, #b>, %y: tensor<64x64xf32, #b>, %z: tensor<64x64xf16, #b>) -> (tensor<64x64xf32, #op>, tensor<64x64xf16, #op>, tensor<64x64xf16, #op>) {
  %0 = arith.addf %x, %y : tensor<64x64xf32, #b>
  %1 = ttg.convert_layout %0 : tensor<64x64xf32, #b> -> tensor<64x64xf32, #op>
  %2 = arith.truncf %x : tensor<64x64xf32, #b> to tensor<64x64xf16, #b>
  %3 = ttg.convert_layout %2 : tensor<64x64xf16, #b> -> tensor<64x64xf16, #op>
  %4 = math.exp2 %z : tensor<64x64xf16, #b>
  %5 = ttg.convert_layout %4 : tensor<64x64xf16, #b> -> tensor<64x64xf16, #op>
  tt.return %1, %3, %5 : tensor<64x64xf32, #op>, tensor<64x64xf16, #op>, tensor<64x64xf16, #op>
}

// A transposed tile is converted to the layout whose transpose is the operand's; registers are then renamed, and
// nothing moves.
// CHECK-LABEL: @transposed
// CHECK: [[X:%.*]] = ttg.convert_layout %arg0 : tensor<64x32xi8, #blocked> -> tensor<64x32xi8, [[L:#linear[0-9]*]]>
// CHECK: [[F:%.*]] = arith.sitofp [[X]] : tensor<64x32xi8, [[L]]> to tensor<64x32xf16, [[L]]>
// CHECK: [[T:%.*]] = tt.trans [[F]] {{.*}} : tensor<64x32xf16, [[L]]> -> tensor<32x64xf16, #ttg.dot_op
// CHECK: tt.return [[T]]
tt.func public @transposed(%x: tensor<64x32xi8, #b>) -> tensor<32x64xf16, #op> {
  %0 = arith.sitofp %x : tensor<64x32xi8, #b> to tensor<64x32xf16, #b>
  %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x32xf16, #b> -> tensor<32x64xf16, #t>
  %2 = ttg.convert_layout %1 : tensor<32x64xf16, #t> -> tensor<32x64xf16, #op>
  tt.return %2 : tensor<32x64xf16, #op>
}

// A column that is combined with the tile is converted as a column.
// CHECK-LABEL: @scaled_rows
// CHECK-DAG: [[X:%.*]] = ttg.convert_layout %arg0 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op
// CHECK-DAG: [[S:%.*]] = ttg.convert_layout %arg1 : tensor<64xbf16, {{.*}}> -> tensor<64xbf16, #ttg.slice<{dim = 1, parent = #ttg.dot_op
// CHECK: [[C:%.*]] = tt.expand_dims [[S]]
// CHECK: [[B:%.*]] = tt.broadcast [[C]] {{.*}} -> tensor<64x64xbf16, #ttg.dot_op
// CHECK: [[R:%.*]] = arith.mulf [[X]], [[B]] : tensor<64x64xbf16, #ttg.dot_op
// CHECK: tt.return [[R]]
tt.func public @scaled_rows(%x: tensor<64x64xbf16, #b>, %s: tensor<64xbf16, #ttg.slice<{dim = 1, parent = #b}>>) -> tensor<64x64xbf16, #op> {
  %0 = tt.expand_dims %s {axis = 1 : i32} : tensor<64xbf16, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xbf16, #b>
  %1 = tt.broadcast %0 : tensor<64x1xbf16, #b> -> tensor<64x64xbf16, #b>
  %2 = arith.mulf %x, %1 : tensor<64x64xbf16, #b>
  %3 = ttg.convert_layout %2 : tensor<64x64xbf16, #b> -> tensor<64x64xbf16, #op>
  tt.return %3 : tensor<64x64xbf16, #op>
}
