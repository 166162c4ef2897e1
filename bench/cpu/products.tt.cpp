// Matrix products of bf16 and of 8-bit integers on the CPU device, with AMX if the processor has it, compared with
// OpenBLAS's products of f32 (see run.sh).
// usage: products
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <vector>

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

template <int M, int N, int K, typename T, typename Sum>
__tile_global__ void product(const T *a, const T *b, Sum *c, int size) {
  auto rm = tt::program_id(0) * M + tt::arange<M>();
  auto rn = tt::program_id(1) * N + tt::arange<N>();
  auto acc = tt::zeros<Sum, M, N>();
  for (int i = 0; i < size; i += K) {
    auto rk = i + tt::arange<K>();
    auto x = tt::load(a + (rm.col() * size + rk.row()), (rm < size).col() && (rk < size).row());
    auto y = tt::load(b + (rk.col() * size + rn.row()), (rk < size).col() && (rn < size).row());
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (rm.col() * size + rn.row()), acc, (rm < size).col() && (rn < size).row());
}

static double seconds(const std::function<void()> &run) {
  auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Prints the medians of interleaved runs. The elements are small integers, so that the result does not depend on the
// order of additions.
template <int M, int N, int K, typename T, typename Sum> static void compare(const char *type, int n) {
  std::mt19937 random(n);
  std::vector<float> x(n * n), y(n * n), theirs(n * n);
  for (auto *list : {&x, &y})
    for (float &v : *list)
      v = int(random() % 17) - 8;
  std::vector<T> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = T(x[i]), b[i] = T(y[i]);
  std::vector<Sum> c(n * n);
  std::vector<double> times[2];
  for (int round = 0; round < 21; ++round) {
    times[0].push_back(seconds([&] {
      product<M, N, K><<<dim3(tt::cdiv(n, M), tt::cdiv(n, N))>>>(a.data(), b.data(), c.data(), n);
      tt::check(ttDeviceSynchronize());
    }));
    times[1].push_back(seconds([&] {
      cblas_sgemm(101, 111, 111, n, n, n, 1, x.data(), n, y.data(), n, 0, theirs.data(), n);
    }));
  }
  for (int i = 0; i < n * n; ++i)
    if (float(c[i]) != theirs[i]) {
      std::printf("%s: element %d is %g, not %g\n", type, i, double(c[i]), double(theirs[i]));
      std::exit(1);
    }
  for (auto &list : times)
    std::nth_element(list.begin(), list.begin() + 10, list.end());
  double work = 2e-9 * n * n * n;
  std::printf("| %s %d^3 in tiles of %d x %d x %d | %.1f | %.1f | %.2f |\n", type, n, M, N, K, work / times[0][10],
              work / times[1][10], times[1][10] / times[0][10]);
}

int main() {
  std::puts("| product | tcc, GFLOP/s | OpenBLAS f32 | ratio |\n|---|---|---|---|");
  compare<128, 128, 64, tt::bfloat16, float>("bf16", 1024);
  compare<128, 128, 128, tt::bfloat16, float>("bf16", 1024);
  compare<256, 128, 256, tt::bfloat16, float>("bf16", 1024);
  compare<256, 128, 256, tt::bfloat16, float>("bf16", 2048);
  compare<128, 128, 64, tt::bfloat16, float>("bf16", 1000);
  compare<128, 128, 128, int8_t, int>("int8", 1024);
}
