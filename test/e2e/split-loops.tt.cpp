// Tests loops that are split because some iterations need no mask: all kinds of masks and steps, and bounds and limits
// in every order, also at the ends of their types. The result depends on each iteration and on their order.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"
#include <algorithm>
#include <climits>

constexpr int M = 4, N = 8;

struct Case {
  int lo, hi, step, a, b;
};

enum Form { CAUSAL, BOUND, WINDOW, HIDDEN, COUNTED, RISING, UNSIGNED, EITHER, CARRIED, LOADED, BRANCH, SUMMED, FORMS };

/// The effect of an iteration on an element.
template <int FORM> bool is_visible(int64_t m, int64_t n, int64_t i, int64_t first, const Case &c) {
  switch (FORM) {
  case CAUSAL: case SUMMED: return c.a + m >= i + n;
  case BOUND: case HIDDEN: case CARRIED: case LOADED: return i + n < c.a;
  case WINDOW: return c.a + m >= i + n && c.a + m - (i + n) < c.b;
  case COUNTED: return n < c.a - i * 5;
  case RISING: return i * 3 + n > c.a + m;
  case UNSIGNED: return unsigned(i + n) < unsigned(c.a);
  case EITHER: return !(i + n < c.a) || m + c.b >= i;
  case BRANCH: return i < c.a;
  }
  return false;
}

/// Counts in T, positions are in U.
template <int FORM, int STEP, class T, class U>
__tile_global__ void split(const Case *cases, const int *x, int *out) {
  auto m = tt::arange<M>().col().template to<U>();
  auto n = tt::arange<N>().row().template to<U>();
  int number = tt::program_id(0);
  const int *c = reinterpret_cast<const int *>(cases + number);
  T lo = tt::load(c), hi = tt::load(c + 1), step = STEP ? STEP : tt::load(c + 2), a = tt::load(c + 3), b = tt::load(c + 4);
  auto hash = tt::zeros<int, M, N>();
  auto column = U(lo) + n;
  for (T i : tt::range(lo, hi, step).split()) {
    auto seen = hash * 3 + 1;
    auto see = [&](auto mask) { seen = tt::where(mask, hash * 5 + int(i), seen); };
    if (FORM == CAUSAL)
      see(a + m >= i + n);
    if (FORM == BOUND)
      see(i + n < a);
    if (FORM == WINDOW)
      see(a + m >= i + n && a + m - (i + n) < b);
    if (FORM == HIDDEN)
      seen = tt::where(i + n >= a, seen, hash * 5 + int(i));
    if (FORM == COUNTED)
      see(n < a - i * 5);
    if (FORM == RISING)
      see(i * 3 + n > a + m);
    if (FORM == UNSIGNED)
      see((i + n).template to<unsigned>() < unsigned(a));
    if (FORM == EITHER)
      see(!(i + n < a) || m + b >= i);
    if (FORM == CARRIED) {
      see(column < a);
      column += step;
    }
    if (FORM == LOADED) {
      auto loaded = tt::load(x + n, i + n < a, -1);
      see(loaded >= 0);
    }
    if (FORM == BRANCH && i < a)
      seen = hash * 5 + int(i);
    if (FORM == SUMMED)
      seen += (a + m >= i + n).template to<int>() * (hash * 2 + int(i) - 1);
    hash = seen;
  }
  tt::store(out + number * (M * N) + (m * N + n), hash);
}

template <int FORM, int STEP, class T, class U> void check(const e2e::buffer<Case> &cases, int count) {
  e2e::context("mask %d, steps of %d, %d bits", FORM, STEP, int(sizeof(U)) * 8);
  e2e::buffer<int> x(N, [](int i) { return i; }), out(count * M * N);
  split<FORM, STEP, T, U><<<count>>>(cases.data(), x.data(), out.data());
  out.expect([&](int at) {
    Case c = cases[at / (M * N)];
    int m = at / N % M, n = at % N;
    unsigned hash = 0;
    int64_t step = STEP ? STEP : c.step;
    for (int64_t i = c.lo; i < c.hi; i += step)
      hash = is_visible<FORM>(m, n, i, c.lo, c) ? hash * 5 + unsigned(i) : hash * 3 + 1;
    return int(hash);
  });
}

template <int FORM> void check_form() {
  constexpr int count = 120;
  constexpr bool hasLimits = FORM == BOUND || FORM == HIDDEN || FORM == CARRIED || FORM == LOADED || FORM == BRANCH || FORM == UNSIGNED;
  auto near = [](int64_t x) { return int(std::clamp<int64_t>(x, INT_MIN, INT_MAX)); };
  e2e::buffer<Case> cases(count, [&](int number) {
    Case c;
    int64_t around = 0;
    if (FORM != COUNTED && FORM != RISING && FORM != WINDOW && number % 6 == 0) // far from zero
      around = number % 12 ? 0x7ffffff0 - 200 : INT_MIN + 100;
    c.step = e2e::between(1, 20);
    c.lo = number % 3 ? around + e2e::between(-20, 20) : around;
    c.hi = c.lo + e2e::between(-10, 90);
    c.a = near(around + e2e::between(-90, 190));
    if (FORM == COUNTED)
      c.a = e2e::between(-300, 300);
    if (hasLimits && number % 7 == 0)
      c.a = number % 2 ? INT_MAX : INT_MIN;
    if (!hasLimits)
      c.a = std::min(c.a, INT_MAX - 2 * M);
    c.b = FORM == WINDOW ? e2e::between(-5, 80) : near(around + e2e::between(-90, 190));
    c.b = std::min(c.b, INT_MAX - 2 * M);
    if (FORM == WINDOW && number % 7 == 0)
      c.b = INT_MAX;
    return c;
  });
  check<FORM, 1, int, int>(cases, count);
  check<FORM, 7, int, int>(cases, count);
  check<FORM, 16, int, int>(cases, count);
  check<FORM, 0, int, int>(cases, count);
  check<FORM, 4, int64_t, int>(cases, count);
  check<FORM, 4, int64_t, int64_t>(cases, count);
  check<FORM, 0, int64_t, int64_t>(cases, count);
}

template <int... FORM> void check_forms(std::integer_sequence<int, FORM...>) { (check_form<FORM>(), ...); }

/// Limits that are multiples of the tile, such as those computed from a program's number, from zero: split points are
/// then whole steps.
template <int BM, int BN> __tile_global__ void diagonal(int *out, int last) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto hash = tt::zeros<int, BM, BN>();
  int end = tt::program_id(0) * BM + BM;
  for (int i : tt::range(0, end < last ? end : last, BN).split()) {
    auto n = i + tt::arange<BN>();
    auto next = tt::where(m.col() >= n.row(), hash * 5 + i, hash * 3 + 1);
    hash = tt::where((n < last).row(), next, hash + 2);
  }
  tt::store(out + (m.col() * BN + tt::arange<BN>().row()), hash);
}

template <int BM, int BN> void check_diagonal() {
  for (int last : {0, 1, BN - 1, BN, 5 * BM - 3, 6 * BM, 1000}) {
    e2e::context("rows of %d, columns of %d, up to %d", BM, BN, last);
    e2e::buffer<int> out(6 * BM * BN);
    diagonal<BM, BN><<<6>>>(out.data(), last);
    out.expect([&](int at) {
      int m = at / BN, end = m / BM * BM + BM;
      unsigned hash = 0;
      for (int i = 0; i < std::min(end, last); i += BN) {
        int n = i + at % BN;
        hash = n >= last ? hash + 2 : m >= n ? hash * 5 + i : hash * 3 + 1;
      }
      return int(hash);
    });
  }
}

int main() {
  return e2e::run("split-loops", [] {
    check_forms(std::make_integer_sequence<int, FORMS>());
    check_diagonal<16, 16>();
    check_diagonal<32, 8>();
    check_diagonal<8, 32>();
  });
}
