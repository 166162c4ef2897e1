// 14: a product with few tiles and a long K axis. With one program per tile, most of a GPU would be idle. So several
// programs share each tile, and each handles a part of the axis. The program that finishes last adds the parts in
// order, so the result is the same in every run.
//
//   tcc -O2 split-k.tt.cpp -o split-k && ./split-k

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

/// c = a b. `parts` has room for SPLITS copies of c. `arrived` has a zero for each tile, before and after the launch.
template <int BM, int BN, int BK, int SPLITS>
__tile_global__ void matmul_split(const tt::float16 *a, const tt::float16 *b, float *c, float *parts, int *arrived, int M, int N,
                                  int K) {
  int part = tt::program_id(2);
  auto m = tt::program_id(1) * BM + tt::arange<BM>();
  auto n = tt::program_id(0) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto is_row = (m < M).col();
  auto is_column = (n < N).row();
  auto sum = tt::zeros<float, BM, BN>();
  for (int i = part * BK; i < K; i += SPLITS * BK) {
    auto x = tt::load(a + (m.col() * K + (i + k).row()), is_row && (k < K - i).row(), tt::float16(0));
    auto y = tt::load(b + ((i + k).col() * N + n.row()), is_column && (k < K - i).col(), tt::float16(0));
    sum = tt::dot(x, y, sum);
  }
  auto at = m.col() * N + n.row();
  auto is_inside = is_row && is_column;
  tt::store(parts + part * M * N + at, sum, is_inside);
  tt::debug_barrier(); // the whole part is stored before its arrival is announced
  int tile = tt::program_id(1) * tt::num_programs(0) + tt::program_id(0);
  if (tt::atomic_add(arrived + tile, 1) == SPLITS - 1) {
    auto whole = tt::zeros<float, BM, BN>();
    for (int i = 0; i < SPLITS; ++i)
      whole += tt::load(parts + i * M * N + at, is_inside, 0.0f);
    tt::store(c + at, whole, is_inside);
    tt::store(arrived + tile, 0);
  }
}

int main(int argc, char **argv) {
  const int M = 60, N = 72, K = example::size_from(argc, argv, 2000);
  constexpr int BM = 32, BN = 32, BK = 32, SPLITS = 8;
  auto a = tt::random_normal<tt::float16>(size_t(M) * K, 1), b = tt::random_normal<tt::float16>(size_t(K) * N, 2);
  tt::buffer<tt::float16> da(a), db(b);
  tt::buffer<float> dc(size_t(M) * N), parts(size_t(SPLITS) * M * N);
  dim3 grid(tt::cdiv(N, BN), tt::cdiv(M, BM), SPLITS);
  tt::buffer<int> arrived(std::vector<int>(grid.x * grid.y, 0));
  auto time =
      tt::do_bench([&] { matmul_split<BM, BN, BK, SPLITS><<<grid>>>(da, db, dc, parts, arrived, M, N, K); });

  std::vector<double> expected(size_t(M) * N);
  double plain_ms = example::median_ms(
      [&] {
        for (int m = 0; m < M; ++m)
          for (int n = 0; n < N; ++n) {
            double sum = 0;
            for (int k = 0; k < K; ++k)
              sum += double(float(a[size_t(m) * K + k])) * double(float(b[size_t(k) * N + n]));
            expected[size_t(m) * N + n] = sum;
          }
      },
      1);
  return example::report("split-k", tt::compare("c", dc.to_vector(), expected).difference, 5e-7 * K, time.median, plain_ms,
                         2.0 * M * N * K, "GFLOP/s");
}
