// Tests arrays that are indexed at run time: in struct parameters, of pointers in memory, local, and constant tables.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"
#include <algorithm>
#include <initializer_list>

constexpr int block = 64, groups = 3;
constexpr float levels[16] = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};

struct tensors {
  const float *x[groups];
  float *out[groups];
  struct entry {
    int size;
    float scale;
  } entries[groups];
};

// Program (i, g) takes block i of tensor g, which it finds in the struct or, by the pointers, in memory.
template <bool InMemory>
__tile_global__ void scale(tensors t, const float *const *x, float *const *out, const int *sizes) {
  int g = tt::program_id(1);
  tensors::entry entry = t.entries[g];
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < (InMemory ? sizes[g] : entry.size);
  auto value = tt::load((InMemory ? x[g] : t.x[g]) + i, mask) * entry.scale + levels[(g * 5) & 15];
  tt::store((InMemory ? out[g] : t.out[g]) + i, value, mask);
}

// The addresses of `count` rows of x, and the elements there.
__tile_global__ void addresses(const float *x, const float **rows, int count) {
  auto r = tt::arange<8>();
  tt::store(rows + r, x + r * block, r < count);
}
__tile_global__ void follow(const float *const *rows, float *sums, int count) {
  auto r = tt::arange<8>();
  auto p = tt::load(rows + r, r < count);
  auto sum = tt::zeros<float, 8>();
  for (int i = 0; i < block; ++i)
    sum += tt::load(p++, r < count, 0.0f);
  tt::store(sums + r, sum, r < count);
}

// Sums of every third element, in an array of accumulators.
__tile_global__ void thirds(const float *x, float *out, int n) {
  tt::tile<float, block> sums[3]{};
  float counts[3] = {};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      sums[k] += tt::load(x + (3 * i + k) * block + tt::arange<block>());
    counts[i % 3] += 1.0f;
  }
  for (int k = 0; k < 3; ++k)
    tt::store(out + k * block + tt::arange<block>(), sums[k] + counts[k]);
}

// Constants by pointer and by reference, in classes and in templates.
inline constexpr int few = 3;
template <class T> struct tables {
  static constexpr T powers[3] = {1, 10, 100};
};
__tile__ float pick(const float (&table)[16], int i) { return table[i]; }
__tile_global__ void constants(float *out, int i) {
  const float *p = levels + 4;
  float sum = 0;
  for (float level : levels)
    sum += level;
  for (int power : tables<int>::powers)
    sum += power;
  out[0] = sum + pick(levels, i) * 1000;
  out[1] = p[0] + std::max(i, few);
}

// Loops over the elements themselves.
struct parts {
  const float *x[3];
};
__tile_global__ void elements(parts p, float *out, int stop) {
  tt::tile<float, block> tiles[3];
  int k = 0;
  for (const float *x : p.x)
    tiles[k++] = tt::load(x + tt::arange<block>());
  auto sum = tt::zeros<float, block>();
  for (auto tile : tiles)
    sum += tile;
  for (int factor : {2, 3, 5, 7}) {
    if (factor == stop)
      break;
    sum *= factor;
  }
  tt::store(out + tt::arange<block>(), sum);
}

int main() {
  return e2e::run("arrays of values", [] {
    for (bool inMemory : {false, true}) {
      e2e::context("in memory: %d", inMemory);
      const int sizes[groups] = {200, 1, 64};
      tensors t;
      std::vector<e2e::buffer<float>> x, out;
      for (int g = 0; g < groups; ++g) {
        x.emplace_back(sizes[g], e2e::random<float>);
        out.emplace_back(sizes[g]);
      }
      for (int g = 0; g < groups; ++g) {
        t.x[g] = x[g].data();
        t.out[g] = out[g].data();
        t.entries[g] = {sizes[g], 0.5f * g + 0.25f};
      }
      e2e::buffer<const float *> xs(groups, [&](int g) { return t.x[g]; });
      e2e::buffer<float *> outs(groups, [&](int g) { return t.out[g]; });
      e2e::buffer<int> ns(groups, [&](int g) { return sizes[g]; });
      (inMemory ? scale<true> : scale<false>)<<<dim3{4, groups}>>>(t, xs.data(), outs.data(), ns.data());
      for (int g = 0; g < groups; ++g)
        out[g].expect([&](int i) { return std::fma(x[g][i], t.entries[g].scale, levels[(g * 5) & 15]); });
    }

    constexpr int rows = 5;
    e2e::buffer<float> x(rows * block, e2e::random<float>), sums(rows);
    e2e::buffer<const float *> pointers(rows);
    addresses<<<1>>>(x.data(), pointers.data(), rows);
    follow<<<1>>>(pointers.data(), sums.data(), rows);
    sums.expect([&](int r) {
      float sum = 0;
      for (int i = 0; i < block; ++i)
        sum += x[r * block + i];
      return sum;
    });

    e2e::buffer<float> found(2);
    constants<<<1>>>(found.data(), 1);
    found.expect([](int i) { return i == 0 ? -8 + 111 - 7 * 1000 : -4 + 3; });

    e2e::buffer<float> product(block);
    elements<<<1>>>({x.data(), x.data() + block, x.data() + 2 * block}, product.data(), 5);
    product.expect([&](int i) { return (x[i] + x[block + i] + x[2 * block + i]) * 2 * 3; });

    constexpr int n = 4;
    e2e::buffer<float> y(3 * n * block, e2e::random<float>), out(3 * block);
    thirds<<<1>>>(y.data(), out.data(), n);
    out.expect([&](int i) {
      float sum = 0;
      for (int j = 0; j < n; ++j)
        sum += y[3 * j * block + i];
      return sum + (i / block == 0 ? 2.0f : 1.0f);
    });
  });
}
