#include <tilecc/runtime.h>
#include <tilecc/tt.h>
__tile_global__ void store42(int *x) { tt::store(x, 42); }
int fromKernel() {
  int x = 0;
  store42<<<1>>>(&x);
  return ttDeviceSynchronize() ? 0 : x;
}
