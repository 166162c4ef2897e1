// Finance, Monte Carlo and fractals.
#include "harness.h"

// ---- Black-Scholes: calls and puts.
__device__ inline float cnd(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228040143267794f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? 1.0f - c : c;
}

__global__ void black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
                              float rate, float vol, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * vol * vol) * t) / (vol * root);
    float d2 = d1 - vol * root;
    float n1 = cnd(d1), n2 = cnd(d2);
    float discount = expf(-rate * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
  }
}

BENCH(black_scholes) {
  int n = 1 << 23;
  Random r(41);
  Array<float> price(n, [&](size_t) { return (float)r.uniform(5, 30); });
  Array<float> strike(n, [&](size_t) { return (float)r.uniform(1, 100); });
  Array<float> years(n, [&](size_t) { return (float)r.uniform(0.25, 10); });
  Array<float> call(n), put(n);
  time_kernel([&] { black_scholes<<<2048, 256>>>(call, put, price, strike, years, 0.02f, 0.3f, n); });
  check(call);
  check(put);
}

// ---- American options by a binomial tree: an option per block, the tree's level in shared memory.
struct Option {
  float spot, strike, years, rate, vol;
};

__global__ void binomial_options(const Option *options, float *values, int steps) {
  extern __shared__ float level[];
  Option o = options[blockIdx.x];
  float dt = o.years / steps;
  float up = expf(o.vol * sqrtf(dt)), down = 1 / up;
  float p = (expf(o.rate * dt) - down) / (up - down);
  float discount = expf(-o.rate * dt);
  float pu = discount * p, pd = discount * (1 - p);
  int t = threadIdx.x;
  for (int i = t; i <= steps; i += blockDim.x) {
    float s = o.spot * powf(up, 2.0f * i - steps);
    level[i] = fmaxf(o.strike - s, 0.f);
  }
  __syncthreads();
  for (int step = steps - 1; step >= 0; step--) {
    for (int base = 0; base <= step; base += blockDim.x) {
      int i = base + t;
      float v = 0;
      if (i <= step) {
        float s = o.spot * exp2f(log2f(up) * (2.0f * i - step));
        v = fmaxf(pu * level[i + 1] + pd * level[i], o.strike - s);
      }
      __syncthreads();
      if (i <= step)
        level[i] = v;
      __syncthreads();
    }
  }
  if (t == 0)
    values[blockIdx.x] = level[0];
}

BENCH(binomial_options) {
  int n = 1056, steps = 510;
  Random r(42);
  Array<Option> options(n, [&](size_t) {
    return Option{(float)r.uniform(20, 60), (float)r.uniform(20, 60), (float)r.uniform(0.5, 3),
                  (float)r.uniform(0.01, 0.06), (float)r.uniform(0.1, 0.5)};
  });
  Array<float> values(n);
  time_kernel([&] { binomial_options<<<n, 256, (steps + 1) * sizeof(float)>>>(options, values, steps); });
  check(values);
}

// ---- Monte Carlo Asian option: Philox 4x32-10 and Box-Muller.
struct Philox {
  uint4 counter;
  uint2 key;
  __device__ uint4 next() {
    uint4 c = counter;
    uint2 k = key;
    for (int i = 0; i < 10; i++) {
      unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
      unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
      c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
      k.x += 0x9E3779B9u;
      k.y += 0xBB67AE85u;
    }
    if (++counter.x == 0)
      counter.y++;
    return c;
  }
  __device__ float4 normals() {
    uint4 u = next();
    float4 n;
    float r0 = sqrtf(-2 * logf((u.x + 0.5f) * 2.3283064e-10f + 1e-12f));
    float r1 = sqrtf(-2 * logf((u.z + 0.5f) * 2.3283064e-10f + 1e-12f));
    sincosf(u.y * 1.4629180e-9f, &n.y, &n.x);
    sincosf(u.w * 1.4629180e-9f, &n.w, &n.z);
    n.x *= r0, n.y *= r0, n.z *= r1, n.w *= r1;
    return n;
  }
};

__global__ void mc_asian(float *payoff, float spot, float strike, float drift, float vol, int steps, uint64_t seed) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  Philox rng{make_uint4(0, 0, id, 7), make_uint2((unsigned)seed, (unsigned)(seed >> 32))};
  float log_s = logf(spot), sum = 0;
  for (int s = 0; s < steps; s += 4) {
    float4 z = rng.normals();
    log_s += drift + vol * z.x;
    sum += expf(log_s);
    log_s += drift + vol * z.y;
    sum += expf(log_s);
    log_s += drift + vol * z.z;
    sum += expf(log_s);
    log_s += drift + vol * z.w;
    sum += expf(log_s);
  }
  payoff[id] = fmaxf(sum / steps - strike, 0.f);
}

BENCH(mc_asian) {
  int n = 1 << 20;
  Array<float> payoff(n);
  time_kernel([&] { mc_asian<<<n / 256, 256>>>(payoff, 100, 101, 0.0002f, 0.015f, 64, 0x1234567890abcdefull); });
  check(payoff);
}

// ---- Monte Carlo pi with xorshift128+, integers only for the decision.
__global__ void mc_pi(unsigned long long *inside, int samples) {
  unsigned long long id = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  unsigned long long s0 = id * 0x9E3779B97F4A7C15ull + 1, s1 = ~id * 0xBF58476D1CE4E5B9ull;
  int count = 0;
  for (int i = 0; i < samples; i++) {
    unsigned long long x = s0, y = s1;
    s0 = y;
    x ^= x << 23;
    s1 = x ^ y ^ (x >> 17) ^ (y >> 26);
    unsigned long long v = s1 + y;
    float a = (unsigned)v * 0x1p-32f, b = (unsigned)(v >> 32) * 0x1p-32f;
    if (a * a + b * b <= 1.0f)
      count++;
  }
  count = __reduce_add_sync(0xffffffff, count);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(inside, (unsigned long long)count);
}

BENCH(mc_pi) {
  Array<unsigned long long> inside(1);
  time_kernel([&] { mc_pi<<<2112, 256>>>(inside, 1000); }, [&] { inside.zero(); });
  inside.down();
  Array<double> pi(1, [&](size_t) { return 4.0 * inside.h[0] / (2112 * 256 * 1000.0); });
  check(pi);
}

// ---- Mandelbrot in double precision with an early exit, smooth colors.
__global__ void mandelbrot(float *out, int width, int height, double cx, double cy, double scale, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  double x0 = cx + (px - width * 0.5) * scale, y0 = cy + (py - height * 0.5) * scale;
  double x = 0, y = 0;
  int i = 0;
  while (x * x + y * y < 16 && i < limit) {
    double t = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = t;
    i++;
  }
  out[py * width + px] = i == limit ? 0 : i + 1 - log2f(log2f((float)(x * x + y * y)) * 0.5f);
}

BENCH(mandelbrot) {
  int w = 1280, h = 960;
  Array<float> out((size_t)w * h);
  time_kernel([&] { mandelbrot<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(out, w, h, -0.6, 0.0, 0.0025, 1000); });
  check(out);
}
