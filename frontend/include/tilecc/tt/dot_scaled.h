//===-- tilecc/tt/dot_scaled.h - products of microscaled matrices --------------------------------------------------===//
//
// Operands have the formats of the Open Compute Project: 32 neighbouring elements along the contracted dimension share
// a scale, a power of two. They are converted to 16-bit floating point, which represents the scaled elements exactly
// within its range, and multiplied in that type.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_DOT_SCALED_H
#define TILECC_TT_DOT_SCALED_H
#pragma GCC system_header

#include "dot.h"
#include "shape.h"

namespace tt {

/// Element formats of the operands of `dot_scaled`. `e2m1` is a 4-bit float, two to a byte with the first in the low
/// bits. `e4m3` and `e5m2` are 8-bit floats, as `tt::float8_e4m3fn` and `tt::float8_e5m2` or as bytes. `bf16` and
/// `fp16` are 16-bit floats.
/// Triton: the strings `"e2m1"`, `"e4m3"`, `"e5m2"`, `"bf16"`, `"fp16"`.
enum class mx { e2m1, e4m3, e5m2, bf16, fp16 };

/// In place of the scales of an operand of `dot_scaled` that has none.
inline constexpr struct no_scale_t {
} no_scale{};

namespace detail {

// Decodes the 4-bit numbers in x: a sign bit, two exponent bits and one significand bit.
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
                        : F == mx::bf16 ? __is_same(T, bfloat16)
                                        : __is_same(T, float16);
  __TILECC_CHECK((fits), complain<X>("dot_scaled: the elements of ", " are not of the format that is named for it"));
  __TILECC_CHECK((X::rank == 2), complain<X>("dot_scaled multiplies matrices, not ", ""));
}

// Decodes the elements of an operand to float. Axis is the contracted axis.
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

// Converts Rows x (K / 32) bytes, each the scale of 32 columns, to a float for each element.
template <int Rows, int K, class S> __TILECC_FN auto decode_scale(S scale) {
  constexpr bool fits = __is_same(S, tile<unsigned char, Rows, K / 32>);
  __TILECC_CHECK((fits), complain<S, tile<unsigned char, Rows, K / 32>>(
                             "dot_scaled: the scales are ", ", and should be ", ": one for 32 numbers of a row"));
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

/// The matrix product of microscaled operands, plus `acc` if given. Groups of 32 neighbours along K share a scale. The
/// operands are converted to `bfloat16`, or to `float16` if one of them is `fp16`, and multiplied as such.
/// Shapes: `a` is M x K, `b` is K x N, `a_scale` is M x K/32 and `b_scale` is N x K/32. Operands in `e2m1` have half
/// as many bytes along K.
/// Types: `A` and `B` name the formats; scales are `uint8`, a byte s stands for 2^(s - 127); `tt::no_scale` for none.
/// Errors: an element type does not fit its format; the scales have another shape.
/// Triton: `tl.dot_scaled`.
/// Example:
///   auto ones = tt::full<unsigned char, 16, 16>(0x22); // 16 x 32 elements, each 1.0 in e2m1
///   auto scale = tt::full<unsigned char, 16, 1>(128);  // each 2.0
///   auto b = tt::full<float, 32, 16>(1.0f).to<tt::float8_e4m3fn>();
///   auto c = tt::dot_scaled<tt::mx::e2m1, tt::mx::e4m3>(ones, scale, b, tt::no_scale);
///   auto element = tt::sum(c) / 256; // 64
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
