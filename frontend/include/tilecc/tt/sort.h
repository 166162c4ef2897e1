//===-- tilecc/tt/sort.h - sorting and counting ------------------------------------------------------------------===//
//
// Sorting is bitonic, as in Triton. Stage s makes sorted runs of 2^s elements, alternately ascending and descending: it
// compares each element with the one whose position differs in bit s-1, then s-2, ... 0. Triton uses reshapes and
// xor-reductions for a step; here it is one exchange. Numbers are compared as integers, so that no element is ever
// lost: -0 comes before 0, and NaNs are larger than all numbers.
//
// If positions are requested, each key is sorted together with its position: both form one 64-bit integer, with the key
// in the upper bits. This makes the sort stable.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_SORT_H
#define TILECC_TT_SORT_H
#pragma GCC system_header

#include "memory.h"
#include "shape.h"
#include "slice.h"
#include "reduce.h"

namespace tt {
namespace detail {

template <int Bytes> struct signed_of {
  using type = long;
};
template <> struct signed_of<1> {
  using type = signed char;
};
template <> struct signed_of<2> {
  using type = short;
};
template <> struct signed_of<4> {
  using type = int;
};

// Inverts the bits of negative floating-point numbers, except the sign bit. The results, compared as signed integers,
// have the same order as the numbers.
template <class X> __TILECC_FN X order_bits(X bits) {
  using K = element<X>;
  constexpr K magnitude = K(~(1ull << (8 * sizeof(K) - 1)));
  return bits ^ ((bits >> int(8 * sizeof(K) - 1)) & magnitude);
}
// Maps the elements of x to integers in the same order, and back.
template <class T, class S> __TILECC_FN auto to_key(tensor<T, S> x) {
  if constexpr (__is_same(T, bool)) {
    return x.template to<unsigned char>();
  } else if constexpr (kind_of<T> == float_kind) {
    using K = typename signed_of<sizeof(T)>::type;
    constexpr K largest = K(~(1ull << (8 * sizeof(K) - 1)));
    return where(x != x, largest, order_bits(builtin::bitcast<tensor<K, S>>(x)));
  } else {
    return x;
  }
}
template <class R, class X> __TILECC_FN R from_key(X x) {
  using T = typename R::element_type;
  if constexpr (kind_of<T> == float_kind)
    return builtin::bitcast<R>(order_bits(x));
  else
    return x.template to<T>();
}

template <class I> __TILECC_FN auto has_bit(I positions, int bit) { return (positions & (1 << bit)) != 0; }

// Compares each element with the one at a distance of 2^bit. In ascending runs of 2^stage elements, the larger one
// moves to the higher position; in the others, to the lower one. Runs that begin at even multiples of 2^stage ascend,
// or descend if the order is reversed.
template <int Axis, bool Descending, class X, class I>
__TILECC_FN X compare_and_exchange(X x, I positions, int bit, int stage) {
  X other = exchange<Axis>(x, positions, 1 << bit);
  auto is_upper = has_bit(positions, bit);
  if (1 << stage < I::shape_type::size)
    is_upper = is_upper ^ has_bit(positions, stage);
  auto upper = along<Axis, tensor<bool, typename X::shape_type>>(is_upper);
  if constexpr (sizeof(element<X>) == 8) { // one comparison; a maximum and a minimum would take two
    auto keeps = (x < other) ^ upper;
    return Descending ? builtin::select(keeps, other, x) : builtin::select(keeps, x, other);
  } else {
    auto larger = builtin::maxnum(x, other), smaller = builtin::minnum(x, other);
    return Descending ? builtin::select(upper, smaller, larger) : builtin::select(upper, larger, smaller);
  }
}
// Sorts bitonic runs of 2^stage elements, which first ascend and then descend, or the reverse.
template <int Axis, bool Descending, class X, class I, int... K>
__TILECC_FN X merge(X x, I positions, int stage, sequence<int, K...>) {
  ((x = compare_and_exchange<Axis, Descending>(x, positions, stage - 1 - K, stage)), ...);
  return x;
}
template <int Axis, bool Descending, class X, class I, int... Stage>
__TILECC_FN X sort_runs(X x, I positions, sequence<int, Stage...>) {
  ((x = merge<Axis, Descending>(x, positions, Stage + 1, up_to<Stage + 1>())), ...);
  return x;
}
constexpr int bits_below(int n) { return n < 2 ? 0 : 1 + bits_below(n / 2); } // the logarithm of a power of two

// Merges adjacent sorted runs of K elements, one ascending and one descending, and keeps the K largest elements,
// until one run is left.
template <int Axis, int K, class T, class S> __TILECC_FN auto keep_largest(tensor<T, S> x) {
  constexpr int size = S::dims[Axis], bits = bits_below(K);
  if constexpr (size == K) {
    return x;
  } else {
    using Pairs = replace_dim<S, Axis, size / (2 * K), 2, K>;
    auto halves = reduce_tiles<Axis + 1>(max_fn(), builtin::reshape<false, tensor<T, Pairs>>(x));
    auto half = builtin::reshape<false, tensor<T, replace_dim<S, Axis, size / 2>>>(halves);
    return keep_largest<Axis, K>(merge<Axis, true>(half, arange<size / 2>(), bits, up_to<bits>()));
  }
}

template <class T, class S, int Axis> constexpr int find_sort_axis() {
  __TILECC_CHECK((kind_of<T> != pointer_kind), complain<tensor<T, S>>("cannot sort ", ""));
  can_compute<tensor<T, S>>();
  __TILECC_CHECK((find_axis<S>(Axis) >= 0), complain<tensor<T, S>>("the axis to sort is out of range for ", ""));
  return kind_of<T> > float_kind ? -1 : find_axis<S>(Axis);
}

// Combines keys of at most 32 bits with their positions, so that equal keys keep the requested order.
template <int Axis, bool Descending, class K, class S> __TILECC_FN auto pack_keys(tensor<K, S> keys) {
  using P = typename choose<is_unsigned<K>, unsigned long, long>::type;
  using R = tensor<P, S>;
  constexpr int last = S::dims[Axis] - 1;
  tensor<int, S> at = position<S, Axis>();
  if constexpr (Descending)
    at = builtin::sub(builtin::splat<tensor<int, S>>(last), at);
  return builtin::bit_or(builtin::shl(builtin::cast<R>(keys), builtin::splat<R>(P(32))), builtin::cast<R>(at));
}
template <int Axis, bool Descending, int Last, class P, class S>
__TILECC_FN tensor<int, S> unpack_positions(tensor<P, S> packed) {
  auto at = builtin::cast<tensor<int, S>>(packed);
  if constexpr (Descending)
    return builtin::sub(builtin::splat<tensor<int, S>>(Last), at);
  else
    return at;
}
template <class R, class P, class S> __TILECC_FN R unpack_keys(tensor<P, S> packed) {
  using K = element<decltype(to_key(R()))>;
  using W = tensor<P, S>;
  return from_key<R>(builtin::cast<tensor<K, S>>(builtin::shr(packed, builtin::splat<W>(P(32)))));
}
template <int Axis, bool Descending, class X> __TILECC_FN X sort_all(X x) {
  constexpr int size = X::shape_type::dims[Axis];
  return sort_runs<Axis, Descending>(x, arange<size>(), up_to<bits_below(size)>());
}
// Sorts 64-bit keys by their lower halves, and then by their upper halves with a stable sort.
template <int Axis, bool Descending, class K, class S> __TILECC_FN tensor<int, S> sort_positions(tensor<K, S> keys) {
  using I = tensor<int, S>;
  constexpr int last = S::dims[Axis] - 1;
  if constexpr (sizeof(K) <= 4) {
    return unpack_positions<Axis, Descending, last>(sort_all<Axis, Descending>(pack_keys<Axis, Descending>(keys)));
  } else {
    using Half = typename choose<is_unsigned<K>, unsigned, int>::type;
    auto low = sort_positions<Axis, Descending>(builtin::cast<tensor<unsigned, S>>(keys));
    auto upper = builtin::cast<tensor<Half, S>>(builtin::shr(keys, builtin::splat<tensor<K, S>>(K(32))));
    auto high = sort_positions<Axis, Descending>(builtin::gather<Axis, tensor<Half, S>>(upper, low));
    return builtin::gather<Axis, I>(low, high);
  }
}

template <class T, class S> __TILECC_FN auto to_row(tensor<T, S> x) {
  if constexpr (S::rank == 1)
    return x;
  else
    return builtin::reshape<false, tensor<T, shape<int(S::size)>>>(x);
}
// Converts values to 32-bit integers. Values that are not counted become some number that is negative or at least N.
template <int N, class T, class S> __TILECC_FN auto to_bins(tensor<T, S> x) {
  constexpr bool fits = kind_of<T> == int_kind || kind_of<T> == bool_kind;
  __TILECC_CHECK((fits), complain<tensor<T, S>>("histogram counts integers, not ", ""));
  if constexpr (!fits)
    return tensor<int, shape<int(S::size)>>{};
  else if constexpr (sizeof(T) == 8)
    return to_row(builtin::minnum(x.template to<unsigned long>(), full<unsigned long>(S(), N)).template to<int>());
  else
    return to_row(x.template to<int>());
}

} // namespace detail

/// The elements along `Axis`, by default the last, in ascending order, or in descending order with `sort<Axis,
/// true>(x)`.
/// Types: numbers, except 8-bit floats.
/// NaN: NaNs are larger than all numbers, and -0 comes before 0; no element is lost.
/// Errors: pointers; 8-bit floats; the axis is out of range.
/// Triton: `tl.sort`.
/// Example:
///   auto sorted = tt::sort(tt::arange<4>() * 3 % 4);           // [0, 1, 2, 3]
///   auto falling = tt::sort<-1, true>(tt::arange<4>() * 3 % 4); // [3, 2, 1, 0]
template <int Axis = -1, bool Descending = false, class T, class S> __TILECC_VALUE tensor<T, S> sort(tensor<T, S> x) {
  constexpr int axis = detail::find_sort_axis<T, S, Axis>();
  constexpr int size = axis < 0 ? 1 : S::dims[axis];
  if constexpr (size > 1)
    return detail::from_key<tensor<T, S>>(detail::sort_runs<axis, Descending>(
        detail::to_key(x), arange<size>(), detail::up_to<detail::bits_below(size)>()));
  else
    return x;
}

/// The positions of the sorted elements: `gather<Axis>(x, argsort<Axis>(x))` is `sort<Axis>(x)`. Equal elements keep
/// their order, also in descending order.
/// Types: as for `sort`; the result is `int`.
/// Triton: no equivalent.
/// Example:
///   auto order = tt::argsort(tt::arange<4>() * 3 % 4); // [0, 3, 2, 1]
template <int Axis = -1, bool Descending = false, class T, class S>
__TILECC_VALUE tensor<int, S> argsort(tensor<T, S> x) {
  constexpr int axis = detail::find_sort_axis<T, S, Axis>();
  if constexpr (axis >= 0)
    return detail::sort_positions<axis, Descending>(detail::to_key(x));
  else
    return tensor<int, S>{};
}

/// Sorts keys along `Axis`, by default the last, and puts values in the order of their keys. The result is a pair.
/// Equal keys keep their order.
/// Shapes: keys and values have the same shape.
/// Types: keys as for `sort`; values of any element type.
/// Triton: no equivalent.
/// Example:
///   auto x = tt::arange<4>() * 3 % 4;
///   auto [k, v] = tt::sort_by_key(x, -x); // [0, 1, 2, 3] and [0, -1, -2, -3]
template <int Axis = -1, bool Descending = false, class T, class V, class S>
__TILECC_VALUE auto sort_by_key(tensor<T, S> keys, tensor<V, S> values) {
  (void)detail::find_sort_axis<T, S, Axis>(); // checked here, so that the error is reported at the line of the kernel
  auto order = argsort<Axis, Descending>(keys);
  return pair<tensor<T, S>, tensor<V, S>>{gather<Axis>(keys, order), gather<Axis>(values, order)};
}

/// The `K` largest elements along `Axis`, by default the last, in descending order. With `tt::return_indices`, a pair
/// of them and their positions; of equal elements the first come first.
/// Types: as for `sort`.
/// Errors: `K` is not a power of two, or exceeds the axis.
/// Options: `tt::return_indices`.
/// Triton: `tl.topk`.
/// Example:
///   auto two = tt::topk<2>(tt::arange<4>() * 3 % 4); // [3, 2]
///   auto [top, at] = tt::topk<2>(tt::arange<4>() * 3 % 4, tt::return_indices); // [3, 2] and [1, 2]
template <int K, int Axis = -1, class T, class S> __TILECC_VALUE auto topk(tensor<T, S> x) {
  constexpr int axis = detail::find_sort_axis<T, S, Axis>();
  constexpr int size = axis < 0 ? 1 : S::dims[axis];
  constexpr bool fits = K > 0 && (K & (K - 1)) == 0 && K <= size;
  __TILECC_CHECK((axis < 0 || fits), (detail::complain<tensor<T, S>>("topk of ", " along axis ")
                                      << axis << " takes a power of two, at most " << size << ", not " << K));
  if constexpr (axis >= 0 && fits) {
    using R = tensor<T, detail::replace_dim<S, axis, K>>;
    auto runs =
        detail::sort_runs<axis, true>(detail::to_key(x), arange<size>(), detail::up_to<detail::bits_below(K)>());
    return detail::from_key<R>(detail::keep_largest<axis, K>(runs));
  } else {
    return x;
  }
}

template <int K, int Axis = -1, class T, class S> __TILECC_VALUE auto topk(tensor<T, S> x, return_indices_t) {
  using Values = decltype(topk<K, Axis>(x)); // checks K and Axis
  constexpr int axis = detail::find_axis<S>(Axis);
  if constexpr (axis < 0 || K > S::dims[axis < 0 ? 0 : axis] || detail::kind_of<T> > detail::float_kind) {
    return pair<Values, Values>{};
  } else if constexpr (sizeof(T) <= 4) {
    constexpr int last = S::dims[axis] - 1;
    auto packed = detail::pack_keys<axis, true>(detail::to_key(x));
    auto runs = detail::sort_runs<axis, true>(packed, arange<last + 1>(), detail::up_to<detail::bits_below(K)>());
    auto kept = detail::keep_largest<axis, K>(runs);
    return pair<Values, decltype(detail::unpack_positions<axis, true, last>(kept))>{
        detail::unpack_keys<Values>(kept), detail::unpack_positions<axis, true, last>(kept)};
  } else {
    auto order = extract<axis, K>(argsort<axis, true>(x), 0);
    return pair<Values, decltype(order)>{gather<axis>(x, order), order};
  }
}

/// The number of elements of `x` that are 0, 1, ... `N` - 1. Other elements are not counted, nor are elements where the
/// mask is false.
/// Shapes: `x` has any shape; the result is a `tile<int, N>`.
/// Types: integers and `bool`.
/// Errors: floating-point elements.
/// Triton: `tl.histogram`, which takes one dimension.
/// Example:
///   auto counts = tt::histogram<2>(tt::arange<8>() / 4); // [4, 4]
template <int N, class T, class S> __TILECC_VALUE tensor<int, shape<N>> histogram(tensor<T, S> x) {
  return builtin::histogram<tensor<int, shape<N>>>(detail::to_bins<N>(x));
}
template <int N, class T, class S, detail::operand M>
__TILECC_VALUE tensor<int, shape<N>> histogram(tensor<T, S> x, M mask) {
  auto counted = detail::fit_mask<tensor<T *, S>>(mask);
  return builtin::histogram<tensor<int, shape<N>>>(detail::to_bins<N>(x), detail::to_row(counted));
}

} // namespace tt

#endif // TILECC_TT_SORT_H
