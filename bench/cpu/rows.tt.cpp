// Kernels over rows on the CPU device, beside plain loops: run.sh.
#include "loops.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

// Memory as ttMalloc gives it, for both: aligned to lines of the cache.
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

// Medians of interleaved runs.
static void compare(const char *name, double elements, const std::function<void()> &ours,
                    const std::function<void()> &plain) {
  std::vector<double> times[2];
  int repeat = std::max(1, int(5e-4 / std::max(seconds(ours, 1), seconds(plain, 1))));
  for (int i = 0; i < 41; ++i) {
    times[0].push_back(seconds(ours, repeat));
    times[1].push_back(seconds(plain, repeat));
  }
  for (auto &list : times)
    std::nth_element(list.begin(), list.begin() + list.size() / 2, list.end());
  double a = times[0][times[0].size() / 2], b = times[1][times[1].size() / 2];
  std::printf("| %-22s | plain loop       | %8.2f Gelem/s | %8.2f Gelem/s | "
              "%5.2f | %s |\n",
              name, elements / a * 1e-9, elements / b * 1e-9, b / a, b / a >= 1.2 ? "met " : "1.20");
}

template <class T> static void check(const char *name, const Array<T> &x, const Array<T> &y, size_t count, double allowed) {
  for (size_t i = 0; i < count; ++i)
    if (!(std::abs(double(x[i]) - double(y[i])) <= allowed * (1 + std::abs(double(y[i]))))) {
      std::printf("%s: element %zu is %g, not %g\n", name, i, double(x[i]), double(y[i]));
      std::exit(1);
    }
}

int main() {
  std::puts("| kernel                 | against          | tcc             | "
            "the other       | ratio | goal |\n"
            "|------------------------|------------------|-----------------|---"
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

  // In memory, and in the second-level cache.
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
}
