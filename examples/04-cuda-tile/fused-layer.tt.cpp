// 04: NVIDIA's tile language. One kernel computes a layer of a neural network, gelu(x w + bias). Both tcc and nvcc
// (13.3 or later) compile this file:
//
//   tcc -O2 fused-layer.tt.cpp -o fused-layer && ./fused-layer
//   nvcc -O2 -std=c++20 -enable-tile -x cu fused-layer.tt.cpp -o fused-layer && ./fused-layer

#include <cuda_fp16.h>
#include <cuda_tile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// The host code uses the CUDA runtime or tcc's runtime, which needs no GPU. Their names differ only in the prefix.
#ifdef __TILECC__
#include <tilecc/runtime.h>
#define RUNTIME(name) tt##name
#else
#include <cuda_runtime.h>
#define RUNTIME(name) cuda##name
#endif

namespace ct = cuda::tiles;

// Views divide tensors into tiles. Elements outside the tensor are read as zeros and are not written.
template <int M, int N, int K>
__tile_global__ void layer(const __half *x, const __half *w, const __half *bias, __half *out, int rows, int columns,
                           int depth) {
  auto xs = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(x), ct::extents{rows, depth}), ct::shape<M, K>{});
  auto ws =
      ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(w), ct::extents{depth, columns}), ct::shape<K, N>{});
  auto biases = ct::partition_view(ct::tensor_span(bias, ct::extents{columns}), ct::shape<N>{});
  auto outs = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<M, N>{});
  auto [i, j, unused] = ct::bid();

  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto k : ct::irange(0, ct::ceildiv(depth, K)))
    sum = ct::mma(xs.load_masked(i, k), ws.load_masked(k, j), sum);
  auto v = sum + ct::element_cast<float>(biases.load_masked(j));
  auto gelu = 0.5f * v * (1.0f + ct::tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
  outs.store_masked(ct::element_cast<__half>(gelu), i, j);
}

static std::vector<float> random_numbers(size_t n, float size) {
  std::vector<float> v(n);
  for (float &x : v) // numbers that a half can represent
    x = size * float(std::rand() % 257 - 128) / 128;
  return v;
}
static __half *upload(const std::vector<float> &v) {
  std::vector<__half> narrow(v.size());
  for (size_t i = 0; i < v.size(); ++i)
    narrow[i] = __float2half(v[i]);
  void *p = nullptr;
  if (RUNTIME(Malloc)(&p, v.size() * sizeof(__half)) ||
      RUNTIME(Memcpy)(p, narrow.data(), v.size() * sizeof(__half), RUNTIME(MemcpyHostToDevice)))
    std::exit(std::printf("no memory on the device\n"));
  return static_cast<__half *>(p);
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 300, columns = 200, depth = 136;
  auto x = random_numbers(size_t(rows) * depth, 1), w = random_numbers(depth * columns, 0.25f),
       bias = random_numbers(columns, 1);
  __half *dx = upload(x), *dw = upload(w), *dbias = upload(bias),
         *dout = upload(std::vector<float>(size_t(rows) * columns));
  layer<64, 64, 32><<<dim3((rows + 63) / 64, (columns + 63) / 64), 1>>>(dx, dw, dbias, dout, rows, columns, depth);

  std::vector<__half> out(size_t(rows) * columns);
  if (RUNTIME(GetLastError)() ||
      RUNTIME(Memcpy)(out.data(), dout, out.size() * sizeof(__half), RUNTIME(MemcpyDeviceToHost)))
    return std::printf("the kernel failed\n");
  double error = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double v = bias[j];
      for (int k = 0; k < depth; ++k)
        v += double(x[size_t(i) * depth + k]) * w[k * columns + j];
      double want = 0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
      error = std::max(error, std::fabs(double(__half2float(out[size_t(i) * columns + j])) - want) /
                                  std::max(1.0, std::fabs(want)));
    }
  bool correct = error < 1e-3;
  std::printf("fused-layer: %s (largest error %.2g)\n", correct ? "correct" : "wrong", error);
  return !correct;
}
