//===-- tilecc/tt/dot.h - matrix products ------------------------------------------------------------------------===//
#ifndef TILECC_TT_DOT_H
#define TILECC_TT_DOT_H
#pragma GCC system_header

#include "../detail/numbers.h"
#include "create.h"

namespace tt {

/// How `dot` multiplies `float` operands. `tf32` (the default) rounds them to 10 bits of fraction for tensor cores.
/// `tf32x3`, `bf16x3` and `bf16x6` split each operand into several parts and sum their products. `ieee` multiplies in
/// full `float` precision, without tensor cores.
/// Triton: `input_precision`.
enum class precision {
  tf32 = detail::precision_tf32,
  tf32x3 = detail::precision_tf32x3,
  ieee = detail::precision_ieee,
  bf16x3 = detail::precision_bf16x3,
  bf16x6 = detail::precision_bf16x6
};

namespace detail {

// The default element type of the result, which is wide enough to accumulate many products.
template <class T> struct accumulator {
  using type = float;
};
template <> struct accumulator<double> {
  using type = double;
};
template <> struct accumulator<signed char> {
  using type = int;
};
template <> struct accumulator<unsigned char> {
  using type = int;
};

// M x K by K x N is M x N; batches are multiplied one by one. The type is void if the shapes do not fit.
template <class A, class B> struct product_shape {
  using type = void;
};
template <int M, int K, int N> struct product_shape<shape<M, K>, shape<K, N>> {
  using type = shape<M, N>;
};
template <int B, int M, int K, int N> struct product_shape<shape<B, M, K>, shape<B, K, N>> {
  using type = shape<B, M, N>;
};

template <class T> inline constexpr bool is_byte = kind_of<T> == int_kind && sizeof(T) == 1;

template <class A, class B> constexpr auto find_product() {
  using T = element<A>;
  using U = element<B>;
  using S = typename product_shape<typename A::shape_type, typename B::shape_type>::type;
  constexpr bool fits = !__is_same(S, void);
  __TILECC_CHECK((fits),
                 complain<A, B>("cannot multiply ", " by ", ": the columns of one are not the rows of the other"));
  __TILECC_CHECK((__is_same(T, U) || (is_byte<T> && is_byte<U>) || (is_float8<T> && is_float8<U>)),
                 complain<A, B>("dot multiplies tiles of one element type, not ", " by ", ""));
  __TILECC_CHECK((is_float<T> || is_float8<T> || is_byte<T>),
                 complain<A>("dot takes tiles of floating-point numbers or 8-bit integers, not ", ""));
  return tensor<typename accumulator<T>::type, typename choose<fits, S, typename A::shape_type>::type>();
}
template <class A, class B> using product = decltype(find_product<A, B>());

// True if products of elements of type T can be accumulated in elements of type R.
template <class T, class R>
inline constexpr bool accumulates_in =
    (is_float8<T> ? float_kind : kind_of<T>) == kind_of<R> &&
    (kind_of<T> == int_kind ? sizeof(R) >= 4 : sizeof(R) >= 2 && sizeof(R) >= sizeof(T));

// 8-bit integers of the IR are signed. Unless both operands are signed, they are converted to 16 bits; the compiler
// recognizes the conversion.
template <bool Signed, class T, class S> __TILECC_FN auto as_operand(tensor<T, S> x) {
  if constexpr (is_byte<T> && !Signed)
    return builtin::cast<tensor<short, S>>(x);
  else
    return x;
}

template <precision P, int MaxNumImpreciseAcc, class T, class S, class U, class R, class D>
__TILECC_FN auto multiply(tensor<T, S> a, tensor<U, R> b, D acc) {
  __TILECC_CHECK((accumulates_in<T, element<D>>),
                 complain<tensor<T, S>, D>("dot cannot accumulate products of ", " in ",
                                           ": the elements of the accumulator are too short"));
  static_assert(MaxNumImpreciseAcc >= 0, "dot: the number of imprecise products cannot be negative");
  constexpr bool is_signed = !__is_same(T, unsigned char) && !__is_same(U, unsigned char);
  return builtin::dot<int(P), MaxNumImpreciseAcc>(as_operand<is_signed>(a), as_operand<is_signed>(b), acc);
}

} // namespace detail

/// The matrix product of `a` and `b`, plus `acc` if given. `MaxNumImpreciseAcc` limits how many products of 8-bit
/// floats are summed at reduced precision before the partial sum is added in full precision; 0 sets no limit.
/// Shapes: M x K by K x N gives M x N; B x M x K by B x K x N gives B x M x N.
/// Types: both operands are 8-bit integers, both are 8-bit floats, or both have the same floating-point type. The
/// result is `float`; `double` for `double`; `int` for 8-bit integers; the type of `acc` if given; `Out` if named.
/// Errors: the shapes do not fit; the operand types differ; the accumulator is too narrow.
/// Triton: `tl.dot(a, b, acc, input_precision, max_num_imprecise_acc, out_dtype)`.
/// Example:
///   auto ones = tt::full<tt::float16, 16, 16>(tt::float16(1));
///   auto c = tt::sum(tt::dot(ones, ones, tt::zeros<float, 16, 16>())); // 4096
template <precision P = precision::tf32, int MaxNumImpreciseAcc = 0, class T, class S, class U, class R>
__TILECC_VALUE auto dot(tensor<T, S> a, tensor<U, R> b) {
  using D = detail::product<tensor<T, S>, tensor<U, R>>;
  return detail::multiply<P, MaxNumImpreciseAcc>(a, b, builtin::splat<D>(detail::element<D>(0)));
}
template <class Out, precision P = precision::tf32, int MaxNumImpreciseAcc = 0, class T, class S, class U, class R>
__TILECC_VALUE auto dot(tensor<T, S> a, tensor<U, R> b) {
  using D = tensor<Out, typename detail::product<tensor<T, S>, tensor<U, R>>::shape_type>;
  return detail::multiply<P, MaxNumImpreciseAcc>(a, b, builtin::splat<D>(static_cast<Out>(0)));
}
template <precision P = precision::tf32, int MaxNumImpreciseAcc = 0, class T, class S, class U, class R, class A,
          class D>
__TILECC_VALUE tensor<A, D> dot(tensor<T, S> a, tensor<U, R> b, tensor<A, D> acc) {
  using Product = detail::product<tensor<T, S>, tensor<U, R>>;
  __TILECC_CHECK((__is_same(typename Product::shape_type, D)),
                 detail::complain<tensor<A, D>, Product>("the accumulator of dot is ", ", and its result is ", ""));
  return detail::multiply<P, MaxNumImpreciseAcc>(a, b, acc);
}

} // namespace tt

#endif // TILECC_TT_DOT_H
