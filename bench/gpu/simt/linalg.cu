// Dense linear algebra, small and blocked.
#include "harness.h"

// ---- SGEMM: 128x128 tiles, 8 deep, 8x8 per thread in registers.
__global__ void __launch_bounds__(256) sgemm(int m, int n, int k, float alpha, const float *a, const float *b,
                                             float beta, float *c) {
  __shared__ float as[8][128], bs[8][128];
  int row = blockIdx.y * 128, col = blockIdx.x * 128;
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[8][8] = {};
  float ra[8], rb[8];
  for (int k0 = 0; k0 < k; k0 += 8) {
    int ar = threadIdx.x / 2, ac = threadIdx.x % 2 * 4;
    float4 va = *(const float4 *)&a[(row + ar) * k + k0 + ac];
    as[ac][ar] = va.x;
    as[ac + 1][ar] = va.y;
    as[ac + 2][ar] = va.z;
    as[ac + 3][ar] = va.w;
    int br = threadIdx.x / 32, bc = threadIdx.x % 32 * 4;
    *(float4 *)&bs[br][bc] = *(const float4 *)&b[(k0 + br) * n + col + bc];
    __syncthreads();
    for (int kk = 0; kk < 8; kk++) {
      for (int i = 0; i < 8; i++) {
        ra[i] = as[kk][ty * 8 + i];
        rb[i] = bs[kk][tx * 8 + i];
      }
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      float *p = &c[(row + ty * 8 + i) * n + col + tx * 8 + j];
      *p = alpha * acc[i][j] + beta * *p;
    }
}

BENCH(sgemm) {
  int n = 2048;
  Random r(31);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> a((size_t)n * n, f), b((size_t)n * n, f), c((size_t)n * n);
  time_kernel([&] { sgemm<<<dim3(n / 128, n / 128), 256>>>(n, n, n, 1.5f, a, b, 0.25f, c); });
  check(c);
}

// ---- Batched inverse of NxN matrices by Gauss-Jordan with pivoting, a matrix per thread in local arrays.
template <int N> __global__ void mat_inverse(const float *in, float *out, int *singular, int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  float a[N][N], inv[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = in[(size_t)(i * N + j) * count + id];
      inv[i][j] = i == j;
    }
  for (int c = 0; c < N; c++) {
    for (int i = c + 1; i < N; i++)
      if (fabsf(a[i][c]) > fabsf(a[c][c]))
        for (int j = 0; j < N; j++) {
          float t = a[c][j];
          a[c][j] = a[i][j];
          a[i][j] = t;
          t = inv[c][j];
          inv[c][j] = inv[i][j];
          inv[i][j] = t;
        }
    if (fabsf(a[c][c]) < 1e-12f) {
      atomicAdd(singular, 1);
      return;
    }
    float s = 1 / a[c][c];
    for (int j = 0; j < N; j++) {
      a[c][j] *= s;
      inv[c][j] *= s;
    }
    for (int i = 0; i < N; i++) {
      if (i == c)
        continue;
      float f = a[i][c];
      for (int j = 0; j < N; j++) {
        a[i][j] -= f * a[c][j];
        inv[i][j] -= f * inv[c][j];
      }
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      out[(size_t)(i * N + j) * count + id] = inv[i][j];
}
template __global__ void mat_inverse<4>(const float *, float *, int *, int);
template __global__ void mat_inverse<6>(const float *, float *, int *, int);

template <int N> void run_inverse(int count) {
  Random r(32);
  Array<float> in((size_t)N * N * count, [&](size_t i) {
    int e = (int)(i / count);
    return (float)r.uniform(-1, 1) + (e / N == (e % N + 1) % N ? 4.0f : 0.0f);
  });
  Array<float> out((size_t)N * N * count);
  Array<int> singular(1);
  time_kernel([&] { mat_inverse<N><<<(count + 127) / 128, 128>>>(in, out, singular, count); });
  check(out);
  check(singular);
}
BENCH(mat_inverse4) { run_inverse<4>(1 << 20); }
BENCH(mat_inverse6) { run_inverse<6>(1 << 18); }

// ---- LU decomposition: the internal update and the perimeter of a blocked LUD (16x16), one launch per step.
#define LB 16
__global__ void lud_perimeter(float *m, int n, int offset) {
  __shared__ float dia[LB][LB], row[LB][LB], col[LB][LB];
  int t = threadIdx.x % LB;
  int other = offset + (blockIdx.x + 1) * LB;
  if (threadIdx.x < LB) {
    for (int i = 0; i < LB; i++) {
      dia[i][t] = m[(offset + i) * n + offset + t];
      row[i][t] = m[(offset + i) * n + other + t];
    }
  } else {
    for (int i = 0; i < LB; i++)
      col[i][t] = m[(other + i) * n + offset + t];
  }
  __syncthreads();
  if (threadIdx.x < LB) {
    for (int i = 1; i < LB; i++)
      for (int j = 0; j < i; j++)
        row[i][t] -= dia[i][j] * row[j][t];
  } else {
    for (int i = 0; i < LB; i++) {
      for (int j = 0; j < i; j++)
        col[t][i] -= col[t][j] * dia[j][i];
      col[t][i] /= dia[i][i];
    }
  }
  __syncthreads();
  if (threadIdx.x < LB)
    for (int i = 1; i < LB; i++)
      m[(offset + i) * n + other + t] = row[i][t];
  else
    for (int i = 0; i < LB; i++)
      m[(other + i) * n + offset + t] = col[i][t];
}

__global__ void lud_internal(float *m, int n, int offset) {
  __shared__ float row[LB][LB], col[LB][LB];
  int gr = offset + (blockIdx.y + 1) * LB, gc = offset + (blockIdx.x + 1) * LB;
  row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * n + gc + threadIdx.x];
  col[threadIdx.y][threadIdx.x] = m[(gr + threadIdx.y) * n + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < LB; i++)
    sum += col[threadIdx.y][i] * row[i][threadIdx.x];
  m[(gr + threadIdx.y) * n + gc + threadIdx.x] -= sum;
}

BENCH(lud) {
  int n = 2048;
  Random r(33);
  Array<float> start((size_t)n * n, [&](size_t i) {
    return (float)r.uniform() + (i / n == i % n ? 64.0f : 0.0f);
  });
  Array<float> m((size_t)n * n);
  // Omits the factorization of the diagonal: the kernels are measured, not the method.
  time_kernel(
      [&] {
        for (int at = 0; at < 16 * LB; at += LB) {
          int rest = (n - at) / LB - 1;
          lud_perimeter<<<rest, 2 * LB>>>(m, n, at);
          lud_internal<<<dim3(rest, rest), dim3(LB, LB)>>>(m, n, at);
        }
      },
      [&] { CU(cudaMemcpy(m, start, (size_t)n * n * 4, cudaMemcpyDeviceToDevice)); });
  check(m);
}

// ---- Cholesky in double precision: a matrix per block in shared memory, the size known at run time.
__global__ void cholesky(double *mats, int n, int *info) {
  extern __shared__ double s[];
  double *mine = mats + (size_t)blockIdx.x * n * n;
  int t = threadIdx.x;
  for (int i = t; i < n * n; i += blockDim.x)
    s[i / n * (n + 1) + i % n] = mine[i];
  __syncthreads();
  for (int k = 0; k < n; k++) {
    double pivot = s[k * (n + 1) + k];
    if (pivot <= 0) {
      if (t == 0)
        info[blockIdx.x] = k + 1;
      return;
    }
    double root = sqrt(pivot);
    __syncthreads();
    for (int i = k + t; i < n; i += blockDim.x)
      s[i * (n + 1) + k] = i == k ? root : s[i * (n + 1) + k] / root;
    __syncthreads();
    int rest = n - k - 1;
    for (int e = t; e < rest * rest; e += blockDim.x) {
      int i = k + 1 + e / rest, j = k + 1 + e % rest;
      if (j <= i)
        s[i * (n + 1) + j] -= s[i * (n + 1) + k] * s[j * (n + 1) + k];
    }
    __syncthreads();
  }
  for (int i = t; i < n * n; i += blockDim.x)
    mine[i] = i % n <= i / n ? s[i / n * (n + 1) + i % n] : 0;
}

BENCH(cholesky) {
  int n = 36, batch = 4096;
  Random r(34);
  Array<double> start((size_t)n * n * batch, [&](size_t i) {
    return i / n % n == i % n ? n + r.uniform() : r.uniform();
  });
  Array<double> m(start.size());
  Array<int> info(batch);
  time_kernel([&] { cholesky<<<batch, 128, n * (n + 1) * sizeof(double)>>>(m, n, info); },
              [&] { CU(cudaMemcpy(m, start, m.size() * 8, cudaMemcpyDeviceToDevice)); });
  check(m);
  check(info);
}

// ---- Householder QR of 8x4 matrices: least squares for a right-hand side, all in registers.
__global__ void qr_solve(const float *mats, const float *rhs, float *solution, int count) {
  constexpr int M = 8, N = 4;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  float a[M][N], b[M], x[N];
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      a[i][j] = mats[(i * N + j) * (size_t)count + id];
    b[i] = rhs[i * (size_t)count + id];
  }
#pragma unroll
  for (int k = 0; k < N; k++) {
    float norm = 0;
#pragma unroll
    for (int i = k; i < M; i++)
      norm += a[i][k] * a[i][k];
    norm = sqrtf(norm);
    float alpha = a[k][k] > 0 ? -norm : norm;
    float v0 = a[k][k] - alpha;
    float beta = -1 / (alpha * v0);
    a[k][k] = v0;
#pragma unroll
    for (int j = k + 1; j < N; j++) {
      float s = 0;
#pragma unroll
      for (int i = k; i < M; i++)
        s += a[i][k] * a[i][j];
      s *= beta;
#pragma unroll
      for (int i = k; i < M; i++)
        a[i][j] -= s * a[i][k];
    }
    float s = 0;
#pragma unroll
    for (int i = k; i < M; i++)
      s += a[i][k] * b[i];
    s *= beta;
#pragma unroll
    for (int i = k; i < M; i++)
      b[i] -= s * a[i][k];
    a[k][k] = alpha;
  }
#pragma unroll
  for (int i = N - 1; i >= 0; i--) {
    float s = b[i];
#pragma unroll
    for (int j = i + 1; j < N; j++)
      s -= a[i][j] * x[j];
    x[i] = s / a[i][i];
  }
  for (int i = 0; i < N; i++)
    solution[i * (size_t)count + id] = x[i];
}

BENCH(qr_solve) {
  int count = 1 << 20;
  Random r(35);
  Array<float> mats(32 * (size_t)count, [&](size_t i) {
    size_t e = i / count;
    return (float)r.uniform(-1, 1) + (e / 4 % 4 == e % 4 ? 3.0f : 0.0f);
  });
  Array<float> rhs(8 * (size_t)count, [&](size_t) { return (float)r.uniform(-1, 1); }), x(4 * (size_t)count);
  time_kernel([&] { qr_solve<<<count / 128, 128>>>(mats, rhs, x, count); });
  check(x);
}

// ---- Floyd-Warshall: one step of all pairs' shortest paths, with the paths.
__global__ void floyd_step(unsigned *dist, unsigned *path, unsigned nodes, unsigned via) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nodes || y >= nodes)
    return;
  unsigned old = dist[y * nodes + x];
  unsigned sum = dist[y * nodes + via] + dist[via * nodes + x];
  if (sum < old) {
    dist[y * nodes + x] = sum;
    path[y * nodes + x] = via;
  }
}

BENCH(floyd_step) {
  unsigned n = 1024;
  Random r(36);
  Array<unsigned> start((size_t)n * n, [&](size_t i) { return i / n == i % n ? 0 : 1 + r.below(1000000); });
  Array<unsigned> dist((size_t)n * n), path((size_t)n * n);
  time_kernel(
      [&] {
        for (unsigned via = 0; via < 64; via++)
          floyd_step<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(dist, path, n, via);
      },
      [&] {
        CU(cudaMemcpy(dist, start, (size_t)n * n * 4, cudaMemcpyDeviceToDevice));
        path.zero();
      });
  check(dist);
  check(path);
}
