// .to<T>() from every element type to every element type: integers wrap, numbers round to nearest even, towards integers
// they truncate, to bool they compare with zero. bitcast to another type of the same size.
// RUN: %matrix %s -o %t
// RUN: grep '^casts ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

// The memory of each target type.
template <class... T> struct outputs_of;
template <> struct outputs_of<> {};
template <class First, class... Rest> struct outputs_of<First, Rest...> {
  First *first;
  outputs_of<Rest...> rest;
};
template <class... T> outputs_of<T...> to_outputs(matrix::types<T...>);
using outputs = decltype(to_outputs(matrix::with_float8()));

template <class X, class I, class M> __tile__ void store_as_all(X, outputs_of<>, I, M) {}
template <class X, class First, class... Rest, class I, class M>
__tile__ void store_as_all(X x, outputs_of<First, Rest...> out, I i, M mask) {
  tt::store(out.first + i, x.template to<First>(), mask);
  store_as_all(x, out.rest, i, mask);
}

// The type for bitcasts of T: the unsigned integer, or for unsigned integers the signed one.
template <int Size> struct integers_of;
template <> struct integers_of<1> { using u = uint8_t; using s = int8_t; };
template <> struct integers_of<2> { using u = uint16_t; using s = int16_t; };
template <> struct integers_of<4> { using u = uint32_t; using s = int32_t; };
template <> struct integers_of<8> { using u = uint64_t; using s = int64_t; };
template <class T> struct recast {
  using type = std::conditional_t<std::is_same_v<T, typename integers_of<sizeof(T)>::u>, typename integers_of<sizeof(T)>::s,
                                  typename integers_of<sizeof(T)>::u>;
};
template <> struct recast<bool> { using type = bool; };

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void cast(const T *x, outputs out, typename recast<T>::type *bits, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask);
  store_as_all(v, out, i, mask);
  tt::store(bits + i, tt::bitcast<typename recast<T>::type>(v), mask);
}

// Values of all sizes; of floating point, half of them within the range of small integers.
template <class T> T source(int) {
  if constexpr (std::is_integral_v<T>)
    return matrix::any<T>();
  else
    return matrix::random_bits() & 1 ? matrix::any<T>() : T(matrix::uniform(-300, 300));
}

template <class To, class From> void check(matrix::cases &cases, const char *operation, const matrix::buffer<From> &x,
                                           matrix::results<To> &out, int n) {
  if constexpr (std::is_same_v<To, bool>) {
    cases.check(operation, out, 0, n, [&](int i) { return x[i] != From(0); });
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    // If the integer type cannot represent the value, the result is undefined, as in C.
    auto fits = [&](int i) {
      double t = std::trunc(double(x[i]));
      return t >= double(std::numeric_limits<To>::min()) && t < std::ldexp(1.0, std::numeric_limits<To>::digits);
    };
    cases.check(operation, out, 0, n, fits, [&](int i) { return To(x[i]); });
  } else if constexpr (sizeof(To) == 2 && !std::is_integral_v<To> && std::is_integral_v<From>) {
    // Integers of 32 and 64 bits are rounded to float first, or only once, as the target can.
    cases.check(operation, out, 0, n, [&](int i) { return matrix::approximately{double(x[i]), 0.500001}; });
  } else {
    cases.check(operation, out, 0, n, [&](int i) {
      if constexpr (sizeof(From) <= 2 && !std::is_integral_v<From>)
        return To(float(x[i])); // exact; Clang has no conversion between the 16-bit types
      else
        return To(x[i]);
    });
  }
}

template <class T, class... To>
void launch(matrix::types<To...>, int block, int warps, matrix::form form,
            void (*cast)(const T *, outputs, typename recast<T>::type *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  static const std::string operations[] = {"to-" + std::string(matrix::name_of<To>)...};
  std::vector<const char *> names;
  for (const std::string &operation : operations)
    names.push_back(operation.c_str());
  names.push_back("bitcast");
  if (!cases.of(names.data(), names.size()))
    return;
  const int n = form.n;
  matrix::buffer<T> x(n, source<T>, form.skew);
  using B = typename recast<T>::type;
  matrix::results<B> bits(1, 4 * block, form.skew);
  auto run = [&](matrix::results<To>... out) {
    cast<<<tt::cdiv(n, block)>>>(x.data(), {out.data()...}, bits.data(), n);
    size_t k = 0;
    (check(cases, names[k++], x, out, n), ...);
  };
  run(matrix::results<To>(1, 4 * block, form.skew)...);
  cases.check("bitcast", bits, 0, n, [&](int i) {
    T value = x[i];
    B result;
    std::memcpy(&result, &value, sizeof result);
    return result;
  });
}

matrix::family family("casts", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 3 * I))
      launch<T>(matrix::with_float8(), block, W, form, cast<T, block, W>);
  });
});

} // namespace
