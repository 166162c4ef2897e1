// Every operator, and every function of one or two elements that needs no approximation, on tiles of every element type.
// RUN: %matrix %s -o %t
// RUN: grep '^elementwise ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

// Rows of results, in the order of the enumerators.
enum operation { add, sub, mul, div, maximum, minimum, where, neg, abs, rem, maximum_nan,
                 minimum_nan, bits_and, bits_or, bits_xor, bits_not, shl, shr, values };
constexpr const char *value_names[] = {"add", "sub", "mul", "div", "maximum", "minimum", "where", "neg", "abs", "rem",
                                       "maximum-nan", "minimum-nan", "and", "or", "xor", "not", "shl", "shr"};
constexpr bool is_for(int operation, bool is_float) {
  return operation < bits_and || !is_float;
}
enum condition { less, less_equal, greater, greater_equal, equal, not_equal, both, either, negation, conditions };
constexpr const char *condition_names[] = {"lt", "le", "gt", "ge", "eq", "ne", "logical-and", "logical-or", "logical-not"};

// Arithmetic on bool gives integers.
template <class T> using value_type = std::conditional_t<std::is_same_v<T, bool>, int, T>;

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void elementwise(const T *a, const T *b, const T *divisor, const T *distance,
                                                      value_type<T> *out, bool *flags, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto x = tt::load(a + i, mask), y = tt::load(b + i, mask), d = tt::load(divisor + i, mask, T(1));
  constexpr int pitch = 4 * B;
  auto put = [&](int row, auto result) { tt::store(out + row * pitch + i, result, mask); };
  put(add, x + y);
  put(sub, x - y);
  put(mul, x * y);
  put(div, x / d);
  put(maximum, tt::maximum(x, y));
  put(minimum, tt::minimum(x, y));
  put(where, tt::where(x < y, x, d));
  put(neg, -x);
  put(abs, tt::abs(x));
  put(rem, x % d);
  put(maximum_nan, tt::maximum<tt::propagate_nan::all>(x, y));
  put(minimum_nan, tt::minimum<tt::propagate_nan::all>(x, y));
  if constexpr (std::is_integral_v<T>) {
    auto s = tt::load(distance + i, mask, T(0));
    put(bits_and, x & y);
    put(bits_or, x | y);
    put(bits_xor, x ^ y);
    put(bits_not, ~x);
    put(shl, x << s);
    put(shr, x >> s);
  }
  auto say = [&](int row, auto result) { tt::store(flags + row * pitch + i, result, mask); };
  say(less, x < y);
  say(less_equal, x <= y);
  say(greater, x > y);
  say(greater_equal, x >= y);
  say(equal, x == y);
  say(not_equal, x != y);
  say(both, x && y);
  say(either, x || y);
  say(negation, !x);
}

template <class T> value_type<T> integer_reference(int operation, T x, T y, T d, T s) {
  using R = value_type<T>;
  using V = e2e::wrapping<R>;
  V a{R(x)}, b{R(y)};
  switch (operation) {
  case add: return (a + b).value;
  case sub: return (a - b).value;
  case mul: return (a * b).value;
  case div: return R(x / d);
  case maximum:
  case maximum_nan: return x > y ? x : y;
  case minimum:
  case minimum_nan: return x < y ? x : y;
  case where: return x < y ? x : d;
  case neg: return (-a).value;
  case abs: return x < T(0) ? (-a).value : R(x);
  case bits_and: return x & y;
  case bits_or: return x | y;
  case bits_xor: return x ^ y;
  case bits_not: return std::is_same_v<T, bool> ? !x : (~a).value;
  case shl: return (a << V{R(s)}).value;
  case shr: return (a >> V{R(s)}).value;
  default: return R(x % d);
  }
}

// In double: exact except for the last rounding, for which the comparison allows.
double float_reference(int operation, double x, double y, double d) {
  switch (operation) {
  case add: return x + y;
  case sub: return x - y;
  case mul: return x * y;
  case div: return x / d;
  case maximum: return std::isnan(x) || x < y ? y : x;
  case minimum: return std::isnan(x) || x > y ? y : x;
  case where: return x < y ? x : d;
  case neg: return -x;
  case abs: return std::fabs(x);
  case rem: return std::fmod(x, d);
  case maximum_nan: return std::isnan(x) || x > y ? x : y;
  default: return std::isnan(x) || x < y ? x : y;
  }
}

template <class T> bool condition_reference(int condition, T x, T y) {
  switch (condition) {
  case less: return x < y;
  case less_equal: return x <= y;
  case greater: return x > y;
  case greater_equal: return x >= y;
  case equal: return x == y;
  case not_equal: return x != y;
  case both: return bool(x) && bool(y);
  case either: return bool(x) || bool(y);
  default: return !bool(x);
  }
}

template <class T> using kernel = void (*)(const T *, const T *, const T *, const T *, value_type<T> *, bool *, int);

template <class T> void launch(int block, int warps, matrix::form form, kernel<T> elementwise) {
  constexpr bool is_float = !std::is_integral_v<T>;
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  std::vector<const char *> names;
  for (int k = 0; k < values; ++k)
    if (is_for(k, is_float))
      names.push_back(value_names[k]);
  names.insert(names.end(), condition_names, condition_names + conditions);
  if (!cases.of(names.data(), names.size()))
    return;

  const int n = form.n;
  matrix::buffer<T> a(n, matrix::any<T>, form.skew), b(n, matrix::any<T>, form.skew);
  matrix::buffer<T> distance(n, [](int) { return T(matrix::between(0, 8 * sizeof(T) - 1)); }, form.skew);
  // No integer is divided by zero, nor the smallest one by -1: both are undefined, as in C.
  matrix::buffer<T> divisor(n, [&](int i) {
    T d = matrix::any<T>();
    if constexpr (is_float)
      return d;
    else
      return d == T(0) || (T(-1) < T(0) && d == T(-1)) ? T(1) : d;
  }, form.skew);
  matrix::results<value_type<T>> out(values, 4 * block, form.skew);
  matrix::results<bool> flags(conditions, 4 * block, form.skew);
  elementwise<<<tt::cdiv(n, block)>>>(a.data(), b.data(), divisor.data(), distance.data(), out.data(), flags.data(), n);

  for (int k = 0; k < values; ++k) {
    if constexpr (!is_float) {
      if (is_for(k, false))
        cases.check(value_names[k], out, k, n, [&](int i) {
          return integer_reference<T>(k, a[i], b[i], divisor[i], distance[i]);
        });
    } else if (is_for(k, true)) {
      auto reference = [&](int i) { return float_reference(k, double(a[i]), double(b[i]), double(divisor[i])); };
      // Of zeros, minimum and maximum may choose either. A GPU divides float by div.full, as Triton does.
      bool approximate_division = k == div && !std::is_same_v<T, double> && e2e::on_gpu();
      if (approximate_division || k == maximum || k == minimum || k == maximum_nan || k == minimum_nan)
        cases.check(value_names[k], out, k, n, [&](int i) {
          return matrix::approximately{reference(i), !approximate_division ? 0 : sizeof(T) == 4 ? 2.0 : 1.0};
        });
      else
        cases.check(value_names[k], out, k, n, [&](int i) { return T(reference(i)); });
    }
  }
  for (int k = 0; k < conditions; ++k)
    cases.check(condition_names[k], flags, k, n, [&](int i) { return condition_reference(k, a[i], b[i]); });
}

matrix::family family("elementwise", [] {
  matrix::for_each<matrix::all_types>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 3 * I))
      launch<T>(block, W, form, elementwise<T, block, W>);
  });
});

} // namespace
