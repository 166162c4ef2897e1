//===-- tilecc/tiles/print.h - C's printf in kernels --------------------------------------------------------------===//
#ifndef TILECC_TILES_PRINT_H
#define TILECC_TILES_PRINT_H
#pragma GCC system_header

#include "create.h"

namespace cuda::tiles::inline __1::detail {
// Numbers of types that have no conversion of their own are printed as float.
template <class X> __TILECC_FN auto printed(X x) {
  using E = element_of<X>;
  if constexpr (__is_same(E, __nv_tf32) || (!is_pointer<E> && element_info<E>::number.digits > 0 && sizeof(E) == 1))
    return lower(element_cast<float>(x));
  else
    return lower(x);
}
} // namespace cuda::tiles::inline __1::detail

/// Prints like C's printf, once for each program. Arguments are numbers, and pointers for %p. For a tile, it prints a
/// line for each element, in any order, with the other values. The format is a string literal; the conversion of an
/// integer specifies only its sign and base.
template <class... X> __TILECC_FN int printf(const char *format, X... values) {
  constexpr bool are_values = (cuda::tiles::tile_like<X> && ...);
  static_assert(are_values, "printf in a kernel prints numbers, pointers and tiles of them");
  if constexpr (are_values)
    tt::builtin::print_formatted(format, cuda::tiles::detail::printed(values)...);
  return int(sizeof...(X));
}

#endif // TILECC_TILES_PRINT_H
