//===-- tilecc/tt/range.h - counted loops with options -----------------------------------------------------------===//
#ifndef TILECC_TT_RANGE_H
#define TILECC_TT_RANGE_H
#pragma GCC system_header

#include "../detail/numbers.h"
#include "create.h"

namespace tt {
namespace detail {

template <class T> struct counted_range {
  T first, last, step;
  int stages = range_not_given, unrolled = range_not_given, specialized = range_not_given, flat = range_not_given,
      single = range_not_given, parted = range_not_given;

  /// Number of pipeline stages of this loop: loads start up to `n` - 1 iterations before their use, and with `n` = 1
  /// none does. It replaces the kernel's `[[tt::num_stages]]` for this loop, and also pipelines loops without `dot`.
  __TILECC_FN counted_range num_stages(int n) const {
    counted_range r = *this;
    r.stages = n;
    return r;
  }
  /// On a GPU, makes one iteration of `n`, if the step is a constant. A second loop runs the rest.
  /// Triton: `loop_unroll_factor`.
  __TILECC_FN counted_range unroll(int n) const {
    counted_range r = *this;
    r.unrolled = n;
    return r;
  }
  /// On Hopper, requests producer warps that load the operands of the loop's `dot`s, or, with false, forbids them. By
  /// default the compiler decides.
  __TILECC_FN counted_range warp_specialize(bool on = true) const {
    counted_range r = *this;
    r.specialized = on;
    return r;
  }
  /// Allows the compiler to merge this loop with the loop around it.
  __TILECC_FN counted_range flatten() const {
    counted_range r = *this;
    r.flat = 1;
    return r;
  }
  /// Forbids the compiler to keep two copies of the accumulator of this loop's `dot`s.
  __TILECC_FN counted_range disallow_acc_multi_buffer() const {
    counted_range r = *this;
    r.single = 1;
    return r;
  }
  /// On a GPU, splits iterations in which all masks are true into a loop of their own without masks, or, with false,
  /// does not split the loop. By default the compiler decides.
  __TILECC_FN counted_range split(bool on = true) const {
    counted_range r = *this;
    r.parted = on;
    return r;
  }

  struct sentinel {};
  struct iterator {
    T i;
    counted_range range;
    __TILECC_FN T operator*() const { return i; }
    __TILECC_FN void operator++() { i += range.step; }
    __TILECC_FN bool operator!=(sentinel) const {
      return builtin::range_goes_on(i, range.last, range.step, range.stages, range.unrolled, range.specialized,
                                    range.flat, range.single, range.parted);
    }
  };
  __TILECC_FN iterator begin() const { return {first, *this}; }
  __TILECC_FN sentinel end() const { return {}; }
};

// Integers narrower than int promote to int, as in C.
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

/// The integers from `lo` up to but excluding `hi`, by `step`, for a loop with options: `for (int i : tt::range(0, n,
/// 32).num_stages(3))`. Its members set the options: `num_stages(n)`, `unroll(n)`, `warp_specialize()`, `flatten()`,
/// `disallow_acc_multi_buffer()`.
/// Types: integers; the counter has the type of `lo + hi + step`. A constant step may be negative; any other is
/// assumed to be positive. Options take constants.
/// Errors: a bound is not an integer; an option is not a constant.
/// Triton: `tl.range(lo, hi, step, num_stages=3)`.
/// Example:
///   int rounds = 0;
///   for (int k : tt::range(0, n, 4).num_stages(3))
///     rounds += int(p[k]);
///   auto sum = rounds; // 12
template <class Lo, class Hi, class Step = int> __TILECC_FN auto range(Lo lo, Hi hi, Step step = 1) {
  using T = decltype(detail::find_counter<Lo, Hi, Step>());
  return detail::counted_range<T>{static_cast<T>(lo), static_cast<T>(hi), static_cast<T>(step)};
}
/// The integers from 0.
/// Example:
///   int rounds = 0;
///   for (int k : tt::range(4))
///     rounds += k;
///   auto sum = rounds; // 6
template <class Hi> __TILECC_FN auto range(Hi hi) { return range(0, hi); }

namespace detail {

// An integer that can be used as a constant: sum<i>(x).
template <int N> struct constant {
  static constexpr int value = N;
  __TILECC_FN constexpr operator int() const { return N; }
};
template <int Lo, int Step, class F, int... I> __TILECC_FN void repeat(F &body, sequence<int, I...>) {
  (body(constant<Lo + I * Step>()), ...);
}

} // namespace detail

/// Calls `body(i)` for the integers from `Lo` up to but excluding `Hi`, by `Step`, which may be negative. Inside, `i`
/// is a constant and may be a template argument: `tt::sum<i>(x)`.
/// Errors: the step is 0.
/// Triton: `tl.static_range`.
/// Example:
///   int total = 0;
///   tt::static_range<0, 2>([&](auto axis) { total += tt::sum(tt::sum<axis>(tt::reshape<2, 2>(tt::arange<4>()))); });
///   auto twice = total; // 12
template <int Lo, int Hi, int Step = 1, class F> __TILECC_FN void static_range(F body) {
  static_assert(Step != 0, "the step of tt::static_range is 0");
  constexpr int span = Step > 0 ? Hi - Lo : Lo - Hi, step = Step > 0 ? Step : -Step;
  if constexpr (span > 0)
    detail::repeat<Lo, Step>(body, detail::up_to<(span + step - 1) / step>());
}
/// The integers from 0.
/// Example:
///   int total = 0;
///   tt::static_range<3>([&](auto i) { total += i; });
///   auto sum = total; // 3
template <int Hi, class F> __TILECC_FN void static_range(F body) { static_range<0, Hi>(body); }

} // namespace tt

#endif // TILECC_TT_RANGE_H
