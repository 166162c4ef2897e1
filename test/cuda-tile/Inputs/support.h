// Shared by the programs of test/cuda-tile, in addition to test/e2e's support.
#ifndef TEST_CUDA_TILE_SUPPORT_H
#define TEST_CUDA_TILE_SUPPORT_H

#include "../../e2e/support/check.h"

// A buffer's memory with NVIDIA's type for its elements.
template <class T, class B> T *as(B &buffer) { return reinterpret_cast<T *>(buffer.data()); }

template <class T> struct host_type { using type = T; };
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
template <> struct host_type<__half> { using type = tt::float16; };
template <> struct host_type<__nv_bfloat16> { using type = tt::bfloat16; };
template <> struct host_type<__nv_fp8_e4m3> { using type = tt::float8_e4m3fn; };
template <> struct host_type<__nv_fp8_e5m2> { using type = tt::float8_e5m2; };
template <class T> using host = typename host_type<T>::type;

// Memory for elements of T, of random numbers of one size or of zeros.
template <class T> struct numbers : e2e::buffer<host<T>> {
  numbers(size_t n, double size)
      : e2e::buffer<host<T>>(n,
                             [=](int) { return static_cast<host<T>>(static_cast<float>(e2e::uniform(-size, size))); }) {
  }
  explicit numbers(size_t n) : e2e::buffer<host<T>>(n) {}
  T *get() { return as<T>(*this); }
  double at(size_t i) const { return double(float((*this)[i])); }
};

#endif // TEST_CUDA_TILE_SUPPORT_H
