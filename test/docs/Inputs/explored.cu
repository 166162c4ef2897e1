#include <tilecc/tt.h>
__tile_global__ void scale(const float *x, float *y, float a, int n) {
  auto i = tt::program_id(0) * 256 + tt::arange<256>();
  tt::store(y + i, a * tt::load(x + i, i < n, 0.0f), i < n);
}
__global__ void add(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
void run(float *x, float *y, int n) {
  scale<<<tt::cdiv(n, 256)>>>(x, y, 2.0f, n);
  add<<<(n + 255) / 256, 256>>>(y, n);
}
