// Particles, rays and points.
#include "harness.h"

// ---- n-body: all pairs, tiles in shared memory.
__global__ void nbody(const float4 *pos, float4 *acc, int n, float eps2) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = pos[i];
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    tile[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float4 q = tile[j];
      float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
      float s = q.w * inv * inv * inv;
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    __syncthreads();
  }
  acc[i] = make_float4(ax, ay, az, 0);
}

BENCH(nbody) {
  int n = 32768;
  Random r(11);
  Array<float4> pos(n, [&](size_t) {
    float x = r.uniform(), y = r.uniform(), z = r.uniform(), mass = r.uniform();
    return make_float4(x, y, z, mass);
  });
  Array<float> acc(4 * n);
  time_kernel([&] { nbody<<<n / 128, 128, 128 * sizeof(float4)>>>(pos, (float4 *)acc.d, n, 0.01f); });
  check(acc);
}

// ---- Lennard-Jones forces with neighbour lists of different lengths, periodic box.
struct Box {
  double lx, ly, lz, cut2;
};

__global__ void lj_force(const double *__restrict__ x, double *__restrict__ f, const int *__restrict__ count,
                         const int *__restrict__ list, double *__restrict__ energy, int n, int stride, Box box,
                         double sigma6, double epsilon) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double xi = x[3 * i], yi = x[3 * i + 1], zi = x[3 * i + 2];
  double fx = 0, fy = 0, fz = 0, e = 0;
  int m = count[i];
  for (int k = 0; k < m; k++) {
    int j = list[k * stride + i];
    double dx = xi - x[3 * j], dy = yi - x[3 * j + 1], dz = zi - x[3 * j + 2];
    dx -= box.lx * rint(dx / box.lx);
    dy -= box.ly * rint(dy / box.ly);
    dz -= box.lz * rint(dz / box.lz);
    double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < box.cut2) {
      double s2 = 1.0 / r2;
      double s6 = s2 * s2 * s2 * sigma6;
      double force = 48.0 * s6 * (s6 - 0.5) * s2 * epsilon;
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
      e += 4.0 * epsilon * s6 * (s6 - 1.0);
    }
  }
  f[3 * i] = fx;
  f[3 * i + 1] = fy;
  f[3 * i + 2] = fz;
  energy[i] = e;
}

BENCH(lj_force) {
  int n = 131072, most = 64;
  Random r(12);
  double l = 51;
  // A jittered lattice: no two particles are close to each other.
  Array<double> x(3 * (size_t)n, [&](size_t i) {
    size_t p = i / 3, c = i % 3;
    size_t at = c == 0 ? p % 51 : c == 1 ? p / 51 % 51 : p / 2601;
    return (double)at + r.uniform(-0.05, 0.05);
  });
  Array<int> count(n, [&](size_t) { return 32 + (int)r.below(33); });
  Array<int> list((size_t)n * most, [&](size_t k) {
    int i = (int)(k % n), j;
    do
      j = (int)((i + r.below(4096) + n - 2048) % n);
    while (j == i);
    return j;
  });
  Array<double> f(3 * (size_t)n), e(n);
  Box box{l, l, l, 9.0};
  time_kernel([&] { lj_force<<<(n + 255) / 256, 256>>>(x, f, count, list, e, n, n, box, 0.8, 1.0); });
  check(e);
  check(f);
}

// ---- Particle in cell: cloud-in-cell deposit of charge and current with atomics.
struct Particle {
  float x, y, z;
  float ux, uy, uz;
  int64_t id;
};

__global__ void pic_deposit(const Particle *parts, float4 *grid, int64_t n, int nx, int ny, int nz, float inv_dx) {
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
    Particle p = parts[i];
    if (p.id < 0)
      continue;
    float gamma = rsqrtf(1 + p.ux * p.ux + p.uy * p.uy + p.uz * p.uz);
    float gx = p.x * inv_dx, gy = p.y * inv_dx, gz = p.z * inv_dx;
    int ix = (int)floorf(gx), iy = (int)floorf(gy), iz = (int)floorf(gz);
    float wx[2], wy[2], wz[2];
    wx[1] = gx - ix, wx[0] = 1 - wx[1];
    wy[1] = gy - iy, wy[0] = 1 - wy[1];
    wz[1] = gz - iz, wz[0] = 1 - wz[1];
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        for (int c = 0; c < 2; c++) {
          float w = wx[a] * wy[b] * wz[c];
          int cell = ((iz + c) % nz * ny + (iy + b) % ny) * nx + (ix + a) % nx;
          atomicAdd(&grid[cell].x, w * p.ux * gamma);
          atomicAdd(&grid[cell].y, w * p.uy * gamma);
          atomicAdd(&grid[cell].z, w * p.uz * gamma);
          atomicAdd(&grid[cell].w, w);
        }
  }
}

BENCH(pic_deposit) {
  int64_t n = 1 << 20;
  int g = 64;
  Random r(13);
  Array<Particle> parts(n, [&](size_t i) {
    Particle p;
    p.x = r.uniform(0, g), p.y = r.uniform(0, g), p.z = r.uniform(0, g);
    p.ux = r.uniform(-1, 1), p.uy = r.uniform(-1, 1), p.uz = r.uniform(-1, 1);
    p.id = i % 17 == 3 ? -1 : (int64_t)i;
    return p;
  });
  Array<float> grid(4 * (size_t)g * g * g);
  time_kernel([&] { pic_deposit<<<1024, 128>>>(parts, (float4 *)grid.d, n, g, g, g, 1.0f); }, [&] { grid.zero(); });
  check(grid);
}

// ---- Whitted ray tracing of spheres: recursion as a loop with a stack in a local array.
struct Vec {
  float x, y, z;
};
__device__ inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec unit(Vec a) { return a * rsqrtf(dot(a, a)); }

struct Sphere {
  Vec center;
  float radius;
  Vec color;
  float reflect, refract;
};
struct Ray {
  Vec from, dir;
  float weight;
  int depth;
};

__device__ bool hit_sphere(const Sphere &s, const Ray &r, float &t) {
  Vec oc = r.from - s.center;
  float b = dot(oc, r.dir), c = dot(oc, oc) - s.radius * s.radius;
  float d = b * b - c;
  if (d < 0)
    return false;
  d = sqrtf(d);
  float near = -b - d, far = -b + d;
  float v = near > 1e-3f ? near : far;
  if (v <= 1e-3f || v >= t)
    return false;
  t = v;
  return true;
}

__global__ void ray_trace(uint32_t *image, const Sphere *spheres, int n, Vec light, int width, int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  Ray stack[12];
  int top = 0;
  Vec eye{0, 0, -4};
  stack[top++] = {eye, unit(Vec{(px - width / 2) / (float)height, (py - height / 2) / (float)height, 1}), 1, 0};
  Vec color{0, 0, 0};
  while (top > 0) {
    Ray ray = stack[--top];
    float t = 1e20f;
    int best = -1;
    for (int i = 0; i < n; i++)
      if (hit_sphere(spheres[i], ray, t))
        best = i;
    if (best < 0) {
      float s = 0.5f * (ray.dir.y + 1);
      color = color + Vec{1 - 0.5f * s, 1 - 0.3f * s, 1} * ray.weight;
      continue;
    }
    const Sphere &s = spheres[best];
    Vec at = ray.from + ray.dir * t;
    Vec normal = (at - s.center) * (1 / s.radius);
    if (dot(normal, ray.dir) > 0)
      normal = normal * -1;
    Ray shadow{at, unit(light - at), 0, 0};
    float far = 1e20f;
    bool lit = true;
    for (int i = 0; i < n && lit; i++)
      lit = !hit_sphere(spheres[i], shadow, far);
    float diffuse = lit ? fmaxf(0.f, dot(normal, shadow.dir)) : 0;
    color = color + s.color * (ray.weight * (0.1f + 0.9f * diffuse) * (1 - s.reflect - s.refract));
    if (ray.depth < 5) {
      float cosine = -dot(normal, ray.dir);
      if (s.reflect > 0 && top < 12)
        stack[top++] = {at, ray.dir + normal * (2 * cosine), ray.weight * s.reflect, ray.depth + 1};
      float k = 1 - 0.81f * (1 - cosine * cosine);
      if (s.refract > 0 && k > 0 && top < 12)
        stack[top++] = {at, unit(ray.dir * 0.9f + normal * (0.9f * cosine - sqrtf(k))), ray.weight * s.refract,
                        ray.depth + 1};
    }
  }
  auto byte = [](float v) { return (uint32_t)(fminf(fmaxf(v, 0.f), 1.f) * 255); };
  image[py * width + px] = byte(color.x) << 16 | byte(color.y) << 8 | byte(color.z);
}

BENCH(ray_trace) {
  int w = 640, h = 480, n = 24;
  Random r(14);
  Array<Sphere> spheres(n, [&](size_t i) {
    Sphere s;
    s.center = {(float)r.uniform(-2, 2), (float)r.uniform(-2, 2), (float)r.uniform(-1, 4)};
    s.radius = r.uniform(0.2, 0.6);
    s.color = {(float)r.uniform(), (float)r.uniform(), (float)r.uniform()};
    s.reflect = i % 3 ? 0.4f : 0;
    s.refract = i % 4 == 1 ? 0.5f : 0;
    return s;
  });
  Array<uint32_t> image((size_t)w * h);
  time_kernel([&] { ray_trace<<<dim3(w / 16, h / 8), dim3(16, 8)>>>(image, spheres, n, Vec{-5, 8, -6}, w, h); });
  image.down();
  Array<float> channels(3 * image.size(), [&](size_t i) { return (float)(image.h[i / 3] >> (i % 3 * 8) & 255); });
  check(channels);
}

// ---- k-means: assigns points to the nearest of k centers, features by columns, and counts members.
__global__ void kmeans_assign(const float *features, const float *centers, int *member, int *sizes, int n, int k,
                              int dims) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int best = 0;
  float least = 3.4e38f;
  for (int c = 0; c < k; c++) {
    float d = 0;
    for (int j = 0; j < dims; j++) {
      float t = features[j * n + i] - centers[c * dims + j];
      d += t * t;
    }
    if (d < least) {
      least = d;
      best = c;
    }
  }
  if (member[i] != best)
    member[i] = best;
  atomicAdd(&sizes[best], 1);
}

BENCH(kmeans_assign) {
  int n = 262144, k = 20, dims = 34;
  Random r(15);
  auto f = [&](size_t) { return (float)r.uniform(); };
  Array<float> features((size_t)n * dims, f), centers(k * dims, f);
  Array<int> member(n), sizes(k);
  time_kernel([&] { kmeans_assign<<<n / 256, 256>>>(features, centers, member, sizes, n, k, dims); },
              [&] { sizes.zero(); });
  check(sizes);
  check(member);
}

// ---- k nearest neighbours: each thread keeps the K best, sorted, in a local array.
template <int K> __global__ void knn(const float2 *queries, const float2 *points, int *ids, float *dist, int nq,
                                     int np) {
  __shared__ float2 tile[256];
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  float2 me = q < nq ? queries[q] : make_float2(0, 0);
  float best[K];
  int id[K];
  for (int k = 0; k < K; k++) {
    best[k] = 3.4e38f;
    id[k] = -1;
  }
  for (int base = 0; base < np; base += 256) {
    int load = base + threadIdx.x;
    if (load < np)
      tile[threadIdx.x] = points[load];
    __syncthreads();
    int m = min(256, np - base);
    for (int j = 0; j < m; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y;
      float d = dx * dx + dy * dy;
      if (d >= best[K - 1])
        continue;
      best[K - 1] = d;
      id[K - 1] = base + j;
      for (int k = K - 1; k > 0; k--)
        if (best[k] < best[k - 1]) {
          float t = best[k];
          best[k] = best[k - 1];
          best[k - 1] = t;
          int u = id[k];
          id[k] = id[k - 1];
          id[k - 1] = u;
        }
    }
    __syncthreads();
  }
  if (q < nq)
    for (int k = 0; k < K; k++) {
      ids[(size_t)k * nq + q] = id[k];
      dist[(size_t)k * nq + q] = sqrtf(best[k]);
    }
}
template __global__ void knn<8>(const float2 *, const float2 *, int *, float *, int, int);

BENCH(knn) {
  int nq = 65536, np = 5000;
  Random r(16);
  auto f = [&](size_t) { return make_float2(r.uniform(), r.uniform()); };
  Array<float2> queries(nq, f), points(np, f);
  Array<int> ids(8 * (size_t)nq);
  Array<float> dist(8 * (size_t)nq);
  time_kernel([&] { knn<8><<<nq / 256, 256>>>(queries, points, ids, dist, nq, np); });
  check(ids);
  check(dist);
}
