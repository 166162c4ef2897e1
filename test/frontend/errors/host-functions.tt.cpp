// Kernels call __tile__ and constexpr functions and lambdas; a host function is an error where it is called.
//
// RUN: split-file %s %t
// RUN: not %raise %t/sema.tt.cpp 2>&1 | FileCheck %t/sema.tt.cpp --implicit-check-not="error:"
// RUN: not %raise %t/raise.tt.cpp 2>&1 | FileCheck %t/raise.tt.cpp --implicit-check-not="error:"

//--- sema.tt.cpp
#include <cmath>
#include <tilecc/tt.h>

int twice(int n) { return 2 * n; }
template <class T> T thrice(T n) { return 3 * n; }
struct host_made {
  int n;
  host_made(int n) : n(n) {}
};

__tile_global__ void kernel(float *x, int n) {
  // CHECK: sema.tt.cpp:[[#@LINE+2]]:13: error: host function 'twice' is not available in a tile kernel; a function for kernels is marked __tile__ or constexpr
  // CHECK: sema.tt.cpp:4:5: note: declared here
  int m = - twice(n);
  // CHECK: sema.tt.cpp:[[#@LINE+1]]:13: error: host function 'thrice' is not available in a tile kernel
  int k = - thrice(n);
  // CHECK: sema.tt.cpp:[[#@LINE+1]]:13: error: the constructor of 'host_made' is a host function, which is not available in a tile kernel
  host_made h(n);
}

//--- raise.tt.cpp
#include <cstdio>
#include <tilecc/tt.h>

struct counter {
  int n;
  int next() { return ++n; }
  constexpr int twice() const { return 2 * n; }
  __tile__ int thrice() const { return 3 * n; }
  counter &operator=(const counter &) = default;
};
auto print = [](int n) {
  // CHECK: raise.tt.cpp:[[#@LINE+1]]:3: error: host function 'printf' is not available in a tile kernel
  std::printf("%d", n);
  return n;
};

// CHECK: raise.tt.cpp:[[#@LINE+1]]:55: note: called from here
__tile_global__ void lambda(float *x, int n) { x[n] = print(n); }

__tile_global__ void member(float *x, int n) {
  counter c{n}, d{3};
  d = c;
  // CHECK: raise.tt.cpp:[[#@LINE+1]]:12: error: host function 'counter::next' is not available in a tile kernel
  x[0] = c.next() + c.twice() + d.thrice();
}

__tile__ int helper(int n) {
  // CHECK: raise.tt.cpp:[[#@LINE+1]]:11: error: a tile kernel has no heap and no operator new: 
  return *new int(n);
}
// CHECK: raise.tt.cpp:[[#@LINE+1]]:55: note: called from here
__tile_global__ void caller(float *x, int n) { x[n] = helper(n); }
