// 02: reductions. Each program computes the softmax of one row. It reads the row once and keeps it in registers.
//
//   tcc -O2 softmax.tt.cpp -o softmax && ./softmax

#include "../support/report.h"
#include <algorithm>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void softmax_rows(const float *x, float *out, int stride, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto v = tt::load(x + row * stride + i, mask, -INFINITY);
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + row * stride + i, e / tt::sum(e), mask);
}

static void softmax_plain(const float *x, float *out, int rows, int stride, int columns) {
  for (int r = 0; r < rows; ++r, x += stride, out += stride) {
    float largest = *std::max_element(x, x + columns), sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += out[i] = std::exp(x[i] - largest);
    for (int i = 0; i < columns; ++i)
      out[i] /= sum;
  }
}

int main(int argc, char **argv) {
  const int rows = example::size_from(argc, argv, 4096), columns = 1000, stride = 1008;
  const size_t size = size_t(rows) * stride;
  auto x = example::random_floats(size), out = example::poisoned(size);

  tt::device_buffer<float> dx(x.data(), size), dout(out.data(), size);
  auto run = [&] {
    softmax_rows<1024><<<rows>>>(dx.data(), dout.data(), stride, columns);
    tt::check(ttGetLastError());
  };
  double ms = example::median_ms(run);
  dout.copy_to(out.data());

  double error = 0;
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[size_t(r) * stride];
    double largest = *std::max_element(row, row + columns), sum = 0;
    std::vector<double> reference(columns);
    for (int i = 0; i < columns; ++i)
      sum += reference[i] = std::exp(row[i] - largest);
    for (double &value : reference)
      value /= sum;
    auto begin = out.begin() + size_t(r) * stride;
    error = std::max(error, example::largest_error({begin, begin + columns}, reference));
  }

  std::vector<float> plain(size);
  double plain_ms = example::median_ms([&] { softmax_plain(x.data(), plain.data(), rows, stride, columns); });
  return example::report("softmax", error, 1e-6, ms, plain_ms, 2.0 * sizeof(float) * rows * columns, "GB/s");
}
