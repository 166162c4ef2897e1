//===-- tilecc/detail/descriptor.h - tensors in memory, for kernels and host code ---------------------------------===//
//
// A tensor descriptor can be a kernel argument, so host code of every compiler can create it. ../tt/descriptor.h has
// the operations of kernels on it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_DESCRIPTOR_H
#define TILECC_DETAIL_DESCRIPTOR_H
#pragma GCC system_header

#include "marks.h"

namespace tt {
namespace detail {

template <bool> struct only_if {};
template <> struct only_if<true> {
  using type = void;
};

// N integers in braces, of any types. In kernels they are passed by reference and copied one by one; copying all of
// them at once would be a copy of bytes.
template <int N, class I> struct numbers {
  I values[N];
  numbers() = default;
  template <class... X, class = typename only_if<sizeof...(X) == N>::type>
  __TILECC_HOST_FN constexpr numbers(X... x) : values{static_cast<I>(x)...} {}
};

inline constexpr int padding_zero = 1, padding_nan = 2;

template <class T> struct described {
  using type = T;
};
template <class T> struct described<const T> {
  using type = T;
};

} // namespace detail

/// A tensor in memory that is accessed in blocks of `Block...` elements: its address, and a size and a stride for each
/// dimension. Accesses always check bounds: elements outside the tensor read as padding and are not written. On Hopper
/// the tensor memory accelerator performs these accesses; on other devices they use pointers and masks.
/// Types: numbers; one to five dimensions. The address and all strides but the last are multiples of 16 bytes, and the
/// last stride is 1.
/// Triton: `TensorDescriptor`, `tl.make_tensor_descriptor`.
template <int Padding, class T, int... Block> struct padded_tensor_descriptor {
  static constexpr int rank = sizeof...(Block);

  T *base;
  detail::numbers<rank, int> sizes;
  detail::numbers<rank, long> strides;

  padded_tensor_descriptor() = default;
  /// Host code makes a kernel argument: `{pointer, {rows, columns}, {stride, 1}}`. Without strides the tensor is
  /// contiguous.
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

  /// Loads the block whose first element is at these indices.
  /// Triton: `desc.load([row, column])`.
  /// Example:
  ///   auto matrix = tt::make_tensor_descriptor<2, 4>(p, {3, 6}, {8, 1});
  ///   auto block = matrix.load({1, 4}); // [[12, 13, 0, 0], [20, 21, 0, 0]]
  __TILECC_VALUE auto load(const at &first) const;
  /// Stores `value` to the block whose first element is at these indices.
  /// Shapes: `value` broadcasts to the block.
  /// Errors: the tensor is `const`.
  /// Triton: `desc.store([row, column], value)`.
  /// Example:
  ///   tt::make_tensor_descriptor<4>(q, {8}, {1}).store({4}, 7);
  ///   tt::debug_barrier();
  ///   auto stored = tt::load(q + tt::arange<8>()); // [0, 0, 0, 0, 7, 7, 7, 7]
  template <class V> __TILECC_FN void store(const at &first, V value) const;
  /// Loads N columns from `column` on of several rows, for a descriptor with blocks of 1 x N elements.
  /// Shapes: `rows` is a tile of R integers; the result is R x N.
  /// Triton: `desc.gather(rows, column)`.
  /// Example:
  ///   auto lines = tt::make_tensor_descriptor<1, 4>(p, {8, 8}, {8, 1});
  ///   auto picked = tt::sum<1>(lines.gather(tt::arange<8>(), 0)); // [6, 38, 70, 102, 134, 166, 198, 230]
  template <class R> __TILECC_VALUE auto gather(R rows, int column) const;
  /// Stores to N columns from `column` on of several rows, for a descriptor with blocks of 1 x N elements.
  /// Shapes: `rows` is a tile of R integers; `value` broadcasts to R x N.
  /// Triton: `desc.scatter(value, rows, column)`.
  /// Example:
  ///   auto lines = tt::make_tensor_descriptor<1, 4>(q, {8, 8}, {8, 1});
  ///   lines.scatter(tt::full<int, 8, 4>(3), tt::arange<8>(), 0);
  ///   tt::debug_barrier();
  ///   auto stored = tt::sum(tt::load(q + tt::arange<64>())); // 96
  template <class V, class R> __TILECC_FN void scatter(V value, R rows, int column) const;
  /// Adds `value` to a block in memory, each element atomically and in any order.
  /// Types: integers of 32 and 64 bits, floating-point numbers.
  /// Triton: `desc.atomic_add([row, column], value)`.
  /// Example:
  ///   tt::make_tensor_descriptor<4>(q, {8}, {1}).atomic_add({0}, tt::arange<4>());
  ///   tt::debug_barrier();
  ///   auto sums = tt::load(q + tt::arange<4>()); // [0, 1, 2, 3]
  template <class V> __TILECC_FN void atomic_add(const at &first, V value) const;
  /// Replaces each element of a block by the smaller of it and `value`, atomically.
  /// Types: signed integers of 32 and 64 bits.
  /// Triton: `desc.atomic_min([row, column], value)`.
  template <class V> __TILECC_FN void atomic_min(const at &first, V value) const;
  /// Replaces each element of a block by the larger of it and `value`, atomically.
  /// Types: signed integers of 32 and 64 bits.
  /// Triton: `desc.atomic_max([row, column], value)`.
  template <class V> __TILECC_FN void atomic_max(const at &first, V value) const;
  /// Combines each element of a block with `value` by bitwise and, atomically.
  /// Types: integers of 32 and 64 bits.
  /// Triton: `desc.atomic_and([row, column], value)`.
  template <class V> __TILECC_FN void atomic_and(const at &first, V value) const;
  /// Combines each element of a block with `value` by bitwise or, atomically.
  /// Types: integers of 32 and 64 bits.
  /// Triton: `desc.atomic_or([row, column], value)`.
  template <class V> __TILECC_FN void atomic_or(const at &first, V value) const;
  /// Combines each element of a block with `value` by bitwise exclusive or, atomically.
  /// Types: integers of 32 and 64 bits.
  /// Triton: `desc.atomic_xor([row, column], value)`.
  template <class V> __TILECC_FN void atomic_xor(const at &first, V value) const;
#endif
};

/// A tensor descriptor that reads zeros outside the tensor, the usual one. As a kernel parameter it is
/// `tt::tensor_descriptor<const float, 64, 32> x`, and host code passes `{pointer, {rows, columns}, {stride, 1}}`.
/// Triton: `TensorDescriptor`.
template <class T, int... Block> using tensor_descriptor = padded_tensor_descriptor<detail::padding_zero, T, Block...>;

} // namespace tt

#endif // TILECC_DETAIL_DESCRIPTOR_H
