//===-- tilecc/tt/debug.h - messages of a running kernel ---------------------------------------------------------===//
#ifndef TILECC_TT_DEBUG_H
#define TILECC_TT_DEBUG_H
#pragma GCC system_header

#include "operators.h"

namespace tt {

/// Of device_print: numbers as their bits.
inline constexpr struct hex_t : detail::option {} hex{};

namespace detail {
template <class X> __TILECC_FN auto printable(X x) {
  if constexpr (is_float8<X> && is_tile<X>)
    return x.template to<float>();
  else if constexpr (is_float8<X>)
    return float(x);
  else
    return x;
}
} // namespace detail

/// Prints a line for each element of each value, or the text alone: device_print("x", x, y), device_print("x", tt::hex, x).
/// A line names the program, the element's index, the text, a string literal, and of several values which it is. Lines of
/// different threads come in any order. Triton: tl.device_print.
template <detail::operand... X> __TILECC_FN void device_print(const char *text, X... values) {
  builtin::print<false>(text, detail::printable(values)...);
}
template <detail::operand... X> __TILECC_FN void device_print(const char *text, hex_t, X... values) {
  builtin::print<true>(text, values...);
}

/// Ends the program that launched the kernel, as assert does, where condition is false, or an element of it: on a GPU the
/// launch fails, on the CPU the process ends. The message, a string literal, comes with file, line and kernel. With NDEBUG
/// defined it does nothing, like assert. Triton: tl.device_assert, which wants TRITON_DEBUG instead.
template <detail::operand C> __TILECC_FN void device_assert(C condition, const char *message = "") {
#ifndef NDEBUG
  builtin::require(message, detail::truth(condition));
#endif
}

/// Says while compiling, as a remark at its line and once for each kernel: a text, a string literal, and behind it constants
/// as their values and everything else as its type: static_print("block", BLOCK, x) says "block 128 tile<float, 64, 32>".
/// Triton: tl.static_print.
template <detail::operand... X> __TILECC_FN void static_print(const char *text, X... values) {
  builtin::static_print(text, values...);
}

} // namespace tt

#endif // TILECC_TT_DEBUG_H
