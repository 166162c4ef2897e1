// Stencils and image filters.
#include "harness.h"

// ---- 2D Jacobi, 5 points, one thread per point, and a residual per block.
__global__ void jacobi2d(float *out, const float *in, const float *rhs, float *residual, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float diff = 0;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    int i = y * nx + x;
    float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] - rhs[i]);
    diff = fabsf(v - in[i]);
    out[i] = v;
  }
  for (int off = 16; off > 0; off /= 2)
    diff = fmaxf(diff, __shfl_xor_sync(0xffffffff, diff, off));
  __shared__ float part[8];
  int lane = threadIdx.x % 32, warp = threadIdx.y;
  if (lane == 0)
    part[warp] = diff;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    float m = 0;
    for (int w = 0; w < blockDim.y; w++)
      m = fmaxf(m, part[w]);
    residual[blockIdx.y * gridDim.x + blockIdx.x] = m;
  }
}

BENCH(jacobi2d) {
  int n = 4096;
  Random r(1);
  auto f = [&](size_t) { return (float)r.uniform(); };
  Array<float> in((size_t)n * n, f), rhs((size_t)n * n, f), out((size_t)n * n), res(n / 32 * (n / 8));
  time_kernel([&] { jacobi2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(out, in, rhs, res, n, n); });
  check(out);
  check(res);
}

// ---- 3D heat equation, 7 points; each thread marches along z with registers.
__global__ void heat3d7(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float c0,
                        float c1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  size_t plane = (size_t)nx * ny;
  size_t at = (size_t)j * nx + i;
  float below = in[at], here = in[at + plane];
  for (int k = 1; k < nz - 1; k++) {
    at += plane;
    float above = in[at + plane];
    out[at] = c0 * here + c1 * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
    below = here;
    here = above;
  }
}

BENCH(heat3d7) {
  int n = 256;
  Random r(2);
  Array<float> in((size_t)n * n * n, [&](size_t) { return (float)r.uniform(); }), out((size_t)n * n * n);
  time_kernel([&] { heat3d7<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(in, out, n, n, n, 0.4f, 0.1f); });
  check(out);
}

// ---- 3D wave equation, 25 points (radius 4): shared memory for the plane, a queue in a local array along z.
#define RADIUS 4
__constant__ float wave_c[RADIUS + 1];

__global__ void wave3d25(float *next, const float *cur, const float *prev, const float *vel, int nx, int ny, int nz) {
  __shared__ float tile[16 + 2 * RADIUS][32 + 2 * RADIUS];
  int i = blockIdx.x * 32 + threadIdx.x + RADIUS;
  int j = blockIdx.y * 16 + threadIdx.y + RADIUS;
  int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
  size_t stride = (size_t)nx * ny;
  size_t at = (size_t)j * nx + i;
  float q[2 * RADIUS + 1];
  for (int k = 0; k < 2 * RADIUS; k++)
    q[k + 1] = cur[at + k * stride];
  for (int k = RADIUS; k < nz - RADIUS; k++) {
    size_t p = at + k * stride;
#pragma unroll
    for (int s = 0; s < 2 * RADIUS; s++)
      q[s] = q[s + 1];
    q[2 * RADIUS] = cur[p + RADIUS * stride];
    __syncthreads();
    tile[ty][tx] = q[RADIUS];
    if (threadIdx.x < RADIUS) {
      tile[ty][threadIdx.x] = cur[p - RADIUS];
      tile[ty][tx + 32] = cur[p + 32];
    }
    if (threadIdx.y < RADIUS) {
      tile[threadIdx.y][tx] = cur[p - (size_t)RADIUS * nx];
      tile[ty + 16][tx] = cur[p + (size_t)16 * nx];
    }
    __syncthreads();
    float lap = 3 * wave_c[0] * q[RADIUS];
#pragma unroll
    for (int s = 1; s <= RADIUS; s++)
      lap += wave_c[s] * (q[RADIUS - s] + q[RADIUS + s] + tile[ty][tx - s] + tile[ty][tx + s] + tile[ty - s][tx] +
                          tile[ty + s][tx]);
    next[p] = 2 * q[RADIUS] - prev[p] + vel[p] * lap;
  }
}

BENCH(wave3d25) {
  int nx = 320 + 8, ny = 320 + 8, nz = 128;
  size_t n = (size_t)nx * ny * nz;
  Random r(3);
  auto f = [&](size_t) { return (float)r.uniform(); };
  Array<float> cur(n, f), prev(n, f), vel(n, f), next(n);
  float c[5] = {-2.84722f, 1.6f, -0.2f, 0.025397f, -0.001786f};
  CU(cudaMemcpyToSymbol(wave_c, c, sizeof c));
  time_kernel([&] { wave3d25<<<dim3(10, 20), dim3(32, 16)>>>(next, cur, prev, vel, nx, ny, nz); });
  check(next);
}

// ---- Lid-driven cavity: one explicit step for the velocities, in double precision, boundaries by cases.
struct Fluid {
  double dt, dx, dy, re, gamma, lid;
  int n;
};

__device__ inline double cell(const double *f, const Fluid &p, int i, int j) { return f[(size_t)i * (p.n + 2) + j]; }

__global__ void cavity_step(const double *u, const double *v, double *F, double *G, Fluid p) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int i = blockIdx.y + 1;
  if (j > p.n)
    return;
  auto U = [&](int a, int b) { return cell(u, p, a, b); };
  auto V = [&](int a, int b) { return cell(v, p, a, b); };
  size_t at = (size_t)i * (p.n + 2) + j;
  if (i == p.n) {
    F[at] = U(i, j);
  } else {
    double east = U(i, j) + U(i + 1, j), west = U(i - 1, j) + U(i, j);
    double duu = ((east * east - west * west) + p.gamma * (fabs(east) * (U(i, j) - U(i + 1, j)) -
                                                           fabs(west) * (U(i - 1, j) - U(i, j)))) /
                 (4 * p.dx);
    double north = V(i, j) + V(i + 1, j), south = V(i, j - 1) + V(i + 1, j - 1);
    double top = j == p.n ? 2 * p.lid - U(i, j) : U(i, j + 1);
    double duv = ((north * (U(i, j) + top) - south * (U(i, j - 1) + U(i, j))) +
                  p.gamma * (fabs(north) * (U(i, j) - top) - fabs(south) * (U(i, j - 1) - U(i, j)))) /
                 (4 * p.dy);
    double lap = (U(i + 1, j) - 2 * U(i, j) + U(i - 1, j)) / (p.dx * p.dx) +
                 (top - 2 * U(i, j) + U(i, j - 1)) / (p.dy * p.dy);
    F[at] = U(i, j) + p.dt * (lap / p.re - duu - duv);
  }
  if (j == p.n) {
    G[at] = V(i, j);
  } else {
    double dvv = (V(i, j) + V(i, j + 1)) * (V(i, j) + V(i, j + 1)) - (V(i, j - 1) + V(i, j)) * (V(i, j - 1) + V(i, j));
    double lap = (V(i + 1, j) - 2 * V(i, j) + V(i - 1, j)) / (p.dx * p.dx) +
                 (V(i, j + 1) - 2 * V(i, j) + V(i, j - 1)) / (p.dy * p.dy);
    G[at] = V(i, j) + p.dt * (lap / p.re - dvv / (4 * p.dy));
  }
}

BENCH(cavity_step) {
  int n = 2048;
  size_t size = (size_t)(n + 2) * (n + 2);
  Random r(4);
  auto f = [&](size_t) { return r.uniform(-1, 1); };
  Array<double> u(size, f), v(size, f), F(size), G(size);
  Fluid p{1e-4, 1.0 / 64, 1.0 / 64, 1000, 0.9, 1.0, n};
  time_kernel([&] { cavity_step<<<dim3(n / 128, n), 128>>>(u, v, F, G, p); });
  check(F);
  check(G);
}

// ---- Gaussian blur with constant weights and clamped borders.
__constant__ float blur_w[7 * 7];

__global__ void gauss_blur(uchar4 *out, const uchar4 *in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float3 acc = make_float3(0, 0, 0);
  for (int dy = -3; dy <= 3; dy++) {
    int yy = min(max(y + dy, 0), height - 1);
    for (int dx = -3; dx <= 3; dx++) {
      int xx = min(max(x + dx, 0), width - 1);
      uchar4 p = in[yy * width + xx];
      float w = blur_w[(dy + 3) * 7 + dx + 3];
      acc.x += w * p.x;
      acc.y += w * p.y;
      acc.z += w * p.z;
    }
  }
  out[y * width + x] = make_uchar4((unsigned char)acc.x, (unsigned char)acc.y, (unsigned char)acc.z, 255);
}

BENCH(gauss_blur) {
  int w = 2048, h = 1536;
  Random r(5);
  Array<uchar4> in((size_t)w * h, [&](size_t) {
    uint32_t b = (uint32_t)r.bits();
    return make_uchar4(b, b >> 8, b >> 16, 255);
  });
  Array<uint32_t> out((size_t)w * h);
  float weights[49], sum = 0;
  for (int i = 0; i < 49; i++)
    sum += weights[i] = expf(-((i % 7 - 3) * (i % 7 - 3) + (i / 7 - 3) * (i / 7 - 3)) / 4.5f);
  for (float &x : weights)
    x /= sum;
  CU(cudaMemcpyToSymbol(blur_w, weights, sizeof weights));
  time_kernel([&] { gauss_blur<<<dim3(w / 32, h / 8), dim3(32, 8)>>>((uchar4 *)out.d, in, w, h); });
  check(out);
}

// ---- Bilateral filter, the radius known at run time only.
__global__ void bilateral(float *out, const float *in, int width, int height, int radius, float sigma_s,
                          float sigma_r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float center = in[y * width + x];
  float sum = 0, norm = 0;
  float ks = -0.5f / (sigma_s * sigma_s), kr = -0.5f / (sigma_r * sigma_r);
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx < 0 || yy < 0 || xx >= width || yy >= height)
        continue;
      float v = in[yy * width + xx];
      float d = v - center;
      float w = expf((float)(dx * dx + dy * dy) * ks + d * d * kr);
      sum += w * v;
      norm += w;
    }
  out[y * width + x] = sum / norm;
}

BENCH(bilateral) {
  int w = 1024, h = 1024;
  Random r(6);
  Array<float> in((size_t)w * h, [&](size_t) { return (float)r.uniform(); }), out((size_t)w * h);
  time_kernel([&] { bilateral<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(out, in, w, h, 5, 3.0f, 0.3f); });
  check(out);
}
