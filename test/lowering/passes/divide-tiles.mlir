// The tile of a program is divided: halves and quarters run as programs of their own. A launch of few rows computes
// only the first rows of the tile, because it stores no others.
// RUN: tcc-opt %s --split-input-file --tritongpu-divide-tiles --canonicalize --cse | FileCheck %s --check-prefix=HALVES
// RUN: tcc-opt %s --split-input-file --tritongpu-divide-tiles=parts=4 --canonicalize --cse | FileCheck %s --check-prefix=QUARTERS
// RUN: tcc-opt %s --split-input-file --tritongpu-divide-tiles=first-rows=64 --canonicalize --cse | FileCheck %s --check-prefix=ROWS
// RUN: tcc-opt %s --split-input-file --tritongpu-divide-tiles=first-rows=16 --canonicalize --cse | FileCheck %s --check-prefix=SIXTEEN

// The columns of 256x256 are halved first, then the rows. Programs that are adjacent along x compute the parts; the
// kernel sees the original program and the number of programs that the launch requested.
// HALVES-LABEL: tt.func public @product
// HALVES-DAG: %[[PROGRAM:.*]] = tt.get_program_id x
// HALVES-DAG: %[[PART:.*]] = arith.andi %[[PROGRAM]], %c1_i32
// HALVES-DAG: arith.shrui %[[PROGRAM]], %c1_i32
// HALVES-DAG: %[[BEGIN:.*]] = arith.muli %[[PART]], %c128_i32
// HALVES-DAG: tt.splat %[[BEGIN]] : i32 -> tensor<128xi32>
// HALVES-DAG: arith.shrui %{{.*}}, %c1_i32
// HALVES: tt.load {{.*}} : tensor<256x64x!tt.ptr<f16>>
// HALVES: tt.load {{.*}} : tensor<64x128x!tt.ptr<f16>>
// HALVES: tt.dot {{.*}} -> tensor<256x128xf32>
// HALVES: tt.store {{.*}} : tensor<256x128x!tt.ptr<f32>>
// HALVES-NOT: ttng.
// QUARTERS-LABEL: tt.func public @product
// QUARTERS: tt.load {{.*}} : tensor<128x64x!tt.ptr<f16>>
// QUARTERS: tt.load {{.*}} : tensor<64x128x!tt.ptr<f16>>
// QUARTERS: tt.dot {{.*}} -> tensor<128x128xf32>
// ROWS-LABEL: tt.func public @product
// ROWS: tt.load {{.*}} : tensor<64x64x!tt.ptr<f16>>
// ROWS: tt.load {{.*}} : tensor<64x128x!tt.ptr<f16>>
// ROWS: tt.dot {{.*}} -> tensor<64x128xf32>
// SIXTEEN-LABEL: tt.func public @product
// SIXTEEN: tt.load {{.*}} : tensor<16x64x!tt.ptr<f16>>
// SIXTEEN: tt.load {{.*}} : tensor<64x128x!tt.ptr<f16>>
// SIXTEEN: tt.dot {{.*}} -> tensor<16x128xf32>
tt.func public @product(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %M: i32, %K: i32) {
  %zero = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
  %zeroA = arith.constant dense<0.000000e+00> : tensor<256x64xf16>
  %zeroB = arith.constant dense<0.000000e+00> : tensor<64x256xf16>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %id = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %first = arith.muli %id, %c256 : i32
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %firsts = tt.splat %first : i32 -> tensor<256xi32>
  %m = arith.addi %firsts, %r : tensor<256xi32>
  %limit = tt.splat %M : i32 -> tensor<256xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<256xi32>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<256xi1> -> tensor<256x1xi1>
  %columns = tt.expand_dims %r {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
  %stride = tt.splat %K : i32 -> tensor<256x1xi32>
  %rowStarts = arith.muli %rows, %stride : tensor<256x1xi32>
  %kRow = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %kColumn = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %rowStartsA = tt.broadcast %rowStarts : tensor<256x1xi32> -> tensor<256x64xi32>
  %kA = tt.broadcast %kRow : tensor<1x64xi32> -> tensor<256x64xi32>
  %offsetsA = arith.addi %rowStartsA, %kA : tensor<256x64xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<256x64x!tt.ptr<f16>>
  %pa = tt.addptr %as, %offsetsA : tensor<256x64x!tt.ptr<f16>>, tensor<256x64xi32>
  %width = tt.splat %c256 : i32 -> tensor<64x1xi32>
  %kStarts = arith.muli %kColumn, %width : tensor<64x1xi32>
  %kStartsB = tt.broadcast %kStarts : tensor<64x1xi32> -> tensor<64x256xi32>
  %columnsB = tt.broadcast %columns : tensor<1x256xi32> -> tensor<64x256xi32>
  %offsetsB = arith.addi %kStartsB, %columnsB : tensor<64x256xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
  %pb = tt.addptr %bs, %offsetsB : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
  %maskA = tt.broadcast %masks : tensor<256x1xi1> -> tensor<256x64xi1>
  %stepA = arith.constant dense<64> : tensor<256x64xi32>
  %stepB = arith.constant dense<16384> : tensor<64x256xi32>
  %sum:3 = scf.for %i = %c0 to %K step %c64 iter_args(%acc = %zero, %pa0 = %pa, %pb0 = %pb)
      -> (tensor<256x256xf32>, tensor<256x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>) : i32 {
    %x = tt.load %pa0, %maskA, %zeroA : tensor<256x64x!tt.ptr<f16>>
    %y = tt.load %pb0 : tensor<64x256x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<256x64xf16> * tensor<64x256xf16> -> tensor<256x256xf32>
    %pa1 = tt.addptr %pa0, %stepA : tensor<256x64x!tt.ptr<f16>>, tensor<256x64xi32>
    %pb1 = tt.addptr %pb0, %stepB : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
    scf.yield %d, %pa1, %pb1 : tensor<256x256xf32>, tensor<256x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>
  }
  %scale = arith.sitofp %programs : i32 to f32
  %scales = tt.splat %scale : f32 -> tensor<256x256xf32>
  %scaled = arith.mulf %sum#0, %scales : tensor<256x256xf32>
  %widthC = tt.splat %c256 : i32 -> tensor<256x1xi32>
  %startsC = arith.muli %rows, %widthC : tensor<256x1xi32>
  %startsC2 = tt.broadcast %startsC : tensor<256x1xi32> -> tensor<256x256xi32>
  %columnsC = tt.broadcast %columns : tensor<1x256xi32> -> tensor<256x256xi32>
  %offsetsC = arith.addi %startsC2, %columnsC : tensor<256x256xi32>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>>
  %pc = tt.addptr %cs, %offsetsC : tensor<256x256x!tt.ptr<f32>>, tensor<256x256xi32>
  %maskC = tt.broadcast %masks : tensor<256x1xi1> -> tensor<256x256xi1>
  tt.store %pc, %scaled, %maskC : tensor<256x256x!tt.ptr<f32>>
  tt.return
}
