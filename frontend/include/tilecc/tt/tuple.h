//===-- tilecc/tt/tuple.h - several values as one ----------------------------------------------------------------===//
//
// The result of an operation with several results, and the argument and result of a combine function of several tiles.
// These are plain aggregates, so that structured bindings decompose them and inlining removes them:
//
//   auto [a, b] = tt::split(x);
//   return tt::pair{value, index};
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_TUPLE_H
#define TILECC_TT_TUPLE_H
#pragma GCC system_header

#include "../detail/marks.h"

namespace tt {

/// Two to four values as one: what operations with several results return, and what combine functions of several tiles
/// take and return. Structured bindings take it apart: `auto [a, b] = tt::split(x);`
template <class... T> struct tuple;
template <class A, class B> struct tuple<A, B> {
  A first;
  B second;
};
template <class A, class B, class C> struct tuple<A, B, C> {
  A first;
  B second;
  C third;
};
template <class A, class B, class C, class D> struct tuple<A, B, C, D> {
  A first;
  B second;
  C third;
  D fourth;
};
template <class... T> tuple(T...) -> tuple<T...>;

/// A tuple of two values: `tt::pair{value, index}`.
template <class A, class B> using pair = tuple<A, B>;

namespace detail {

// The number of values in R, and the type of the I-th value.
template <class R> inline constexpr int tuple_size = 1;
template <class... T> inline constexpr int tuple_size<tuple<T...>> = sizeof...(T);
template <int I, class... T> __TILECC_HOST_FN constexpr auto member(tuple<T...> x) {
  if constexpr (I == 0)
    return x.first;
  else if constexpr (I == 1)
    return x.second;
  else if constexpr (I == 2)
    return x.third;
  else
    return x.fourth;
}

} // namespace detail

} // namespace tt

#endif // TILECC_TT_TUPLE_H
