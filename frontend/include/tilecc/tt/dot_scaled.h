//===-- tilecc/tt/dot_scaled.h - products of microscaled matrices -------------------------------------------------===//
//
// In formats of the Open Compute Project, 32 adjacent elements along the contracted dimension share a scale, a
// power of two. In NVIDIA's nvfp4, 16 adjacent 4-bit floats share a scale, an 8-bit float.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_DOT_SCALED_H
#define TILECC_TT_DOT_SCALED_H
#pragma GCC system_header

#include "dot.h"

namespace tt {

/// Element formats of the operands of `dot_scaled`. `e2m1` is a 4-bit float, two to a byte with the first in the low
/// bits. `e4m3` and `e5m2` are 8-bit floats, as `tt::float8_e4m3fn` and `tt::float8_e5m2` or as bytes. `bf16` and
/// `fp16` are 16-bit floats.
/// Triton: the strings `"e2m1"`, `"e4m3"`, `"e5m2"`, `"bf16"`, `"fp16"`.
enum class mx {
  e2m1 = detail::format_e2m1,
  e4m3 = detail::format_e4m3,
  e5m2 = detail::format_e5m2,
  bf16 = detail::format_bf16,
  fp16 = detail::format_fp16
};

/// Stands in place of the scales of an operand of `dot_scaled` that has no scales.
inline constexpr struct no_scale_t {
} no_scale{};

namespace detail {

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

// The number of rows of a left operand, or of columns of a right one, and of elements along the contracted axis.
template <mx F, int Axis, class X> struct scaled_size {
  static constexpr int rows = X::shape_type::dims[1 - Axis];
  static constexpr int depth = X::shape_type::dims[Axis] * (F == mx::e2m1 ? 2 : 1);
};

template <mx F, int Rows, int K, class S> constexpr void check_scales() {
  if constexpr (!__is_same(S, no_scale_t)) {
    constexpr bool nvfp4 = F == mx::e2m1 && __is_same(element<S>, float8_e4m3fn);
    using wanted = tile<typename choose<nvfp4, float8_e4m3fn, unsigned char>::type, Rows, K / (nvfp4 ? 16 : 32)>;
    constexpr bool fits = __is_same(S, wanted);
    __TILECC_CHECK((fits),
                   complain<S, wanted>("dot_scaled: the scales are ", ", and should be ",
                                       nvfp4 ? ": one for 16 numbers of a row" : ": one for 32 numbers of a row"));
  }
}

template <mx A, mx B, class X, class XS, class Y, class YS> constexpr auto find_scaled_product() {
  check_format<A, X>();
  check_format<B, Y>();
  using a = scaled_size<A, 1, X>;
  using b = scaled_size<B, 0, Y>;
  constexpr bool fits = a::depth == b::depth;
  __TILECC_CHECK((fits),
                 complain<X, Y>("cannot multiply ", " by ", ": the columns of one are not the rows of the other"));
  check_scales<A, a::rows, a::depth, XS>();
  check_scales<B, b::rows, b::depth, YS>();
  return tensor<float, shape<a::rows, b::rows>>();
}

template <mx A, mx B, class X, class XS, class Y, class YS, class C>
__TILECC_FN auto multiply_scaled(X a, XS a_scale, Y b, YS b_scale, C acc) {
  constexpr bool a_scaled = !__is_same(XS, no_scale_t), b_scaled = !__is_same(YS, no_scale_t);
  if constexpr (a_scaled && b_scaled)
    return builtin::dot_scaled<int(A), int(B), true, true>(a, b, acc, a_scale, b_scale);
  else if constexpr (a_scaled)
    return builtin::dot_scaled<int(A), int(B), true, false>(a, b, acc, a_scale);
  else if constexpr (b_scaled)
    return builtin::dot_scaled<int(A), int(B), false, true>(a, b, acc, b_scale);
  else
    return builtin::dot_scaled<int(A), int(B), false, false>(a, b, acc);
}

} // namespace detail

/// The matrix product of microscaled operands, plus `acc` if given. Groups of neighbours along K share a scale. The
/// matrix units of compute capability 10.0 and its family multiply the elements as they are. On all other devices, and
/// if one operand is `bf16` or `fp16`, the operands are converted to `bfloat16`, or to `float16` if one of them is
/// `fp16`, and multiplied as such.
/// Shapes: `a` is M x K and `b` is K x N. With groups of 32, `a_scale` is M x K/32 and `b_scale` is N x K/32; with
/// groups of 16, M x K/16 and N x K/16. Operands in `e2m1` have half as many bytes along K.
/// Types: `A` and `B` name the formats. Scales for groups of 32 are `uint8`: a byte s stands for 2^(s - 127), and 255
/// for NaN. Scales for groups of 16 are `float8_e4m3fn` (nvfp4, for `e2m1` only). `tt::no_scale` stands for none.
/// Errors: an element type does not fit its format; the scales have another shape.
/// Triton: `tl.dot_scaled`.
/// Example:
///   auto ones = tt::full<unsigned char, 16, 16>(0x22); // 16 x 32 elements, each 1.0 in e2m1
///   auto scale = tt::full<unsigned char, 16, 1>(128);  // each 2.0
///   auto b = tt::full<float, 32, 16>(1.0f).to<tt::float8_e4m3fn>();
///   auto c = tt::dot_scaled<tt::mx::e2m1, tt::mx::e4m3>(ones, scale, b, tt::no_scale);
///   auto element = tt::sum(c) / 256; // 64
template <mx A, mx B, class X, class XS, class Y, class YS, class T, class S>
__TILECC_VALUE tensor<T, S> dot_scaled(X a, XS a_scale, Y b, YS b_scale, tensor<T, S> acc) {
  using Product = decltype(detail::find_scaled_product<A, B, X, XS, Y, YS>());
  __TILECC_CHECK((__is_same(typename Product::shape_type, S)),
                 detail::complain<tensor<T, S>, Product>("the accumulator of dot is ", ", and its result is ", ""));
  __TILECC_CHECK((detail::accumulates_in<float16, T>),
                 detail::complain<X, tensor<T, S>>("dot cannot accumulate products of ", " in ",
                                                   ": the elements of the accumulator are too short"));
  return detail::multiply_scaled<A, B>(a, a_scale, b, b_scale, acc);
}
template <mx A, mx B, class X, class XS, class Y, class YS>
__TILECC_VALUE auto dot_scaled(X a, XS a_scale, Y b, YS b_scale) {
  using D = decltype(detail::find_scaled_product<A, B, X, XS, Y, YS>());
  return detail::multiply_scaled<A, B>(a, a_scale, b, b_scale, builtin::splat<D>(0.0f));
}

} // namespace tt

#endif // TILECC_TT_DOT_SCALED_H
