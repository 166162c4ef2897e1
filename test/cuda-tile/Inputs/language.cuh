// The language's rules for types, shapes and functions, one kernel for each.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Every function of one operand, for 256 numbers each.
template <class T> __tile_global__ void functions(const T *x, T *out) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  auto v = ct::load(x + i);
  auto positive = ct::abs(v);
  int slot = 0;
  auto put = [&](auto y) { ct::store(out + (i + 256 * slot++), y); };
  put(ct::exp(v));
  put(ct::exp2(v));
  put(ct::log(positive));
  put(ct::log2(positive));
  put(ct::sqrt(positive));
  put(ct::rsqrt(positive));
  put(ct::sin(v));
  put(ct::cos(v));
  put(ct::tan(v));
  put(ct::sinh(v));
  put(ct::cosh(v));
  put(ct::tanh(v));
  put(ct::floor(v));
  put(ct::ceil(v));
  put(ct::pow(positive, v));
  put(ct::powi(v, i - 128 > 0));
  auto reversed = ct::load(x + (255 - i));
  put(ct::atan2(v, reversed));
  put(v / reversed);
  put(ct::fma(v, reversed, v));
  put(ct::max(v, reversed));
  put(ct::min(v, reversed));
  put(-v + reversed * v - v);
}

template <class T> __tile_global__ void integers(const T *x, const T *y, T *out) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto a = ct::load(x + i), b = ct::load(y + i);
  int slot = 0;
  auto put = [&](auto v) { ct::store(out + (i + 128 * slot++), v); };
  put(a + b);
  put(a - b);
  put(a * b);
  put(a / b);
  put(a % b);
  put(a & b);
  put(a | b);
  put(a ^ b);
  put(~a);
  put(a << (b & T(7)));
  put(a >> (b & T(7)));
  put(ct::ceildiv(a, b));
  put(ct::floordiv(a, b));
  put(ct::mulhi(a, b));
  put(ct::max(a, b));
  put(ct::min(a, b));
  put(ct::select(a < b, a, b));
}

// Conversions of floats to all element types and back, with the results as floats.
__tile_global__ void conversions(const float *x, float *out) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  auto v = ct::load(x + i);
  int slot = 0;
  auto put = [&](auto y) { ct::store(out + (i + 256 * slot++), ct::element_cast<float>(y)); };
  put(ct::element_cast<__half>(v));
  put(ct::element_cast<__nv_bfloat16>(v));
  put(ct::element_cast<__nv_tf32>(v));
  put(ct::element_cast<__nv_fp8_e4m3>(v));
  put(ct::element_cast<__nv_fp8_e5m2>(v));
  put(ct::element_cast<__half>(v, ct::round_toward_zero_t{}));
  put(ct::element_cast<__nv_bfloat16>(v, ct::round_toward_zero_t{}));
  put(ct::element_cast<__nv_tf32>(v, ct::round_toward_zero_t{}));
  put(ct::element_cast<float>(ct::element_cast<double>(v) * 1.0000001, ct::round_toward_positive_t{}));
  put(ct::element_cast<int>(v, ct::saturate_finite_t{}));
  put(ct::element_cast<signed char>(v, ct::saturate_finite_t{}));
  put(ct::element_cast<unsigned short>(v, ct::saturate_finite_t{}));
  put(ct::element_cast<bool>(v));
  put(ct::element_cast<__nv_fp4_e2m1>(v));
}

// Parts of tiles, tiles of parts, constants, and other shapes.
__tile_global__ void shapes(const int *x, int *out, int row, int column) {
  auto shape = ct::shape<16, 32>{};
  auto v = ct::partition_view(ct::tensor_span(x, shape), shape).load(0, 0);
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{6_ic * 16_ic, 32_ic}), shape);
  auto part = ct::extract(v, ct::shape<4, 8>{}, row, column);
  to.store(ct::insert(v, part * 100, 3 - row, 3 - column), 0, 0);
  to.store(ct::cat<1>(ct::extract(v, ct::shape<16, 16>{}, 0, 1), ct::extract(v, ct::shape<16, 16>{}, 0, 0)), 1, 0);
  ct::tile<int, ct::shape<2, 4>> constants({{1, 2, 3, 4}, {50, 60, 70, 80}});
  ct::tile factors({10, 20, 30, 40});
  auto small = ct::reshape(constants * factors, ct::shape<8>{});
  to.store(ct::broadcast(
               ct::reshape(ct::cat(ct::cat(small, small, 0_ic), ct::cat(small, small, 0_ic), 0_ic), ct::shape<1, 32>{}),
               shape),
           2, 0);
  to.store(ct::reshape(ct::transpose(v), shape), 3, 0);
  auto bytes = ct::repack<unsigned char, 1>(v);
  to.store(ct::repack<int>(ct::element_cast<unsigned char>(bytes ^ static_cast<unsigned char>(1)), 1_ic), 4, 0);
  auto odd = v % 2 == 1;
  auto flags = ct::all_of<1>(odd) || ct::any_of<0>(v > 1000);
  to.store(ct::element_cast<int>(ct::broadcast(flags, shape)) + int(ct::isnan(0.0f)), 5, 0);
}

// Scaled products of 4-bit and 8-bit floats.
__tile_global__ void scaled(const __nv_fp8_e4m3 *a, const __nv_fp8_e4m3 *b, const unsigned char *a_scale,
                            const unsigned char *b_scale, float *out, const unsigned char *a4, const unsigned char *b4,
                            float *out4) {
  auto av = ct::partition_view(ct::tensor_span(a, ct::shape<32, 64>{}), ct::shape<32, 64>{}).load(0, 0);
  auto bv = ct::partition_view(ct::tensor_span(b, ct::shape<64, 32>{}), ct::shape<64, 32>{}).load(0, 0);
  auto as = ct::element_bitcast<__nv_fp8_e8m0>(
      ct::partition_view(ct::tensor_span(a_scale, ct::shape<32, 2>{}), ct::shape<32, 2>{}).load(0, 0));
  auto bs = ct::element_bitcast<__nv_fp8_e8m0>(
      ct::partition_view(ct::tensor_span(b_scale, ct::shape<2, 32>{}), ct::shape<2, 32>{}).load(0, 0));
  auto square = ct::shape<32, 32>{};
  auto zero = ct::zeros<ct::tile<float, ct::shape<32, 32>>>();
  ct::partition_view(ct::tensor_span(out, square), square).store(ct::scaled_mma(av, as, bv, bs, zero), 0, 0);
  auto a_bytes = ct::partition_view(ct::tensor_span(a4, ct::shape<32, 32>{}), ct::shape<32, 32>{}).load(0, 0);
  auto b_bytes = ct::partition_view(ct::tensor_span(b4, ct::shape<32, 32>{}), ct::shape<32, 32>{}).load(0, 0);
  auto af = ct::repack<__nv_fp4_e2m1, 1>(a_bytes);
  auto bf = ct::repack<__nv_fp4_e2m1, 0>(b_bytes);
  ct::partition_view(ct::tensor_span(out4, square), square).store(ct::scaled_mma(af, as, bf, bs, zero), 0, 0);
}

// Comparisons are made in the common type, narrow integers stay narrow, integers become floats beside floats.
__tile_global__ void mixed(const int *x, long limit, bool *less, short *narrow, float *real) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto v = ct::load(x + i);
  ct::store(less + i, v < limit);
  auto s = ct::element_cast<short>(v);
  ct::store(narrow + i, s * s);
  ct::store(real + i, ct::element_cast<float>(v) * 2 - v);
}
template __tile_global__ void functions<float>(const float *, float *);
template __tile_global__ void functions<double>(const double *, double *);
template __tile_global__ void functions<__half>(const __half *, __half *);
template __tile_global__ void integers<int>(const int *, const int *, int *);
template __tile_global__ void integers<unsigned char>(const unsigned char *, const unsigned char *, unsigned char *);
template __tile_global__ void integers<long>(const long *, const long *, long *);
template __tile_global__ void integers<short>(const short *, const short *, short *);
