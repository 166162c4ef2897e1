#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <cstdio>

template <int BLOCK>
__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}

__tile_global__ void twice(float *x) {
  auto i = tt::arange<64>();
  tt::store(x + i, 2.0f * tt::load(x + i));
}

#ifndef NO_MAIN
int main() {
  constexpr int n = 77;
  float x[n], y[n], out[n];
  for (int i = 0; i < n; ++i)
    x[i] = i, y[i] = 1000 * i, out[i] = -1;
  tt::device_buffer<float> dx(x, n), dy(y, n), dout(out, n);
  add<256><<<tt::cdiv(n, 256)>>>(dx.data(), dy.data(), dout.data(), n);
  twice<<<1>>>(dout.data());
  tt::check(ttGetLastError());
  dout.copy_to(out);
  for (int i = 0; i < n; ++i)
    if (out[i] != 1001 * i * (i < 64 ? 2 : 1))
      return std::printf("out[%d] is %g\n", i, out[i]), 1;
  std::puts("right");
}
#endif
