#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <class T> __tile_global__ void iota(T *x) { tt::store(x + tt::arange<16>(), tt::arange<16>().template to<T>()); }

int main() {
  tt::device_buffer<double> dx(16);
  iota<<<1>>>(dx.data());
  double x[16];
  dx.copy_to(x);
  std::printf("%g, C++ %ld\n", x[15], __cplusplus / 100);
}
