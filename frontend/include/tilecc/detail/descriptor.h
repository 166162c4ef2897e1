//===-- tilecc/detail/descriptor.h - tensors in memory, for kernels and host code ---------------------------------===//
//
// A tensor descriptor is an argument of kernels, so host code of every compiler makes it. What kernels do with it is in
// ../tt/descriptor.h.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_DESCRIPTOR_H
#define TILECC_DETAIL_DESCRIPTOR_H
#pragma GCC system_header

#include "marks.h"

namespace tt {
namespace detail {

// N integers in braces, of any types. In kernels they are passed by reference and copied one by one: a copy of all would be
// one of so many bytes.
template <int N, class I> struct numbers {
  I values[N];
  numbers() = default;
  template <class... X>
    requires(sizeof...(X) == N)
  __TILECC_HOST_FN constexpr numbers(X... x) : values{static_cast<I>(x)...} {}
};

inline constexpr int padding_zero = 1, padding_nan = 2;

template <class T> struct described { using type = T; };
template <class T> struct described<const T> { using type = T; };

} // namespace detail

/// A tensor in memory that is accessed in blocks of Block... elements: its address, and a size and a stride, counted in
/// elements, for each dimension. What of a block lies outside the tensor reads as zero (with padding::nan: NaN) and is not
/// written. The address and all strides but the last are multiples of 16 bytes, and the last stride is 1.
/// Triton: TensorDescriptor, tl.make_tensor_descriptor.
template <int Padding, class T, int... Block> struct padded_tensor_descriptor {
  static constexpr int rank = sizeof...(Block);

  T *base;
  detail::numbers<rank, int> sizes;
  detail::numbers<rank, long> strides;

  padded_tensor_descriptor() = default;
  /// For an argument of a kernel. Without strides, rows lie behind each other.
  padded_tensor_descriptor(T *base, detail::numbers<rank, int> sizes) : base(base), sizes(sizes) {
    long stride = 1;
    for (int i = rank - 1; i >= 0; stride *= sizes.values[i--])
      strides.values[i] = stride;
  }
  padded_tensor_descriptor(T *base, detail::numbers<rank, int> sizes, detail::numbers<rank, long> strides)
      : base(base), sizes(sizes), strides(strides) {}

#ifdef __TILECC__
  using element_type = typename detail::described<T>::type;
  using at = detail::numbers<rank, int>;

  /// The block whose first element is at these indices: desc.load({row, column}). Triton: desc.load([row, column]).
  __TILECC_VALUE auto load(const at &first) const;
  /// Writes value, a tile of a block's shape or what broadcasts to it, to that block.
  template <class V> __TILECC_FN void store(const at &first, V value) const;
  /// Of a descriptor with blocks of 1 x N elements: parts of several rows, N columns from `column` on.
  template <class R> __TILECC_VALUE auto gather(R rows, int column) const;
  template <class V, class R> __TILECC_FN void scatter(V value, R rows, int column) const;
  /// Changes a block in memory, each element in one step: integers of 32 and 64 bits, and sums of floating-point numbers.
  template <class V> __TILECC_FN void atomic_add(const at &first, V value) const;
  template <class V> __TILECC_FN void atomic_min(const at &first, V value) const;
  template <class V> __TILECC_FN void atomic_max(const at &first, V value) const;
  template <class V> __TILECC_FN void atomic_and(const at &first, V value) const;
  template <class V> __TILECC_FN void atomic_or(const at &first, V value) const;
  template <class V> __TILECC_FN void atomic_xor(const at &first, V value) const;
#endif
};

/// The usual one: zeros outside. As a kernel's parameter: `tt::tensor_descriptor<const float, 64, 32> x`, made by the host as
/// `{pointer, {rows, columns}, {stride, 1}}`.
template <class T, int... Block> using tensor_descriptor = padded_tensor_descriptor<detail::padding_zero, T, Block...>;

} // namespace tt

#endif // TILECC_DETAIL_DESCRIPTOR_H
