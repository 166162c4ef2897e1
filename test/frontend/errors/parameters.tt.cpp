// Types that cannot be passed to a kernel.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <string>
#include <tilecc/tt.h>

// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:43: error: a tile kernel cannot take a reference: its memory belongs to the caller; pass a value or a pointer
__tile_global__ void reference(const int &n) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:22: error: a tile kernel cannot be variadic
__tile_global__ void variadic(float *x, ...) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:41: error: 'std::string' (aka 'basic_string<char>') cannot be passed to a kernel: it is not trivially copyable
__tile_global__ void string(std::string name) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:38: error: a pointer to a function or member is not available in a tile kernel
__tile_global__ void function(void (*f)()) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:52: error: volatile memory is not available in a tile kernel
__tile_global__ void volatile_memory(volatile int *x) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:47: error: a tile cannot be passed to a kernel: load it from memory
__tile_global__ void tile(tt::tile<float, 64> x) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:46: error: 'long double' is not available in a tile kernel
__tile_global__ void long_double(long double x) {}
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:38: error: '__int128' is not available in a tile kernel
__tile_global__ void int128(__int128 x) {}
struct huge { int numbers[2147483648]; };
// CHECK-DAG: parameters.tt.cpp:[[#@LINE+1]]:32: error: parameter 'h' has 8589934592 bytes, and those of a kernel have 32764 at most: pass a pointer
__tile_global__ void much(huge h) {}
