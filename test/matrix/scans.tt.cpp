// Scans of tiles of one and two dimensions along every axis, forwards and in reverse: sums, products, and a function that
// does not commute. argmax and argmin with their ties, xor_sum, reduce_or, and a reduction of two tiles.
// RUN: %matrix %s -o %t
// RUN: grep '^scans ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

using matrix::is_integer, matrix::last_of;
template <class T> using sum_type = matrix::running_sum<T>;
// Of pairs (value, position), the farther value, and the first position of equal ones.
struct farther {
  template <class T> __tile__ tt::pair<T, int> operator()(T a, int i, T b, int j) const {
    bool first = a > b || (a == b && i < j);
    return tt::pair<T, int>{first ? a : b, first ? i : j};
  }
};

enum operation { sums, reverse_sums, products, last, reverse_last, scans };
constexpr const char *scan_names[] = {"cumsum", "cumsum-reverse", "cumprod", "scan-last", "scan-last-reverse"};
enum lookup { argmax, argmin, xors, ors, pairs, lookups };
constexpr const char *lookup_names[] = {"argmax", "argmin", "xor-sum", "reduce-or", "reduce-pair"};

template <class T, int M, int N, int Axis, int W>
[[tt::num_warps(W)]] __tile_global__ void scan(const T *x, sum_type<T> *sum, T *own, int *places) {
  constexpr int size = M * N, line = Axis == 0 ? N : M;
  auto i = tt::arange<M>()(tt::all, tt::newaxis);
  auto j = tt::arange<N>()(tt::newaxis, tt::all);
  auto v = tt::load(x + i * N + j);
  tt::store(sum + i * N + j, tt::cumsum<Axis>(v));
  tt::store(sum + size + i * N + j, tt::cumsum<Axis>(v, tt::reverse));
  tt::store(sum + 2 * size + i * N + j, tt::cumprod<Axis>(v));
  tt::store(own + i * N + j, tt::associative_scan<Axis>(v, last_of()));
  tt::store(own + size + i * N + j, tt::associative_scan<Axis>(v, last_of(), tt::reverse));
  auto at = tt::arange<line>();
  tt::store(places + at, tt::argmax<Axis>(v));
  tt::store(places + size + at, tt::argmin<Axis>(v));
  if constexpr (is_integer<T>) {
    tt::store(places + 2 * size + at, tt::xor_sum<Axis>(v).template to<int>());
    tt::store(places + 3 * size + at, tt::reduce_or<Axis>(v).template to<int>());
  }
  auto position = tt::broadcast_to<M, N>(Axis == 0 ? i + j * 0 : j + i * 0);
  auto [value, where] = tt::reduce<Axis>(tt::pair{v, position}, farther());
  tt::store(places + 4 * size + at, where);
}

template <class T> T input(int) {
  if (matrix::random_bits() % 3 == 0)
    return T(0);
  if constexpr (is_integer<T>)
    return matrix::random_bits() & 1 ? matrix::any<T>() : T(matrix::random_bits() % 4);
  else
    return T(double(matrix::between(-2, 2))); // sums are exact, and ties are many
}

template <class T>
void launch(int M, int N, int axis, int warps, int skew, void (*scan)(const T *, sum_type<T> *, T *, int *)) {
  std::vector<const char *> names(scan_names, scan_names + scans);
  for (int k = 0; k < lookups; ++k)
    if (is_integer<T> || (k != xors && k != ors))
      names.push_back(lookup_names[k]);
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps,
                      "axis" + std::to_string(axis) + (skew ? "+" + std::to_string(skew) : std::string()));
  if (!cases.of(names.data(), names.size()))
    return;
  const int size = M * N, along = axis ? N : M, lines = size / along, stride = axis ? 1 : N;
  matrix::buffer<T> x(size, input<T>, skew);
  matrix::results<sum_type<T>> sum(3, size, skew);
  matrix::results<T> own(2, size, skew);
  matrix::results<int> places(lookups, size, skew);
  scan<<<1>>>(x.data(), sum.data(), own.data(), places.data());

  auto start_of = [&](int line) { return axis ? line * N : line; };
  auto line_of = [&](int i) { return axis ? i / N : i % N; };
  auto place_of = [&](int i) { return axis ? i % N : i / N; };
  for (int k = 0; k < scans; ++k) {
    // Goes from the end where a scan begins up to element i.
    auto steps = [&](int i, auto step) {
      bool reverse = k == reverse_sums || k == reverse_last;
      for (int p = reverse ? along - 1 : 0; reverse ? p >= place_of(i) : p <= place_of(i); p += reverse ? -1 : 1)
        step(x[start_of(line_of(i)) + p * stride]);
    };
    if (k < last)
      cases.check(scan_names[k], sum, k, size, [&](int i) {
        if constexpr (is_integer<T>) { // products keep the type
          e2e::wrapping<sum_type<T>> total{0};
          e2e::wrapping<T> product{T(1)};
          steps(i, [&](T v) {
            total = total + e2e::wrapping<sum_type<T>>{sum_type<T>(v)};
            product = product * e2e::wrapping<T>{v};
          });
          return k == products ? sum_type<T>(product.value) : total.value;
        } else { // of powers of two and zeros: exact
          double total = k == products;
          steps(i, [&](T v) { total = k == products ? total * double(v) : total + double(v); });
          return matrix::approximately{total, 0};
        }
      });
    else
      cases.check(scan_names[k], own, k - last, size, [&](int i) {
        bool is_first = true;
        T result{};
        steps(i, [&](T v) {
          if (is_first || v != T(0))
            result = v;
          is_first = false;
        });
        return result;
      });
  }
  for (int k = 0; k < lookups; ++k) {
    if (!is_integer<T> && (k == xors || k == ors))
      continue;
    cases.check(lookup_names[k], places, k, lines, [&](int line) {
      auto at = [&](int p) { return x[start_of(line) + p * stride]; };
      T combined = at(0);
      int best = 0;
      for (int p = 1; p < along; ++p) {
        if (k == argmin ? at(p) < at(best) : at(p) > at(best))
          best = p;
        if constexpr (is_integer<T>)
          combined = k == xors ? T(combined ^ at(p)) : T(combined | at(p));
      }
      return k == xors || k == ors ? int(combined) : best;
    });
  }
}

template <class T, int W, int I, int M, int N> void forms_of() {
  launch<T>(M, N, I % 2, W, 0, scan<T, M, N, I % 2, W>);
  launch<T>(M, N, I % 2, W, 1 + I % 15, scan<T, M, N, I % 2, W>);
}

matrix::family family("scans", [] {
  matrix::for_each<matrix::all_types>([]<class T, int W, int I>() {
    if constexpr (I % 5 == 0)
      forms_of<T, W, I + 1, 1, 64 * W>();
    else if constexpr (I % 5 == 1)
      forms_of<T, W, I, 16, 8 * W>();
    else if constexpr (I % 5 == 2)
      forms_of<T, W, I, 32 * W, 2>();
    else if constexpr (I % 5 == 3)
      forms_of<T, W, I, 4, 32>();
    else
      forms_of<T, W, I, 8 * W, 16>();
  });
});

} // namespace
