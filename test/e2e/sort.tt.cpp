// Tests sorting of all element types, up and down, along any axis, with NaNs, zeros of both signs and equal elements.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

#include <algorithm>

// -0 is less than 0, and NaN is greater than everything.
template <class T> bool less(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    double x = double(a), y = double(b);
    if (x != x || y != y)
      return x == x;
    return x < y || (x == y && std::signbit(x) && !std::signbit(y));
  }
}

// Values with many equal ones among them.
template <class T> T value(int) {
  if constexpr (!std::is_integral_v<T>)
    switch (e2e::random_bits() % 16) {
    case 0: return std::numeric_limits<float>::quiet_NaN();
    case 1: return -std::numeric_limits<float>::quiet_NaN();
    case 2: return T(0.0);
    case 3: return T(-0.0);
    case 4: return std::numeric_limits<float>::infinity();
    case 5: return -std::numeric_limits<float>::infinity();
    case 6: return T(e2e::between(-2, 2));
    default: break;
    }
  return e2e::random<T>();
}

template <class T> std::vector<T> sorted(std::vector<T> values, bool down) {
  std::sort(values.begin(), values.end(), [&](T a, T b) { return down ? less(b, a) : less(a, b); });
  return values;
}

template <class T, int N, int K, bool Down, int Warps>
[[tt::num_warps(Warps)]] __tile_global__ void row(const T *x, T *out, int n) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + i, i < n, T(1));
  tt::store(out + i, tt::sort<-1, Down>(v));
  tt::store(out + N + tt::arange<K>(), tt::topk<K>(v));
}

template <class T, int N, int K, bool Down, int Warps> void check_row() {
  for (int n : {N, N / 2 + 1}) {
    e2e::context("%s, %d of %d, %d warps", e2e::name_of<T>, n, N, Warps);
    e2e::buffer<T> x(N, value<T>), out(N + K);
    row<T, N, K, Down, Warps><<<1>>>(x.data(), out.data(), n);
    std::vector<T> values(N);
    for (int i = 0; i < N; ++i)
      values[i] = i < n ? x[i] : T(1);
    std::vector<T> all = sorted(values, Down), down = sorted(values, true);
    out.expect([&](int i) -> T { return i < N ? all[i] : down[i - N]; });
  }
}

// Along both axes of a matrix.
template <class T, int M, int N, int K, int Warps> [[tt::num_warps(Warps)]] __tile_global__ void matrix(const T *x, T *out) {
  auto m = tt::arange<M>()(tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::all);
  auto k = tt::arange<K>();
  auto v = tt::load(x + m * N + n);
  tt::store(out + m * N + n, tt::sort(v));
  tt::store(out + M * N + m * N + n, tt::sort<0, true>(v));
  tt::store(out + 2 * M * N + m * K + k(tt::newaxis, tt::all), tt::topk<K>(v));
  tt::store(out + 2 * M * N + M * K + k(tt::all, tt::newaxis) * N + n, tt::topk<K, 0>(v));
}

template <class T, int M, int N, int K, int Warps> void check_matrix() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, Warps);
  e2e::buffer<T> x(M * N, value<T>), out(2 * M * N + M * K + K * N);
  matrix<T, M, N, K, Warps><<<1>>>(x.data(), out.data());
  std::vector<std::vector<T>> up, down, columns;
  for (int m = 0; m < M; ++m) {
    std::vector<T> values(N);
    for (int n = 0; n < N; ++n)
      values[n] = x[m * N + n];
    up.push_back(sorted(values, false));
    down.push_back(sorted(values, true));
  }
  for (int n = 0; n < N; ++n) {
    std::vector<T> values(M);
    for (int m = 0; m < M; ++m)
      values[m] = x[m * N + n];
    columns.push_back(sorted(values, true));
  }
  out.expect([&](int i) -> T {
    if (i < M * N)
      return up[i / N][i % N];
    if ((i -= M * N) < M * N)
      return columns[i % N][i / N];
    if ((i -= M * N) < M * K)
      return down[i / K][i % K];
    i -= M * K;
    return columns[i % N][i / N];
  });
}

int main() {
  return e2e::run("sort", [] {
    check_row<bool, 64, 8, false, 4>();
    check_row<int8_t, 128, 16, true, 4>();
    check_row<uint8_t, 32, 32, false, 4>();
    check_row<int16_t, 256, 1, false, 4>();
    check_row<uint16_t, 64, 4, true, 1>();
    check_row<int, 512, 16, false, 8>();
    check_row<unsigned, 128, 2, true, 1>();
    check_row<int64_t, 128, 64, false, 4>();
    check_row<uint64_t, 64, 4, true, 2>();
    check_row<tt::float16, 128, 8, true, 4>();
    check_row<tt::bfloat16, 64, 16, false, 4>();
    check_row<float, 1024, 32, false, 4>();
    check_row<float, 2, 1, true, 4>();
    check_row<float, 1, 1, false, 1>();
    check_row<double, 256, 8, true, 4>();
    check_matrix<int, 16, 32, 4, 4>();
    check_matrix<float, 4, 64, 4, 1>();
    check_matrix<float, 64, 8, 1, 8>();
    check_matrix<int8_t, 2, 16, 2, 4>();
  });
}
