//===-- tilecc/tt/dot_scaled.h - products of microscaled matrices --------------------------------------------------===//
//
// Operands in the formats of the Open Compute Project: 32 neighbours along the summed dimension share a scale, a power of
// two. They are taken to 16-bit floating point, which holds their products with the scales exactly within its range, and
// multiplied as such.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_DOT_SCALED_H
#define TILECC_TT_DOT_SCALED_H
#pragma GCC system_header

#include "dot.h"
#include "shape.h"

namespace tt {

/// Elements of an operand of dot_scaled: float4 (two in a byte, the first one in the low bits), 8-bit floats (of their types,
/// or as bytes), and 16-bit floats. Triton: "e2m1" and so on.
enum class mx { e2m1, e4m3, e5m2, bf16, fp16 };

inline constexpr struct no_scale_t {} no_scale{};

namespace detail {

// The numbers of four bits in x: a sign, two bits of exponent, one of significand.
template <class S> __TILECC_FN auto decode_e2m1(tensor<int, S> x) {
  auto exponent = x >> 1 & 3, significand = x & 1;
  auto magnitude = tt::where(exponent == 0, significand * 0x3f000000, exponent + 126 << 23 | significand << 22);
  return tt::bitcast<float>((x & 8) << 28 | magnitude);
}

template <mx F, class X> constexpr void check_format() {
  using T = element<X>;
  constexpr bool byte = __is_same(T, unsigned char);
  constexpr bool fits = F == mx::e2m1   ? byte
                        : F == mx::e4m3 ? byte || __is_same(T, float8_e4m3fn)
                        : F == mx::e5m2 ? byte || __is_same(T, float8_e5m2)
                        : F == mx::bf16 ? __is_same(T, bfloat16) : __is_same(T, float16);
  __TILECC_CHECK((fits), complain<X>("dot_scaled: the elements of ", " are not of the format that is named for it"));
  __TILECC_CHECK((X::rank == 2), complain<X>("dot_scaled multiplies matrices, not ", ""));
}

// The numbers of an operand that is summed along Axis, as float.
template <mx F, int Axis, class X> __TILECC_FN auto decode(X x) {
  check_format<F, X>();
  constexpr int rows = X::shape_type::dims[0], columns = X::shape_type::dims[1];
  if constexpr (F == mx::e2m1) {
    auto bytes = x.template to<int>();
    auto pairs = tt::join(decode_e2m1(bytes & 15), decode_e2m1(bytes >> 4));
    if constexpr (Axis == 1)
      return tt::reshape<rows, 2 * columns>(pairs);
    else
      return tt::reshape<2 * rows, columns>(tt::permute<0, 2, 1>(pairs));
  } else if constexpr (F == mx::e4m3 && __is_same(element<X>, unsigned char)) {
    return tt::bitcast<float8_e4m3fn>(x).template to<float>();
  } else if constexpr (F == mx::e5m2 && __is_same(element<X>, unsigned char)) {
    return tt::bitcast<float8_e5m2>(x).template to<float>();
  } else {
    return x.template to<float>();
  }
}

// Rows x (K / 32) powers of two, each for 32 columns.
template <int Rows, int K, class S> __TILECC_FN auto decode_scale(S scale) {
  constexpr bool fits = __is_same(S, tile<unsigned char, Rows, K / 32>);
  __TILECC_CHECK((fits), complain<S, tile<unsigned char, Rows, K / 32>>("dot_scaled: the scales are ", ", and should be ",
                                                                        ": one for 32 numbers of a row"));
  auto bits = scale.template to<int>();
  auto power = tt::bitcast<float>(tt::where(bits == 0, 0x400000, tt::where(bits == 255, 0x7fc00000, bits << 23)));
  return tt::reshape<Rows, K>(tt::broadcast_to<Rows, K / 32, 32>(power(all, all, newaxis)));
}

template <mx F, int Axis, class T, class X, class S> __TILECC_FN auto scaled(X x, S scale) {
  auto numbers = decode<F, Axis>(x);
  using N = decltype(numbers);
  constexpr int rows = N::shape_type::dims[0], columns = N::shape_type::dims[1];
  if constexpr (__is_same(S, no_scale_t))
    return numbers.template to<T>();
  else if constexpr (Axis == 1)
    return (numbers * decode_scale<rows, columns>(scale)).template to<T>();
  else
    return (numbers * tt::trans(decode_scale<columns, rows>(scale))).template to<T>();
}

} // namespace detail

/// The product of a (M x K) and b (K x N), whose elements are of formats A and B, times their scales, plus acc. a_scale is
/// M x K/32 and b_scale N x K/32, bytes that stand for 2^(byte - 127), or tt::no_scale. Of float4, two neighbours along K are in a
/// byte. Triton: tl.dot_scaled(a, a_scale, "e4m3", b, b_scale, "e2m1", acc).
template <mx A, mx B, class X, class XS, class Y, class YS, class C>
__TILECC_VALUE auto dot_scaled(X a, XS a_scale, Y b, YS b_scale, C acc) {
  using T = typename detail::choose<A == mx::fp16 || B == mx::fp16, float16, bfloat16>::type;
  return dot(detail::scaled<A, 1, T>(a, a_scale), detail::scaled<B, 0, T>(b, b_scale), acc);
}
template <mx A, mx B, class X, class XS, class Y, class YS>
__TILECC_VALUE auto dot_scaled(X a, XS a_scale, Y b, YS b_scale) {
  using T = typename detail::choose<A == mx::fp16 || B == mx::fp16, float16, bfloat16>::type;
  return dot(detail::scaled<A, 1, T>(a, a_scale), detail::scaled<B, 0, T>(b, b_scale));
}

} // namespace tt

#endif // TILECC_TT_DOT_SCALED_H
