//===-- tilecc/tiles/operators.h - arithmetic ---------------------------------------------------------------------===//
//
// Shapes broadcast with their last dimensions aligned. Two tiles are converted to C's common type, without promotion of
// narrow integers. A scalar is converted to the tile's element type; it is an error if that loses information (a tile
// of int times 1.5f, or plus an unsigned). Integers may become floating-point numbers. Comparisons are made in the
// common type.
//
// + - * / and fma round to the nearest number; the division of float is rounded correctly. Options change this:
//
//   round_approximate_t, round_full_t    a faster division and square root of floats, within 2 units in the last place
//   round_subnormals_to_zero_t           allows subnormal numbers to become zero; they are kept
//   round_toward_zero_t and similar ones an error: no operation here rounds in one direction (conversions do)
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_OPERATORS_H
#define TILECC_TILES_OPERATORS_H
#pragma GCC system_header

#include "create.h"

namespace cuda::tiles::inline __1 {
namespace detail {

//===-- the types of results --------------------------------------------------------------------------------------===//

template <class A, class B> constexpr tt::detail::message clash() {
  using X = to_tt<shape_of<A>>;
  using Y = to_tt<shape_of<B>>;
  constexpr int i = tt::detail::find_clash<X, Y>();
  return complain<A, B>("cannot broadcast ", " with ", ": dimension ")
         << tt::detail::joint_rank<X, Y> - 1 - i << " is " << tt::detail::dim_from_end<X>(i) << " and "
         << tt::detail::dim_from_end<Y>(i);
}
template <class A, class B> constexpr bool check_shapes() {
  constexpr bool fits = broadcasts_with<shape_of<A>, shape_of<B>>();
  __TILECC_CHECK((fits), (clash<A, B>()));
  return fits;
}

// The element type in which an operation on A and B is computed: C's common type for two tiles or two scalars,
// otherwise the tile's type.
template <class A, class B> constexpr auto find_operation_element() {
  using X = element_of<A>;
  using Y = element_of<B>;
  if constexpr (is_tile<A> && !is_tile<B>)
    return named<X>();
  else if constexpr (is_tile<B> && !is_tile<A>)
    return named<Y>();
  else if constexpr (is_arithmetic<X> && is_arithmetic<Y>)
    return find_joint<X, Y>();
  else
    return named<X>();
}
template <class A, class B> using operation_element = typename decltype(find_operation_element<A, B>())::type;
template <class A, class B, class E = operation_element<A, B>>
using operation = result<E, joint_shape<shape_of<A>, shape_of<B>>, A, B>;

template <class A, class B, class E> constexpr bool check_elements() {
  using X = element_of<A>;
  using Y = element_of<B>;
  constexpr bool numbers = is_arithmetic<X> && is_arithmetic<Y>, halves = are_halves_of_two_kinds<X, Y>;
  __TILECC_CHECK((numbers), (complain<A, B>("no arithmetic between ", " and ", "")));
  __TILECC_CHECK((!halves), (complain<A, B>("no common element type of ", " and ", ": convert one with element_cast")));
  if constexpr (numbers && !halves) {
    constexpr bool left = narrows_operand<X, E>, right = narrows_operand<Y, E>;
    __TILECC_CHECK((!left), (complain<A, operation<A, B, E>>("", " would be narrowed in an operation on ",
                                                             ": convert it with element_cast")));
    __TILECC_CHECK((left || !right), (complain<B, operation<A, B, E>>("", " would be narrowed in an operation on ",
                                                                      ": convert it with element_cast")));
    return !left && !right;
  }
  return false;
}
template <class A, class B, class E = operation_element<A, B>> constexpr bool check_operation() {
  if constexpr (check_shapes<A, B>())
    return check_elements<A, B, E>();
  else
    return false;
}
template <class A, class B> constexpr bool check_integers() {
  constexpr bool integers = is_integer<element_of<A>> && is_integer<element_of<B>>;
  __TILECC_CHECK((integers), (complain<A, B>("no such operation between ", " and ", ": it is for integers")));
  return integers;
}

// Converts x to an operand of an operation with elements of type E and result type R.
template <class E, class R, class X> __TILECC_FN auto operand(X x) { return lower_to<E, shape_of<R>>(x); }
// Arithmetic on bool is computed in int, as in C.
template <class E> using computed = typename tt::detail::choose<__is_same(E, bool), int, E>::type;
template <class R, class V> __TILECC_FN R finish(V v) {
  return raise_to<R>(convert<element_of<R>, computed<element_of<R>>>(v));
}

#define __TILECC_ARITHMETIC(name, function)                                                                            \
  template <class A, class B> __TILECC_FN auto name(A a, B b) {                                                        \
    using R = operation<A, B>;                                                                                         \
    using E = computed<element_of<R>>;                                                                                 \
    if constexpr (check_operation<A, B>())                                                                             \
      return finish<R>(tt::builtin::function(operand<E, R>(a), operand<E, R>(b)));                                     \
    else                                                                                                               \
      return R();                                                                                                      \
  }
__TILECC_ARITHMETIC(add, add)
__TILECC_ARITHMETIC(sub, sub)
__TILECC_ARITHMETIC(mul, mul)
__TILECC_ARITHMETIC(rem, rem)
__TILECC_ARITHMETIC(div_fast, div)
#undef __TILECC_ARITHMETIC

template <class A, class B> __TILECC_FN auto div(A a, B b) {
  using R = operation<A, B>;
  using E = computed<element_of<R>>;
  if constexpr (!is_float<E>)
    return div_fast(a, b);
  else if constexpr (!check_operation<A, B>())
    return R();
  else if constexpr (element_info<E>::number.digits < 24) // right although rounded twice: half of float's digits
    return raise_to<R>(
        convert<E, float>(tt::builtin::div_rn(tt::cast<float>(operand<E, R>(a)), tt::cast<float>(operand<E, R>(b)))));
  else
    return raise_to<R>(tt::builtin::div_rn(operand<E, R>(a), operand<E, R>(b)));
}

#define __TILECC_BITWISE(name)                                                                                         \
  template <class A, class B> __TILECC_FN auto name(A a, B b) {                                                        \
    using R = operation<A, B>;                                                                                         \
    using E = element_of<R>;                                                                                           \
    if constexpr (!check_integers<A, B>())                                                                             \
      return R();                                                                                                      \
    else if constexpr (check_operation<A, B>())                                                                        \
      return raise_to<R>(tt::builtin::name(operand<E, R>(a), operand<E, R>(b)));                                       \
    else                                                                                                               \
      return R();                                                                                                      \
  }
__TILECC_BITWISE(bit_and)
__TILECC_BITWISE(bit_or)
__TILECC_BITWISE(bit_xor)
#undef __TILECC_BITWISE

// The result of a shift has the element type of the shifted operand.
#define __TILECC_SHIFT(name)                                                                                           \
  template <class A, class B> __TILECC_FN auto name(A a, B b) {                                                        \
    using R = operation<A, B, element_of<A>>;                                                                          \
    using E = computed<element_of<A>>;                                                                                 \
    if constexpr (!check_shapes<A, B>())                                                                               \
      return R();                                                                                                      \
    else if constexpr (check_integers<A, B>())                                                                         \
      return finish<R>(tt::builtin::name(operand<E, R>(a), operand<E, R>(b)));                                         \
    else                                                                                                               \
      return R();                                                                                                      \
  }
__TILECC_SHIFT(shl)
__TILECC_SHIFT(shr)
#undef __TILECC_SHIFT

// Numbers are compared in their common type. Pointers are compared only with pointers.
template <class A, class B> constexpr auto find_compared() {
  if constexpr (is_arithmetic<element_of<A>> && is_arithmetic<element_of<B>>)
    return find_joint<element_of<A>, element_of<B>>();
  else
    return named<element_of<A>>();
}
template <class A, class B> constexpr bool check_comparison() {
  if constexpr (!check_shapes<A, B>()) {
    return false;
  } else if constexpr (is_pointer<element_of<A>> || is_pointer<element_of<B>>) {
    constexpr bool both = is_pointer<element_of<A>> && is_pointer<element_of<B>>;
    __TILECC_CHECK((both), (complain<A, B>("cannot compare ", " with ", "")));
    return both;
  } else {
    return check_elements<A, B, typename decltype(find_compared<A, B>())::type>();
  }
}
#define __TILECC_COMPARISON(name)                                                                                      \
  template <class A, class B> __TILECC_FN auto name(A a, B b) {                                                        \
    using R = operation<A, B, bool>;                                                                                   \
    using E = typename decltype(find_compared<A, B>())::type;                                                          \
    if constexpr (check_comparison<A, B>())                                                                            \
      return raise_to<R>(tt::builtin::name<held<bool, shape_of<R>>>(operand<E, R>(a), operand<E, R>(b)));              \
    else                                                                                                               \
      return R();                                                                                                      \
  }
__TILECC_COMPARISON(less)
__TILECC_COMPARISON(less_equal)
__TILECC_COMPARISON(greater)
__TILECC_COMPARISON(greater_equal)
__TILECC_COMPARISON(equal)
__TILECC_COMPARISON(not_equal)
#undef __TILECC_COMPARISON

// Both operands are always evaluated, because a tile is not a single condition.
#define __TILECC_LOGIC(name, function)                                                                                 \
  template <class A, class B> __TILECC_FN auto name(A a, B b) {                                                        \
    using R = operation<A, B, bool>;                                                                                   \
    if constexpr (check_shapes<A, B>())                                                                                \
      return raise_to<R>(tt::builtin::function(operand<bool, R>(a), operand<bool, R>(b)));                             \
    else                                                                                                               \
      return R();                                                                                                      \
  }
__TILECC_LOGIC(logical_and, bit_and)
__TILECC_LOGIC(logical_or, bit_or)
#undef __TILECC_LOGIC

// Pointers that are advanced by integers, in units of their element type.
template <class P, class I> __TILECC_FN auto move(P pointers, I by) {
  using R = operation<P, I, element_of<P>>;
  using O = element_of<I>;
  __TILECC_CHECK((is_integer<O>), (complain<P, I>("cannot move ", " by ", ": pointers move by integers")));
  if constexpr (!check_shapes<P, I>() || !is_integer<O>) {
    return R();
  } else {
    // The compiler treats offsets as signed, so a narrow unsigned offset would change its value.
    using W = typename tt::detail::choose<(is_unsigned<O> && sizeof(O) < 8), long, O>::type;
    return raise_to<R>(tt::builtin::addptr(operand<element_of<P>, R>(pointers), operand<W, R>(by)));
  }
}
template <class P, class Q> __TILECC_FN auto distance(P a, Q b) {
  using R = operation<P, Q, ptrdiff_t>;
  if constexpr (check_comparison<P, Q>())
    return raise_to<R>(
        (address(operand<element_of<P>, R>(a)) - address(operand<element_of<P>, R>(b))) /
        long(sizeof(stored<tt::detail::unqualified<typename tt::detail::pointee_of<element_of<P>>::type>>)));
  else
    return R();
}

// Rejects rounding modes that no operation of tt has.
template <rounding_mode M> constexpr bool check_rounding() {
  constexpr bool directed = M == rounding_mode::round_toward_zero || M == rounding_mode::round_toward_negative ||
                            M == rounding_mode::round_toward_positive || M == rounding_mode::round_ties_to_away;
  static_assert(!directed, "an operation that rounds in one direction is not available: only element_cast does");
  return !directed;
}

} // namespace detail

//===-- operators -------------------------------------------------------------------------------------------------===//

/// The sum. A pointer plus an integer is advanced by that many elements.
template <class A, class B>
  requires detail::tile_and_value<A, B>
__TILECC_FN auto operator+(A a, B b) {
  if constexpr (detail::is_pointer<detail::element_of<A>>)
    return detail::move(a, b);
  else if constexpr (detail::is_pointer<detail::element_of<B>>)
    return detail::move(b, a);
  else
    return detail::add(a, b);
}
/// The difference. A pointer minus an integer is moved back by that many elements. The difference of two pointers is
/// their distance in elements.
template <class A, class B>
  requires detail::tile_and_value<A, B>
__TILECC_FN auto operator-(A a, B b) {
  if constexpr (detail::is_pointer<detail::element_of<A>> && detail::is_pointer<detail::element_of<B>>)
    return detail::distance(a, b);
  else if constexpr (detail::is_pointer<detail::element_of<A>>)
    return detail::move(a, -b);
  else
    return detail::sub(a, b);
}

#define __TILECC_OPERATOR(op, name)                                                                                    \
  template <class A, class B>                                                                                          \
    requires detail::tile_and_value<A, B>                                                                              \
  __TILECC_FN auto operator op(A a, B b) {                                                                             \
    return detail::name(a, b);                                                                                         \
  }
__TILECC_OPERATOR(*, mul)
__TILECC_OPERATOR(/, div)
__TILECC_OPERATOR(&, bit_and)
__TILECC_OPERATOR(|, bit_or)
__TILECC_OPERATOR(^, bit_xor)
__TILECC_OPERATOR(<<, shl)
__TILECC_OPERATOR(>>, shr)
__TILECC_OPERATOR(<, less)
__TILECC_OPERATOR(<=, less_equal)
__TILECC_OPERATOR(>, greater)
__TILECC_OPERATOR(>=, greater_equal)
__TILECC_OPERATOR(==, equal)
__TILECC_OPERATOR(!=, not_equal)
__TILECC_OPERATOR(&&, logical_and)
__TILECC_OPERATOR(||, logical_or)
#undef __TILECC_OPERATOR
/// The remainder of integers. For floating-point numbers, use remainder.
template <class A, class B>
  requires detail::tile_and_value<A, B>
__TILECC_FN auto operator%(A a, B b) {
  if constexpr (detail::check_integers<A, B>())
    return detail::rem(a, b);
  else
    return detail::operation<A, B>();
}

template <pointer_tile P>
  requires detail::is_tile<P>
__TILECC_FN auto operator==(P p, decltype(nullptr)) {
  return p == tile_element_t<P>(nullptr);
}
template <pointer_tile P>
  requires detail::is_tile<P>
__TILECC_FN auto operator!=(P p, decltype(nullptr)) {
  return p != tile_element_t<P>(nullptr);
}

/// The result for a tile of narrow integers is a tile of int, as in C.
template <class E, class S> __TILECC_FN auto operator+(tile<E, S> x) {
  if constexpr (detail::is_integer<E>)
    return element_cast<decltype(+E())>(x);
  else
    return x;
}
template <class E, class S> __TILECC_FN tile<E, S> operator-(tile<E, S> x) {
  using R = tile<E, S>;
  __TILECC_CHECK((detail::is_arithmetic<E>), detail::complain<R>("cannot negate ", ""));
  if constexpr (detail::is_arithmetic<E>)
    return detail::finish<R>(tt::builtin::neg(detail::operand<detail::computed<E>, R>(x)));
  else
    return x;
}
template <class E, class S> __TILECC_FN tile<E, S> operator~(tile<E, S> x) {
  __TILECC_CHECK((detail::is_integer<E>),
                 (detail::complain<tile<E, S>>("no such operation on ", ": it is for integers")));
  if constexpr (__is_same(E, bool))
    return !x;
  else if constexpr (detail::is_integer<E>)
    return x ^ static_cast<E>(-1);
  else
    return x;
}
template <class E, class S> __TILECC_FN tile<bool, S> operator!(tile<E, S> x) { return element_cast<bool>(x) ^ true; }

//===-- operators as functions ------------------------------------------------------------------------------------===//

#define __TILECC_FUNCTION(name)                                                                                        \
  template <tile_like A, tile_like B> __TILECC_FN auto name(A a, B b) { return detail::name(a, b); }                   \
  template <rounding_mode M, subnormals_rounding_mode N = default_subnormals_rounding_mode(), tile_like A,             \
            tile_like B>                                                                                               \
  __TILECC_FN auto name(A a, B b, rounding_mode_constant<M>, subnormals_rounding_mode_constant<N> = {}) {              \
    static_assert(M != rounding_mode::round_approximate && M != rounding_mode::round_full,                             \
                  #name " rounds to nearest or in a direction");                                                       \
    detail::check_rounding<M>();                                                                                       \
    return detail::name(a, b);                                                                                         \
  }
__TILECC_FUNCTION(add)
__TILECC_FUNCTION(sub)
__TILECC_FUNCTION(mul)
#undef __TILECC_FUNCTION

template <tile_like A, tile_like B> __TILECC_FN auto div(A a, B b) { return detail::div(a, b); }
template <rounding_mode M, subnormals_rounding_mode N = default_subnormals_rounding_mode(), tile_like A, tile_like B>
__TILECC_FN auto div(A a, B b, rounding_mode_constant<M>, subnormals_rounding_mode_constant<N> = {}) {
  detail::check_rounding<M>();
  if constexpr (M == rounding_mode::round_approximate || M == rounding_mode::round_full)
    return detail::div_fast(a, b);
  else
    return detail::div(a, b);
}
/// The remainder of a division that truncates; for floating-point numbers, C's fmod.
template <tile_like A, tile_like B> __TILECC_FN auto remainder(A a, B b) { return detail::rem(a, b); }

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_OPERATORS_H
