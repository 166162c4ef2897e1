//===-- tilecc/tt/call.h - calls of kernels by kernels -----------------------------------------------------------===//
#ifndef TILECC_TT_CALL_H
#define TILECC_TT_CALL_H
#pragma GCC system_header

#include "../detail/builtins.h"

namespace tt {

namespace detail {
template <class... P> constexpr decltype(sizeof(0)) count_parameters(void (*)(P...)) { return sizeof...(P); }
} // namespace detail

/// Runs another kernel as a part of this one, in the same program of the same grid. Attributes of the called kernel are
/// ignored. If a called kernel stores values and a later one loads them from the same addresses under the same mask,
/// the values stay in registers, rounded as memory would round them. A store to a pointer parameter marked
/// `[[tt::temporary]]` is omitted if nothing else uses that memory.
/// Errors: the number of arguments differs from the kernel's parameters.
/// Triton: a call of another `@triton.jit` function.
/// Example: see "Calling kernels from kernels" in the language guide.
template <auto Kernel, class... A> __TILECC_FN inline void call(A... args) {
  static_assert(detail::count_parameters(Kernel) == sizeof...(A),
                "tt::call: the kernel takes another number of arguments");
  Kernel(args...);
}

} // namespace tt

#endif // TILECC_TT_CALL_H
