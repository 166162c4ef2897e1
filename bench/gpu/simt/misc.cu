// Dynamic programming, interpreters, bits, and data behind pointers.
#include "harness.h"

// ---- Smith-Waterman with affine gaps: a pair per block, the diagonals of the matrix as a wavefront.
__constant__ int8_t sw_scores[4][4];

__global__ void smith_waterman(const char *queries, const char *targets, int *best, int qlen, int tlen, int open,
                               int extend) {
  extern __shared__ int sw[];
  int *h0 = sw, *h1 = h0 + qlen + 1, *h2 = h1 + qlen + 1, *e = h2 + qlen + 1, *f = e + qlen + 1;
  const char *q = queries + (size_t)blockIdx.x * qlen, *t = targets + (size_t)blockIdx.x * tlen;
  for (int i = threadIdx.x; i <= qlen; i += blockDim.x)
    h0[i] = h1[i] = h2[i] = e[i] = f[i] = 0;
  __syncthreads();
  int most = 0;
  for (int d = 0; d < qlen + tlen - 1; d++) {
    int i = threadIdx.x, j = d - i;
    int fi = 0, hi = 0;
    bool in = i < qlen && j >= 0 && j < tlen;
    if (in) {
      e[i + 1] = max(e[i + 1] - extend, h1[i + 1] - open);
      fi = max(f[i] - extend, h1[i] - open);
      int diag = j > 0 ? h0[i] : 0;
      hi = max(max(diag + sw_scores[q[i] & 3][t[j] & 3], 0), max(e[i + 1], fi));
      most = max(most, hi);
    }
    __syncthreads();
    if (in) {
      h2[i + 1] = hi;
      f[i + 1] = fi;
    }
    __syncthreads();
    int *x = h0;
    h0 = h1;
    h1 = h2;
    h2 = x;
  }
  most = __reduce_max_sync(~0u, most);
  if (threadIdx.x % 32 == 0)
    atomicMax(&best[blockIdx.x], most);
}

BENCH(smith_waterman) {
  int pairs = 2112, qlen = 128, tlen = 400;
  Random r(81);
  auto f = [&](size_t) { return "ACTG"[r.below(4)] >> 1; };
  Array<char> q((size_t)pairs * qlen, f), t((size_t)pairs * tlen, f);
  Array<int> best(pairs);
  int8_t scores[4][4];
  for (int i = 0; i < 16; i++)
    scores[i / 4][i % 4] = i / 4 == i % 4 ? 5 : -3 + i % 2;
  CU(cudaMemcpyToSymbol(sw_scores, scores, sizeof scores));
  time_kernel([&] { smith_waterman<<<pairs, 128, 5 * (qlen + 1) * 4>>>(q, t, best, qlen, tlen, 6, 1); },
              [&] { best.zero(); });
  check(best);
}

// ---- Dynamic time warping with a band: a series per thread, the row in a local array.
__global__ void dtw_band(const float *series, const float *query, float *dist, int n, int length) {
  constexpr int BAND = 12;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n)
    return;
  float row[2 * BAND + 2];
  for (int k = 0; k < 2 * BAND + 2; k++)
    row[k] = 1e30f;
  row[BAND] = 0;
  for (int i = 0; i < length; i++) {
    float left = 1e30f;
    float s = series[(size_t)i * n + id];
    for (int k = 0; k < 2 * BAND + 1; k++) {
      int j = i + k - BAND;
      float v = 1e30f;
      if (j >= 0 && j < length) {
        float d = s - query[j];
        v = d * d + fminf(left, fminf(row[k], row[k + 1]));
        if (i == 0 && j == 0)
          v = d * d;
      }
      row[k] = v;
      left = v;
    }
  }
  dist[id] = sqrtf(row[BAND]);
}

BENCH(dtw_band) {
  int n = 65536, length = 128;
  Random r(82);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> series((size_t)n * length, f), query(length, f), dist(n);
  time_kernel([&] { dtw_band<<<n / 128, 128>>>(series, query, dist, n, length); });
  check(dist);
}

// ---- A stack machine: bytecode with a switch, the stack in a local array.
enum Op : uint8_t { PUSH, LOAD, DUP, SWAP, ADD, SUB, MUL, DIV, AND, XOR, SHL, SHR, LESS, JZ, LOOP, STORE, HALT };

struct Insn {
  Op op;
  uint8_t reg;
  int16_t arg;
};

__global__ void bytecode_vm(const Insn *code, const int *input, int *output, int n, int fuel) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n)
    return;
  int stack[16], regs[4] = {input[id], id, 0, 1};
  int sp = 0, pc = 0;
  while (fuel-- > 0) {
    Insn in = code[pc++];
    switch (in.op) {
    case PUSH: stack[sp++] = in.arg; break;
    case LOAD: stack[sp++] = regs[in.reg & 3]; break;
    case DUP: stack[sp] = stack[sp - 1]; sp++; break;
    case SWAP: {
      int t = stack[sp - 1];
      stack[sp - 1] = stack[sp - 2];
      stack[sp - 2] = t;
      break;
    }
    case ADD: sp--; stack[sp - 1] += stack[sp]; break;
    case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
    case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
    case DIV: sp--; stack[sp - 1] = stack[sp] ? stack[sp - 1] / stack[sp] : 0; break;
    case AND: sp--; stack[sp - 1] &= stack[sp]; break;
    case XOR: sp--; stack[sp - 1] ^= stack[sp]; break;
    case SHL: stack[sp - 1] = (int)((unsigned)stack[sp - 1] << (in.arg & 31)); break;
    case SHR: stack[sp - 1] = (int)((unsigned)stack[sp - 1] >> (in.arg & 31)); break;
    case LESS: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
    case JZ: if (stack[--sp] == 0) pc = in.arg; break;
    case LOOP: if (--regs[in.reg & 3] > 0) pc = in.arg; break;
    case STORE: regs[in.reg & 3] = stack[--sp]; break;
    case HALT: fuel = 0; break;
    }
  }
  output[id] = regs[2];
}

BENCH(bytecode_vm) {
  std::vector<Insn> program = {
      {PUSH, 0, 40}, {STORE, 3, 0},                                           // r3 = 40
      {LOAD, 0, 0},  {DUP, 0, 0},   {SHL, 0, 13}, {XOR, 0, 0}, {DUP, 0, 0},   // 2: xorshift of r0
      {SHR, 0, 17},  {XOR, 0, 0},   {DUP, 0, 0},  {SHL, 0, 5}, {XOR, 0, 0},
      {STORE, 0, 0}, {LOAD, 0, 0},  {PUSH, 0, 7}, {AND, 0, 0}, {PUSH, 0, 3},
      {LESS, 0, 0},  {JZ, 0, 24},   {LOAD, 0, 0}, {LOAD, 2, 0}, {ADD, 0, 0},
      {STORE, 2, 0}, {LOOP, 3, 2},  {LOAD, 2, 0}, {LOAD, 0, 0}, {PUSH, 0, 9}, // 24: the other branch
      {DIV, 0, 0},   {SWAP, 0, 0},  {SUB, 0, 0},  {LOAD, 3, 0}, {MUL, 0, 0},
      {STORE, 2, 0}, {LOOP, 3, 2},  {HALT, 0, 0}};
  int n = 1 << 16;
  Random r(83);
  Array<Insn> code(program.size(), [&](size_t i) { return program[i]; });
  Array<int> in(n, [&](size_t) { return (int)r.bits() | 1; }), out(n);
  time_kernel([&] { bytecode_vm<<<n / 128, 128>>>(code, in, out, n, 1200); });
  check(out);
}

// ---- Bits: fingerprints' Tanimoto similarity and Morton codes, by popc, brev, clz, ffs.
__device__ inline unsigned spread(unsigned v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

__global__ void bit_tricks(const unsigned long long *prints, const unsigned *points, float *similar, unsigned *codes,
                           int n, int words, int others) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 0;
  for (int o = 1; o <= others; o++) {
    int j = (i + o * 37) % n, both = 0, any = 0;
    for (int w = 0; w < words; w++) {
      unsigned long long a = prints[(size_t)w * n + i], b = prints[(size_t)w * n + j];
      both += __popcll(a & b);
      any += __popcll(a | b);
    }
    if (any)
      best = fmaxf(best, (float)both / any);
  }
  similar[i] = best;
  unsigned p = points[i];
  unsigned morton = spread(p & 0xffff) | spread(p >> 16) << 1;
  unsigned gray = morton ^ morton >> 1;
  int level = __clz(gray | 1) - __ffs(gray) + __popc(gray);
  unsigned rest = gray, odd = 0;
  while (rest) {
    odd += __ffs(rest) & 1;
    rest &= rest - 1;
  }
  codes[i] = __brev(gray) + level * 7919u + __funnelshift_l(gray, morton, level & 31) + odd;
}

BENCH(bit_tricks) {
  int n = 262144, words = 16;
  Random r(84);
  Array<unsigned long long> prints((size_t)n * words, [&](size_t) { return r.bits() & r.bits(); });
  Array<unsigned> points(n, [&](size_t) { return (unsigned)r.bits(); }), codes(n);
  Array<float> similar(n);
  time_kernel([&] { bit_tricks<<<n / 256, 256>>>(prints, points, similar, codes, n, words, 8); });
  check(similar);
  check(codes);
}

// ---- Many patterns in a text: first characters filter, early exits, counts per pattern.
__global__ void string_match(const char *text, size_t length, const char *const *patterns, const int *lengths,
                             int count, unsigned *hits) {
  for (size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x; at < length; at += (size_t)gridDim.x * blockDim.x)
    for (int p = 0; p < count; p++) {
      const char *pattern = patterns[p];
      int m = lengths[p];
      if (at + m > length)
        continue;
      int k = 0;
      while (k < m && text[at + k] == pattern[k])
        k++;
      if (k == m)
        atomicAdd(&hits[p], 1u);
    }
}

BENCH(string_match) {
  size_t n = 1 << 22;
  int count = 12;
  Random r(85);
  Array<char> text(n, [&](size_t) { return (char)('a' + r.below(5)); });
  Array<int> lengths(count, [&](size_t i) { return 2 + (int)i % 6; });
  Array<char> letters(count * 8, [&](size_t) { return (char)('a' + r.below(5)); });
  Array<const char *> patterns(count, [&](size_t i) { return letters.d + 8 * i; });
  Array<unsigned> hits(count);
  time_kernel([&] { string_match<<<1056, 256>>>(text, n, patterns, lengths, count, hits); }, [&] { hits.zero(); });
  check(hits);
}

// ---- A solver whose arrays are behind a struct in memory (as ported C++ codes have it).
struct Field {
  double *now, *next;
  const double *source;
  int nx, ny;
};
struct Params {
  Field *fields;
  const int *active;
  int count;
  double dt, kappa;
};

__global__ void params_update(const Params *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  for (int k = 0; k < p->count; k++) {
    const Field &f = p->fields[p->active[k]];
    if (i < 1 || j < 1 || i >= f.nx - 1 || j >= f.ny - 1)
      continue;
    int at = j * f.nx + i;
    double lap = f.now[at - 1] + f.now[at + 1] + f.now[at - f.nx] + f.now[at + f.nx] - 4 * f.now[at];
    f.next[at] = f.now[at] + p->dt * (p->kappa * lap + f.source[at]);
  }
}

BENCH(params_update) {
  int nx = 1024, ny = 1024, count = 6;
  size_t n = (size_t)nx * ny;
  Random r(86);
  Array<double> now(count * n, [&](size_t) { return r.uniform(); }), source(count * n, [&](size_t) {
    return r.uniform(); });
  Array<double> next(count * n);
  Array<Field> fields(count, [&](size_t i) { return Field{now + i * n, next + i * n, source + i * n, nx, ny}; });
  Array<int> active(4, [&](size_t i) { return (int)(5 - i); });
  Array<Params> params(1, [&](size_t) { return Params{fields, active, 4, 0.1, 0.2}; });
  time_kernel([&] { params_update<<<dim3(nx / 128, ny), 128>>>(params); });
  check(next);
}

// ---- A matrix product over arrays of row pointers: float **.
__global__ void rows_matmul(float **a, float **b, float **c, int n, int inner) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= n || row >= n)
    return;
  c[row][col] = 0;
  for (int k = 0; k < inner; k++)
    c[row][col] += a[row][k] * b[k][col];
}

BENCH(rows_matmul) {
  int n = 512, inner = 256;
  Random r(87);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> a((size_t)n * inner, f), b((size_t)n * inner, f), c((size_t)n * n);
  Array<float *> ra(n, [&](size_t i) { return a + i * inner; }), rb(inner, [&](size_t i) { return b + i * n; });
  Array<float *> rc(n, [&](size_t i) { return c + i * n; });
  time_kernel([&] { rows_matmul<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(ra, rb, rc, n, inner); });
  check(c);
}

// ---- Cross sections: AoS with 64-bit members, binary search, then a weighted sum (as neutron transport has it).
struct GridPoint {
  double energy;
  int64_t offset;
  double xs[4];
};
struct Material {
  int64_t nuclides;
  double density[12];
  int32_t ids[12];
};

__global__ void xs_lookup(const GridPoint *grid, const Material *mats, double *out, int64_t lookups, int64_t points,
                          int materials, uint64_t seed) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= lookups)
    return;
  uint64_t s = seed + i * 2806196910506780709ull;
  auto draw = [&s] {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(s >> 11) * 0x1p-53;
  };
  double e = draw();
  const Material m = mats[(int)(draw() * materials)];
  double macro[4] = {0, 0, 0, 0};
  for (int64_t n = 0; n < m.nuclides; n++) {
    const GridPoint *g = grid + m.ids[n] * points;
    int64_t low = 0, high = points - 1;
    while (high - low > 1) {
      int64_t mid = low + (high - low) / 2;
      if (g[mid].energy > e)
        high = mid;
      else
        low = mid;
    }
    GridPoint a = g[low], b = g[high];
    double f = (b.energy - e) / (b.energy - a.energy);
    for (int k = 0; k < 4; k++)
      macro[k] += m.density[n] * (b.xs[k] - f * (b.xs[k] - a.xs[k]));
  }
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (macro[k] > macro[best])
      best = k;
  out[i] = macro[best] + best;
}

BENCH(xs_lookup) {
  int64_t points = 2000, lookups = 1 << 18;
  int nuclides = 60, materials = 12;
  Random r(88);
  Array<GridPoint> grid(points * nuclides, [&](size_t i) {
    GridPoint g;
    g.energy = ((i % points) + r.uniform(0, 0.9)) / points;
    g.offset = i;
    for (double &x : g.xs)
      x = r.uniform();
    return g;
  });
  Array<Material> mats(materials, [&](size_t i) {
    Material m;
    m.nuclides = 3 + i % 9;
    for (int k = 0; k < 12; k++)
      m.density[k] = r.uniform(), m.ids[k] = (int)r.below(nuclides);
    return m;
  });
  Array<double> out(lookups);
  time_kernel([&] { xs_lookup<<<lookups / 256, 256>>>(grid, mats, out, lookups, points, materials, 1070); });
  check(out);
}

// ---- An FIR filter with decimation: the taps known at run time, '#pragma unroll 4' with a rest, size_t and int.
__global__ void fir_decimate(const float2 *in, const float *taps, float2 *out, size_t outputs, int ntaps, int factor) {
  size_t o = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (o >= outputs)
    return;
  float re = 0, im = 0;
  const float2 *from = in + o * factor;
#pragma unroll 4
  for (int t = 0; t < ntaps; t++) {
    float w = taps[ntaps - 1 - t];
    re += w * from[t].x;
    im += w * from[t].y;
  }
  out[o] = make_float2(re, im);
}

BENCH(fir_decimate) {
  size_t outputs = 1 << 20;
  int ntaps = 67, factor = 5;
  Random r(89);
  auto f = [&](size_t) { return (float)r.uniform(-1, 1); };
  Array<float> in(2 * (outputs * factor + ntaps), f), taps(ntaps, f), out(2 * outputs);
  time_kernel([&] { fir_decimate<<<outputs / 256, 256>>>((float2 *)in.d, taps, (float2 *)out.d, outputs, ntaps,
                                                         factor); });
  check(out);
}

// ---- Contraction of small tensors with index arithmetic by constants (a spectral element's derivative, order 7).
template <int P> __global__ void sem_gradient(const double *u, const double *deriv, const double *geo, double *w,
                                              int elements) {
  __shared__ double d[P * P], s[P * P * P];
  int e = blockIdx.x;
  for (int i = threadIdx.x; i < P * P; i += blockDim.x)
    d[i] = deriv[i];
  for (int i = threadIdx.x; i < P * P * P; i += blockDim.x)
    s[i] = u[(size_t)e * P * P * P + i];
  __syncthreads();
  for (int ijk = threadIdx.x; ijk < P * P * P; ijk += blockDim.x) {
    int i = ijk % P, j = ijk / P % P, k = ijk / (P * P);
    double wr = 0, ws = 0, wt = 0;
    for (int l = 0; l < P; l++) {
      wr += d[i * P + l] * s[(k * P + j) * P + l];
      ws += d[j * P + l] * s[(k * P + l) * P + i];
      wt += d[k * P + l] * s[(l * P + j) * P + i];
    }
    const double *g = geo + ((size_t)e * P * P * P + ijk) * 6;
    w[(size_t)e * P * P * P + ijk] = (g[0] * wr + g[1] * ws + g[2] * wt) + (g[1] * wr + g[3] * ws + g[4] * wt) +
                                     (g[2] * wr + g[4] * ws + g[5] * wt);
  }
}
template __global__ void sem_gradient<7>(const double *, const double *, const double *, double *, int);

BENCH(sem_gradient) {
  int elements = 8192, P = 7;
  size_t n = (size_t)elements * P * P * P;
  Random r(90);
  auto f = [&](size_t) { return r.uniform(-1, 1); };
  Array<double> u(n, f), deriv(P * P, f), geo(6 * n, f), w(n);
  time_kernel([&] { sem_gradient<7><<<elements, 128>>>(u, deriv, geo, w, elements); });
  check(w);
}
