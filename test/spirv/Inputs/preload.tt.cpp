// Prints how long it takes to build a kernel, and whether it is right.
#include <tilecc/host.h>
#include <tilecc/tt.h>

#include <chrono>
#include <cstdio>

__tile_global__ void rows(const float *x, float *out) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto v = tt::load(x + i);
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + i, e / tt::sum(e));
}

int main() {
  auto start = std::chrono::steady_clock::now();
  if (ttPreload(reinterpret_cast<const void *>(&rows)))
    return std::puts(ttGetLastErrorMessage()), 1;
  double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  tt::buffer<float> x(1024, 1.0f), out(1024, 0.0f);
  rows<<<1>>>(x, out);
  for (float value : out.to_vector())
    if (value != 1.0f / 1024)
      return std::printf("wrong: %g\n", value), 1;
  std::printf("%.1f\n", milliseconds);
}
