// A kernel without parameters can do nothing, in a namespace, as a template, or as C.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

// CHECK-DAG: no-parameters.tt.cpp:[[#@LINE+1]]:22: error: a kernel without parameters is not available: it has nothing to read or write
__tile_global__ void nothing() {}
namespace inner {
// CHECK-DAG: no-parameters.tt.cpp:[[#@LINE+1]]:22: error: a kernel without parameters is not available: it has nothing to read or write
__tile_global__ void nothing() {}
} // namespace inner
void launch() {
  nothing<<<1>>>();
  inner::nothing<<<1>>>();
}
