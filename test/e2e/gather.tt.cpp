// Tests gathers of elements along any axis, by indices of every type.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// From a row of N, K elements; N may be more or less than K.
template <class T, class I, int N, int K, int Warps>
[[tt::num_warps(Warps)]] __tile_global__ void pick(const T *x, const I *index, T *out, int n) {
  auto v = tt::load(x + tt::arange<N>());
  auto k = tt::arange<K>();
  auto mask = k < n;
  tt::store(out + k, tt::gather<0>(v, tt::load(index + k, mask, 0)), mask);
  tt::store(out + K + k, tt::gather<-1>(v, k * 5 % N)); // indices computed here
  tt::store(out + 2 * K + k, tt::gather<0>(v, tt::full<int, K>(N - 1)));
  tt::store(out + 3 * K + k, tt::gather<0>(tt::gather<0>(v, tt::arange<N>() ^ (N / 2)), k % N));
}

template <class T, class I, int N, int K, int Warps> void check_pick() {
  for (int n : {K, K - K / 3}) {
    e2e::context("%s by %s: %d of %d, %d warps", e2e::name_of<T>, e2e::name_of<I>, n, N, Warps);
    e2e::buffer<T> x(N, e2e::random<T>), out(4 * K);
    e2e::buffer<I> index(K, [](int) { return I(e2e::between(0, N - 1)); });
    pick<T, I, N, K, Warps><<<1>>>(x.data(), index.data(), out.data(), n);
    out.expect([&](int at) {
      int i = at % K;
      switch (at / K) {
      case 0: return i < n ? x[int(index[i])] : out[at];
      case 1: return x[i * 5 % N];
      case 2: return x[N - 1];
      default: return x[i % N ^ (N / 2)];
      }
    });
  }
}

// Along each axis of a matrix and of a cube.
template <class T, int M, int N, int K, int Warps>
[[tt::num_warps(Warps)]] __tile_global__ void along(const T *x, const int *rows, const int *columns, T *by_row, T *by_column) {
  auto m = tt::arange<M>()(tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::all);
  auto k = tt::arange<K>();
  auto v = tt::load(x + m * N + n);
  tt::store(by_row + k(tt::all, tt::newaxis) * N + n,
            tt::gather<0>(v, tt::load(rows + k(tt::all, tt::newaxis) * N + n)));
  tt::store(by_column + m * K + k(tt::newaxis, tt::all),
            tt::gather<1>(v, tt::load(columns + m * K + k(tt::newaxis, tt::all))));
  // The middle axis of a cube.
  auto cube = tt::reshape<2, M, N / 2>(v);
  auto reversed = tt::broadcast_to<2, M, N / 2>((M - 1 - tt::arange<M>())(tt::newaxis, tt::all, tt::newaxis));
  tt::store(by_column + M * K + m * N + n, tt::reshape<M, N>(tt::gather<1>(cube, reversed)));
}

template <class T, int M, int N, int K, int Warps> void check_along() {
  e2e::context("%s: %d of %d x %d, %d warps", e2e::name_of<T>, K, M, N, Warps);
  e2e::buffer<T> x(M * N, e2e::random<T>), by_row(K * N), by_column(M * K + M * N);
  e2e::buffer<int> rows(K * N, [](int) { return int(e2e::between(0, M - 1)); });
  e2e::buffer<int> columns(M * K, [](int) { return int(e2e::between(0, N - 1)); });
  along<T, M, N, K, Warps><<<1>>>(x.data(), rows.data(), columns.data(), by_row.data(), by_column.data());
  by_row.expect([&](int i) { return x[rows[i] * N + i % N]; });
  by_column.expect([&](int i) {
    if (i < M * K)
      return x[i / K * N + columns[i]];
    i -= M * K;
    int plane = M * N / 2, row = N / 2;
    return x[i / plane * plane + (M - 1 - i % plane / row) * row + i % row];
  });
}

int main() {
  return e2e::run("gather", [] {
    check_pick<bool, int, 64, 64, 4>();
    check_pick<int8_t, int8_t, 128, 32, 4>();
    check_pick<uint8_t, uint8_t, 256, 64, 4>();
    check_pick<int16_t, uint16_t, 16, 256, 4>();
    check_pick<int, int64_t, 512, 512, 8>();
    check_pick<uint64_t, unsigned, 64, 128, 1>();
    check_pick<tt::float16, int16_t, 128, 128, 4>();
    check_pick<tt::bfloat16, uint64_t, 32, 32, 1>();
    check_pick<float, int, 1024, 256, 4>();
    check_pick<float, int, 2, 8, 4>();
    check_pick<double, int, 256, 1024, 2>();
    check_along<int, 16, 32, 64, 4>();
    check_along<float, 64, 4, 8, 4>();
    check_along<tt::float16, 4, 64, 1, 1>();
    check_along<double, 32, 16, 16, 8>();
  });
}
