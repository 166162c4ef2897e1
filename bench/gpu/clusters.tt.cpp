// Softmax of long rows by single blocks and by clusters of blocks. bench/gpu/clusters.py compares it with torch's and
// Triton's, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC clusters.tt.cpp -o libclusters.so
#include <cmath>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

/// Each program computes a row; each of its C blocks holds a part in registers.
template <int C, int W, int N>
[[tt::num_ctas(C), tt::num_warps(W)]] __tile_global__ void softmax(const float *__restrict__ x, float *__restrict__ y,
                                                                   int n) {
  auto i = tt::arange<N>();
  int64_t row = tt::program_id(0);
  auto v = tt::load(x + row * n + i, i < n, -INFINITY);
  auto e = tt::exp(v - tt::max(v));
  tt::store(y + row * n + i, e / tt::sum(e), i < n);
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }

/// Rows of n elements, in tiles of `size`, with `blocks` of `warps` warps each. Returns an error, or -1 if there is no
/// such configuration.
extern "C" int bench_softmax(int blocks, int warps, int size, const float *x, float *y, int rows, int n,
                             ttStream_t stream) {
  ttError_t error = ttErrorUnknown;
  bool found = false;
  auto form = [&]<int C, int W, int N>() {
    if (blocks != C || warps != W || size != N)
      return;
    found = true;
    softmax<C, W, N><<<rows, stream>>>(x, y, n);
    error = ttGetLastError();
  };
  form.template operator()<1, 16, 32768>(), form.template operator()<1, 32, 32768>();
  form.template operator()<2, 16, 32768>(), form.template operator()<4, 8, 32768>();
  form.template operator()<2, 32, 65536>(), form.template operator()<4, 16, 65536>();
  form.template operator()<8, 8, 65536>(), form.template operator()<4, 32, 131072>();
  form.template operator()<8, 16, 131072>(), form.template operator()<16, 8, 131072>();
  return found ? error : -1;
}
