//===-- tilecc/detail/reduce.h - reductions -----------------------------------------------------------------------===//
//
// reduce<Axis>(x, f) combines the elements along one axis with f, in any order and grouping: f must be associative. A
// reduction along the only axis of a tile, or without an axis, gives a scalar.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_REDUCE_H
#define TILECC_DETAIL_REDUCE_H
#pragma GCC system_header

#include "operators.h"

namespace tt {
namespace detail {

// A function object's call as a function, so that the compiler finds its body by address. Only a lambda without
// captures can be made here, which is what Triton asks of a combine function, too.
template <class F, class T> struct combiner {
  static __TILECC_FN T call(T a, T b) { return F()(a, b); }
};

template <class T, class S> struct reduced { using type = tile<T, S>; };
template <class T> struct reduced<T, shape<>> { using type = T; };

template <int Axis, class T, class S, class F> __TILECC_FN auto reduce_along(tile<T, S> x, F) {
  constexpr int axis = Axis < 0 ? Axis + S::rank : Axis;
  static_assert(axis >= 0 && axis < S::rank, complain<tile<T, S>>("the axis of a reduction is out of range for ", ""));
  static_assert(kind_of<T> != pointer_kind, complain<tile<T, S>>("cannot reduce ", ""));
  static_assert(__is_empty(F), "the combine function of a reduction cannot capture");
  using R = typename reduced<T, remove_dim<S, axis>>::type;
  return builtin::reduce<axis, R>(x, &combiner<F, T>::call);
}

template <class T, class S> __TILECC_FN auto flat(tile<T, S> x) {
  if constexpr (S::rank == 1)
    return x;
  else
    return builtin::reshape<tile<T, shape<int(S::size)>>>(x);
}

struct sum_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct max_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::maxnum(a, b); }
};
struct min_fn {
  template <class T> __TILECC_FN T operator()(T a, T b) const { return builtin::minnum(a, b); }
};

// Sums of narrow integers are taken in 32 bits, maxima of anything narrow in 32 bits, as Triton does.
template <class T> struct sum_element { using type = T; };
template <class T>
  requires(kind_of<T> == int_kind && sizeof(T) < 4)
struct sum_element<T> {
  using type = typename choose<is_unsigned<T>, unsigned, int>::type;
};
template <> struct sum_element<bool> { using type = int; };
template <class T> struct max_element {
  using type = typename choose<sizeof(T) >= 4, T, typename choose<is_float<T>, float, int>::type>::type;
};

} // namespace detail

/// Combines the elements along Axis with combine(a, b), a lambda without captures or an empty function object.
/// Triton: tl.reduce.
template <int Axis, class T, class S, class F> __TILECC_FN auto reduce(tile<T, S> x, F combine) {
  return detail::reduce_along<Axis>(x, combine);
}
/// Combines all elements to a scalar.
template <class T, class S, class F> __TILECC_FN T reduce(tile<T, S> x, F combine) {
  return detail::reduce_along<0>(detail::flat(x), combine);
}

/// The sum along Axis, or of all elements; integers narrower than int are added as int. Triton: tl.sum.
template <int Axis, class T, class S> __TILECC_FN auto sum(tile<T, S> x) {
  return detail::reduce_along<Axis>(x.template to<typename detail::sum_element<T>::type>(), detail::sum_fn());
}
template <class T, class S> __TILECC_FN auto sum(tile<T, S> x) {
  return detail::reduce_along<0>(detail::flat(x.template to<typename detail::sum_element<T>::type>()),
                                 detail::sum_fn());
}
/// The largest element along Axis, or of all; NaNs lose, narrow types widen to 32 bits. Triton: tl.max.
template <int Axis, class T, class S> __TILECC_FN auto max(tile<T, S> x) {
  return detail::reduce_along<Axis>(x.template to<typename detail::max_element<T>::type>(), detail::max_fn());
}
template <class T, class S> __TILECC_FN auto max(tile<T, S> x) {
  return detail::reduce_along<0>(detail::flat(x.template to<typename detail::max_element<T>::type>()),
                                 detail::max_fn());
}
/// The smallest element along Axis, or of all; NaNs lose, narrow types widen to 32 bits. Triton: tl.min.
template <int Axis, class T, class S> __TILECC_FN auto min(tile<T, S> x) {
  return detail::reduce_along<Axis>(x.template to<typename detail::max_element<T>::type>(), detail::min_fn());
}
template <class T, class S> __TILECC_FN auto min(tile<T, S> x) {
  return detail::reduce_along<0>(detail::flat(x.template to<typename detail::max_element<T>::type>()),
                                 detail::min_fn());
}

} // namespace tt

#endif // TILECC_DETAIL_REDUCE_H
