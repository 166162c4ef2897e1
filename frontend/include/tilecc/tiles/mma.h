//===-- tilecc/tiles/mma.h - matrix products ----------------------------------------------------------------------===//
//
// Elements of type float are multiplied in full precision; only elements of type __nv_tf32 are rounded for tensor
// cores.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_MMA_H
#define TILECC_TILES_MMA_H
#pragma GCC system_header

#include "../tt/dot.h"
#include "shape.h"

namespace cuda::tiles::inline __1 {
namespace detail {

template <class T> inline constexpr bool is_byte = is_integer<T> && sizeof(T) == 1 && !__is_same(T, bool);
template <class A, class B> inline constexpr bool multiplies = (is_byte<A> && is_byte<B>) || __is_same(A, B);
// True if products of elements of type A can be accumulated in elements of type C.
template <class A, class C>
inline constexpr bool accumulates_in =
    is_byte<A>             ? __is_same(C, int)
    : __is_same(A, double) ? __is_same(C, double)
    : __is_same(A, __half) || __is_same(A, __nv_fp8_e4m3) || __is_same(A, __nv_fp8_e5m2)
        ? __is_same(C, __half) || __is_same(C, float)
        : (__is_same(A, __nv_tf32) || __is_same(A, __nv_bfloat16) || __is_same(A, float)) && __is_same(C, float);

// M x K by K x N is M x N. A batch of one is broadcast to the other operand's batches. The rank is 0 if the shapes do
// not fit.
template <class A, class B> struct product_shape {
  using type = shape<>;
};
template <size_t M, size_t K, size_t N> struct product_shape<shape<M, K>, shape<K, N>> {
  using type = shape<M, N>;
};
template <size_t P, size_t Q, size_t M, size_t K, size_t N>
  requires(P == Q || P == 1 || Q == 1)
struct product_shape<shape<P, M, K>, shape<Q, K, N>> {
  using type = shape<(P > Q ? P : Q), M, N>;
};
template <class A, class B> using product_of = typename product_shape<shape_of<A>, shape_of<B>>::type;

template <class A, class B> constexpr bool check_product() {
  constexpr bool shapes = product_of<A, B>::rank() != 0, elements = multiplies<element_of<A>, element_of<B>>;
  __TILECC_CHECK((shapes), (complain<A, B>("cannot multiply ", " by ",
                                           ": the columns of one are not the rows of the "
                                           "other")));
  __TILECC_CHECK((!shapes || elements),
                 (complain<A, B>("mma multiplies tiles of one element type, not ", " and ", "")));
  return shapes && elements;
}
template <class A, class B, class C> constexpr bool check_sum() {
  if constexpr (!check_product<A, B>()) {
    return false;
  } else {
    constexpr bool elements = accumulates_in<element_of<A>, element_of<C>>;
    // If both operands are batches of one, the accumulator may have more batches.
    constexpr bool shapes =
        same_shape<product_of<A, B>, shape_of<C>>() ||
        (shape_of<C>::rank() == 3 && product_of<A, B>::rank() == 3 && product_of<A, B>::static_extent(0) == 1 &&
         broadcasts_to<product_of<A, B>, shape_of<C>>() &&
         product_of<A, B>::static_extent(1) == shape_of<C>::static_extent(1) &&
         product_of<A, B>::static_extent(2) == shape_of<C>::static_extent(2));
    __TILECC_CHECK((elements), (complain<A, C>("products of ", " cannot be accumulated in ", "")));
    __TILECC_CHECK((!elements || shapes),
                   (complain<A, B>("the product of ", " and ", " does not have the shape of the accumulator")));
    return elements && shapes;
  }
}

template <size_t N, class V> __TILECC_FN auto batches_of(V x) {
  if constexpr (V::shape_type::rank == 2 || V::shape_type::dims[0] == int(N))
    return x;
  else
    return tt::detail::spread<tt::tensor<tt_element<V>, tt::detail::replace_dim<typename V::shape_type, 0, int(N)>>>(x);
}

// char is a type of its own; it is multiplied as signed char or unsigned char, depending on its signedness.
template <class V> __TILECC_FN auto as_factor(V x) {
  if constexpr (__is_same(tt_element<V>, char))
    return tt::cast<typename tt::detail::choose<is_unsigned<char>, unsigned char, signed char>::type>(x);
  else if constexpr (is_byte<tt_element<V>> && is_unsigned<tt_element<V>>)
    return tt::cast<unsigned char>(x); // char8_t
  else
    return x;
}

template <class C, class A, class B> __TILECC_FN C multiply(A a, B b, C c) {
  constexpr size_t batches = shape_of<C>::static_extent(0);
  constexpr tt::precision precision = __is_same(element_of<A>, float) ? tt::precision::ieee : tt::precision::tf32;
  return raise_to<C>(
      tt::dot<precision>(batches_of<batches>(as_factor(lower(a))), batches_of<batches>(as_factor(lower(b))), lower(c)));
}

template <class T> struct product_element {
  using type = float;
};
template <> struct product_element<__half> {
  using type = __half;
};
template <> struct product_element<__nv_fp8_e4m3> {
  using type = __half;
};
template <> struct product_element<__nv_fp8_e5m2> {
  using type = __half;
};
template <> struct product_element<double> {
  using type = double;
};
template <class T>
  requires is_byte<T>
struct product_element<T> {
  using type = int;
};

} // namespace detail

/// The product of two matrices, or of batches of matrices, plus c.
template <tile_like A, tile_like B, tile_like C> __TILECC_FN C mma(A a, B b, C c) {
  if constexpr (detail::check_sum<A, B, C>())
    return detail::multiply(a, b, c);
  else
    return c;
}

/// The matrix product without an accumulator. NVIDIA defines its element type: half for half and 8-bit floats, double
/// for double, int for 8-bit integers, and float otherwise.
template <tile_like A, tile_like B> __TILECC_FN auto matmul(A a, B b) {
  using R = tile<typename detail::product_element<tile_element_t<A>>::type, detail::product_of<A, B>>;
  if constexpr (detail::check_product<A, B>())
    return detail::multiply(a, b, zeros<R>());
  else
    return R();
}

//===-- products of scaled elements -------------------------------------------------------------------------------===//

namespace detail {

template <class A, class AScale> constexpr size_t scaled_run() {
  constexpr size_t k = shape_of<A>::rank() - 1;
  return shape_of<A>::static_extent(k) / shape_of<AScale>::static_extent(k);
}
template <class T, class S> constexpr bool can_scale(size_t run) {
  constexpr bool eight = __is_same(T, __nv_fp8_e4m3) || __is_same(T, __nv_fp8_e5m2), four = __is_same(T, __nv_fp4_e2m1);
  if (__is_same(S, __nv_fp8_e8m0))
    return (eight && run == 32) || (four && (run == 16 || run == 32));
  return four &&
         ((__is_same(S, __nv_fp8_e4m3) && run == 16) || (__is_same(S, __nv_fp8_ue5m3) && (run == 16 || run == 32)));
}
// Returns true if tt::dot_scaled can take these operands. The matrix units of sm_100 then multiply them as they are.
template <class T, class S, size_t Rank> constexpr bool is_microscaled(size_t run) {
  return (__is_same(T, __nv_fp8_e4m3) || __is_same(T, __nv_fp8_e5m2)) && __is_same(S, __nv_fp8_e8m0) && run == 32 &&
         Rank == 2;
}
// Multiplies each element by the scale of its run along dimension D. This is exact, because bfloat16 has enough digits
// and range.
template <int D, class X, class S> __TILECC_FN auto scaled(X x, S scale) {
  auto wide = lower_as<float>(x);
  auto factors = tt::expand_dims<D + 1>(lower_as<float>(scale));
  using F = typename decltype(factors)::shape_type;
  constexpr int run = decltype(wide)::shape_type::dims[D] / F::dims[D];
  auto runs = tt::builtin::broadcast<tt::tensor<float, tt::detail::replace_dim<F, D + 1, run>>>(factors);
  return tt::cast<__bf16>(wide * reshaped<typename decltype(wide)::shape_type>(runs));
}

} // namespace detail

/// The product of a and b plus c, where each run of 16 or 32 elements along the rows of a, and along the columns of b,
/// is multiplied by a scale of its own. On sm_100 and its family, matrices of 8-bit floats with scales of type
/// __nv_fp8_e8m0 are multiplied as they are. All others are multiplied as bfloat16, which represents the scaled
/// elements exactly.
template <tile_like A, tile_like AScale, tile_like B, tile_like BScale, tile_like C>
__TILECC_FN C scaled_mma(A a, AScale a_scale, B b, BScale b_scale, C c) {
  constexpr size_t rank = tile_rank_v<C>;
  constexpr bool ranks = (rank == 2 || rank == 3) && tile_rank_v<A> == rank && tile_rank_v<B> == rank &&
                         tile_rank_v<AScale> == rank && tile_rank_v<BScale> == rank;
  __TILECC_CHECK((ranks), (detail::complain<A, B>(
                              "scaled_mma takes matrices or batches of them with their scales, not ", " and ", "")));
  if constexpr (ranks) {
    constexpr int k = int(rank) - 1;
    constexpr bool elements =
        __is_same(tile_element_t<A>, tile_element_t<B>) && __is_same(tile_element_t<AScale>, tile_element_t<BScale>) &&
        __is_same(tile_element_t<C>, float) &&
        detail::can_scale<tile_element_t<A>, tile_element_t<AScale>>(detail::scaled_run<A, AScale>());
    __TILECC_CHECK((elements), (detail::complain<A, AScale>("cannot scale the elements of ", " by ", "")));
    constexpr bool shapes = tile_shape_t<A>::static_extent(k - 1) == tile_shape_t<AScale>::static_extent(k - 1) &&
                            tile_shape_t<B>::static_extent(k) == tile_shape_t<BScale>::static_extent(k) &&
                            tile_shape_t<AScale>::static_extent(k) == tile_shape_t<BScale>::static_extent(k - 1) &&
                            detail::product_of<A, B>::rank() != 0;
    __TILECC_CHECK((!elements || shapes),
                   (detail::complain<AScale, BScale>("the scales ", " and ", " do not fit the operands")));
    if constexpr (elements && shapes &&
                  detail::is_microscaled<tile_element_t<A>, tile_element_t<AScale>, rank>(
                      detail::scaled_run<A, AScale>())) {
      constexpr int format =
          __is_same(tile_element_t<A>, __nv_fp8_e4m3) ? tt::detail::format_e4m3 : tt::detail::format_e5m2;
      return detail::raise_to<C>(tt::builtin::dot_scaled<format, format, true, true>(
          detail::lower(a), detail::lower(b), detail::lower(c), detail::lower(a_scale),
          tt::trans(detail::lower(b_scale))));
    } else if constexpr (elements && shapes) {
      constexpr size_t batches = tile_shape_t<C>::static_extent(0);
      auto left = detail::scaled<k>(a, a_scale);
      auto right = detail::scaled<k - 1>(b, b_scale);
      return detail::raise_to<C>(
          tt::dot(detail::batches_of<batches>(left), detail::batches_of<batches>(right), detail::lower(c)));
    }
  }
  return c;
}

} // namespace cuda::tiles::inline __1

#endif // TILECC_TILES_MMA_H
