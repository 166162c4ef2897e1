// The stores of these kernels do not prove that only the first rows matter, except those of the first kernel.
// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-divide-tiles=first-rows=64

tt.func public @limited(%p: !tt.ptr<f32>, %M: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @withoutMask(%p: !tt.ptr<f32>, %M: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @anotherStore(%p: !tt.ptr<f32>, %M: i32, %q: !tt.ptr<f32>) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %others = tt.addptr %qs, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %others, %d : tensor<128x128x!tt.ptr<f32>>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @otherRows(%p: !tt.ptr<f32>, %M: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi sge, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @inclusive(%p: !tt.ptr<f32>, %M: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi sle, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @notNegative(%p: !tt.ptr<f32>, %M: i32, %from: i32 {tt.divisibility = 16 : i32}) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %from : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @mayBeNegative(%p: !tt.ptr<f32>, %M: i32, %from: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %from : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// -----

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @asserted(%p: !tt.ptr<f32>, %M: i32) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c128 = arith.constant 128 : i32
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %limit = tt.splat %M : i32 -> tensor<128xi32>
  %isRow = arith.cmpi slt, %m, %limit : tensor<128xi32>
  %masks = tt.expand_dims %isRow {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
  %mask = tt.broadcast %masks : tensor<128x1xi1> -> tensor<128x128xi1>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %indices = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.assert %isRow, "a row" : tensor<128xi1>
  tt.store %pointers, %d, %mask : tensor<128x128x!tt.ptr<f32>>
  tt.return
}
