// Operations on tiles of 8-bit floats that `memory`, `planes`, `moves`, `casts` and `products` do not cover: selection,
// conversion to bool, and extremes, which are float.
// RUN: %matrix %s -o %t
// RUN: grep '^float8 ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

enum operation { select, constant, logical_and, logical_or, logical_not, operations };
constexpr const char *names[] = {"where", "where-constant", "logical-and", "logical-or", "logical-not"};
constexpr const char *extremes[] = {"max-all", "min-all"};

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void compute(const T *x, const T *y, const bool *flags, T *out, bool *truth,
                                                  float *extremes, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  constexpr int pitch = 4 * B;
  auto a = tt::load(x + i, mask, T(0)), b = tt::load(y + i, mask);
  auto flag = tt::load(flags + i, mask, false);
  tt::store(out + select * pitch + i, tt::where(flag, a, b), mask);
  tt::store(out + constant * pitch + i, tt::where(flag, a, 0.3f), mask);
  tt::store(truth + logical_and * pitch + i, a && b, mask);
  tt::store(truth + logical_or * pitch + i, a || b, mask);
  tt::store(truth + logical_not * pitch + i, !a, mask);
  int p = tt::program_id(0);
  extremes[p] = tt::max(a);
  extremes[4 + p] = tt::min(a);
}

template <class T, int B, int W> void launch(matrix::form form) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(B), W, form.name);
  const char *listed[] = {names[0], names[1], names[2], names[3], names[4], extremes[0], extremes[1]};
  if (!cases.of(listed, operations + 2))
    return;
  const int n = form.n, programs = tt::cdiv(n, B);
  // Any bits except NaN, which a maximum may ignore or not; many zeros of both signs.
  auto content = [](int) {
    int magnitude = matrix::random_bits() % 4 ? int(matrix::between(0, format<T>::max)) : 0;
    return from_bits<T>(magnitude | (matrix::random_bits() & 0x80));
  };
  matrix::buffer<T> x(n, content, form.skew), y(n, content, form.skew + 1);
  matrix::buffer<bool> flags(n, matrix::any_bits<bool>, form.skew);
  matrix::results<T> out(operations, 4 * B, form.skew);
  matrix::results<bool> truth(operations, 4 * B, form.skew);
  matrix::results<float> ends(2, 4);
  compute<T, B, W><<<programs>>>(x.data(), y.data(), flags.data(), out.data(), truth.data(), ends.data(), n);
  cases.check(names[select], out, select, n, [&](int i) { return flags[i] ? x[i] : y[i]; });
  cases.check(names[constant], out, constant, n, [&](int i) { return flags[i] ? x[i] : T(0.3f); });
  cases.check(names[logical_and], truth, logical_and, n, [&](int i) { return float(x[i]) != 0 && float(y[i]) != 0; });
  cases.check(names[logical_or], truth, logical_or, n, [&](int i) { return float(x[i]) != 0 || float(y[i]) != 0; });
  cases.check(names[logical_not], truth, logical_not, n, [&](int i) { return float(x[i]) == 0; });
  for (bool max : {true, false})
    cases.check(extremes[!max], ends, !max, programs, [&](int p) {
      double best = p * B + B > n ? 0 : float(x[p * B]); // masked elements are zero
      for (int i = p * B; i < n && i < p * B + B; ++i)
        best = max ? std::fmax(best, float(x[i])) : std::fmin(best, float(x[i]));
      return matrix::approximately{best, 0};
    });
}

matrix::family family("float8", [] {
  matrix::for_each<matrix::types<tt::float8_e4m3fn, tt::float8_e5m2>>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 7 * I))
      launch<T, block, W>(form);
  });
});

} // namespace
