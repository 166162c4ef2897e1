//===-- tilecc/tt/debug.h - messages of a running kernel ---------------------------------------------------------===//
#ifndef TILECC_TT_DEBUG_H
#define TILECC_TT_DEBUG_H
#pragma GCC system_header

#include "operators.h"

namespace tt {

/// Option of `device_print`: print the bits of numbers in hexadecimal.
inline constexpr struct hex_t : detail::option {
} hex{};

namespace detail {
template <class X> __TILECC_FN auto printable(X x) {
  __TILECC_CHECK((!__is_same(X, const char *)), "device_print takes one text, before the values: "
                                                "tt::device_print(\"text\", x, y), and one call for each other text");
  if constexpr (is_float8<X> && is_tile<X>)
    return x.template to<float>();
  else if constexpr (is_float8<X>)
    return float(x);
  else
    return x;
}
} // namespace detail

/// Prints one line for each element of each value, or the text alone. A line names the program, the index of the
/// element, the text, and which value it is if there are several. Lines of different threads appear in any order.
/// Types: `text` is a string literal; values are tiles or scalars. `tt::hex` after the text prints bits.
/// Triton: `tl.device_print`.
/// Example:
///   tt::device_print("x", tt::arange<2>());
template <detail::operand... X> __TILECC_FN void device_print(const char *text, X... values) {
  builtin::print<false>(text, detail::printable(values)...);
}
template <detail::operand... X> __TILECC_FN void device_print(const char *text, hex_t, X... values) {
  builtin::print<true>(text, values...);
}

/// Fails the launch if `condition`, or one element of it, is false. The message names file, line, kernel and program.
/// With `NDEBUG` defined it does nothing, as `assert`.
/// Types: `condition` is a tile or a scalar; `message` is a string literal.
/// Triton: `tl.device_assert`, which `TRITON_DEBUG` enables instead.
/// Example:
///   tt::device_assert(n < 100, "n is small");
template <detail::operand C> __TILECC_FN void device_assert(C condition, const char *message = "") {
#ifndef NDEBUG
  builtin::require(message, detail::truth(condition));
#endif
}

/// Measures the time from its declaration to the end of the enclosing block, for each group of warps, if the kernel is
/// compiled with `-fprofile-tile`; otherwise it does nothing. The times are in the file of `TILECC_PROFILE`.
/// Types: `name` is a string literal.
/// Triton: `proton.language.scope`.
/// Example:
///   tt::profile_scope scope("softmax");
class profile_scope {
public:
  __TILECC_FN explicit profile_scope(const char *name) : name(name) { builtin::record<true>(name); }
  __TILECC_FN ~profile_scope() { builtin::record<false>(name); }
  profile_scope(const profile_scope &) = delete;
  profile_scope &operator=(const profile_scope &) = delete;

private:
  const char *name;
};

/// Prints a remark at compile time, once for each kernel: the text, the values of constants, and the types of
/// everything else.
/// Types: `text` is a string literal.
/// Triton: `tl.static_print`.
/// Example:
///   tt::static_print("i is", tt::arange<4>()); // remark: i is tile<int, 4>
template <detail::operand... X> __TILECC_FN void static_print(const char *text, X... values) {
  builtin::static_print(text, values...);
}

} // namespace tt

#endif // TILECC_TT_DEBUG_H
