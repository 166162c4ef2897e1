// RUN: tcc-opt %s --split-input-file --verify-diagnostics

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{combines 'f32', 'f32', 'f32', not two of each of 'f32'}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.scan.return %a : f32
  }) : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{scans axis 1 of 'tensor<16xf32>'}}
  %0 = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{scans 'tensor<16xf32>' to 'tensor<16xi32>'}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<16xf32>) -> tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{must return one of each of 'f32' with tt.reduce.return}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<16xf32>) -> f32
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{packs 3 elements, which is no power of two}}
  %0 = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    tt.map_elementwise.return %a, %b, %c : f32, f32, f32
  }) : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>) {
  // expected-error @+1 {{is a function of 'f32', not 'f32', 'f32'}}
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf32>, %c: i1) {
  // expected-error @+1 {{must return 'f32' with tt.map_elementwise.return}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.map_elementwise.return %a : f32
  ^bb2:
    tt.map_elementwise.return %c : i1
  }) : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{cannot umax values of type 'f32'}}
  %0 = tt.atomic_rmw umax, relaxed, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{cannot fadd values of type 'i32'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i16>, %v: i16) {
  // expected-error @+1 {{cannot add values of 'i16' in memory}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i16>, i16) -> i16
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{compares values of 16, 32 or 64 bits, not 'i8'}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %v, %v : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<8xi32>) {
  // expected-error @+1 {{has tiles of different shapes: 'tensor<16xi32>' and 'tensor<8xi32>'}}
  %0 = tt.elementwise_inline_asm "add.s32 $0, $1, $2;" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %x, %y : tensor<16xi32>, tensor<8xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>) {
  // expected-error @+1 {{packs 32 elements at a time of 'tensor<16xi32>'}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 32 : i32, pure = true} %x : tensor<16xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>) {
  // expected-error @+1 {{has 1 operands and says of 0 whether they are signed}}
  tt.print " x: " {hex = false, isSigned = array<i32>} : %x : tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%x: f32) {
  // expected-error @+1 {{needs a rounding mode to turn 'f32' into 'f8E5M2'}}
  %0 = tt.fp_to_fp %x : f32 -> f8E5M2
  tt.return
}

// -----

tt.func @f(%x: tensor<16xf8E5M2>) {
  // expected-error @+1 {{takes no rounding mode to turn 'f8E5M2' into 'f16'}}
  %0 = tt.fp_to_fp %x, rounding = rtne : tensor<16xf8E5M2> -> tensor<16xf16>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{takes no tiles, because its kind is 'once'}}
  tt.call_threads once "f"(%x) : (tensor<16xi32>) -> ()
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{needs a tile, because its kind is 'items'}}
  tt.call_threads items "f"(%n) : (i32) -> ()
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{must have the types of its tiles as result types}}
  tt.call_threads items "f"(%x) : (tensor<16xi32>) -> ()
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{must have at most one result, a scalar}}
  %0:2 = tt.call_threads all "f"(%n) : (i32) -> (i32, i32)
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{takes tiles of rank 1, because its kind is 'items'}}
  %0 = tt.call_threads items "f"(%y) : (tensor<4x4xi32>) -> tensor<4x4xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<16xi32>, %y: tensor<4x4xi32>, %n: i32) {
  // expected-error @+1 {{must be for a power of two of threads, not 96}}
  %0 = tt.call_threads items "f"(%x) {threads = 96 : i32} : (tensor<16xi32>) -> tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%p: !tt.ptr<i64>, %n: i64) {
  // expected-error @+1 {{waits for values of i32, not 'i64'}}
  tt.wait_signal %p, %n : !tt.ptr<i64>
  tt.return
}
