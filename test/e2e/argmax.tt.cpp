// Tests argmax, argmin, and max and min with indices: all element types, either axis and whole tiles, with many ties.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// The element type that max returns with a position: the element's own, and float for bfloat16.
template <class T> using found = std::conditional_t<std::is_same_v<T, tt::bfloat16>, float, T>;

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void extremes(const T *x, found<T> *largest, found<T> *smallest, int *at) {
  auto r = tt::arange<M>();
  auto c = tt::arange<N>();
  auto v = tt::load(x + r(tt::all, tt::newaxis) * N + c);
  auto [row_max, row_at] = tt::max<1>(v, tt::return_indices);
  tt::store(largest + r, row_max);
  tt::store(at + r, row_at);
  auto [row_min, row_min_at] = tt::min<-1>(v, tt::return_indices, tt::tie_break_left);
  tt::store(smallest + r, row_min);
  tt::store(at + M + r, row_min_at);
  tt::store(at + 2 * M + r, tt::argmax<1>(v, tt::tie_break_fast));
  tt::store(at + 3 * M + r(tt::all, tt::newaxis), tt::argmin<1>(v, tt::keep_dims, tt::tie_break_fast));
  int *columns = at + 4 * M;
  tt::store(columns + c, tt::argmax<0>(v));
  tt::store(columns + N + c(tt::newaxis, tt::all), tt::argmin<0>(v, tt::keep_dims));
  tt::store(columns + 2 * N, tt::argmax(v));
  auto [least, least_at] = tt::min(v, tt::return_indices);
  tt::store(smallest + M, least);
  tt::store(columns + 2 * N + 1, least_at);
}

template <class T, int M, int N, int W> void check() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, W);
  // Few different values, so that most rows have ties.
  e2e::buffer<T> x(M * N, [](int) { return T(e2e::between(std::is_unsigned_v<T> ? 0 : -20, 20)); });
  e2e::buffer<found<T>> largest(M), smallest(M + 1);
  e2e::buffer<int> at(4 * M + 2 * N + 2);
  extremes<T, M, N, W><<<1>>>(x.data(), largest.data(), smallest.data(), at.data());

  // The position of the first extreme among `count` elements `stride` apart.
  auto first = [&](bool max, int begin, int count, int stride) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      double v = double(x[begin + i * stride]), b = double(x[begin + best * stride]);
      if (max ? v > b : v < b)
        best = i;
    }
    return best;
  };
  largest.expect([&](int r) { return found<T>(x[r * N + first(true, r * N, N, 1)]); });
  smallest.expect([&](int r) { return found<T>(r < M ? x[r * N + first(false, r * N, N, 1)] : x[first(false, 0, M * N, 1)]); });
  at.expect_if([&](int i, int got) {
    if (i < 4 * M) {
      int r = i % M, kind = i / M;
      int want = first(kind == 0 || kind == 2, r * N, N, 1);
      if (kind < 2)
        return got == want;
      return got >= 0 && got < N && double(x[r * N + got]) == double(x[r * N + want]); // any of equal ones
    }
    i -= 4 * M;
    if (i < 2 * N)
      return got == first(i < N, i % N, M, N);
    return got == first(i == 2 * N, 0, M * N, 1);
  });
}

int main() {
  return e2e::run("argmax", [] {
    check<int8_t, 16, 8, 4>();
    check<uint8_t, 2, 64, 1>();
    check<int16_t, 32, 32, 4>();
    check<uint16_t, 1, 128, 8>();
    check<int32_t, 64, 16, 4>();
    check<uint32_t, 8, 64, 1>();
    check<int64_t, 32, 16, 8>();
    check<uint64_t, 4, 4, 4>();
    check<tt::float16, 16, 64, 4>();
    check<tt::bfloat16, 8, 16, 1>();
    check<float, 32, 64, 4>();
    check<float, 2, 512, 8>();
    check<float, 128, 1, 1>();
    check<double, 64, 8, 4>();
  });
}
