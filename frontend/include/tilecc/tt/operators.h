//===-- tilecc/tt/operators.h - arithmetic on tiles --------------------------------------------------------------===//
//
// Operators take tiles, or a tile and a scalar, in either order; shapes broadcast. Element types convert as C's do,
// with two exceptions that keep tiles narrow: a scalar of the same kind (bool < integer < floating point) takes the
// tile's type, and integers narrower than int do not promote. Integer division truncates and % is its remainder, as in
// C. Comparisons of floating-point tiles are ordered (!= unordered), as in C.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_OPERATORS_H
#define TILECC_TT_OPERATORS_H
#pragma GCC system_header

#include "../detail/numbers.h"
#include "create.h"

namespace tt {
namespace detail {

//===-- element types of results ----------------------------------------------------------------------------------===//

template <class T> inline constexpr bool is_unsigned = T(-1) > T(0);

// The common type of two element types, as in C but without promotion. float16 and bfloat16 have none.
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

// Arithmetic on two bool tiles gives integers, as in C.
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

// The type to which two operands are converted for a comparison. Pointers are compared only with pointers.
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

// Recognizes 0 <= x < n, in which C++ compares the result of 0 <= x with n.
template <class A, class B>
inline constexpr bool is_chain = is_tile<A> && __is_same(element<A>, bool) && !__is_same(element<B>, bool);

// The type of an expression like p + i: pointers that are advanced by offsets.
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
/// Multiplies element by element.
/// Shapes: the operands broadcast to each other.
/// Types: numbers. Element types convert as C's do, except that a scalar of the same kind (bool, integer, floating
/// point) takes the type of the tile, and integers narrower than `int` do not promote. Two `bool` tiles give `int`.
/// Errors: pointers; 8-bit floats; `float16` with `bfloat16`; shapes that do not broadcast.
/// Triton: `*`.
/// Example:
///   auto x = tt::arange<4>() * 0.5f; // [0, 0.5, 1, 1.5]
__TILECC_OPERATOR(*, arithmetic, mul)
/// Divides element by element. Integer division truncates. On a GPU, division of `float` is within 2 units in the last
/// place, unless -prec-div=true is given.
/// Types: as for multiplication.
/// Triton: `/` of floating-point numbers, `//` of integers.
/// Example:
///   auto quotient = (tt::arange<4>() - 2) / 2; // [-1, 0, 0, 0]
__TILECC_OPERATOR(/, arithmetic, div)
/// The remainder, with the sign of the dividend. For floating-point numbers it is C's `fmod`, exact on every device.
/// Types: as for multiplication.
/// Triton: `%`.
/// Example:
///   auto remainder = tt::arange<4>() % 3; // [0, 1, 2, 0]
__TILECC_OPERATOR(%, arithmetic, rem)
/// Bitwise and.
/// Types: integers and `bool`.
/// Errors: floating-point numbers and pointers.
/// Triton: `&`.
/// Example:
///   auto low = tt::arange<4>() & 1; // [0, 1, 0, 1]
__TILECC_OPERATOR(&, bitwise, bit_and)
/// Bitwise or.
/// Types: integers and `bool`.
/// Triton: `|`.
/// Example:
///   auto odd = tt::arange<4>() | 1; // [1, 1, 3, 3]
__TILECC_OPERATOR(|, bitwise, bit_or)
/// Bitwise exclusive or.
/// Types: integers and `bool`.
/// Triton: `^`.
/// Example:
///   auto swapped = tt::arange<4>() ^ 1; // [1, 0, 3, 2]
__TILECC_OPERATOR(^, bitwise, bit_xor)
/// Shifts left.
/// Types: integers.
/// Triton: `<<`.
/// Example:
///   auto powers = 1 << tt::arange<4>(); // [1, 2, 4, 8]
__TILECC_OPERATOR(<<, shifted, shl)
/// Shifts right; signed integers keep their sign.
/// Types: integers.
/// Triton: `>>`.
/// Example:
///   auto halves = tt::arange<4>() >> 1; // [0, 0, 1, 1]
__TILECC_OPERATOR(>>, shifted, shr)
#undef __TILECC_OPERATOR

/// Adds element by element. A pointer plus integers gives pointers, moved by that many elements.
/// Shapes: the operands broadcast to each other.
/// Types: as for multiplication, or a pointer and integers. Offsets are signed; `unsigned` offsets are widened to 64
/// bits.
/// Triton: `+`.
/// Example:
///   auto x = tt::load(p + tt::arange<4>()) + 1; // [1, 2, 3, 4]
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
/// Subtracts element by element. A pointer minus integers gives pointers.
/// Types: as for addition.
/// Triton: `-`.
/// Example:
///   auto x = 3 - tt::arange<4>(); // [3, 2, 1, 0]
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
    return builtin::name<tensor<bool, typename R::shape_type>>(detail::spread<R>(a), detail::spread<R>(b));            \
  }
#define __TILECC_NO_CHAIN                                                                                              \
  __attribute__((diagnose_if(detail::is_chain<A, B>,                                                                   \
                             "this orders a bool and a number: 0 <= x < n is written "                                 \
                             "0 <= x && x < n",                                                                        \
                             "warning")))
/// Compares element by element; the result is a tile of `bool`. Comparisons with NaN are false.
/// Shapes: the operands broadcast to each other.
/// Types: numbers with numbers, pointers with pointers.
/// Errors: 8-bit floats as operands. The compiler warns about `0 <= x < n`; write `0 <= x && x < n`.
/// Triton: `<`.
/// Example:
///   auto mask = tt::arange<4>() < 2; // [true, true, false, false]
__TILECC_COMPARISON(<, less, __TILECC_NO_CHAIN)
/// Less than or equal. Types, shapes and errors are those of `<`.
/// Example:
///   auto mask = tt::arange<4>() <= 2; // [true, true, true, false]
__TILECC_COMPARISON(<=, less_equal, __TILECC_NO_CHAIN)
/// Greater than. Types, shapes and errors are those of `<`.
/// Example:
///   auto mask = tt::arange<4>() > 2; // [false, false, false, true]
__TILECC_COMPARISON(>, greater, __TILECC_NO_CHAIN)
/// Greater than or equal. Types, shapes and errors are those of `<`.
/// Example:
///   auto mask = tt::arange<4>() >= 2; // [false, false, true, true]
__TILECC_COMPARISON(>=, greater_equal, __TILECC_NO_CHAIN)
#undef __TILECC_NO_CHAIN
/// Equal. Types, shapes and errors are those of `<`.
/// Example:
///   auto mask = tt::arange<4>() == 2; // [false, false, true, false]
__TILECC_COMPARISON(==, equal)
/// Not equal. A comparison with NaN is true. Types, shapes and errors are those of `<`.
/// Example:
///   auto mask = tt::arange<4>() != 2; // [true, true, false, true]
__TILECC_COMPARISON(!=, not_equal)
#undef __TILECC_COMPARISON

/// Logical and, element by element. Both operands are always computed.
/// Types: numbers and `bool`; a number is true if it is not zero. The result is `bool`.
/// Triton: `and` of scalars, `&` of tiles of `tl.int1`.
/// Example:
///   auto within = tt::arange<4>() > 0 && tt::arange<4>() < 3; // [false, true, true, false]
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator&&(A a, B b) {
  return detail::truth(a) & detail::truth(b);
}
/// Logical or, element by element. Both operands are always computed.
/// Types: as for `&&`.
/// Triton: `or` of scalars, `|` of tiles of `tl.int1`.
/// Example:
///   auto outside = tt::arange<4>() < 1 || tt::arange<4>() > 2; // [true, false, false, true]
template <class A, class B>
  requires detail::tile_operands<A, B>
__TILECC_VALUE auto operator||(A a, B b) {
  return detail::truth(a) | detail::truth(b);
}
/// Logical not, element by element.
/// Types: as for `&&`.
/// Triton: `not` of scalars, `~` of tiles of `tl.int1`.
/// Example:
///   auto zero = !tt::arange<4>(); // [true, false, false, false]
template <class T, class S> __TILECC_VALUE tensor<bool, S> operator!(tensor<T, S> a) {
  return builtin::bit_xor(detail::truth(a), builtin::splat<tensor<bool, S>>(true));
}

/// Returns the tile.
/// Example:
///   auto same = +tt::arange<2>(); // [0, 1]
template <class T, class S> __TILECC_VALUE tensor<T, S> operator+(tensor<T, S> a) { return a; }
/// Negates element by element.
/// Types: numbers, except 8-bit floats; `bool` becomes `int`.
/// Triton: `-`.
/// Example:
///   auto negative = -tt::arange<4>(); // [0, -1, -2, -3]
template <class T, class S> __TILECC_VALUE auto operator-(tensor<T, S> a) {
  __TILECC_CHECK((!detail::is_pointer<T>), detail::complain<tensor<T, S>>("cannot negate ", ""));
  detail::can_compute<tensor<T, S>>();
  if constexpr (__is_same(T, bool))
    return builtin::neg(a.template to<int>());
  else
    return builtin::neg(a);
}
/// Inverts the bits of integers; logical not of `bool`.
/// Types: integers and `bool`.
/// Triton: `~`.
/// Example:
///   auto inverted = ~tt::arange<4>() & 7; // [7, 6, 5, 4]
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
  __TILECC_CHECK(
      (kind_of<element<R>> <= kind_of<element<A>>),
      complain<A, R>("cannot assign to ", " the result, a ", ": a variable keeps its type; convert one with .to<T>()"));
  return a = spread<A>(result);
}
} // namespace detail

#define __TILECC_ASSIGNMENT(op)                                                                                        \
  template <class T, class S, detail::operand B> __TILECC_FN tensor<T, S> &operator op## = (tensor<T, S> & a, B b) {   \
    return detail::assign(a, a op b);                                                                                  \
  }
/// `a += b` is `a = a + b`, converted back to the element type of `a`. The operators `-=`, `*=`, `/=`, `%=`, `&=`,
/// `|=`, `^=`, `<<=` and `>>=` work in the same way.
/// Errors: the result has another shape than `a`, or is of a higher kind: an integer tile takes no floating-point
/// result.
/// Triton: `a += b`, which may change the type of `a`.
/// Example:
///   auto x = tt::arange<4>();
///   x += 1;
///   auto counted = x; // [1, 2, 3, 4]
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

/// `++x` adds one to each element; pointers move to the next element. `x++` returns the old value.
/// Example:
///   auto x = tt::arange<4>();
///   auto before = x++; // [0, 1, 2, 3]
///   auto after = x;    // [1, 2, 3, 4]
template <class T, class S> __TILECC_FN tensor<T, S> &operator++(tensor<T, S> &x) { return x += 1; }
/// `--x` subtracts one from each element; pointers move to the previous element. `x--` returns the old value.
/// Example:
///   auto x = tt::arange<4>();
///   auto after = --x; // [-1, 0, 1, 2]
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

/// `a` where `condition` is true, and `b` elsewhere. Both are computed.
/// Shapes: the operands broadcast to each other; three scalars give a scalar.
/// Types: `condition` is `bool` or a number; `a` and `b` convert to a common type, as operands of an operator do.
/// Triton: `tl.where`.
/// Example:
///   auto x = tt::where(tt::arange<4>() > 1, 7, -1); // [-1, -1, 7, 7]
template <detail::operand C, detail::operand A, detail::operand B> __TILECC_VALUE auto where(C condition, A a, B b) {
  if constexpr (detail::is_tile<C> || detail::is_tile<A> || detail::is_tile<B>)
    return detail::select(condition, a, b);
  else
    return static_cast<bool>(condition) ? a : b;
}

/// The result of `maximum`, `minimum` and `clamp` if one operand is NaN: the other operand (`none`, the default), or
/// NaN (`all`).
/// Triton: `tl.PropagateNan`.
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

/// The larger of two elements, or of two scalars.
/// Shapes: the operands broadcast to each other.
/// Types: numbers, except 8-bit floats, of a common type.
/// NaN: ignored by default; `maximum<tt::propagate_nan::all>(a, b)` returns NaN.
/// Triton: `tl.maximum`.
/// Example:
///   auto larger = tt::maximum(tt::arange<4>(), 2); // [2, 2, 2, 3]
template <propagate_nan N = propagate_nan::none, detail::operand A, detail::operand B>
__TILECC_VALUE auto maximum(A a, B b) {
  using R = decltype(detail::find_extremum<A, B>());
  if constexpr (N == propagate_nan::all)
    return builtin::maximum(detail::as<R>(a), detail::as<R>(b));
  else
    return builtin::maxnum(detail::as<R>(a), detail::as<R>(b));
}
/// The smaller of two elements, or of two scalars.
/// Shapes: the operands broadcast to each other.
/// Types: numbers, except 8-bit floats, of a common type.
/// NaN: ignored by default; `minimum<tt::propagate_nan::all>(a, b)` returns NaN.
/// Triton: `tl.minimum`.
/// Example:
///   auto smaller = tt::minimum(tt::arange<4>(), 2); // [0, 1, 2, 2]
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
