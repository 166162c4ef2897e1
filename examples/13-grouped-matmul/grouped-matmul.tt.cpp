// 13: one launch for many products of different sizes. Tokens are sorted by expert, and the rows of an expert are
// multiplied by that expert's matrix. A program finds its expert in a table that the host has prepared. A batch of
// equal products works in the same way, with another table.
//
//   tcc -O2 grouped-matmul.tt.cpp -o grouped-matmul && ./grouped-matmul

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

/// The rows of c are the rows of a, multiplied by the matrix of their expert. Tile t of rows begins at row begin[t] and
/// belongs to expert[t], whose rows end at end[expert[t]].
template <int BM, int BN, int BK>
__tile_global__ void grouped_matmul(const tt::float16 *a, const tt::float16 *b, float *c, const int *expert, const int *begin,
                                    const int *end, int N, int K) {
  int t = tt::program_id(1), e = tt::load(expert + t);
  auto m = tt::load(begin + t) + tt::arange<BM>();
  auto n = tt::program_id(0) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto is_own = (m < tt::load(end + e)).col();
  auto is_column = (n < N).row();
  auto from_a = a + (m.col() * K + k.row());
  auto from_b = b + int64_t(e) * K * N + (k.col() * N + n.row());
  auto sum = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(from_a + i, is_own && (k < K - i).row(), tt::float16(0));
    auto y = tt::load(from_b + i * N, is_column && (k < K - i).col(), tt::float16(0));
    sum = tt::dot(x, y, sum);
  }
  tt::store(c + (m.col() * N + n.row()), sum, is_own && is_column);
}

int main(int argc, char **argv) {
  const int experts = 5, tokens = example::size_from(argc, argv, 300), N = 96, K = 128;
  constexpr int BM = 32, BN = 32, BK = 32;
  // The number of tokens of each expert. The last but one gets none.
  std::vector<int> end, tile_expert, tile_begin;
  for (int e = 0, row = 0; e < experts; ++e) {
    int last = e + 1 == experts ? tokens : e == experts - 2 ? row : std::min(tokens, row + tokens * (e + 1) / 11);
    for (int first = row; first < last; first += BM) {
      tile_expert.push_back(e);
      tile_begin.push_back(first);
    }
    end.push_back(row = last);
  }
  auto a = tt::random_normal<tt::float16>(size_t(tokens) * K, 1);
  auto b = tt::random_normal<tt::float16>(size_t(experts) * K * N, 2);
  tt::buffer<tt::float16> da(a), db(b);
  tt::buffer<int> dexpert(tile_expert), dbegin(tile_begin), dend(end);
  tt::buffer<float> dc(size_t(tokens) * N);
  dim3 grid(tt::cdiv(N, BN), tile_expert.size());
  auto time = tt::do_bench([&] { grouped_matmul<BM, BN, BK><<<grid>>>(da, db, dc, dexpert, dbegin, dend, N, K); });

  std::vector<double> expected(size_t(tokens) * N);
  double plain_ms = example::median_ms(
      [&] {
        for (int m = 0, e = 0; m < tokens; ++m) {
          while (m >= end[e])
            ++e;
          for (int n = 0; n < N; ++n) {
            double sum = 0;
            for (int k = 0; k < K; ++k)
              sum += double(float(a[size_t(m) * K + k])) * double(float(b[(size_t(e) * K + k) * N + n]));
            expected[size_t(m) * N + n] = sum;
          }
        }
      },
      1);
  return example::report("grouped", tt::compare("c", dc.to_vector(), expected).difference, 1e-3, time.median, plain_ms,
                         2.0 * tokens * N * K, "GFLOP/s");
}
