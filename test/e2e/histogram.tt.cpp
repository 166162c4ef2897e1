// Tests histograms of every integer type, with and without masks, with elements that no bin counts; and swizzle2d.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

#include <array>

template <class T, int N, int Bins, int Warps>
[[tt::num_warps(Warps)]] __tile_global__ void count(const T *x, int *out, int n) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + i);
  auto bins = tt::arange<Bins>();
  tt::store(out + bins, tt::histogram<Bins>(v));
  tt::store(out + Bins + bins, tt::histogram<Bins>(v, i < n));
  // For a matrix, with a mask for each row.
  auto rows = tt::arange<N / 2>()(tt::all, tt::newaxis) < n / 2;
  tt::store(out + 2 * Bins + bins, tt::histogram<Bins>(tt::reshape<N / 2, 2>(v), rows));
  // Accumulated over tiles, the usual use.
  auto sum = tt::zeros<int, Bins>();
  for (int k = 0; k < n % 5; ++k)
    sum += tt::histogram<Bins>(v + k);
  tt::store(out + 3 * Bins + bins, sum);
}

template <class T, int N, int Bins, int Warps> void check() {
  for (int n : {0, N / 3, N}) {
    e2e::context("%s, %d of %d in %d bins, %d warps", e2e::name_of<T>, n, N, Bins, Warps);
    e2e::buffer<T> x(N, [](int) { return e2e::random_bits() % 8 ? T(e2e::between(0, Bins)) : e2e::random<T>(); });
    e2e::buffer<int> out(4 * Bins);
    count<T, N, Bins, Warps><<<1>>>(x.data(), out.data(), n);
    out.expect([&](int at) {
      int k = at / Bins, bin = at % Bins, result = 0;
      auto is = [&](auto v) { return (std::is_signed_v<T> ? v >= T(0) : true) && uint64_t(v) == uint64_t(bin); };
      for (int i = 0; i < N; ++i)
        if (k < 3)
          result += is(x[i]) && (k == 0 || (k == 1 ? i < n : i / 2 < n / 2));
        else
          for (int add = 0; add < n % 5; ++add)
            result += is(T(x[i] + T(add)));
      return result;
    });
  }
}

// swizzle2d: the order of blocks in groups of rows, for scalars and tiles.
template <int N> __tile_global__ void swizzle(int *out, int rows, int columns, int group) {
  auto i = tt::arange<N>();
  auto [m, n] = tt::swizzle2d(i / columns, i % columns, rows, columns, group);
  auto mask = i < rows * columns;
  tt::store(out + i, m, mask);
  tt::store(out + N + i, n, mask);
  auto [row, column] = tt::swizzle2d(rows - 1, columns - 1, rows, columns, group);
  tt::store(out + 2 * N, row);
  tt::store(out + 2 * N + 1, column);
}

void check_swizzle() {
  constexpr int N = 64;
  for (auto [rows, columns, group] : {std::array{4, 4, 2}, {7, 5, 3}, {2, 9, 8}, {1, 1, 1}}) {
    e2e::context("swizzle2d of %d x %d by %d", rows, columns, group);
    e2e::buffer<int> out(2 * N + 2);
    swizzle<N><<<1>>>(out.data(), rows, columns, group);
    // Down the columns of `group` rows, then the next rows.
    std::vector<int> m, n;
    for (int first = 0; first < rows; first += group)
      for (int c = 0; c < columns; ++c)
        for (int r = first; r < std::min(first + group, rows); ++r)
          m.push_back(r), n.push_back(c);
    out.expect([&](int i) {
      if (i >= 2 * N)
        return i == 2 * N ? m.back() : n.back();
      return i % N >= rows * columns ? out[i] : i < N ? m[i] : n[i - N];
    });
  }
}

int main() {
  return e2e::run("histogram", [] {
    check<int8_t, 128, 16, 4>();
    check<uint8_t, 256, 256, 4>();
    check<int16_t, 64, 1, 1>();
    check<uint16_t, 512, 64, 8>();
    check<int, 1024, 32, 4>();
    check<unsigned, 32, 512, 4>();
    check<int64_t, 128, 8, 2>();
    check<uint64_t, 256, 128, 4>();
    check_swizzle();
  });
}
