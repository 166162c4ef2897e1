// sum, max and min of tiles of every element type and many sizes, and the same along either axis of a matrix.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t

#include "support/check.h"

// The types of results: integers narrower than int are added as int, and the extremes of narrow types come in 32 bits.
template <class T> using sum_type = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4,
    std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, unsigned, int>, T>;
template <class T> using extreme_type = std::conditional_t<sizeof(T) >= 4, T,
    std::conditional_t<std::is_integral_v<T>, int, float>>;

template <class T, int B>
__tile_global__ void rows(const T *x, sum_type<T> *sums, extreme_type<T> *extremes, int n) {
  int row = tt::program_id(0), programs = tt::num_programs(0);
  auto i = tt::arange<B>();
  auto mask = i < n;
  auto p = x + row * n + i;
  sum_type<T> sum = tt::sum(tt::load(p, mask, T(0)));
  extreme_type<T> largest = tt::max(tt::load(p, mask, tt::load(x + row * n)));
  auto smallest = tt::min(tt::load(p, mask, x[row * n]));
  tt::store(sums + row, sum);
  tt::store(extremes + row, largest);
  tt::store(extremes + programs + row, smallest);
}

// Sums of these are exact in every type: at most 32 * 4 in bfloat16, 512 * 4 in float16.
template <class T> T small(int) { return T(e2e::between(std::is_unsigned_v<T> ? 0 : -4, 4)); }

template <class T, int B> void check_rows() {
  for (int n : {1, B / 2 + 1, B - 1, B}) {
    if (n < 1 || n > B)
      continue;
    const int count = 5;
    e2e::context("%s, %d of %d", e2e::name_of<T>, n, B);
    e2e::buffer<T> x(count * n, small<T>);
    e2e::buffer<sum_type<T>> sums(count);
    e2e::buffer<extreme_type<T>> extremes(2 * count);
    rows<T, B><<<count>>>(x.data(), sums.data(), extremes.data(), n);
    sums.expect_value([&](int r) {
      sum_type<T> sum = 0;
      for (int i = 0; i < n; ++i)
        sum += x[r * n + i];
      return sum;
    });
    extremes.expect_value([&](int r) {
      extreme_type<T> best = x[r % count * n];
      for (int i = 0; i < n; ++i) {
        extreme_type<T> v = x[r % count * n + i];
        best = r < count ? (v > best ? v : best) : (v < best ? v : best);
      }
      return best;
    });
  }
}

// Along each axis, and of everything; of real numbers, whose sums are rounded in an order of the target's choice.
template <int M, int N> __tile_global__ void axes(const float *x, float *by_row, float *by_column, float *all) {
  auto r = tt::arange<M>()(tt::all, tt::newaxis);
  auto c = tt::arange<N>()(tt::newaxis, tt::all);
  auto v = tt::load(x + r * N + c);
  tt::store(by_row + tt::arange<M>(), tt::sum<1>(v));
  tt::store(by_row + M + tt::arange<M>(), tt::max<1>(v));
  tt::store(by_row + 2 * M + tt::arange<M>(), tt::min<-1>(v));
  tt::store(by_column + tt::arange<N>(), tt::sum<0>(v));
  tt::store(by_column + N + tt::arange<N>(), tt::max<0>(v));
  tt::store(by_column + 2 * N + tt::arange<N>(), tt::min<-2>(v));
  tt::store(all, tt::sum(v));
  tt::store(all + 1, tt::max(v));
  tt::store(all + 2, tt::min(v));
  tt::store(all + 3, tt::sum(tt::max<1>(v))); // a reduction of a reduction
}

template <int M, int N> void check_axes() {
  e2e::context("%d x %d", M, N);
  e2e::buffer<float> x(M * N, e2e::random<float>), by_row(3 * M), by_column(3 * N), all(4);
  axes<M, N><<<1>>>(x.data(), by_row.data(), by_column.data(), all.data());
  // Reduces `count` elements `stride` apart: 0 adds, 1 is the largest, 2 the smallest.
  auto reduced = [&](int kind, int first, int count, int stride) {
    double result = kind == 0 ? 0 : x[first];
    for (int i = 0; i < count; ++i) {
      double v = x[first + i * stride];
      result = kind == 0 ? result + v : kind == 1 ? std::fmax(result, v) : std::fmin(result, v);
    }
    return result;
  };
  auto allowed = [](int count) { return e2e::tolerance{1, 4 * count * 0x1p-24 * std::log2(count + 2)}; };
  by_row.expect(allowed(N), [&](int i) { return reduced(i / M, i % M * N, N, 1); });
  by_column.expect(allowed(M), [&](int i) { return reduced(i / N, i % N, M, N); });
  all.expect(allowed(M * N), [&](int i) {
    if (i < 3)
      return reduced(i, 0, M * N, 1);
    double sum = 0;
    for (int r = 0; r < M; ++r)
      sum += reduced(1, r * N, N, 1);
    return sum;
  });
}

int main() {
  return e2e::run("reduce", [] {
    check_rows<bool, 64>();
    check_rows<int8_t, 128>();
    check_rows<uint8_t, 32>();
    check_rows<int16_t, 256>();
    check_rows<uint16_t, 16>();
    check_rows<int32_t, 1>();
    check_rows<int32_t, 2>();
    check_rows<int32_t, 1024>();
    check_rows<uint32_t, 64>();
    check_rows<int64_t, 512>();
    check_rows<uint64_t, 128>();
    check_rows<tt::float16, 512>();
    check_rows<tt::bfloat16, 32>();
    check_rows<float, 8>();
    check_rows<float, 4096>();
    check_rows<double, 256>();
    check_axes<1, 64>();
    check_axes<64, 1>();
    check_axes<16, 16>();
    check_axes<4, 256>();
    check_axes<256, 4>();
    check_axes<64, 128>();
  });
}
