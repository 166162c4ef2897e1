// Kernels on the CPU device, compared with plain loops (see run.sh). The first kernels are bound by memory, the last
// four by computation.
#include "loops.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <vector>

template <int N>
__tile_global__ void layerNorm(const float *x, const float *weight, const float *bias, float *y, int columns) {
  auto c = tt::arange<N>();
  auto mask = c < columns;
  long at = long(tt::program_id(0)) * columns;
  auto row = tt::load(x + at + c, mask, 0.0f);
  float mean = tt::sum(row) / columns;
  auto centered = tt::where(mask, row - mean, 0.0f);
  float scale = tt::rsqrt(tt::sum(centered * centered) / columns + 1e-5f);
  tt::store(y + at + c, centered * scale * tt::load(weight + c, mask) + tt::load(bias + c, mask), mask);
}

template <int Half> __tile_global__ void rope(const float *x, const float *cosines, const float *sines, float *y) {
  auto c = tt::arange<Half>();
  long row = tt::program_id(0);
  auto first = tt::load(x + row * 2 * Half + c), second = tt::load(x + row * 2 * Half + Half + c);
  auto cosine = tt::load(cosines + row * Half + c), sine = tt::load(sines + row * Half + c);
  tt::store(y + row * 2 * Half + c, first * cosine - second * sine);
  tt::store(y + row * 2 * Half + Half + c, second * cosine + first * sine);
}

template <int N> __tile_global__ void cumsum(const float *x, float *y) {
  auto at = long(tt::program_id(0)) * N + tt::arange<N>().template to<int64_t>();
  tt::store(y + at, tt::cumsum(tt::load(x + at)));
}

template <int N> __tile_global__ void histogram(const int *x, int *counts) {
  auto values = tt::load(x + long(tt::program_id(0)) * N + tt::arange<N>());
  tt::atomic_add(counts + tt::arange<256>(), tt::histogram<256>(values));
}

// The next four kernels are taken from examples/ (05, 09, 12, 08), on floats.
template <int M, int N, int D>
__tile_global__ void attention(const float *q, const float *k, const float *v, float *out, int length, float scale) {
  auto rows = tt::program_id(0) * M + tt::arange<M>();
  auto d = tt::arange<D>();
  auto n = tt::arange<N>();
  auto place = rows.col() * D + d.row();
  auto queries = tt::load(q + place, (rows < length).col());
  auto most = tt::full<float, M>(-tt::inf<float>), sum = tt::zeros<float, M>();
  auto acc = tt::zeros<float, M, D>();
  int last = tt::minimum(int(tt::program_id(0) + 1) * M, length);
  for (int j = 0; j < last; j += N) {
    auto keys = j + n;
    auto in = keys < length;
    auto kt = tt::load(k + (keys.row() * D + d.col()), in.row());
    auto scores = tt::where(keys.row() <= rows.col() && in.row(), tt::dot(queries, kt) * scale, -1e30f);
    auto next = tt::maximum(most, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(most - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = tt::dot(p, tt::load(v + (keys.col() * D + d.row()), in.col()), acc * shrink.col());
    most = next;
  }
  tt::store(out + place, acc / sum.col(), (rows < length).col());
}

template <int N, int K> __tile_global__ void topK(const float *x, float *values, int *places, int columns) {
  long row = tt::program_id(0);
  auto i = tt::arange<N>();
  auto bits = tt::bitcast<int>(tt::load(x + row * columns + i, i < columns, -tt::inf<float>));
  auto ordered = tt::where(bits < 0, bits ^ 0x7fffffff, bits);
  auto best = tt::topk<K>(ordered.template to<long>() << 32 | (N - i).template to<long>());
  auto top = (best >> 32).template to<int>();
  auto k = tt::arange<K>();
  tt::store(values + row * K + k, tt::bitcast<float>(tt::where(top < 0, top ^ 0x7fffffff, top)));
  tt::store(places + row * K + k, N - best.template to<int>());
}

template <int N>
__tile_global__ void crossEntropy(const float *logits, const int *labels, float *loss, float *gradient, int columns) {
  long row = tt::program_id(0);
  int label = labels[row];
  auto i = tt::arange<N>();
  auto in = i < columns;
  auto v = tt::load(logits + row * columns + i, in, -tt::inf<float>);
  float most = tt::max(v);
  auto e = tt::exp(v - most);
  float sum = tt::sum(e), picked = tt::sum(tt::where(i == label, v, 0.0f));
  tt::store(loss + row, tt::log(sum) + most - picked);
  tt::store(gradient + row * columns + i, e / sum - (i == label).template to<float>(), in);
}

template <int M, int N>
__tile_global__ void matmulInt4(const float *a, const unsigned char *b, const float *scales, float *c, int m, int n, int k) {
  constexpr int group = 64; // of elements along k that share a scale
  auto rm = tt::program_id(0) * M + tt::arange<M>();
  auto rn = tt::program_id(1) * N + tt::arange<N>();
  auto acc = tt::zeros<float, M, N>();
  for (int i = 0; i < k; i += group) {
    auto x = tt::load(a + (rm.col() * k + (i + tt::arange<group>()).row()), (rm < m).col());
    auto packed = tt::load(b + ((i / 2 + tt::arange<group / 2>()).col() * n + rn.row()), (rn < n).row());
    auto low = (packed & 15).template to<int>() - 8, high = (packed >> 4).template to<int>() - 8;
    auto weights = tt::reshape<group, N>(tt::permute<0, 2, 1>(tt::join(low, high))).template to<float>();
    acc += tt::dot(x, weights) * tt::load(scales + i / group * n + rn, rn < n).row();
  }
  tt::store(c + (rm.col() * n + rn.row()), acc, (rm < m).col() && (rn < n).row());
}

// Allocates memory as ttMalloc does, aligned to cache lines, for both sides.
template <class T> struct Allocator {
  using value_type = T;
  T *allocate(size_t n) { return static_cast<T *>(std::aligned_alloc(256, (n * sizeof(T) + 255) / 256 * 256)); }
  void deallocate(T *memory, size_t) { std::free(memory); }
  bool operator==(const Allocator &) const = default;
};
template <class T> using Array = std::vector<T, Allocator<T>>;

static double seconds(const std::function<void()> &run, int repeat) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; ++i)
    run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeat;
}

static const char *chosen = ""; // only kernels whose names contain this are timed

// Prints the medians of interleaved runs.
static void compare(const char *name, double elements, const std::function<void()> &ours,
                    const std::function<void()> &plain, double goal = 1.2) {
  if (!std::strstr(name, chosen)) {
    ours();
    plain();
    return;
  }
  std::vector<double> times[2];
  int repeat = std::max(1, int(5e-4 / std::max(seconds(ours, 1), seconds(plain, 1))));
  for (int i = 0; i < 41; ++i) {
    times[0].push_back(seconds(ours, repeat));
    times[1].push_back(seconds(plain, repeat));
  }
  for (auto &list : times)
    std::nth_element(list.begin(), list.begin() + list.size() / 2, list.end());
  double a = times[0][times[0].size() / 2], b = times[1][times[1].size() / 2];
  std::printf("| %-24s | plain loop       | %8.2f Gelem/s | %8.2f Gelem/s | "
              "%5.2f | %-4s |\n",
              name, elements / a * 1e-9, elements / b * 1e-9, b / a, b / a >= goal ? "met" : goal == 1.2 ? "1.2" : "2.5");
}

template <class T> static void check(const char *name, const Array<T> &x, const Array<T> &y, size_t count, double allowed) {
  for (size_t i = 0; i < count; ++i)
    if (!(std::abs(double(x[i]) - double(y[i])) <= allowed * (1 + std::abs(double(y[i]))))) {
      std::printf("%s: element %zu is %g, not %g\n", name, i, double(x[i]), double(y[i]));
      std::exit(1);
    }
}

// usage: rows [part of a name]
int main(int argc, char **argv) {
  if (argc > 1)
    chosen = argv[1];
  std::puts("| kernel                   | against          | tcc             | "
            "the other       | ratio | goal |\n"
            "|--------------------------|------------------|-----------------|---"
            "--------------|-------|------|");
  constexpr int rows = 2048, columns = 1024, count = rows * columns;
  std::mt19937 random(7);
  Array<float> x(count), weight(columns), bias(columns), cosines(count / 2), sines(count / 2), y(count), z(count);
  for (auto *list : {&x, &weight, &bias})
    for (float &v : *list)
      v = std::uniform_real_distribution<float>(-1, 1)(random);
  for (int i = 0; i < count / 2; ++i)
    cosines[i] = std::cos(i * 0.001f), sines[i] = std::sin(i * 0.001f);
  Array<int> values(count), counts(256), plainCounts(256);
  for (int &v : values)
    v = random() % 256;

  // Once with data in memory, and once with data that fits in the second-level cache.
  for (int n : {rows, rows / 16}) {
    auto name = [&, text = std::string()](const char *kernel, int lines, int length) mutable {
      text = std::string(kernel) + " " + std::to_string(lines) + " x " + std::to_string(length);
      return text.c_str();
    };
    for (int length : {columns, 1000, 200}) {
      compare(
          name("layer_norm", n, length), double(n) * length,
          [&] { layerNorm<columns><<<n>>>(x.data(), weight.data(), bias.data(), y.data(), length); },
          [&] { loops::layerNorm(x.data(), weight.data(), bias.data(), z.data(), n, length); });
      check("layer_norm", y, z, size_t(n) * length, 1e-4);
    }
    compare(
        name("rope", n * 8, 128), n * columns,
        [&] { rope<64><<<n * 8>>>(x.data(), cosines.data(), sines.data(), y.data()); },
        [&] { loops::rope(x.data(), cosines.data(), sines.data(), z.data(), n * 8, 128); });
    check("rope", y, z, n * columns, 1e-5);
    compare(
        name("cumsum", n, columns), n * columns, [&] { cumsum<columns><<<n>>>(x.data(), y.data()); },
        [&] { loops::cumsum(x.data(), z.data(), n, columns); });
    check("cumsum", y, z, n * columns, 1e-4);
  }
  constexpr int tile = 65536;
  compare(
      "histogram 2^21 of 256", count, [&] { histogram<tile><<<count / tile>>>(values.data(), counts.data()); },
      [&] { loops::histogram(values.data(), plainCounts.data(), rows, columns); });
  check("histogram", counts, plainCounts, 256, 0);

  constexpr int length = 1024, some = 512;
  const float *k = &x[length * 64], *v = &x[2 * length * 64], scale = 0.125f;
  compare(
      "attention 1024 x 64", double(length) * length * 64,
      [&] { attention<64, 64, 64><<<length / 64>>>(x.data(), k, v, y.data(), length, scale * 1.44269504f); },
      [&] { loops::attention(x.data(), k, v, z.data(), length, scale); }, 2.5);
  check("attention", y, z, length * 64, 1e-4);
  Array<int> places(some * 8), plainPlaces(some * 8);
  compare(
      "top 8 of 512 x 1000", some * 1000.0, [&] { topK<1024, 8><<<some>>>(x.data(), y.data(), places.data(), 1000); },
      [&] { loops::topK(x.data(), z.data(), plainPlaces.data(), some, 1000); }, 2.5);
  check("top_k", y, z, some * 8, 0);
  check("top_k", places, plainPlaces, some * 8, 0);
  Array<float> loss(some), plainLoss(some);
  compare(
      "cross_entropy 512 x 1000", some * 1000.0,
      [&] { crossEntropy<1024><<<some>>>(x.data(), values.data(), loss.data(), y.data(), 1000); },
      [&] { loops::crossEntropy(x.data(), values.data(), plainLoss.data(), z.data(), some, 1000); }, 2.5);
  check("cross_entropy", loss, plainLoss, some, 1e-4);
  check("cross_entropy", y, z, some * 1000, 1e-4);
  Array<unsigned char> packed(some * some / 2);
  for (unsigned char &byte : packed)
    byte = random();
  compare(
      "int4 matmul 512^3", double(some) * some * some,
      [&] {
        matmulInt4<64, 64><<<dim3(some / 64, some / 64)>>>(x.data(), packed.data(), sines.data(), y.data(), some, some, some);
      },
      [&] { loops::matmulInt4(x.data(), packed.data(), sines.data(), z.data(), some, some, some); }, 2.5);
  check("int4 matmul", y, z, some * some, 1e-3);
}
