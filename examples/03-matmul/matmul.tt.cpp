// 03: a loop that carries tiles. Each program computes one tile of C = A B. The order of programs is chosen so that
// neighbors find their operands in the cache.
//
//   tcc -O2 matmul.tt.cpp -o matmul && ./matmul

#include "../support/report.h"
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int BM, int BN, int BK, int GROUP>
[[tt::num_warps(8)]] __tile_global__ void matmul(const float *a, const float *b, float *c, int M, int N, int K, int sa,
                                                 int sb, int sc) {
  // Programs are ordered in groups of GROUP rows of tiles and, within a group, column by column.
  int pid = tt::program_id(0), in_group = GROUP * tt::cdiv(N, BN);
  int first = pid / in_group * GROUP, height = tt::minimum(tt::cdiv(M, BM) - first, GROUP);
  int pm = first + pid % in_group % height, pn = pid % in_group / height;

  auto rm = pm * BM + tt::arange<BM>();
  auto rn = pn * BN + tt::arange<BN>();
  auto rk = tt::arange<BK>();
  auto pa = a + rm(tt::all, tt::newaxis) * sa + rk(tt::newaxis, tt::all);
  auto pb = b + rk(tt::all, tt::newaxis) * sb + rn(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    auto in_k = rk < K - k;
    auto ta = tt::load(pa, (rm < M)(tt::all, tt::newaxis) && in_k(tt::newaxis, tt::all), 0.0f);
    auto tb = tt::load(pb, in_k(tt::all, tt::newaxis) && (rn < N)(tt::newaxis, tt::all), 0.0f);
    acc = tt::dot(ta, tb, acc);
    pa += BK;
    pb += BK * sb;
  }
  auto pc = c + rm(tt::all, tt::newaxis) * sc + rn(tt::newaxis, tt::all);
  tt::store(pc, acc, (rm < M)(tt::all, tt::newaxis) && (rn < N)(tt::newaxis, tt::all));
}

static void matmul_plain(const float *a, const float *b, float *c, int M, int N, int K) {
  std::fill(c, c + size_t(M) * N, 0.0f);
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        c[size_t(m) * N + n] += a[size_t(m) * K + k] * b[size_t(k) * N + n];
}

int main(int argc, char **argv) {
  const int size = example::size_from(argc, argv, 1000);
  const int M = size, N = size + 13, K = size - 7; // none is a multiple of a tile size
  auto a = example::random_floats(size_t(M) * K), b = example::random_floats(size_t(K) * N),
       c = example::poisoned(size_t(M) * N);

  tt::device_buffer<float> da(a.data(), a.size()), db(b.data(), b.size()), dc(c.data(), c.size());
  constexpr int BM = 128, BN = 128, BK = 32;
  auto run = [&] {
    matmul<BM, BN, BK, 8><<<tt::cdiv(M, BM) * tt::cdiv(N, BN)>>>(da.data(), db.data(), dc.data(), M, N, K, K, N, N);
    tt::check(ttGetLastError());
  };
  double ms = example::median_ms(run);
  dc.copy_to(c.data());

  // In double precision. The inner loop runs along rows, which are contiguous in memory.
  std::vector<double> reference(size_t(M) * N);
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        reference[size_t(m) * N + n] += double(a[size_t(m) * K + k]) * b[size_t(k) * N + n];
  double error = example::largest_error(c, reference, /*scale=*/std::sqrt(double(K))); // sums grow by this factor

  std::vector<float> plain(size_t(M) * N);
  double plain_ms = example::median_ms([&] { matmul_plain(a.data(), b.data(), plain.data(), M, N, K); }, 3);
  // As in Triton, tensor cores round floats to tf32, which has 10 fraction bits. dot<tt::precision::ieee> is exact.
  return example::report("matmul", error, 1e-2, ms, plain_ms, 2.0 * M * N * K, "GFLOP/s");
}
