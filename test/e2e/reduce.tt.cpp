// Tests sum, max and min of tiles of every element type and of many sizes.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

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
    check_rows<float, 2048>();
    check_rows<double, 256>();
  });
}
