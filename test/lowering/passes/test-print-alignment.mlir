// The facts of AxisInfo, in Triton's notation.
// RUN: tcc-opt %s --test-print-alignment --verify-diagnostics

tt.func @facts(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1], constant_value = 24}}
  %c = arith.constant 24 : i32
  // expected-remark @+1 {{contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>}}
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>}}
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // expected-remark @+1 {{contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>}}
  %a = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.return
}
