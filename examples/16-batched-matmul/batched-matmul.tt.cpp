// 16: three dimensions. One launch computes many small products. A program multiplies several matrices of a batch with
// one three-dimensional dot, so that even small matrices keep a program busy.
//
//   tcc -O2 batched-matmul.tt.cpp -o batched-matmul && ./batched-matmul

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

// c[i] = a[i] b[i], for consecutive matrices of S x S. A program handles B of them.
template <int B, int S, int PADDED>
__tile_global__ void matmul_batched(const float *a, const float *b, float *c, int batches) {
  auto batch = tt::program_id(0) * B + tt::arange<B>();
  auto i = tt::arange<PADDED>();
  auto first = batch(tt::all, tt::newaxis, tt::newaxis) * (S * S); // B x 1 x 1
  auto in_batch = (batch < batches)(tt::all, tt::newaxis, tt::newaxis);
  auto place = first + tt::expand_dims<0>(i.col() * S + i.row());
  auto in = in_batch && tt::expand_dims<0>((i < S).col() && (i < S).row());
  auto product = tt::dot<tt::precision::ieee>(tt::load(a + place, in, 0.0f), tt::load(b + place, in, 0.0f));
  tt::store(c + place, product, in);
}

template <class T>
static void multiply(const std::vector<float> &a, const std::vector<float> &b, std::vector<T> &c, int S, int batches) {
  std::fill(c.begin(), c.end(), T(0));
  for (size_t at = 0; at < size_t(batches) * S * S; at += S * S)
    for (int m = 0; m < S; ++m)
      for (int k = 0; k < S; ++k)
        for (int n = 0; n < S; ++n)
          c[at + m * S + n] += T(a[at + m * S + k]) * T(b[at + k * S + n]);
}

int main(int argc, char **argv) {
  constexpr int B = 4, S = 12, PADDED = 16;
  const int batches = example::size_from(argc, argv, 10001);
  auto a = tt::random_normal(size_t(batches) * S * S, 1), b = tt::random_normal(size_t(batches) * S * S, 2);
  tt::buffer<float> da(a), db(b), dc(size_t(batches) * S * S);
  auto time = tt::do_bench([&] { matmul_batched<B, S, PADDED><<<tt::cdiv(batches, B)>>>(da, db, dc, batches); });
  std::vector<double> expected(size_t(batches) * S * S);
  std::vector<float> plain(expected.size());
  multiply(a, b, expected, S, batches);
  double plain_ms = example::median_ms([&] { multiply(a, b, plain, S, batches); }, 3);
  return example::report("batched", tt::compare("c", dc.to_vector(), expected).difference, 1e-5, time.median, plain_ms,
                         2.0 * batches * S * S * S, "GFLOP/s");
}
