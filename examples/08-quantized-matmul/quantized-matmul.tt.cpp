// 08: conversions of operands. Weights have 4 bits, two in a byte, with one scale for each group of 64. They are
// multiplied by 16-bit activations, and unpacked in registers right before the product.
//
//   tcc -O2 quantized-matmul.tt.cpp -o quantized-matmul && ./quantized-matmul

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

constexpr int GROUP = 64; // number of elements along K that share a scale

// c = a b. a is M x K, row-major. b is K x N, packed in pairs along K: the lower half of byte (k/2, n) is the element
// with even k.
template <int BM, int BN>
__tile_global__ void matmul_int4(const tt::float16 *a, const unsigned char *b, const float *scales, float *c, int M,
                                 int N, int K) {
  auto rm = tt::program_id(0) * BM + tt::arange<BM>();
  auto rn = tt::program_id(1) * BN + tt::arange<BN>();
  auto half = tt::arange<GROUP / 2>();
  auto whole = tt::arange<GROUP>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += GROUP) {
    auto x = tt::load(a + (rm.col() * K + (k + whole).row()), (rm < M).col(), tt::float16(0));
    auto packed = tt::load(b + ((k / 2 + half).col() * N + rn.row()), (rn < N).row(), (unsigned char)0);
    auto low = (packed & 15).template to<int>() - 8, high = (packed >> 4).template to<int>() - 8;
    // Interleaves rows k and k+1 of the group: joins them in a last dimension, and then moves that between the other
    // two.
    auto pairs = tt::permute<0, 2, 1>(tt::join(low, high));
    auto weights = tt::reshape<GROUP, BN>(pairs).template to<tt::float16>();
    auto scale = tt::load(scales + k / GROUP * N + rn, rn < N, 0.0f);
    acc += tt::dot(x, weights) * scale.row();
  }
  tt::store(c + (rm.col() * N + rn.row()), acc, (rm < M).col() && (rn < N).row());
}

template <class T>
static void multiply(const std::vector<tt::float16> &a, const std::vector<unsigned char> &b,
                     const std::vector<float> &scales, std::vector<T> &c, int M, int N, int K) {
  std::fill(c.begin(), c.end(), T(0));
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n) {
        int nibble = b[size_t(k / 2) * N + n] >> (k % 2 * 4) & 15;
        c[size_t(m) * N + n] += T(float(a[size_t(m) * K + k])) * T(nibble - 8) * T(scales[size_t(k / GROUP) * N + n]);
      }
}

int main(int argc, char **argv) {
  const int M = example::size_from(argc, argv, 100), N = 500, K = 512;
  auto a = tt::random_normal<tt::float16>(size_t(M) * K, 1);
  auto scales = tt::random_uniform(size_t(K / GROUP) * N, 0.01, 0.1, 2),
       bytes = tt::random_uniform(size_t(K / 2) * N, 0, 256, 3);
  std::vector<unsigned char> b(bytes.begin(), bytes.end());
  tt::buffer<tt::float16> da(a);
  tt::buffer<unsigned char> db(b);
  tt::buffer<float> ds(scales), dc(size_t(M) * N);
  auto time =
      tt::do_bench([&] { matmul_int4<64, 64><<<dim3(tt::cdiv(M, 64), tt::cdiv(N, 64))>>>(da, db, ds, dc, M, N, K); });
  std::vector<double> expected(size_t(M) * N);
  std::vector<float> plain(size_t(M) * N);
  multiply(a, b, scales, expected, M, N, K);
  double plain_ms = example::median_ms([&] { multiply(a, b, scales, plain, M, N, K); }, 1);
  return example::report("int4 matmul", tt::compare("c", dc.to_vector(), expected).difference, 1e-3, time.median,
                         plain_ms, 2.0 * M * N * K, "GFLOP/s");
}
