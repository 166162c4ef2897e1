// Prints the level of the processor and checks a kernel with a mask.
#include <tilecc/host.h>
#include <tilecc/tt.h>
#include <cstdio>

__tile_global__ void add(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * 128 + tt::arange<128>();
  tt::store(out + i, tt::load(x + i, i < n) + 1.0f, i < n);
}

int main() {
  constexpr int n = 1000;
  tt::buffer<float> x(n, 41.0f), out(n + 24, 0.0f);
  add<<<tt::cdiv(n, 128)>>>(x, out, n);
  ttDeviceProp properties;
  tt::check(ttGetDeviceProperties(&properties, 0));
  int wrong = 0, i = 0;
  for (float value : out.to_vector())
    wrong += value != (i++ < n ? 42.0f : 0.0f);
  std::printf("level %d: %s\n", properties.arch, wrong ? "wrong" : "right");
  return wrong != 0;
}
