// What multicast memory is not accessed by.
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="error:"
#include <tilecc/communication.h>

__tile_global__ void one_element(float *p) {
  // CHECK: multimem.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}multicast memory is accessed through tiles of pointers, not through float *
  float sum = tt::multimem_sum(p);
  tt::store(p, sum);
}
__tile_global__ void bytes(signed char *p) {
  auto i = tt::arange<64>();
  // CHECK: multimem.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}there are no accesses to multicast memory for what
  tt::multimem_store(p + i, tt::load(p + i));
}
