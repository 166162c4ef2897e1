// Habits of Triton and CUDA users: one message each, at its line, that says what to write.
//
// Nothing else is printed.
// RUN: not %raise -ferror-limit=0 -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not="{{[^[:space:]]}}"
#include <cmath>
#include <functional>
#include <tilecc/tt.h>

__tile_global__ void members(float *p) {
  auto x = tt::load(p + tt::arange<16>());
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:14: error: a tile has no member 'T': tt::trans(x) transposes x{{$}}
  auto a = x.T;
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:14: error: a tile has no member 'sum': tt::sum<axis>(x), or tt::sum(x) of all elements of a tile: the axis is a template argument{{$}}
  auto b = x.sum(0);
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:14: error: a tile has no member 'astype': x.to<float>() converts its elements{{$}}
  auto c = x.astype(1);
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:14: error: a tile has no member 'shape': its sizes are a part of its type: x.size is the number of elements, x.rank that of dimensions, and X::shape_type::dims[i] a size of a tile type X{{$}}
  auto d = x.shape[0];
}
__tile_global__ void types(float *p) {
  auto x = tt::load(p + tt::arange<16>());
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:28: error: a type is a template argument: x.to<tt::float16>(), tt::zeros<tt::float16, 64, 32>(){{$}}
  auto a = x.to(tt::float16);
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:41: error: a type is a template argument: x.to<tt::int32>(), tt::zeros<tt::int32, 64, 32>(){{$}}
  auto b = tt::zeros({16, 16}, tt::int32);
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:14: error: cannot convert tile<float, 16> to float *: addresses are integers of 64 bits{{$}}
  auto c = x.to<float *>();
}
__tile_global__ void chained(float *p, int n) {
  auto i = tt::arange<16>();
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:33: warning: this orders a bool and a number: 0 <= x < n is written 0 <= x && x < n [-Wuser-defined-warnings]{{$}}
  tt::store(p + i, 1.0f, 0 <= i < n);
  tt::store(p + i, 1.0f, (i < n) == false);
}
__tile_global__ void unqualified(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:10: error: use of undeclared identifier 'min'; kernels have tt::minimum(a, b); tt::min(x) is the smallest element of a tile{{$}}
  p[0] = min(n, 3);
}
__tile_global__ void function(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:27: error: the constructor of 'std::function<int (int)>' is a host function, which is not available in a tile kernel; a function for kernels is marked __tile__ or constexpr{{$}}
  std::function<int(int)> f = [](int k) { return k; };
}
template <int N> __tile_global__ void sized(float *p) { tt::store(p + tt::arange<N>(), 1.0f); }
void launch(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-habits.tt.cpp:[[#@LINE+1]]:3: error: the template argument for N of 'sized' does not fit: a constant is a number or a constexpr variable, and a type a type{{$}}
  sized<n><<<1>>>(p);
}
