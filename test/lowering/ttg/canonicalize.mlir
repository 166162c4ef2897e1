// RUN: tcc-opt %s --canonicalize | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#c = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK: [[A:#.*]] = #ttg.blocked<{sizePerThread = [4]
// CHECK: [[B:#.*]] = #ttg.blocked<{sizePerThread = [1]

// A conversion back to the original layout is removed.
// CHECK-LABEL: @round_trip
// CHECK-NOT: convert_layout
// CHECK: tt.return %arg0
tt.func @round_trip(%x: tensor<512xf32, #a>) -> tensor<512xf32, #a> {
  %0 = ttg.convert_layout %x : tensor<512xf32, #a> -> tensor<512xf32, #b>
  %1 = ttg.convert_layout %0 : tensor<512xf32, #b> -> tensor<512xf32, #a>
  tt.return %1 : tensor<512xf32, #a>
}

// CHECK-LABEL: @two_in_a_row
// CHECK: ttg.convert_layout %arg0 : tensor<512xf32, [[A]]> -> tensor<512xf32, [[B]]>
// CHECK-NEXT: tt.return
tt.func @two_in_a_row(%x: tensor<512xf32, #a>) -> tensor<512xf32, #b> {
  %0 = ttg.convert_layout %x : tensor<512xf32, #a> -> tensor<512xf32, #c>
  %1 = ttg.convert_layout %0 : tensor<512xf32, #c> -> tensor<512xf32, #b>
  tt.return %1 : tensor<512xf32, #b>
}

// A value that is the same in every layout is created in the wanted one.
// CHECK-LABEL: @made_anywhere
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @made_anywhere(%x: f32) -> (tensor<512xf32, #b>, tensor<512xi32, #b>, tensor<512xi32, #b>) {
  %0 = tt.splat %x : f32 -> tensor<512xf32, #a>
  %1 = ttg.convert_layout %0 : tensor<512xf32, #a> -> tensor<512xf32, #b>
  %2 = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #a>
  %3 = ttg.convert_layout %2 : tensor<512xi32, #a> -> tensor<512xi32, #b>
  %4 = arith.constant dense<7> : tensor<512xi32, #a>
  %5 = ttg.convert_layout %4 : tensor<512xi32, #a> -> tensor<512xi32, #b>
  tt.return %1, %3, %5 : tensor<512xf32, #b>, tensor<512xi32, #b>, tensor<512xi32, #b>
}
