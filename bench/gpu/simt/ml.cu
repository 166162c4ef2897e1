// Kernels of neural networks.
#include <cuda_fp16.h>
#include "harness.h"

// ---- AdamW: fp32 master weights and moments, half gradients and parameters, 4 per thread and a rest.
struct AdamW {
  float lr, beta1, beta2, eps, decay, correction1, correction2, scale;
};

__global__ void adamw_step(float *master, float *m, float *v, __half *params, const __half *grads, size_t n, AdamW c) {
  size_t base = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (size_t k = base; k < base + 4 && k < n; k++) {
    float g = __half2float(grads[k]) * c.scale;
    float w = master[k];
    float m1 = c.beta1 * m[k] + (1 - c.beta1) * g;
    float v1 = c.beta2 * v[k] + (1 - c.beta2) * g * g;
    w -= c.lr * c.decay * w;
    w -= c.lr * (m1 / c.correction1) / (sqrtf(v1 / c.correction2) + c.eps);
    m[k] = m1;
    v[k] = v1;
    master[k] = w;
    params[k] = __float2half(w);
  }
}

BENCH(adamw_step) {
  size_t n = (1 << 23) + 3;
  Random r(71);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> start(n, f), master(n), m(n), v(n);
  Array<__half> params(n), grads(n, [&](size_t) { return __float2half((float)r.uniform(-1, 1)); });
  AdamW c{1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, 0.1f, 0.001f, 0.5f};
  time_kernel([&] { adamw_step<<<(n / 4 + 256) / 256, 256>>>(master, m, v, params, grads, n, c); },
              [&] {
                CU(cudaMemcpy(master, start, n * 4, cudaMemcpyDeviceToDevice));
                m.zero();
                v.zero();
              });
  params.down();
  Array<float> p(n, [&](size_t i) { return __half2float(params.h[i]); });
  check(p);
  check(m);
}

// ---- Layer norm over half rows, two at a time, a block per row.
__device__ float block_sum(float x, float *part) {
  for (int off = 16; off; off >>= 1)
    x += __shfl_xor_sync(~0u, x, off);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
  if (threadIdx.x < 32) {
    for (int off = 16; off; off >>= 1)
      x += __shfl_xor_sync(~0u, x, off);
    if (threadIdx.x == 0)
      part[0] = x;
  }
  __syncthreads();
  x = part[0];
  __syncthreads();
  return x;
}

__global__ void layernorm(const __half2 *in, __half2 *out, const float2 *gamma, const float2 *beta, int pairs,
                          float eps) {
  __shared__ float part[32];
  const __half2 *row = in + (size_t)blockIdx.x * pairs;
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    float2 v = __half22float2(row[i]);
    sum += v.x + v.y;
  }
  float mean = block_sum(sum, part) / (2 * pairs);
  float squares = 0;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    float2 v = __half22float2(row[i]);
    squares += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean);
  }
  float inv = rsqrtf(block_sum(squares, part) / (2 * pairs) + eps);
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    float2 v = __half22float2(row[i]);
    v.x = (v.x - mean) * inv * gamma[i].x + beta[i].x;
    v.y = (v.y - mean) * inv * gamma[i].y + beta[i].y;
    out[(size_t)blockIdx.x * pairs + i] = __float22half2_rn(v);
  }
}

BENCH(layernorm) {
  int rows = 8192, cols = 4096;
  Random r(72);
  Array<__half> in((size_t)rows * cols, [&](size_t) { return __float2half((float)r.uniform(-2, 3)); }), out(in.size());
  Array<float> gamma(cols, [&](size_t) { return (float)r.uniform(); });
  Array<float> beta(cols, [&](size_t) { return (float)r.uniform(); });
  time_kernel([&] {
    layernorm<<<rows, 256>>>((__half2 *)in.d, (__half2 *)out.d, (float2 *)gamma.d, (float2 *)beta.d, cols / 2, 1e-5f);
  });
  out.down();
  Array<float> o(in.size(), [&](size_t i) { return __half2float(out.h[i]); });
  check(o);
}

// ---- Softmax with a causal mask: a warp per row, the row in a local array of a template's size.
template <int PER> __global__ void softmax_warp(const float *in, float *out, int rows, int cols, float scale) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  float v[PER];
  float most = -INFINITY;
  int limit = row % cols + 1;
#pragma unroll
  for (int i = 0; i < PER; i++) {
    int c = i * 32 + threadIdx.x;
    v[i] = c < limit ? in[(size_t)row * cols + c] * scale : -INFINITY;
    most = fmaxf(most, v[i]);
  }
  for (int off = 16; off; off >>= 1)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, off));
  float sum = 0;
#pragma unroll
  for (int i = 0; i < PER; i++) {
    v[i] = __expf(v[i] - most);
    sum += v[i];
  }
  for (int off = 16; off; off >>= 1)
    sum += __shfl_xor_sync(~0u, sum, off);
#pragma unroll
  for (int i = 0; i < PER; i++) {
    int c = i * 32 + threadIdx.x;
    if (c < cols)
      out[(size_t)row * cols + c] = v[i] / sum;
  }
}
template __global__ void softmax_warp<16>(const float *, float *, int, int, float);

BENCH(softmax_warp) {
  int rows = 65536, cols = 500;
  Random r(73);
  Array<float> in((size_t)rows * cols, [&](size_t) { return (float)r.uniform(-5, 5); }), out(in.size());
  time_kernel([&] { softmax_warp<16><<<rows / 4, dim3(32, 4)>>>(in, out, rows, cols, 0.7f); });
  check(out);
}

// ---- RoPE: rotary embedding in place on (batch, time, head, dim), indices divided out at run time.
__global__ void rope(float *qk, const int *positions, int batch, int time, int heads, int dim, float base) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = dim / 2;
  if (i >= batch * time * heads * half)
    return;
  int d = i % half;
  int h = i / half % heads;
  int t = i / (half * heads) % time;
  int b = i / (half * heads * time);
  float freq = powf(base, -2.0f * d / dim);
  float s, c;
  sincosf(positions[b * time + t] * freq, &s, &c);
  float *p = qk + (((size_t)b * time + t) * heads + h) * dim;
  float x = p[d], y = p[d + half];
  p[d] = x * c - y * s;
  p[d + half] = x * s + y * c;
}

BENCH(rope) {
  int batch = 4, time = 2048, heads = 16, dim = 128;
  size_t n = (size_t)batch * time * heads * dim;
  Random r(74);
  Array<float> start(n, [&](size_t) { return (float)r.uniform(-1, 1); }), qk(n);
  Array<int> positions(batch * time, [&](size_t i) { return (int)(i % time); });
  time_kernel([&] { rope<<<n / 2 / 256, 256>>>(qk, positions, batch, time, heads, dim, 10000.0f); },
              [&] { CU(cudaMemcpy(qk, start, n * 4, cudaMemcpyDeviceToDevice)); });
  check(qk);
}

// ---- An int8 matrix-vector product in blocks of 32 with scales, by dp4a (as quantized models have it).
struct Block8 {
  float scale;
  int q[8];
};

__global__ void int8_gemv(const Block8 *__restrict__ w, const Block8 *__restrict__ x, float *__restrict__ y, int rows,
                          int blocks) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  float sum = 0;
  for (int b = threadIdx.x; b < blocks; b += 32) {
    const Block8 &wb = w[row * (int64_t)blocks + b];
    const Block8 &xb = x[b];
    int acc = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
      acc = __dp4a(wb.q[i], xb.q[i], acc);
    sum += acc * wb.scale * xb.scale;
  }
#pragma unroll
  for (int off = 16; off; off >>= 1)
    sum += __shfl_down_sync(~0u, sum, off);
  if (threadIdx.x == 0)
    y[row] = sum;
}

BENCH(int8_gemv) {
  int rows = 16384, blocks = 256;
  Random r(75);
  auto f = [&](size_t) {
    Block8 b;
    b.scale = r.uniform(0.001, 0.01);
    for (int &q : b.q)
      q = (int)r.bits();
    return b;
  };
  Array<Block8> w((size_t)rows * blocks, f), x(blocks, f);
  Array<float> y(rows);
  time_kernel([&] { int8_gemv<<<rows / 4, dim3(32, 4)>>>(w, x, y, rows, blocks); });
  check(y);
}

// ---- Direct convolution 3x3, NCHW, any stride and padding, channels at run time.
__global__ void conv3x3(const float *in, const float *weights, const float *bias, float *out, int channels, int height,
                        int width, int filters, int out_h, int out_w, int stride, int pad) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= filters * out_h * out_w)
    return;
  int ox = index % out_w, oy = index / out_w % out_h, f = index / (out_w * out_h);
  in += (size_t)blockIdx.y * channels * height * width;
  float sum = bias[f];
  for (int c = 0; c < channels; c++)
    for (int ky = 0; ky < 3; ky++)
      for (int kx = 0; kx < 3; kx++) {
        int y = oy * stride + ky - pad, x = ox * stride + kx - pad;
        if (y >= 0 && y < height && x >= 0 && x < width)
          sum += in[(c * height + y) * width + x] * weights[((f * channels + c) * 3 + ky) * 3 + kx];
      }
  out[(size_t)blockIdx.y * filters * out_h * out_w + index] = sum > 0 ? sum : 0.1f * sum;
}

BENCH(conv3x3) {
  int batch = 8, channels = 32, size = 56, filters = 64;
  Random r(76);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> in((size_t)batch * channels * size * size, f), w(filters * channels * 9, f), bias(filters, f);
  Array<float> out((size_t)batch * filters * size * size);
  time_kernel([&] {
    conv3x3<<<dim3(filters * size * size / 256, batch), 256>>>(in, w, bias, out, channels, size, size, filters, size,
                                                               size, 1, 1);
  });
  check(out);
}
