//===-- tilecc/tt/call.h - kernels within kernels ----------------------------------------------------------------===//
#ifndef TILECC_TT_CALL_H
#define TILECC_TT_CALL_H
#pragma GCC system_header

#include "../detail/builtins.h"

namespace tt {

namespace detail {
template <class... P> constexpr decltype(sizeof(0)) count_parameters(void (*)(P...)) { return sizeof...(P); }
} // namespace detail

/// Does what another kernel does as a part of this one, in the same program of the same grid: tt::call<scale<1024>>(x, y, n).
/// Of the other kernel's attributes none counts. Several of them in a row are one kernel: what one stores and the next one loads,
/// at the same addresses under the same mask, stays in registers, rounded as memory would have it; and where the pointer is a
/// parameter of this kernel that is marked [[tt::temporary]], and nothing else is done with it, it is not stored either.
template <auto Kernel, class... A> __TILECC_FN inline void call(A... args) {
  static_assert(detail::count_parameters(Kernel) == sizeof...(A), "tt::call: the kernel takes another number of arguments");
  Kernel(args...);
}

} // namespace tt

#endif // TILECC_TT_CALL_H
