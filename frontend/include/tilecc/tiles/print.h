//===-- tilecc/tiles/print.h - C's printf in kernels ----------------------------------------------------------------===//
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

/// Prints as C's printf, once for each program: numbers, and pointers as %p. Of a tile, each element is printed, in any order,
/// with the other values beside it. The format is a string literal, and says of an integer no more than its sign and base.
template <class... X> __TILECC_FN int printf(const char *format, X... values) {
  constexpr bool are_values = (cuda::tiles::tile_like<X> && ...);
  static_assert(are_values, "printf in a kernel prints numbers, pointers and tiles of them");
  if constexpr (are_values)
    tt::builtin::print_formatted(format, cuda::tiles::detail::printed(values)...);
  return int(sizeof...(X));
}

#endif // TILECC_TILES_PRINT_H
