//===-- tilecc/detail/range.h - counted loops with options --------------------------------------------------------===//
#ifndef TILECC_DETAIL_RANGE_H
#define TILECC_DETAIL_RANGE_H
#pragma GCC system_header

#include "builtins.h"

namespace tt {
namespace detail {

// Of an option that the range does not have. Any number that is given is checked by the compiler, which sees the loop
// when all is inlined: constants need not be ones to C++.
inline constexpr int not_given = -__INT_MAX__ - 1;

template <class T> struct counted_range {
  T first, last, step;
  int stages = not_given, factor = not_given;

  /// The loads of this loop start up to n - 1 rounds before their use; n = 1: none does. Instead of what
  /// [[tt::num_stages(n)]] says for the kernel's loops around products; in a loop without products, all its loads.
  __TILECC_FN counted_range num_stages(int n) const {
    counted_range r = *this;
    r.stages = n;
    return r;
  }
  /// On a GPU, n rounds become one, if the step is a constant; what is left over runs in a loop behind. Triton:
  /// loop_unroll_factor.
  __TILECC_FN counted_range unroll(int n) const {
    counted_range r = *this;
    r.factor = n;
    return r;
  }

  struct sentinel {};
  struct iterator {
    T i;
    counted_range range;
    __TILECC_FN T operator*() const { return i; }
    __TILECC_FN void operator++() { i += range.step; }
    __TILECC_FN bool operator!=(sentinel) const {
      return builtin::range_goes_on(i, range.last, range.step, range.stages, range.factor);
    }
  };
  __TILECC_FN iterator begin() const { return {first, *this}; }
  __TILECC_FN sentinel end() const { return {}; }
};

// Narrow integers count as int, as in C's arithmetic.
template <class T, class... Rest> constexpr bool count_in_integers() {
  constexpr bool integer = kind_of<T> == int_kind || __is_enum(T);
  __TILECC_CHECK((integer), complain<T>("tt::range counts integers, not ", ""));
  if constexpr (integer && sizeof...(Rest) > 0)
    return count_in_integers<Rest...>();
  else
    return integer;
}
template <class... B> constexpr auto find_counter() {
  if constexpr (count_in_integers<B...>())
    return decltype((0 + ... + B()))();
  else
    return 0;
}

} // namespace detail

/// The integers from lo, up to but without hi, by step: for (auto i : tt::range(0, n, 32).num_stages(3)). They are of the
/// type that lo + hi + step has. A constant step may be negative; any other is taken for positive. What sets this loop
/// apart from for (int i = 0; i < n; i += 32) is its options, whose numbers must be constants.
/// Triton: tl.range(lo, hi, step, num_stages=3).
template <class Lo, class Hi, class Step = int> __TILECC_FN auto range(Lo lo, Hi hi, Step step = 1) {
  using T = decltype(detail::find_counter<Lo, Hi, Step>());
  return detail::counted_range<T>{static_cast<T>(lo), static_cast<T>(hi), static_cast<T>(step)};
}
/// The integers from 0.
template <class Hi> __TILECC_FN auto range(Hi hi) { return range(0, hi); }

} // namespace tt

#endif // TILECC_DETAIL_RANGE_H
