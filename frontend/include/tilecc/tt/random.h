//===-- tilecc/tt/random.h - random numbers ----------------------------------------------------------------------===//
//
// Philox is a counter-based generator: a number depends only on the seed and the offset, so all programs and devices
// agree on it. randint and rand equal Triton's bit for bit for the same seed and offsets. randn computes logarithms and
// cosines of these numbers, so its results equal Triton's within rounding.
//
// The seed is a scalar integer; offsets are a tile of integers, or one integer for one number. All bits of 64-bit
// offsets count. A seed has 2^32 (2^64) offsets with four numbers each: the 4x functions cost as much as the others.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_RANDOM_H
#define TILECC_TT_RANDOM_H
#pragma GCC system_header

#include "math.h"
#include "tuple.h"

namespace tt {
namespace detail {

template <class T> struct philox_constants;
template <> struct philox_constants<unsigned> {
  static constexpr unsigned key_a = 0x9E3779B9, key_b = 0xBB67AE85, round_a = 0xD2511F53, round_b = 0xCD9E8D57;
};
template <> struct philox_constants<unsigned long> {
  static constexpr unsigned long key_a = 0x9E3779B97F4A7C15, key_b = 0xBB67AE8584CAA73B, round_a = 0xD2E7470EE14C6C93,
                                 round_b = 0xCA5A826395121157;
};

template <int Rounds, class T, class S>
__TILECC_FN tuple<tensor<T, S>, tensor<T, S>, tensor<T, S>, tensor<T, S>>
philox_rounds(tensor<T, S> c0, tensor<T, S> c1, tensor<T, S> c2, tensor<T, S> c3, T k0, T k1) {
  if constexpr (Rounds == 0) {
    return {c0, c1, c2, c3};
  } else {
    using K = philox_constants<T>;
    return philox_rounds<Rounds - 1>(umulhi(c2, K::round_b) ^ c1 ^ k0, c2 * K::round_b,
                                     umulhi(c0, K::round_a) ^ c3 ^ k1, c0 * K::round_a, T(k0 + K::key_a),
                                     T(k1 + K::key_b));
  }
}

template <class Seed, class O> constexpr auto find_random() {
  __TILECC_CHECK((kind_of<Seed> == int_kind), complain<Seed>("the seed of random numbers is an integer, not ", ""));
  __TILECC_CHECK((is_tile<O> && kind_of<element<O>> == int_kind),
                 complain<O>("the offsets of random numbers are a tile of integers, not ", ""));
  return O();
}

// Calls a function of a tile of offsets. The number of a single offset is that of a tile with one element.
template <class O, class F> __TILECC_FN auto with_offsets(O offset, F numbers) {
  if constexpr (!is_tile<O> && kind_of<element<O>> == int_kind) {
    auto one = numbers(fill<tensor<element<O>, shape<1>>>(offset));
    return builtin::unsplat<element<decltype(one)>>(one);
  } else {
    return numbers(offset);
  }
}

} // namespace detail

/// The Philox generator: `Rounds` rounds over four tiles of counters, which give four tiles of random bits.
/// Types: `seed` is an integer; counters are integers of 32 or 64 bits, results are unsigned of that width.
/// Triton: `tl.philox`.
/// Example:
///   auto zero = tt::zeros<unsigned, 4>();
///   auto [a, b, c, d] = tt::philox(7, tt::arange<4>().to<unsigned>(), zero, zero, zero);
///   auto bits = a; // [4099963437, 1747881627, 26092480, 1675892246]
template <int Rounds = 10, class Seed, class T, class S>
__TILECC_VALUE auto philox(Seed seed, tensor<T, S> c0, tensor<T, S> c1, tensor<T, S> c2, tensor<T, S> c3) {
  using Counter = decltype(detail::find_random<Seed, tensor<T, S>>());
  __TILECC_CHECK((sizeof(T) >= 4),
                 detail::complain<tensor<T, S>>("philox counts in integers of 32 or 64 bits, not ", ""));
  using U = typename detail::choose<sizeof(T) == 8, unsigned long, unsigned>::type;
  const unsigned long key = static_cast<unsigned long>(seed);
  return detail::philox_rounds<Rounds>(c0.template to<U>(), c1.template to<U>(), c2.template to<U>(),
                                       c3.template to<U>(), U(key), U(sizeof(U) == 8 ? 0 : key >> 32));
}

/// Four tiles of random 32-bit unsigned integers, at the cost of one. The bits depend only on seed and offset and
/// equal Triton's.
/// Types: `seed` is an integer; `offset` is a tile of integers.
/// Errors: the seed is not an integer; offsets are not a tile of integers.
/// Triton: `tl.randint4x`.
/// Example:
///   auto [a, b, c, d] = tt::randint4x(7, tt::arange<4>());
///   auto bits = a; // [4099963437, 1747881627, 26092480, 1675892246]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto randint4x(Seed seed, O offset) {
  using Offsets = decltype(detail::find_random<Seed, O>());
  auto low = offset.template to<unsigned>();
  auto zero = zeros<unsigned>(typename Offsets::shape_type());
  if constexpr (sizeof(detail::element<O>) == 8)
    return philox<Rounds>(seed, low, (offset >> 32).template to<unsigned>(), zero, zero);
  else
    return philox<Rounds>(seed, low, zero, zero, zero);
}
/// A tile of random 32-bit unsigned integers, or one for a single offset. The bits depend only on seed and offset and
/// equal Triton's.
/// Types: `seed` is an integer; `offset` is an integer or a tile of integers.
/// Triton: `tl.randint`.
/// Example:
///   auto bits = tt::randint(7, tt::arange<4>()); // [4099963437, 1747881627, 26092480, 1675892246]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto randint(Seed seed, O offset) {
  return detail::with_offsets(offset, [=](auto offsets) {
    auto [first, second, third, fourth] = randint4x<Rounds>(seed, offsets);
    return first;
  });
}

/// Random bits as `float` numbers in [0, 1).
/// Types: integers of 32 or 64 bits.
/// Triton: `tl.uint_to_uniform_float`.
/// Example:
///   auto u = tt::uint_to_uniform_float(tt::randint(7, tt::arange<4>())); // [0.091, 0.814, 0.012, 0.780]
template <class T, class S> __TILECC_VALUE tensor<float, S> uint_to_uniform_float(tensor<T, S> bits) {
  __TILECC_CHECK((detail::kind_of<T> == detail::int_kind && sizeof(T) >= 4),
                 detail::complain<tensor<T, S>>("random bits are integers of 32 or 64 bits, not ", ""));
  // The largest scale for which the largest integer is still below 1 after rounding.
  using I = typename detail::choose<sizeof(T) == 8, long, int>::type;
  auto x = bits.template to<I>();
  return where(x < 0, ~x, x).template to<float>() * (sizeof(T) == 8 ? 1.0842020432385337e-19f : 4.6566127342e-10f);
}

/// Uniformly distributed `float` numbers in [0, 1), or one for a single offset. They equal Triton's bit for bit.
/// Types: `seed` is an integer; `offset` is an integer or a tile of integers.
/// Triton: `tl.rand`.
/// Example:
///   auto uniform = tt::rand(7, tt::arange<4>()); // [0.091, 0.814, 0.012, 0.780]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto rand(Seed seed, O offset) {
  return detail::with_offsets(offset,
                              [=](auto offsets) { return uint_to_uniform_float(randint<Rounds>(seed, offsets)); });
}
/// Four tiles of uniformly distributed numbers, at the cost of one.
/// Triton: `tl.rand4x`.
/// Example:
///   auto [a, b, c, d] = tt::rand4x(7, tt::arange<4>());
///   auto first = a; // [0.091, 0.814, 0.012, 0.780]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto rand4x(Seed seed, O offset) {
  auto [a, b, c, d] = randint4x<Rounds>(seed, offset);
  using R = tensor<float, typename O::shape_type>;
  return tuple<R, R, R, R>{uint_to_uniform_float(a), uint_to_uniform_float(b), uint_to_uniform_float(c),
                           uint_to_uniform_float(d)};
}

/// Converts two tiles of uniformly distributed numbers to two of normally distributed ones, by the Box-Muller
/// transform.
/// Triton: `tl.pair_uniform_to_normal`.
/// Example:
///   auto [a, b, c, d] = tt::rand4x(7, tt::arange<4>());
///   auto [x, y] = tt::pair_uniform_to_normal(a, b);
///   auto normal = x; // [-2.190, -0.541, 2.953, -0.704]
template <class S> __TILECC_VALUE auto pair_uniform_to_normal(tensor<float, S> u1, tensor<float, S> u2) {
  auto angle = u2 * 6.283185307179586f;
  auto radius = sqrt(log(maximum(u1, 1.0e-7f)) * -2.0f);
  return pair<tensor<float, S>, tensor<float, S>>{radius * cos(angle), radius * sin(angle)};
}

/// Normally distributed `float` numbers with mean 0 and deviation 1, or one for a single offset. They equal Triton's
/// within rounding.
/// Types: `seed` is an integer; `offset` is an integer or a tile of integers.
/// Triton: `tl.randn`.
/// Example:
///   auto normal = tt::randn(7, tt::arange<4>()); // [-2.190, -0.541, 2.953, -0.704]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto randn(Seed seed, O offset) {
  return detail::with_offsets(offset, [=](auto offsets) {
    auto [a, b, c, d] = randint4x<Rounds>(seed, offsets);
    auto [first, second] = pair_uniform_to_normal(uint_to_uniform_float(a), uint_to_uniform_float(b));
    return first;
  });
}
/// Four tiles of normally distributed numbers.
/// Triton: `tl.randn4x`.
/// Example:
///   auto [a, b, c, d] = tt::randn4x(7, tt::arange<4>());
///   auto first = a; // [-2.190, -0.541, 2.953, -0.704]
template <int Rounds = 10, class Seed, class O> __TILECC_VALUE auto randn4x(Seed seed, O offset) {
  auto [a, b, c, d] = rand4x<Rounds>(seed, offset);
  auto [n1, n2] = pair_uniform_to_normal(a, b);
  auto [n3, n4] = pair_uniform_to_normal(c, d);
  using R = tensor<float, typename O::shape_type>;
  return tuple<R, R, R, R>{n1, n2, n3, n4};
}

} // namespace tt

#endif // TILECC_TT_RANDOM_H
