#include <tilecc/runtime.h>
#include <tilecc/tt.h>
__tile_global__ void fill(float *x) { tt::store(x, 2.0f); }
int main() {
  tt::device_buffer<float> x(1);
  fill<<<1>>>(x.data());
  float result = 0;
  x.copy_to(&result);
  return result != 2;
}
