//===-- tilecc/tt/tile.h - the tile type -------------------------------------------------------------------------===//
//
// A tile is a value: an array of elements of one type whose shape is part of the C++ type. To Clang it is an opaque
// handle, which is copied like a pointer. Operations on it have no bodies; the compiler identifies each operation by
// its declaration. A tile can therefore be stored in structs, captured by lambdas and carried by loops, and inlining
// removes all of these.
//
// This file also defines what checks need: the permitted element types, their conversions, and their names in messages.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_TILE_H
#define TILECC_TT_TILE_H
#pragma GCC system_header

#include "../detail/marks.h"

namespace tt {

template <class T, class S> struct tensor;

struct all_t {};
struct newaxis_t {};
/// Index of an existing dimension in `x(tt::all, tt::newaxis)`. See `tile::operator()`.
inline constexpr all_t all{};
/// Index that adds a dimension of size 1 in `x(tt::all, tt::newaxis)`. See `tile::operator()`.
inline constexpr newaxis_t newaxis{};

namespace detail {

// Before C++23 the comma in x[tt::all, tt::newaxis] is an operator.
#ifndef __cpp_multidimensional_subscript
template <class... Index> struct index_list {};
#endif

struct opaque;
struct results; // several values of one operation

//===-- types -----------------------------------------------------------------------------------------------------===//

template <class T> struct unqualified {
  using type = T;
};
template <class T> struct unqualified<const T> {
  using type = T;
};
template <class T> struct unqualified<volatile T> {
  using type = T;
};
template <class T> struct unqualified<const volatile T> {
  using type = T;
};

template <class T> struct pointee_of {};
template <class T> struct pointee_of<T *> {
  using type = T;
};

template <bool C, class A, class B> struct choose {
  using type = A;
};
template <class A, class B> struct choose<false, A, B> {
  using type = B;
};

// The kinds of elements, in the order of C's conversions. There is no arithmetic on 8-bit floats. They are integers,
// because operators on enumerators take Clang a thousand times as long (detail/numbers.h).
inline constexpr int no_kind = 0, bool_kind = 1, int_kind = 2, float_kind = 3, float8_kind = 4, pointer_kind = 5;
template <class T>
inline constexpr int kind_of = __is_same(T, bool)                                         ? bool_kind
                               : __is_pointer(T)                                          ? pointer_kind
                               : __is_integral(T) && sizeof(T) <= 8                       ? int_kind
                               : __is_floating_point(T) && sizeof(T) <= 8                 ? float_kind
                               : __is_same(T, float8_e4m3fn) || __is_same(T, float8_e5m2) ? float8_kind
                                                                                          : no_kind;
template <> inline constexpr int kind_of<void> = no_kind; // has no size

template <class T> inline constexpr bool is_tile = false;
template <class T, class S> inline constexpr bool is_tile<tensor<T, S>> = true;

// Types that may be combined with a tile in an expression. An enumerator counts as the integer that it converts to.
template <class T> concept scalar = kind_of<T> != no_kind || (__is_enum(T) && __is_convertible_to(T, long long));
template <class T> concept operand = is_tile<T> || scalar<T>;
template <class A, class B> concept tile_operands = (is_tile<A> && operand<B>) || (is_tile<B> && operand<A>);

// A number from which a tile of T can be constructed: its kind is T's or a lower one.
template <class U, class T> concept initializer_of = scalar<U> && kind_of<U> <= kind_of<T> && kind_of<T> <= float_kind;
template <class R, class U> __TILECC_FN R fill(U value); // create.h

// A string literal as a template argument.
template <int N> struct text {
  char chars[N];
  constexpr text(const char (&s)[N]) {
    for (int i = 0; i < N; ++i)
      chars[i] = s[i];
  }
};

// An option. Options are the last arguments of a function and are distinguished by their types.
struct option {};
template <class O> concept option_type = __is_base_of(option, O);
template <class O, class... Given> inline constexpr bool is_given = (__is_same(O, Given) || ...);

template <class T> struct element_of {
  using type = T;
};
template <class T>
  requires(__is_enum(T))
struct element_of<T> {
  using type = decltype(+T());
};
template <class T, class S> struct element_of<tensor<T, S>> {
  using type = T;
};
template <class T> using element = typename element_of<T>::type;

template <class T> inline constexpr bool is_pointer = kind_of<element<T>> == pointer_kind;
template <class T> inline constexpr bool is_float = kind_of<element<T>> == float_kind;
template <class T> inline constexpr bool is_float8 = kind_of<element<T>> == float8_kind;

//===-- messages --------------------------------------------------------------------------------------------------===//

// The text of a static_assert, which is built at compile time. Types are spelled as the compiler spells them; tcc
// shortens them to tile<float, 64, 32> when it prints the message.
struct message {
  char text[480] = {};
  int length = 0;
  constexpr unsigned long size() const { return length; }
  constexpr const char *data() const { return text; }
  constexpr message &operator<<(const char *s) {
    while (*s && length < 479)
      text[length++] = *s++;
    return *this;
  }
  constexpr message &operator<<(int n) {
    if (n < 0)
      return *this << "-" << -n;
    if (n > 9)
      *this << n / 10;
    const char digit[] = {char('0' + n % 10), 0};
    return *this << digit;
  }
  // "... [T = float]"
  template <class T> constexpr message &name() {
    const char *s = __PRETTY_FUNCTION__;
    while (*s != '=')
      ++s;
    for (s += 2; s[1] && length < 479;)
      text[length++] = *s++;
    return *this;
  }
};

struct no_message {
  constexpr unsigned long size() const { return 0; }
  constexpr const char *data() const { return ""; }
};

// A static_assert that builds its message only if it fails. Otherwise every template would instantiate its message,
// which takes a tenth of the compile time of a small kernel. The condition is in parentheses. The macro ends with an
// else of its own, so it may stand before an else of the caller. A function with a check has a deduced result type
// (auto), unless users call it: only then is it instantiated at the call, and the message can be moved to the line of
// the kernel.
#define __TILECC_CHECK(condition, ...)                                                                                 \
  if constexpr (condition) {                                                                                           \
  } else                                                                                                               \
    static_assert(false, __VA_ARGS__)

template <class A> constexpr message complain(const char *before, const char *after) {
  return (message() << before).template name<A>() << after;
}
template <class A, class B> constexpr message complain(const char *before, const char *between, const char *after) {
  return ((message() << before).template name<A>() << between).template name<B>() << after;
}

// Rejects arithmetic on operands with 8-bit float elements.
template <class A> constexpr bool can_compute() {
  __TILECC_CHECK((!is_float8<A>), complain<A>("no arithmetic on ", ": convert it with .to<float>()"));
  return !is_float8<A>;
}

} // namespace detail

#ifndef __cpp_multidimensional_subscript
namespace detail {
template <class I> concept index_type = __is_same(I, all_t) || __is_same(I, newaxis_t);
template <index_type... I, index_type J> __TILECC_FN constexpr index_list<I..., J> operator,(index_list<I...>, J) {
  return {};
}
} // namespace detail
template <detail::index_type I, detail::index_type J> __TILECC_FN constexpr detail::index_list<I, J> operator,(I, J) {
  return {};
}
#endif

//===-- shape and tile --------------------------------------------------------------------------------------------===//

/// The sizes of a tile, as a type: `shape<64, 32>`. It also passes a shape as an argument, as in
/// `tt::zeros<float>(tt::shape<64, 32>{})`.
/// Errors: every size is a power of two, and a tile has at most 2^20 elements.
template <int... Dims> struct shape {
  static constexpr int rank = sizeof...(Dims);
  static constexpr int dims[] = {Dims..., 1};
  static constexpr long long size = (1ll * ... * Dims);

private:
  static constexpr bool powers_of_two = ((Dims > 0 && (Dims & (Dims - 1)) == 0) && ...);
  template <bool Fine> static constexpr auto why() { // instantiated for each shape
    if constexpr (Fine) {
      return detail::no_message();
    } else {
      int i = 0;
      while (i < rank && dims[i] > 0 && (dims[i] & (dims[i] - 1)) == 0)
        ++i;
      return detail::message() << "the dimensions of a tile are powers of two: dimension " << i << " is " << dims[i];
    }
  }
  static_assert(powers_of_two, why<powers_of_two>());
  static_assert(!powers_of_two || size <= (1 << 20), "a tile has at most 2^20 elements");
};

/// The class behind `tile<T, Dims...>`: an array of elements of type `T` whose sizes are `S`, a `shape<Dims...>`.
/// Generic code reads `X::element`, `X::rank`, `X::size` and `X::shape_type::dims[i]` of a tile type `X`.
/// Types: `T` is `bool`, an integer of 8 to 64 bits, `float16`, `bfloat16`, `float`, `double`, `float8_e4m3fn`,
/// `float8_e5m2`, or a pointer to one of these.
/// Errors: other element types and shapes that `shape` rejects. `T x{}` is filled with zeros; `T x;` is uninitialized,
/// and -Wtile-uninitialized reports its use.
/// Triton: `tl.tensor`.
/// Example:
///   tt::tile<int, 2> sevens = 7;
///   auto filled = sevens; // [7, 7]
template <class T, class S> struct tensor {
  using element = T;
  using element_type = T;
  using shape_type = S;
  static constexpr int rank = S::rank;
  static constexpr int size = int(S::size);

  tensor() = default;
  /// Constructs a tile whose elements all equal `value`.
  /// Types: `value` has the kind of `T` or a lower one (bool < integer < floating point).
  /// Example:
  ///   tt::tile<float, 2> x = 0;
  ///   auto zeros = x; // [0, 0]
  template <detail::initializer_of<T> U> __TILECC_FN tensor(U value) : tensor(detail::fill<tensor<T, S>>(value)) {}

  /// The elements converted to `U`. Integers wrap. Floating-point values round to nearest even. Conversions from
  /// floating point to integer truncate; the result for NaN and for values out of range is undefined, as in C++.
  /// Conversion to `bool` compares with zero. Conversion to an 8-bit float saturates: values beyond the largest one,
  /// infinities included, become the largest one.
  /// Types: any numbers; pointers convert to other pointers, and to and from 64-bit integers.
  /// Triton: `x.to(dtype)`.
  /// Example:
  ///   auto down = (tt::arange<4>() * 0.5f).to<int>(); // [0, 0, 1, 1]
  template <class U> __TILECC_VALUE auto to() const;

  /// Adds dimensions of size 1: one `tt::all` for each dimension of the tile, and `tt::newaxis` for each new one. From
  /// C++23 on, and in earlier dialects through an overloaded comma, `x[tt::all, tt::newaxis]` is the same.
  /// Errors: the number of `tt::all` differs from the rank of the tile.
  /// Triton: `x[:, None]`.
  /// Example:
  ///   auto i = tt::arange<2>();
  ///   auto column = i(tt::all, tt::newaxis); // [[0], [1]]
  template <class... Index> __TILECC_VALUE auto operator()(Index... index) const;
  /// The same as in Triton: x[tt::all, tt::newaxis].
#ifdef __cpp_multidimensional_subscript
  /// The same as `operator()`.
  template <class... Index> __TILECC_VALUE auto operator[](Index... index) const { return (*this)(index...); }
#else
  template <class... Index> __TILECC_VALUE auto operator[](detail::index_list<Index...>) const {
    return (*this)(Index()...);
  }
#endif

  /// A tile of `N` elements as an `N` x 1 column.
  /// Errors: the tile has more than one dimension.
  /// Triton: `x[:, None]`.
  /// Example:
  ///   auto column = tt::arange<2>().col(); // [[0], [1]]
  __TILECC_VALUE auto col() const;
  /// A tile of `N` elements as a 1 x `N` row.
  /// Errors: the tile has more than one dimension.
  /// Triton: `x[None, :]`.
  /// Example:
  ///   auto row = tt::arange<2>().row(); // [[0, 1]]
  __TILECC_VALUE auto row() const;

private:
  detail::opaque *handle;
  // This is last, because Clang abandons the rest of a class whose assertion fails.
  static_assert(detail::kind_of<T> != detail::no_kind, "the elements of a tile are numbers or pointers to numbers");
  static_assert(sizeof(S) > 0); // checks the shape
  static_assert(S::rank > 0, "a tile has sizes, which are missing here: tile<float, 64> has 64 elements, and a single "
                             "number is a float");
};

// The operand of operations on tensor descriptors.
/// The value that operations on a tensor descriptor take. Programs do not name it.
template <class T, class S> struct descriptor_handle {
private:
  detail::opaque *handle;
};

/// An array of elements of type `T`: `tile<float, 64, 32>` has 64 rows of 32 elements. A tile is a value: it may be
/// copied, returned, captured by lambdas and stored in structs.
/// Triton: `tl.tensor`.
/// Example:
///   tt::tile<float, 4> x = tt::load(p + tt::arange<4>());
///   auto loaded = x; // [0, 1, 2, 3]
template <class T, int... Dims> using tile = tensor<T, shape<Dims...>>;

/// Satisfied by every tile type, for generic code: `template <tt::any_tile X> __tile__ auto square(X x) { return x *
/// x; }`
template <class X> concept any_tile = detail::is_tile<X>;

} // namespace tt

#endif // TILECC_TT_TILE_H
