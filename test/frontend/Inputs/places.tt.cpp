#include <tilecc/runtime.h>
#include <tilecc/tt.h>

int counter = 3;

__tile_global__ void kernel(float *x, int n) {
  tt::device_assert(n > 0, "no elements");
  x[0] = n;
#ifdef MISTAKE
  x[1] = counter;
#endif
}

int main() {
  float *x = nullptr;
  ttMalloc(reinterpret_cast<void **>(&x), 4);
  kernel<<<1>>>(x, 0);
  return ttDeviceSynchronize() != ttSuccess;
}
