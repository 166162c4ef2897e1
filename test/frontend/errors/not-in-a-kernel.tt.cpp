// Features of C++ that tile kernels lack: one error each, at the line.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
static int counter = 3;
constexpr int table[100] = {1, 2, 3, 5};
int host_global;

__tile__ int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: recursion ('factorial' calls itself) is not available in a tile kernel
__tile_global__ void recursion(float *x, int n) { x[0] = factorial(n); }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: host variable 'counter', which is neither an argument nor constexpr, is not available in a tile kernel
__tile_global__ void internal_variable(float *x) { x[0] = counter; }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: host variable 'host_global', which is neither an argument nor constexpr, is not available in a tile kernel
__tile_global__ void written_variable(float *x) { host_global = 1; }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: table 'table', which is indexed at run time and has more than 64 elements, is not available in a tile kernel
__tile_global__ void constant_table(float *x, int n) { x[0] = table[n & 3]; }

// A constant index folds.
__tile_global__ void constant_entry(float *x, int n) { x[0] = table[2]; }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: static variable 'count' is not available in a tile kernel: programs of a grid share nothing but the memory that pointers lead to
__tile_global__ void static_local(float *x) { static int count = 0; x[0] = ++count; }

__tile_global__ void scalar_array(float *x, int n) {
  int values[100] = {n, 1, 2, 3};
  // CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a local array of more than 64 elements indexed at run time ('values') is not available in a tile kernel
  x[0] = values[n & 3];
}

__tile_global__ void tile_array(float *x, int n) {
  T tiles[100] = {tt::zeros<float, 64>(), tt::full<float, 64>(1.0f)};
  // CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a local array of more than 64 elements indexed at run time ('tiles') is not available in a tile kernel
  tt::store(x + tt::arange<64>(), tiles[n & 1]);
}

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: an array of variable length, whose size is not a constant, is not available in a tile kernel
__tile_global__ void variable_length(float *x, int n) { int v[n]; v[n - 1] = 1; x[0] = v[0]; }

__tile_global__ void tile_address(float *x) {
  T a = tt::load(x + tt::arange<64>());
  // CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the address of a local variable ('a') is not available in a tile kernel
  *(T **)x = &a;
}

__tile_global__ void tile_in_memory(T *x) {
  // CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a tile cannot be read or written as an object in memory
  x[0] = tt::zeros<float, 64>();
}

struct base {
  virtual __tile__ int f() const { return 1; }
};
struct derived : base {
  __tile__ int f() const override { return 2; }
};
__tile_global__ void virtual_call(float *x) {
  // CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a virtual function is not available in a tile kernel: a template parameter or a lambda selects the function
  derived d;
  const base *b = &d;
  x[0] = b->f();
}

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: inline assembly, for which there is tt::inline_asm_elementwise, is not available in a tile kernel
__tile_global__ void assembly(float *x) { asm volatile("nop"); }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: volatile memory is not available in a tile kernel
__tile_global__ void volatile_access(float *x) { *(volatile float *)x = 1; }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: an atomic access of C++ is not available in a tile kernel
__tile_global__ void atomic(int *x) { __atomic_fetch_add(x, 1, 0); }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a copy of memory as bytes is not available in a tile kernel
__tile_global__ void copy(float *x, const float *y) { __builtin_memcpy(x, y, 64); }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a trap is not available in a tile kernel
__tile_global__ void trap(float *x) { __builtin_trap(); }

// CHECK-DAG: not-in-a-kernel.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the axis of a grid must be a constant: 0, 1 or 2
__tile_global__ void axis(float *x, int n) { x[0] = tt::program_id(n); }

// CHECK: 18 errors generated.
