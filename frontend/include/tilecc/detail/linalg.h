//===-- tilecc/detail/linalg.h - matrix products ------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_LINALG_H
#define TILECC_DETAIL_LINALG_H
#pragma GCC system_header

#include "shape.h"

namespace tt {

/// How float operands of dot enter the multiplication; the numbers are those of Triton's InputPrecision.
enum class precision { tf32 = 0, tf32x3 = 1, ieee = 2, bf16x3 = 3, bf16x6 = 4 };

namespace detail {

// The type of a product's elements: wide enough to add many of them.
template <class T> struct accumulator { using type = float; };
template <> struct accumulator<double> { using type = double; };
template <> struct accumulator<signed char> { using type = int; };
template <> struct accumulator<unsigned char> { using type = int; };

template <class A, class B> struct product_of {
  static constexpr bool fits = false;
};
template <class T, class U, int M, int K, int L, int N> struct product_of<tile<T, shape<M, K>>, tile<U, shape<L, N>>> {
  static constexpr bool fits = K == L;
  using type = tile<typename accumulator<T>::type, shape<M, N>>;
};
template <class T, class U, int H, int M, int K, int G, int L, int N>
struct product_of<tile<T, shape<H, M, K>>, tile<U, shape<G, L, N>>> {
  static constexpr bool fits = K == L && H == G;
  using type = tile<typename accumulator<T>::type, shape<H, M, N>>;
};

template <class A, class B> struct checked_product {
  static_assert(product_of<A, B>::fits,
                complain<A, B>("cannot multiply ", " by ", ": the columns of one are not the rows of the other"));
  static_assert(__is_same(element<A>, element<B>),
                complain<A, B>("dot multiplies tiles of one element type, not ", " by ", ""));
  static_assert(kind_of<element<A>> == float_kind || (kind_of<element<A>> == int_kind && sizeof(element<A>) == 1),
                complain<A>("dot takes tiles of floating-point numbers or 8-bit integers, not ", ""));
  using type = typename product_of<A, B>::type;
};

} // namespace detail

/// The matrix product of a (M x K) and b (K x N), or of two batches of them, plus acc where given. The result's elements
/// are float; double of doubles; int of 8-bit integers; acc's if there is one. Triton: tl.dot(a, b, acc, input_precision).
template <precision P = precision::tf32, class T, class S, class U, class R>
__TILECC_FN auto dot(tile<T, S> a, tile<U, R> b) {
  using D = typename detail::checked_product<tile<T, S>, tile<U, R>>::type;
  return builtin::dot<int(P)>(a, b, builtin::splat<D>(detail::element<D>(0)));
}
template <precision P = precision::tf32, class T, class S, class U, class R, class A, class D>
__TILECC_FN tile<A, D> dot(tile<T, S> a, tile<U, R> b, tile<A, D> acc) {
  using Product = typename detail::checked_product<tile<T, S>, tile<U, R>>::type;
  static_assert(__is_same(typename Product::shape_type, D),
                detail::complain<tile<A, D>, Product>("dot cannot add to ", " a product that is ", ""));
  return builtin::dot<int(P)>(a, b, acc);
}

} // namespace tt

#endif // TILECC_DETAIL_LINALG_H
