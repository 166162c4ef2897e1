//===-- tilecc/detail/operators.h - arithmetic on tiles -----------------------------------------------------------===//
//
// Operators take tiles, or a tile and a scalar, in either order; shapes broadcast. Element types convert as C's do, with
// two exceptions that keep tiles narrow: a scalar of the same kind (bool < integer < floating point) takes the tile's
// type, and integers narrower than int do not promote. Integer division truncates and % is its remainder, as in C.
// Comparisons of floating-point tiles are ordered (!= unordered), as in C.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_OPERATORS_H
#define TILECC_DETAIL_OPERATORS_H
#pragma GCC system_header

#include "shape.h"

namespace tt {
namespace detail {

//===-- element types of results ----------------------------------------------------------------------------------===//

template <class A, class B> inline constexpr bool half_clash = false;
template <> inline constexpr bool half_clash<float16, bfloat16> = true;
template <> inline constexpr bool half_clash<bfloat16, float16> = true;

template <class T> inline constexpr bool is_unsigned = T(-1) > T(0);

// Of two element types, C's common type without promotion. float16 beside bfloat16 has none.
template <class A, class B> constexpr auto common_value() {
  if constexpr (__is_same(A, B))
    return A();
  else if constexpr (half_clash<A, B>)
    return float();
  else if constexpr (kind_of<A> == int_kind && kind_of<B> == int_kind && sizeof(A) < 4 && sizeof(B) < 4)
    return typename choose<(sizeof(A) > sizeof(B) || (sizeof(A) == sizeof(B) && is_unsigned<A>)), A, B>::type();
  else if constexpr (kind_of<A> == bool_kind)
    return B();
  else if constexpr (kind_of<B> == bool_kind)
    return A();
  else
    return decltype(A() + B())();
}

template <class A, class B> constexpr auto joint_value() {
  using X = element<A>;
  using Y = element<B>;
  if constexpr (is_tile<A> && !is_tile<B> && kind_of<Y> <= kind_of<X>)
    return X();
  else if constexpr (is_tile<B> && !is_tile<A> && kind_of<X> <= kind_of<Y>)
    return Y();
  else
    return common_value<X, Y>();
}

template <class A, class B> constexpr auto find_joint_element() {
  constexpr bool fits = !half_clash<element<A>, element<B>> || !(is_tile<A> && is_tile<B>);
  static_assert(fits, complain<A, B>("no common element type of ", " and ", ": convert one with .to<T>()"));
  return joint_value<A, B>();
}
template <class A, class B> using joint_element = decltype(find_joint_element<A, B>());

template <class T> inline constexpr bool is_pointer = kind_of<T> == pointer_kind;
template <class A, class B> inline constexpr bool with_pointer = is_pointer<element<A>> || is_pointer<element<B>>;
template <class A, class B>
inline constexpr bool with_float = kind_of<element<A>> == float_kind || kind_of<element<B>> == float_kind;

// The pointers and the offsets of an expression like p + i, both as tiles of the joint shape.
template <class P, class I> __TILECC_FN auto offset_pointers(P pointers, I offsets) {
  using S = joint_shape<P, I>;
  using T = element<P>;
  using O = element<I>;
  static_assert(kind_of<O> == int_kind, complain<P, I>("cannot offset ", " by ", ": offsets are integers"));
  // Offsets are signed in Triton: a narrow unsigned one would change its meaning.
  using W = typename choose<(is_unsigned<O> && sizeof(O) < 8), long, O>::type;
  return builtin::addptr(spread<T, S>(pointers), spread<W, S>(offsets));
}

//===-- what each operator does once its operands agree -----------------------------------------------------------===//

#define __TILECC_ELEMENTWISE(name)                                                                                     \
  struct name##_fn {                                                                                                   \
    template <class V> static __TILECC_FN V apply(V a, V b) { return builtin::name(a, b); }                            \
  };
__TILECC_ELEMENTWISE(add)
__TILECC_ELEMENTWISE(sub)
__TILECC_ELEMENTWISE(mul)
__TILECC_ELEMENTWISE(div)
__TILECC_ELEMENTWISE(rem)
__TILECC_ELEMENTWISE(bit_and)
__TILECC_ELEMENTWISE(bit_or)
__TILECC_ELEMENTWISE(bit_xor)
__TILECC_ELEMENTWISE(shl)
__TILECC_ELEMENTWISE(shr)
__TILECC_ELEMENTWISE(maxnum)
__TILECC_ELEMENTWISE(minnum)
__TILECC_ELEMENTWISE(maximum)
__TILECC_ELEMENTWISE(minimum)
#undef __TILECC_ELEMENTWISE

template <class F, class T, class A, class B> __TILECC_FN auto elementwise(A a, B b) {
  using S = joint_shape<A, B>;
  return F::apply(spread<T, S>(a), spread<T, S>(b));
}

// Arithmetic on two bool tiles counts, as in C.
template <class A, class B>
using number = typename choose<__is_same(joint_element<A, B>, bool), int, joint_element<A, B>>::type;

template <class F, class A, class B> __TILECC_FN auto arithmetic(A a, B b) {
  static_assert(!with_pointer<A, B>, complain<A, B>("no arithmetic between ", " and ", ""));
  return elementwise<F, number<A, B>>(a, b);
}
template <class F, class A, class B> __TILECC_FN auto integral(A a, B b) {
  static_assert(!with_pointer<A, B> && !with_float<A, B>,
                complain<A, B>("no bitwise operation between ", " and ", ": it is for integers and bool"));
  return elementwise<F, joint_element<A, B>>(a, b);
}
template <class F, class A, class B> __TILECC_FN auto shift(A a, B b) {
  static_assert(!with_pointer<A, B> && !with_float<A, B>,
                complain<A, B>("cannot shift ", " by ", ": shifts are for integers"));
  return elementwise<F, number<A, B>>(a, b);
}

// The type in which elements are compared; pointers with pointers.
template <class A, class B> constexpr auto find_compared_element() {
  static_assert(is_pointer<element<A>> == is_pointer<element<B>>, complain<A, B>("cannot compare ", " with ", ""));
  if constexpr (with_pointer<A, B>)
    return typename choose<is_tile<A>, element<A>, element<B>>::type();
  else
    return joint_value<A, B>();
}
template <class A, class B> using compared_element = decltype(find_compared_element<A, B>());

template <class V> __TILECC_FN auto truth(V x) {
  static_assert(!is_pointer<element<V>>, complain<V>("", " is not a condition"));
  if constexpr (__is_same(element<V>, bool))
    return x;
  else if constexpr (is_tile<V>)
    return builtin::cast<tile<bool, typename V::shape_type>>(x);
  else
    return static_cast<bool>(x);
}

} // namespace detail

//===-- operators -------------------------------------------------------------------------------------------------===//

#define __TILECC_OPERATOR(op, family, name)                                                                            \
  template <class A, class B>                                                                                          \
    requires detail::tile_operands<A, B>                                                                               \
  __TILECC_FN auto operator op(A a, B b) {                                                                             \
    return detail::family<detail::name##_fn>(a, b);                                                                    \
  }
__TILECC_OPERATOR(*, arithmetic, mul)
__TILECC_OPERATOR(/, arithmetic, div)
__TILECC_OPERATOR(%, arithmetic, rem)
__TILECC_OPERATOR(&, integral, bit_and)
__TILECC_OPERATOR(|, integral, bit_or)
__TILECC_OPERATOR(^, integral, bit_xor)
__TILECC_OPERATOR(<<, shift, shl)
__TILECC_OPERATOR(>>, shift, shr)
#undef __TILECC_OPERATOR

/// Sums; of pointers and integers, the pointers moved by that many elements.
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_FN auto operator+(A a, B b) {
  if constexpr (detail::is_pointer<detail::element<A>>)
    return detail::offset_pointers(a, b);
  else if constexpr (detail::is_pointer<detail::element<B>>)
    return detail::offset_pointers(b, a);
  else
    return detail::arithmetic<detail::add_fn>(a, b);
}
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_FN auto operator-(A a, B b) {
  if constexpr (detail::is_pointer<detail::element<A>> && detail::is_tile<B>)
    return detail::offset_pointers(a, builtin::neg(b));
  else if constexpr (detail::is_pointer<detail::element<A>>)
    return detail::offset_pointers(a, -b);
  else
    return detail::arithmetic<detail::sub_fn>(a, b);
}

#define __TILECC_COMPARISON(op, name)                                                                                  \
  template <class A, class B>                                                                                          \
    requires detail::tile_operands<A, B>                                                                               \
  __TILECC_FN auto operator op(A a, B b) {                                                                             \
    using T = detail::compared_element<A, B>;                                                                          \
    using S = detail::joint_shape<A, B>;                                                                               \
    return builtin::name<tile<bool, S>>(detail::spread<T, S>(a), detail::spread<T, S>(b));                             \
  }
__TILECC_COMPARISON(<, less)
__TILECC_COMPARISON(<=, less_equal)
__TILECC_COMPARISON(>, greater)
__TILECC_COMPARISON(>=, greater_equal)
__TILECC_COMPARISON(==, equal)
__TILECC_COMPARISON(!=, not_equal)
#undef __TILECC_COMPARISON

/// Logic element by element. Both sides are always computed: a tile has no single truth to decide by.
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_FN auto operator&&(A a, B b) {
  return detail::truth(a) & detail::truth(b);
}
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_FN auto operator||(A a, B b) {
  return detail::truth(a) | detail::truth(b);
}
template <class T, class S> __TILECC_FN tile<bool, S> operator!(tile<T, S> a) {
  return builtin::bit_xor(detail::truth(a), builtin::splat<tile<bool, S>>(true));
}

template <class T, class S> __TILECC_FN auto operator+(tile<T, S> a) { return a; }
template <class T, class S> __TILECC_FN auto operator-(tile<T, S> a) {
  static_assert(!detail::is_pointer<T>, detail::complain<tile<T, S>>("cannot negate ", ""));
  if constexpr (__is_same(T, bool))
    return builtin::neg(a.template to<int>());
  else
    return builtin::neg(a);
}
template <class T, class S> __TILECC_FN tile<T, S> operator~(tile<T, S> a) {
  static_assert(detail::kind_of<T> == detail::int_kind || detail::kind_of<T> == detail::bool_kind,
                detail::complain<tile<T, S>>("no bitwise operation on ", ": it is for integers and bool"));
  if constexpr (__is_same(T, bool))
    return !a;
  else
    return builtin::bit_xor(a, builtin::splat<tile<T, S>>(T(-1)));
}

/// a op= b is a = a op b: the result converts back to a's element type and must have a's shape.
#define __TILECC_ASSIGNMENT(op)                                                                                        \
  template <class T, class S, class B>                                                                                 \
    requires detail::operand<B>                                                                                        \
  __TILECC_FN tile<T, S> &operator op##=(tile<T, S> &a, B b) {                                                         \
    auto r = a op b;                                                                                                   \
    static_assert(__is_same(typename decltype(r)::shape_type, S),                                                      \
                  detail::complain<tile<T, S>, decltype(r)>("cannot assign to ", " the result, a ", ""));              \
    return a = detail::spread<T, S>(r);                                                                                \
  }
__TILECC_ASSIGNMENT(+)
__TILECC_ASSIGNMENT(-)
__TILECC_ASSIGNMENT(*)
__TILECC_ASSIGNMENT(/)
__TILECC_ASSIGNMENT(%)
__TILECC_ASSIGNMENT(&)
__TILECC_ASSIGNMENT(|)
__TILECC_ASSIGNMENT(^)
__TILECC_ASSIGNMENT(<<)
__TILECC_ASSIGNMENT(>>)
#undef __TILECC_ASSIGNMENT

//===-- select ----------------------------------------------------------------------------------------------------===//

/// Element by element, a where condition holds and b elsewhere; shapes broadcast. Triton: tl.where.
template <class C, class A, class B>
  requires(detail::operand<C> && detail::operand<A> && detail::operand<B> &&
           (detail::is_tile<C> || detail::is_tile<A> || detail::is_tile<B>))
__TILECC_FN auto where(C condition, A a, B b) {
  using T = decltype([] {
    if constexpr (__is_same(detail::element<A>, detail::element<B>))
      return detail::element<A>();
    else
      return detail::joint_element<A, B>();
  }());
  if constexpr (detail::is_tile<A> || detail::is_tile<B>) {
    using AB = tile<T, detail::joint_shape<A, B>>;
    using S = detail::joint_shape<C, AB>;
    return builtin::select(detail::spread<bool, S>(detail::truth(condition)), detail::spread<T, S>(a),
                           detail::spread<T, S>(b));
  } else {
    using S = typename C::shape_type;
    return builtin::select(detail::truth(condition), detail::spread<T, S>(a), detail::spread<T, S>(b));
  }
}

/// Whether maximum and minimum return NaN when one operand is NaN (all), or the other operand (none).
enum class propagate_nan { none, all };

namespace detail {
template <class F, class Propagating, propagate_nan N, class A, class B> __TILECC_FN auto extremum(A a, B b) {
  static_assert(!with_pointer<A, B>, complain<A, B>("no maximum or minimum of ", " and ", ""));
  using G = typename choose<N == propagate_nan::all, Propagating, F>::type;
  if constexpr (is_tile<A> || is_tile<B>) {
    return elementwise<G, joint_element<A, B>>(a, b);
  } else {
    using T = decltype(common_value<element<A>, element<B>>());
    return G::apply(static_cast<T>(a), static_cast<T>(b));
  }
}
} // namespace detail

/// The larger of two tiles' elements, or of two scalars. Triton: tl.maximum(a, b, propagate_nan).
template <propagate_nan N = propagate_nan::none, class A, class B>
  requires(detail::operand<A> && detail::operand<B>)
__TILECC_FN auto maximum(A a, B b) {
  return detail::extremum<detail::maxnum_fn, detail::maximum_fn, N>(a, b);
}
/// The smaller of two tiles' elements, or of two scalars. Triton: tl.minimum(a, b, propagate_nan).
template <propagate_nan N = propagate_nan::none, class A, class B>
  requires(detail::operand<A> && detail::operand<B>)
__TILECC_FN auto minimum(A a, B b) {
  return detail::extremum<detail::minnum_fn, detail::minimum_fn, N>(a, b);
}

} // namespace tt

#endif // TILECC_DETAIL_OPERATORS_H
