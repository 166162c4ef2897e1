// Reductions, scans, sorting and moving data.
#include "harness.h"

// ---- Histogram of bytes: a histogram per block in shared memory, then one atomic per bin.
__global__ void histogram256(const unsigned *data, unsigned *bins, size_t words) {
  __shared__ unsigned local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    unsigned v = data[i];
    atomicAdd(&local[v & 255], 1u);
    atomicAdd(&local[v >> 8 & 255], 1u);
    atomicAdd(&local[v >> 16 & 255], 1u);
    atomicAdd(&local[v >> 24], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    atomicAdd(&bins[b], local[b]);
}

BENCH(histogram256) {
  size_t n = 1 << 23;
  Random r(21);
  Array<unsigned> data(n, [&](size_t) { return (unsigned)(r.bits() & r.bits()); }), bins(256);
  time_kernel([&] { histogram256<<<1056, 256>>>(data, bins, n); }, [&] { bins.zero(); });
  check(bins);
}

// ---- Mean, variance, least and greatest of an array: a struct reduced with warp shuffles.
struct Stats {
  double sum, squares;
  float least, greatest;
};

__device__ Stats combine(Stats a, Stats b) {
  return {a.sum + b.sum, a.squares + b.squares, fminf(a.least, b.least), fmaxf(a.greatest, b.greatest)};
}

__device__ Stats warp_reduce(Stats s) {
#pragma unroll
  for (int off = 16; off > 0; off >>= 1) {
    Stats o;
    o.sum = __shfl_down_sync(0xffffffff, s.sum, off);
    o.squares = __shfl_down_sync(0xffffffff, s.squares, off);
    o.least = __shfl_down_sync(0xffffffff, s.least, off);
    o.greatest = __shfl_down_sync(0xffffffff, s.greatest, off);
    s = combine(s, o);
  }
  return s;
}

__global__ void reduce_stats(const float *in, Stats *out, size_t n) {
  __shared__ Stats part[32];
  Stats s{0, 0, 3.4e38f, -3.4e38f};
  size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float v = in[i];
    s = combine(s, {v, (double)v * v, v, v});
  }
  s = warp_reduce(s);
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0)
    part[warp] = s;
  __syncthreads();
  if (warp == 0) {
    s = lane < blockDim.x / 32 ? part[lane] : Stats{0, 0, 3.4e38f, -3.4e38f};
    s = warp_reduce(s);
    if (lane == 0)
      out[blockIdx.x] = s;
  }
}

BENCH(reduce_stats) {
  size_t n = (1 << 25) + 777;
  Random r(22);
  Array<float> in(n, [&](size_t) { return (float)r.uniform(-1, 2); });
  Array<Stats> out(528);
  time_kernel([&] { reduce_stats<<<528, 512>>>(in, out, n); });
  out.down();
  Array<double> all(4 * 528, [&](size_t i) {
    Stats &s = out.h[i / 4];
    return i % 4 == 0 ? s.sum : i % 4 == 1 ? s.squares : i % 4 == 2 ? (double)s.least : (double)s.greatest;
  });
  check(all);
}

// ---- Inclusive scan of a block's 2048 elements, 8 per thread: registers, warps, block.
template <class T, int ITEMS> __global__ void scan_block(const T *in, T *out, T *totals) {
  __shared__ T warps[32];
  size_t base = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
  T v[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    v[i] = in[base + i];
  for (int i = 1; i < ITEMS; i++)
    v[i] += v[i - 1];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T sum = v[ITEMS - 1];
  for (int off = 1; off < 32; off *= 2) {
    T o = __shfl_up_sync(0xffffffff, sum, off);
    if (lane >= off)
      sum += o;
  }
  if (lane == 31)
    warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    T w = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int off = 1; off < 32; off *= 2) {
      T o = __shfl_up_sync(0xffffffff, w, off);
      if (lane >= off)
        w += o;
    }
    warps[lane] = w;
  }
  __syncthreads();
  T before = sum - v[ITEMS - 1] + (warp ? warps[warp - 1] : 0);
  for (int i = 0; i < ITEMS; i++)
    out[base + i] = v[i] + before;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = v[ITEMS - 1] + before;
}
template __global__ void scan_block<int, 8>(const int *, int *, int *);

BENCH(scan_block) {
  size_t n = 1 << 24;
  Random r(23);
  Array<int> in(n, [&](size_t) { return (int)r.below(100); }), out(n), totals(n / 2048);
  time_kernel([&] { scan_block<int, 8><<<n / 2048, 256>>>(in, out, totals); });
  check(out);
  check(totals);
}

// ---- Bitonic sort of 1024 key-value pairs per block in shared memory.
__global__ void bitonic_sort(unsigned *keys, unsigned *values, unsigned length, unsigned up) {
  __shared__ unsigned k[1024], v[1024];
  keys += blockIdx.x * 1024;
  values += blockIdx.x * 1024;
  for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
    k[i] = keys[i];
    v[i] = values[i];
  }
  for (unsigned size = 2; size <= length; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      unsigned dir = size == length ? up : up ^ ((threadIdx.x & (size / 2)) != 0);
      unsigned ka = k[pos], kb = k[pos + stride];
      if ((ka > kb) == dir) {
        k[pos] = kb;
        k[pos + stride] = ka;
        unsigned t = v[pos];
        v[pos] = v[pos + stride];
        v[pos + stride] = t;
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
    keys[i] = k[i];
    values[i] = v[i];
  }
}

BENCH(bitonic_sort) {
  size_t n = 1 << 21;
  Random r(24);
  Array<unsigned> start(n, [&](size_t) { return (unsigned)r.bits(); }), keys(n), values(n);
  time_kernel([&] { bitonic_sort<<<n / 1024, 512>>>(keys, values, 1024, 1); },
              [&] { CU(cudaMemcpy(keys, start, n * 4, cudaMemcpyDeviceToDevice));
                    CU(cudaMemcpy(values, start, n * 4, cudaMemcpyDeviceToDevice)); });
  check(keys);
  check(values);
}

// ---- Transpose with a padded tile, batches, any size.
__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int rows, int cols) {
  __shared__ float tile[32][33];
  size_t batch = (size_t)blockIdx.z * rows * cols;
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (x < cols && y + i < rows)
      tile[threadIdx.y + i][threadIdx.x] = in[batch + (size_t)(y + i) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < cols)
      out[batch + (size_t)(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

BENCH(transpose) {
  int rows = 1234, cols = 2345, batches = 8;
  size_t n = (size_t)rows * cols * batches;
  Random r(25);
  Array<float> in(n, [&](size_t) { return (float)r.uniform(); }), out(n);
  time_kernel([&] {
    transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32, batches), dim3(32, 8)>>>(out, in, rows, cols);
  });
  check(out);
}

// ---- A radix-4 FFT of 1024 complex numbers per block in shared memory.
__device__ inline float2 cmul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void fft1024(float2 *data, const float2 *twiddle) {
  __shared__ float sr[1024], si[1024];
  float2 *mine = data + (size_t)blockIdx.x * 1024;
  int t = threadIdx.x;
  float2 v[4];
  for (int i = 0; i < 4; i++)
    v[i] = mine[t + 256 * i];
  for (int span = 1; span < 1024; span *= 4) {
    int k = t % span;
    for (int i = 1; i < 4; i++)
      v[i] = cmul(v[i], twiddle[i * k * (256 / span)]);
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    v[0] = make_float2(a.x + c.x, a.y + c.y);
    v[1] = make_float2(b.x + d.x, b.y + d.y);
    v[2] = make_float2(a.x - c.x, a.y - c.y);
    v[3] = make_float2(b.x - d.x, b.y - d.y);
    int to = (t / span) * span * 4 + k;
    if (span < 256) {
      __syncthreads();
      for (int i = 0; i < 4; i++) {
        sr[to + i * span] = v[i].x;
        si[to + i * span] = v[i].y;
      }
      __syncthreads();
      for (int i = 0; i < 4; i++)
        v[i] = make_float2(sr[t + 256 * i], si[t + 256 * i]);
    }
  }
  for (int i = 0; i < 4; i++)
    mine[t + 256 * i] = v[i];
}

BENCH(fft1024) {
  size_t n = 1024 * 4096;
  Random r(26);
  Array<float> start(2 * n, [&](size_t) { return (float)r.uniform(-1, 1); }), data(2 * n);
  Array<float2> tw(1024, [&](size_t i) {
    return make_float2(cos(2 * M_PI * i / 1024), -sin(2 * M_PI * i / 1024));
  });
  time_kernel([&] { fft1024<<<4096, 256>>>((float2 *)data.d, tw); },
              [&] { CU(cudaMemcpy(data, start, n * 8, cudaMemcpyDeviceToDevice)); });
  check(data);
}
