#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

float answer();
__tile_global__ void fill(float *x, float value) { tt::store(x + tt::arange<32>(), tt::full<float, 32>(value)); }

int main() {
  tt::device_buffer<float> dx(32);
  fill<<<1>>>(dx.data(), answer());
  float x[32];
  dx.copy_to(x);
  std::printf("%g\n", x[31]);
}
