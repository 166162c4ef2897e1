#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

const char *name();

__global__ void simt(float *x) { x[threadIdx.x] = threadIdx.x; }
__tile_global__ void tile(float *x) {
  auto i = tt::arange<32>();
  tt::store(x + i, tt::load(x + i) * 2.0f + 1.0f);
}

int main(int argc, char **) {
  float x[32] = {};
  if (argc > 1) // on a GPU
    simt<<<1, 32>>>(x);
  tile<<<1>>>(x);
  ttDeviceSynchronize();
  std::printf("%s: %g\n", name(), x[31]);
}
