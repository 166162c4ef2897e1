// Names and types of Triton, CUDA and Python: one message each, at the user's line, with the way out.
// RUN: split-file %s %t
// RUN: not %raise %t/attribute.tt.cpp 2>&1 | FileCheck %t/attribute.tt.cpp --implicit-check-not="{{error|warning}}:"
// RUN: not %raise %t/names.tt.cpp 2>&1 | FileCheck %t/names.tt.cpp --implicit-check-not="{{error|warning}}:" --implicit-check-not="detail::"
// RUN: not %raise %t/simt.tt.cpp 2>&1 | FileCheck %t/simt.tt.cpp --implicit-check-not="{{error|warning}}:"
// RUN: not %raise %t/include.tt.cpp 2>&1 | FileCheck %t/include.tt.cpp --implicit-check-not="{{error|warning}}:"
// RUN: not %raise %t/library.tt.cpp 2>&1 | FileCheck %t/library.tt.cpp --implicit-check-not="{{error|warning}}:"

//--- attribute.tt.cpp
#include <tilecc/tt.h>
// CHECK: attribute.tt.cpp:[[#@LINE+1]]:7: error: there is no attribute tt::num_warp; did you mean tt::num_warps?
[[tt::num_warp(4)]] __tile_global__ void near(float *x) { x[0] = 1; }
// CHECK: attribute.tt.cpp:[[#@LINE+1]]:38: error: there is no attribute tt::unroll: there are tt::divisible,
[[tt::num_warps(tt::cdiv(4, 2)), tt::unroll]] __tile_global__ void far(float *x) { x[0] = 1; }
[[nodiscard]] int other();
// CHECK: attribute.tt.cpp:[[#@LINE+1]]:3: error: there is no attribute 'num_warps': it is 'tt::num_warps'
[[num_warps(4)]] __tile_global__ void unscoped(float *x) { x[0] = 1; }
// CHECK: attribute.tt.cpp:[[#@LINE+1]]:3: error: there is no attribute 'persistent': it is 'tt::persistent'
[[persistent]] __tile_global__ void unscoped_too(float *x) { x[0] = 1; }
// CHECK: attribute.tt.cpp:[[#@LINE+1]]:52: error: there is no attribute 'divisible': it is 'tt::divisible'
__tile_global__ void unscoped_parameter(float *x [[divisible(16)]]) { x[0] = 1; }

//--- names.tt.cpp
#include <tilecc/host.h>
#include <tilecc/tt.h>
// CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:45: error: there is no 'tl': Triton's names are in namespace tt, as in tt::arange<16>()
__tile_global__ void a(float *x) { auto i = tl.arange(0, 16); }
// CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:24: error: there is no type 'half': it is tt::float16
__tile_global__ void b(half *x) { x[0] = 1; }
__tile_global__ void c(float *x) {
  auto i = tt::arange<16>();
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a type is a template argument: x.to<float>(), tt::zeros<float, 64, 32>()
  tt::store(x + i, i.to(float));
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a loop cannot iterate over the elements of a tile: operators and functions of tt compute with all of its elements, and tt::map_elementwise(f, x) calls a function for each
  for (auto v : i)
    x[v] = 1;
}
__tile_global__ void d(float *x) {
  auto i = tt::arange<16>();
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no member named 'sequence' in namespace 'tt'
  auto j = tt::sequence(i);
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no tt::matmul: tt::dot(a, b) stands for it
  tt::matmul(i, i);
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no 'None': a null pointer is nullptr
  float *p = None;
}
template <class T> __tile_global__ void deduced(T *x) { x[0] = 1; }
int main() {
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a grid of several dimensions is a dim3: <<<dim3{4, 4}>>>
  a<<<{4, 4}>>>(nullptr);
  tt::buffer<float> x(3);
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'deduced': from a tt::buffer C++ does not deduce the T of a parameter T *; pass x.data() or +x
  deduced<<<1>>>(x);
}
__tile_global__ void other_headers(unsigned *x) {
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no tt::once: calls of SIMT code come with #include <tilecc/threads.h>, in a .cu or with --simt
  tt::once([](int a) { return a; }, 1);
  // CHECK-DAG: names.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no tt::sync_ranks: memory and signals of several GPUs come with #include <tilecc/communication.h>
  tt::sync_ranks(x, 0, 1u);
}

//--- simt.tt.cpp
#include <tilecc/tt.h>
__tile_global__ void k(float *x) {
  // CHECK: simt.tt.cpp:[[#@LINE+1]]:11: error: 'threadIdx' is SIMT code, which needs --simt; a tile kernel has no threads: tt::arange<N>() are the positions in a tile
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  x[i] = 1;
  // CHECK: simt.tt.cpp:[[#@LINE+1]]:3: error: 'atomicAdd' is SIMT code, which needs --simt; in a tile kernel tt::atomic_add(pointers, value) stands for it
  atomicAdd(x, 1.0f);
}

//--- include.tt.cpp
#include <cstdio>
// CHECK: include.tt.cpp:[[#@LINE+1]]:18: error: '__tile_global__' comes with #include <tilecc/tt.h>, which is missing
template <int N> __tile_global__ void k(float *x) { tt::store(x + tt::arange<N>(), 1); }
int main() { k<16><<<1>>>(nullptr); }

//--- library.tt.cpp
#include <string>
#include <tilecc/tt.h>
#include <vector>
struct op {
  virtual __tile__ float f(float x) const = 0;
};
struct twice : op {
  __tile__ float f(float x) const override { return 2 * x; }
};
__tile__ float use(const op &o, float x) { return o.f(x); }
__tile_global__ void v(float *x) {
  // CHECK-DAG: error: a virtual function is not available in a tile kernel: a template parameter or a lambda selects the function
  twice t;
  x[0] = use(t, x[1]);
}
__tile_global__ void w(float *x) {
  // CHECK-DAG: library.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: std::vector is not available in a tile kernel: it has memory of the heap; a local array has a constant number of elements, as float x[4] and std::array<float, 4> have
  std::vector<float> v(4);
  v.push_back(3);
  x[0] = v[1];
}
