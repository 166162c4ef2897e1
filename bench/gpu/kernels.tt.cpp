// The kernels that bench/gpu/run.py measures beside Triton's, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC kernels.tt.cpp -o libkernels.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void vector_add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}

template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void softmax_rows(const float *x, float *out, int stride, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto v = tt::load(x + row * stride + i, mask, -__builtin_inff());
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + row * stride + i, e / tt::sum(e), mask);
}

extern "C" int bench_vector_add(const float *x, const float *y, float *out, int n, ttStream_t stream) {
  vector_add<1024><<<tt::cdiv(n, 1024), stream>>>(x, y, out, n);
  return ttGetLastError();
}

template <int BLOCK> static int softmax(const float *x, float *out, int rows, int columns, int warps, ttStream_t stream) {
  switch (warps) {
  case 4: softmax_rows<BLOCK, 4><<<rows, stream>>>(x, out, columns, columns); break;
  case 8: softmax_rows<BLOCK, 8><<<rows, stream>>>(x, out, columns, columns); break;
  case 16: softmax_rows<BLOCK, 16><<<rows, stream>>>(x, out, columns, columns); break;
  default: return ttErrorInvalidValue;
  }
  return ttGetLastError();
}

extern "C" int bench_softmax(const float *x, float *out, int rows, int columns, int warps, ttStream_t stream) {
  switch (columns) {
  case 1024: return softmax<1024>(x, out, rows, columns, warps, stream);
  case 4096: return softmax<4096>(x, out, rows, columns, warps, stream);
  case 8192: return softmax<8192>(x, out, rows, columns, warps, stream);
  }
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
