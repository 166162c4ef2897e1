// 11: tensor descriptors. One step of heat diffusion on a plane. Each block is loaded five times: in place and shifted
// by one element in each direction. Elements outside the plane are read as zeros, so the kernel needs no code for
// edges.
//
//   tcc -O2 stencil.tt.cpp -o stencil && ./stencil

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int M, int N>
__tile_global__ void heat(const float *x, float *out, int rows, int columns, int stride, float c) {
  auto from = tt::make_tensor_descriptor<M, N>(x, {rows, columns}, {stride, 1});
  auto to = tt::make_tensor_descriptor<M, N>(out, {rows, columns}, {stride, 1});
  int i = tt::program_id(0) * M, j = tt::program_id(1) * N;
  auto here = from.load({i, j});
  auto around = from.load({i - 1, j}) + from.load({i + 1, j}) + from.load({i, j - 1}) + from.load({i, j + 1});
  to.store({i, j}, here + c * (around - 4.0f * here));
}

template <class T>
static void heat_plain(const std::vector<float> &x, std::vector<T> &out, int rows, int columns, int stride, T c) {
  auto at = [&](int i, int j) {
    return i < 0 || i >= rows || j < 0 || j >= columns ? T(0) : T(x[size_t(i) * stride + j]);
  };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out[size_t(i) * stride + j] =
          at(i, j) + c * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4 * at(i, j));
}

int main(int argc, char **argv) {
  const int rows = example::size_from(argc, argv, 1001), columns = 1003;
  const int stride = tt::cdiv(columns, 4) * 4; // a descriptor's strides must be multiples of 16 bytes
  auto x = tt::random_normal(size_t(rows) * stride, 11);
  tt::buffer<float> dx(x), dout(x.size(), 0);
  auto time = tt::do_bench([&] {
    heat<32, 64><<<dim3(tt::cdiv(rows, 32), tt::cdiv(columns, 64))>>>(dx, dout, rows, columns, stride, 0.1f);
  });
  std::vector<double> expected(x.size());
  std::vector<float> plain(x.size());
  heat_plain<double>(x, expected, rows, columns, stride, 0.1f);
  double plain_ms = example::median_ms([&] { heat_plain<float>(x, plain, rows, columns, stride, 0.1f); }, 3);
  return example::report("stencil", tt::compare("out", dout.to_vector(), expected).difference, 1e-5, time.median,
                         plain_ms, 8.0 * rows * columns, "GB/s");
}
