//===-- tilecc/tt/escape.h - inline assembly and scalar functions ------------------------------------------------===//
#ifndef TILECC_TT_ESCAPE_H
#define TILECC_TT_ESCAPE_H
#pragma GCC system_header

#include "reduce.h"

namespace tt {
namespace detail {

template <int N> struct pack_option : option {};
template <class O> inline constexpr int pack_of = 0;
template <int N> inline constexpr int pack_of<pack_option<N>> = N;

// The shape to which all tiles among X broadcast; shape<> if there is no tile.
template <class X, class... Rest> constexpr auto find_common_shape() {
  if constexpr (sizeof...(Rest) == 0) {
    return typename shape_of<X>::type();
  } else {
    using Behind = decltype(find_common_shape<Rest...>());
    if constexpr (Behind::rank == 0)
      return typename shape_of<X>::type();
    else
      return joint_shape<X, tensor<int, Behind>>();
  }
}
template <class T, class S> struct shaped {
  using type = tensor<T, S>;
};
template <class T> struct shaped<T, shape<>> {
  using type = T;
};

template <class S, class X> __TILECC_FN auto shaped_as(X x) { return as<typename shaped<element<X>, S>::type>(x); }

template <class... R, int... I> __TILECC_FN auto unpack_elements(results *r, sequence<int, I...>) {
  if constexpr (sizeof...(R) == 1)
    return builtin::result<0, R...>(r);
  else
    return tuple{builtin::result<I, R>(r)...};
}

template <text Asm, text Constraints, int Pack, bool Pure, class... R> struct assembly {
  template <class X, class... Rest> static __TILECC_FN auto call(X x, Rest... rest) {
    if constexpr (pack_of<X> != 0) {
      return assembly<Asm, Constraints, pack_of<X>, Pure, R...>::call(rest...);
    } else if constexpr (__is_base_of(option, X)) {
      return assembly<Asm, Constraints, Pack, false, R...>::call(rest...);
    } else {
      using S = decltype(find_common_shape<X, Rest...>());
      static_assert(S::size % Pack == 0, "tt::pack: the elements of the tiles are no multiple of that many");
      return unpack_elements<typename shaped<R, S>::type...>(
          builtin::inline_asm<Asm, Constraints, Pack, Pure, typename shaped<R, S>::type...>(shaped_as<S>(x),
                                                                                            shaped_as<S>(rest)...),
          up_to<sizeof...(R)>());
    }
  }
};

// Calls a scalar function, and lists the values that it returns.
template <class F, class R, class... T> struct mapper;
template <class F, class... R, class... T> struct mapper<F, tuple<R...>, T...> {
  static __TILECC_FN void call(T... a) { yield<R...>(F()(a...), up_to<sizeof...(R)>()); }
};
template <class F, class R, class... T>
  requires(tuple_size<R> == 1)
struct mapper<F, R, T...> {
  static __TILECC_FN void call(T... a) { builtin::yield<R>(F()(a...)); }
};
template <class S, class... R> __TILECC_FN auto unpack_map(results *r, tuple<R...> *) {
  return unpack_elements<tensor<R, S>...>(r, up_to<sizeof...(R)>());
}
template <class S, class R> __TILECC_FN auto unpack_map(results *r, R *) {
  can_compute<R>();
  return builtin::result<0, tensor<R, S>>(r);
}

} // namespace detail

/// Option of `inline_asm_elementwise`, before its operands: the assembly takes `N` adjacent elements at a
/// time. Elements narrower than 32 bits share 32-bit registers.
/// Triton: `pack=N`.
template <int N> inline constexpr detail::pack_option<N> pack{};
/// Option of `inline_asm_elementwise`, before its operands: the assembly does more than compute its results, and
/// is neither removed nor merged.
/// Triton: `is_pure=False`.
inline constexpr struct side_effects_t : detail::option {
} side_effects{};

/// Applies PTX to each element: a tile of `R` from the operands, or a tuple for several `R`. The constraints are
/// LLVM's, with the results first. A kernel that uses it has no code for the CPU: -Wtile-cpu reports it, and a launch
/// there fails.
/// Shapes: the operands broadcast to each other.
/// Errors: more than four results; the number of elements is not a multiple of the pack.
/// Options: `tt::pack<N>`, `tt::side_effects`.
/// Triton: `tl.inline_asm_elementwise`.
/// Example: `auto y = tt::inline_asm_elementwise<"shl.b32 $0, $1, 3;", "=r,r", int>(x);`
template <detail::text Asm, detail::text Constraints, class... R, class X, class... Rest>
__TILECC_FN auto inline_asm_elementwise(X x, Rest... rest) {
  static_assert(sizeof...(R) >= 1 && sizeof...(R) <= 4, "inline_asm_elementwise has one to four results");
  return detail::assembly<Asm, Constraints, 1, true, R...>::call(x, rest...);
}

/// Applies a scalar function to each element. The function may branch, and returns a number or a `tt::tuple` of
/// numbers.
/// Shapes: the operands broadcast to each other.
/// Errors: the lambda captures variables.
/// Triton: `tl.map_elementwise`.
/// Example:
///   auto y = tt::map_elementwise([](int x) { return x % 2 ? 100 : -x; }, tt::arange<4>()); // [0, 100, -2, 100]
template <class F, class X, class... Rest> __TILECC_FN auto map_elementwise(F, X x, Rest... rest) {
  static_assert(__is_empty(F), "the function of map_elementwise cannot capture");
  using S = decltype(detail::find_common_shape<X, Rest...>());
  static_assert(S::rank > 0, "map_elementwise is for tiles");
  using R = decltype(F()(detail::declare<detail::element<X>>(), detail::declare<detail::element<Rest>>()...));
  (detail::can_compute<X>(), ..., detail::can_compute<Rest>());
  using M = detail::mapper<F, R, detail::element<X>, detail::element<Rest>...>;
  return detail::unpack_map<S>(
      builtin::map_elementwise(&M::call, detail::shaped_as<S>(x), detail::shaped_as<S>(rest)...),
      static_cast<R *>(nullptr));
}

} // namespace tt

#endif // TILECC_TT_ESCAPE_H
