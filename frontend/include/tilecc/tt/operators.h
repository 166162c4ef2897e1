//===-- tilecc/tt/operators.h - arithmetic on tiles --------------------------------------------------------------===//
//
// Operators take tiles, or a tile and a scalar, in either order; shapes broadcast. Element types convert as C's do, with
// two exceptions that keep tiles narrow: a scalar of the same kind (bool < integer < floating point) takes the tile's
// type, and integers narrower than int do not promote. Integer division truncates and % is its remainder, as in C.
// Comparisons of floating-point tiles are ordered (!= unordered), as in C.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_OPERATORS_H
#define TILECC_TT_OPERATORS_H
#pragma GCC system_header

#include "../detail/numbers.h"
#include "create.h"

namespace tt {
namespace detail {

//===-- element types of results ----------------------------------------------------------------------------------===//

template <class T> inline constexpr bool is_unsigned = T(-1) > T(0);

// Of two element types, C's common type without promotion. float16 beside bfloat16 has none.
template <class A, class B> constexpr auto common_value() {
  if constexpr (__is_same(A, B) || kind_of<A> == float8_kind || kind_of<B> == float8_kind)
    return A();
  else if constexpr (kind_of<A> == int_kind && kind_of<B> == int_kind && sizeof(A) < 4 && sizeof(B) < 4)
    return typename choose<(sizeof(A) > sizeof(B) || (sizeof(A) == sizeof(B) && is_unsigned<A>)), A, B>::type();
  else if constexpr (kind_of<A> == bool_kind)
    return B();
  else if constexpr (kind_of<B> == bool_kind)
    return A();
  else if constexpr (kind_of<A> == float_kind && kind_of<B> == float_kind && sizeof(A) == sizeof(B))
    return float();
  else
    return decltype(A() + B())();
}

template <class A, class B> constexpr auto find_joint_element() {
  using X = element<A>;
  using Y = element<B>;
  if constexpr (__is_same(X, Y)) {
    return X();
  } else if constexpr (is_tile<A> && !is_tile<B> && kind_of<Y> <= kind_of<X>) {
    return X();
  } else if constexpr (is_tile<B> && !is_tile<A> && kind_of<X> <= kind_of<Y>) {
    return Y();
  } else {
    __TILECC_CHECK((!(is_float<A> && is_float<B> && sizeof(X) == sizeof(Y)) && !is_float8<A> && !is_float8<B>),
                   complain<A, B>("no common element type of ", " and ", ": convert one with .to<T>()"));
    return common_value<X, Y>();
  }
}
template <class A, class B> using joint_element = decltype(find_joint_element<A, B>());

//===-- types of results ------------------------------------------------------------------------------------------===//

// Arithmetic on two bool tiles counts, as in C.
template <class A, class B> constexpr auto find_arithmetic() {
  __TILECC_CHECK((!is_pointer<A> && !is_pointer<B>), complain<A, B>("no arithmetic between ", " and ", ""));
  if constexpr (!is_pointer<A> && !is_pointer<B>)
    __TILECC_CHECK((!is_float8<A> && !is_float8<B>),
                   complain<A, B>("no arithmetic between ", " and ", ": convert 8-bit floats with .to<float>()"));
  using T = joint_element<A, B>;
  return tensor<typename choose<__is_same(T, bool), int, T>::type, joint_shape<A, B>>();
}
template <class A, class B> using arithmetic = decltype(find_arithmetic<A, B>());

template <class A, class B> constexpr auto find_bitwise() {
  __TILECC_CHECK((!is_pointer<A> && !is_pointer<B> && !is_float<A> && !is_float<B> && !is_float8<A> && !is_float8<B>),
                 complain<A, B>("no bitwise operation between ", " and ", ": it is for integers and bool"));
  return tensor<joint_element<A, B>, joint_shape<A, B>>();
}
template <class A, class B> using bitwise = decltype(find_bitwise<A, B>());

template <class A, class B> constexpr auto find_shifted() {
  __TILECC_CHECK((!is_pointer<A> && !is_pointer<B> && !is_float<A> && !is_float<B> && !is_float8<A> && !is_float8<B>),
                 complain<A, B>("cannot shift ", " by ", ": shifts are for integers"));
  using T = joint_element<A, B>;
  return tensor<typename choose<__is_same(T, bool), int, T>::type, joint_shape<A, B>>();
}
template <class A, class B> using shifted = decltype(find_shifted<A, B>());

// What two operands are compared as: numbers, or pointers with pointers.
template <class A, class B> constexpr auto find_compared() {
  __TILECC_CHECK((is_pointer<A> == is_pointer<B>), complain<A, B>("cannot compare ", " with ", ""));
  __TILECC_CHECK((!is_float8<A> && !is_float8<B>),
                 complain<A, B>("cannot compare ", " with ", ": convert 8-bit floats with .to<float>()"));
  using S = joint_shape<A, B>;
  if constexpr (is_pointer<A> || is_pointer<B>)
    return tensor<typename choose<is_tile<A>, element<A>, element<B>>::type, S>();
  else
    return tensor<joint_element<A, B>, S>();
}
template <class A, class B> using compared = decltype(find_compared<A, B>());

// What is left of 0 <= x < n, where C++ compares the first result with n.
template <class A, class B>
inline constexpr bool is_chain = is_tile<A> && __is_same(element<A>, bool) && !__is_same(element<B>, bool);

// The pointers of an expression like p + i, moved by the offsets.
template <class P, class I> __TILECC_FN auto offset_pointers(P pointers, I offsets) {
  using S = joint_shape<P, I>;
  using O = element<I>;
  __TILECC_CHECK((kind_of<O> == int_kind), complain<P, I>("cannot offset ", " by ", ": offsets are integers"));
  // Offsets are signed in Triton: a narrow unsigned one would change its meaning.
  using W = typename choose<(is_unsigned<O> && sizeof(O) < 8), long, O>::type;
  return builtin::addptr(spread<tensor<element<P>, S>>(pointers), spread<tensor<W, S>>(offsets));
}

template <class V> __TILECC_FN auto truth(V x) {
  __TILECC_CHECK((!is_pointer<V>), complain<V>("", " is not a condition"));
  if constexpr (__is_same(element<V>, bool))
    return x;
  else if constexpr (is_tile<V>)
    return builtin::cast<tensor<bool, typename V::shape_type>>(x);
  else
    return static_cast<bool>(x);
}

} // namespace detail

//===-- operators -------------------------------------------------------------------------------------------------===//

#define __TILECC_OPERATOR(op, result, name)                                                                            \
  template <class A, class B>                                                                                          \
    requires detail::tile_operands<A, B>                                                                               \
  __TILECC_VALUE auto operator op(A a, B b) {                                                                          \
    using R = detail::result<A, B>;                                                                                    \
    return builtin::name(detail::spread<R>(a), detail::spread<R>(b));                                                  \
  }
__TILECC_OPERATOR(*, arithmetic, mul)
__TILECC_OPERATOR(/, arithmetic, div)
__TILECC_OPERATOR(%, arithmetic, rem)
__TILECC_OPERATOR(&, bitwise, bit_and)
__TILECC_OPERATOR(|, bitwise, bit_or)
__TILECC_OPERATOR(^, bitwise, bit_xor)
__TILECC_OPERATOR(<<, shifted, shl)
__TILECC_OPERATOR(>>, shifted, shr)
#undef __TILECC_OPERATOR

/// Sums; of pointers and integers, the pointers moved by that many elements.
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator+(A a, B b) {
  if constexpr (detail::is_pointer<A>) {
    return detail::offset_pointers(a, b);
  } else if constexpr (detail::is_pointer<B>) {
    return detail::offset_pointers(b, a);
  } else {
    using R = detail::arithmetic<A, B>;
    return builtin::add(detail::spread<R>(a), detail::spread<R>(b));
  }
}
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator-(A a, B b) {
  if constexpr (detail::is_pointer<A>) {
    if constexpr (detail::is_tile<B>)
      return detail::offset_pointers(a, builtin::neg(b));
    else
      return detail::offset_pointers(a, -b);
  } else {
    using R = detail::arithmetic<A, B>;
    return builtin::sub(detail::spread<R>(a), detail::spread<R>(b));
  }
}

#define __TILECC_COMPARISON(op, name, ...)                                                                             \
  template <class A, class B>                                                                                          \
    requires detail::tile_operands<A, B>                                                                               \
  __TILECC_VALUE auto operator op(A a, B b) __VA_ARGS__ {                                                              \
    using R = detail::compared<A, B>;                                                                                  \
    return builtin::name<tensor<bool, typename R::shape_type>>(detail::spread<R>(a), detail::spread<R>(b));              \
  }
#define __TILECC_NO_CHAIN                                                                                              \
  __attribute__((diagnose_if(detail::is_chain<A, B>, "this orders a bool and a number: 0 <= x < n is written "         \
                                                     "0 <= x && x < n", "warning")))
__TILECC_COMPARISON(<, less, __TILECC_NO_CHAIN)
__TILECC_COMPARISON(<=, less_equal, __TILECC_NO_CHAIN)
__TILECC_COMPARISON(>, greater, __TILECC_NO_CHAIN)
__TILECC_COMPARISON(>=, greater_equal, __TILECC_NO_CHAIN)
#undef __TILECC_NO_CHAIN
__TILECC_COMPARISON(==, equal)
__TILECC_COMPARISON(!=, not_equal)
#undef __TILECC_COMPARISON

/// Logic element by element. Both sides are always computed: a tile has no single truth to decide by.
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator&&(A a, B b) {
  return detail::truth(a) & detail::truth(b);
}
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator||(A a, B b) {
  return detail::truth(a) | detail::truth(b);
}
template <class T, class S> __TILECC_VALUE tensor<bool, S> operator!(tensor<T, S> a) {
  return builtin::bit_xor(detail::truth(a), builtin::splat<tensor<bool, S>>(true));
}

template <class T, class S> __TILECC_VALUE tensor<T, S> operator+(tensor<T, S> a) { return a; }
template <class T, class S> __TILECC_VALUE auto operator-(tensor<T, S> a) {
  __TILECC_CHECK((!detail::is_pointer<T>), detail::complain<tensor<T, S>>("cannot negate ", ""));
  detail::can_compute<tensor<T, S>>();
  if constexpr (__is_same(T, bool))
    return builtin::neg(a.template to<int>());
  else
    return builtin::neg(a);
}
template <class T, class S> __TILECC_VALUE tensor<T, S> operator~(tensor<T, S> a) {
  __TILECC_CHECK((detail::kind_of<T> == detail::int_kind || detail::kind_of<T> == detail::bool_kind),
                 detail::complain<tensor<T, S>>("no bitwise operation on ", ": it is for integers and bool"));
  if constexpr (__is_same(T, bool))
    return !a;
  else
    return builtin::bit_xor(a, builtin::splat<tensor<T, S>>(T(-1)));
}

namespace detail {
template <class A, class R> __TILECC_FN A &assign(A &a, R result) {
  __TILECC_CHECK((__is_same(typename R::shape_type, typename A::shape_type)),
                 complain<A, R>("cannot assign to ", " the result, a ", ""));
  __TILECC_CHECK((kind_of<element<R>> <= kind_of<element<A>>),
                 complain<A, R>("cannot assign to ", " the result, a ", ": a variable keeps its type; convert one with .to<T>()"));
  return a = spread<A>(result);
}
} // namespace detail

/// a op= b is a = a op b: the result must have a's shape, and converts back to a's element type, which must
/// be of its kind: no integer takes a floating-point result.
#define __TILECC_ASSIGNMENT(op)                                                                                        \
  template <class T, class S, detail::operand B> __TILECC_FN tensor<T, S> &operator op##=(tensor<T, S> &a, B b) {          \
    return detail::assign(a, a op b);                                                                                  \
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

/// ++x and --x; of pointers, the next and the previous element.
template <class T, class S> __TILECC_FN tensor<T, S> &operator++(tensor<T, S> &x) { return x += 1; }
template <class T, class S> __TILECC_FN tensor<T, S> &operator--(tensor<T, S> &x) { return x -= 1; }
template <class T, class S> __TILECC_FN tensor<T, S> operator++(tensor<T, S> &x, int) {
  tensor<T, S> before = x;
  x += 1;
  return before;
}
template <class T, class S> __TILECC_FN tensor<T, S> operator--(tensor<T, S> &x, int) {
  tensor<T, S> before = x;
  x -= 1;
  return before;
}

//===-- select ----------------------------------------------------------------------------------------------------===//

namespace detail {
template <class C, class A, class B> __TILECC_FN auto select(C condition, A a, B b) {
  using T = joint_element<A, B>;
  using S = joint_shape<C, tensor<T, joint_shape<A, B>>>;
  return builtin::select(spread<tensor<bool, S>>(truth(condition)), spread<tensor<T, S>>(a), spread<tensor<T, S>>(b));
}
} // namespace detail

/// Element by element, a where condition holds and b elsewhere; shapes broadcast. Of scalars alone it is `condition ? a : b`
/// with both sides computed. Triton: tl.where.
template <detail::operand C, detail::operand A, detail::operand B> __TILECC_VALUE auto where(C condition, A a, B b) {
  if constexpr (detail::is_tile<C> || detail::is_tile<A> || detail::is_tile<B>)
    return detail::select(condition, a, b);
  else
    return static_cast<bool>(condition) ? a : b;
}

/// Whether maximum and minimum return NaN when one operand is NaN (all), or the other operand (none).
enum class propagate_nan { none = detail::nan_none, all = detail::nan_all };

namespace detail {
template <class A, class B> constexpr auto find_extremum() {
  __TILECC_CHECK((!is_pointer<A> && !is_pointer<B> && !is_float8<A> && !is_float8<B>),
                 complain<A, B>("no maximum or minimum of ", " and ", ""));
  if constexpr (is_tile<A> || is_tile<B>)
    return tensor<joint_element<A, B>, joint_shape<A, B>>();
  else
    return common_value<element<A>, element<B>>();
}
template <class R, class V> __TILECC_FN R as(V x) {
  if constexpr (is_tile<R>)
    return spread<R>(x);
  else
    return static_cast<R>(x);
}
} // namespace detail

/// The larger of two tiles' elements, or of two scalars. Triton: tl.maximum(a, b, propagate_nan).
template <propagate_nan N = propagate_nan::none, detail::operand A, detail::operand B>
__TILECC_VALUE auto maximum(A a, B b) {
  using R = decltype(detail::find_extremum<A, B>());
  if constexpr (N == propagate_nan::all)
    return builtin::maximum(detail::as<R>(a), detail::as<R>(b));
  else
    return builtin::maxnum(detail::as<R>(a), detail::as<R>(b));
}
/// The smaller of two tiles' elements, or of two scalars. Triton: tl.minimum(a, b, propagate_nan).
template <propagate_nan N = propagate_nan::none, detail::operand A, detail::operand B>
__TILECC_VALUE auto minimum(A a, B b) {
  using R = decltype(detail::find_extremum<A, B>());
  if constexpr (N == propagate_nan::all)
    return builtin::minimum(detail::as<R>(a), detail::as<R>(b));
  else
    return builtin::minnum(detail::as<R>(a), detail::as<R>(b));
}

} // namespace tt

#endif // TILECC_TT_OPERATORS_H
