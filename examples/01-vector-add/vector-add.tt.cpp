// 01: a kernel and its launch. Each program of the grid adds one block of two vectors. A mask guards the last block,
// which may be incomplete.
//
//   tcc -O2 vector-add.tt.cpp -o vector-add && ./vector-add

#include "../support/report.h"
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}

static void add_plain(const float *x, const float *y, float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = x[i] + y[i];
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, (1 << 24) + 77);
  auto x = example::random_floats(n), y = example::random_floats(n), out = example::poisoned(n);

  tt::device_buffer<float> dx(x.data(), n), dy(y.data(), n), dout(out.data(), n);
  auto run = [&] {
    add<1024><<<tt::cdiv(n, 1024)>>>(dx.data(), dy.data(), dout.data(), n);
    tt::check(ttGetLastError());
  };
  double ms = example::median_ms(run);
  dout.copy_to(out.data());

  std::vector<double> reference(n);
  for (int i = 0; i < n; ++i)
    reference[i] = double(x[i]) + y[i];
  double error = example::largest_error(out, reference);

  std::vector<float> plain(n);
  double plain_ms = example::median_ms([&] { add_plain(x.data(), y.data(), plain.data(), n); });
  return example::report("vector-add", error, 1e-6, ms, plain_ms, 3.0 * sizeof(float) * n, "GB/s");
}
