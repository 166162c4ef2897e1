// Matrix multiplications whose machine code has a budget (blackwell-budgets.test).
#include <tilecc/tt.h>

using T = tt::bfloat16;

template <int BM, int BN, int BK> __tile__ void multiply(const T *a, const T *b, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto rows = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto columns = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(rows, columns, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col() && (n < N).row());
}

template <int BM, int BN, int BK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void one_tile(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}
template <int BM, int BN, int BK, int WARPS>
[[tt::persistent, tt::num_warps(WARPS)]] __tile_global__ void tiles(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}

void instantiate(const T *a, const T *b, T *c, int M, int N, int K) {
  one_tile<128, 256, 64, 8><<<1>>>(a, b, c, M, N, K);
  one_tile<128, 128, 64, 4><<<1>>>(a, b, c, M, N, K);
  tiles<128, 256, 64, 8><<<1>>>(a, b, c, M, N, K);
  tiles<128, 128, 64, 4><<<1>>>(a, b, c, M, N, K);
}
