// Measures kernels that tcc compiled for the CPU against plain loops (plain.cpp) and OpenBLAS: in one process, on the
// same data and number of threads, in interleaved runs. Prints medians. Results are checked before they are timed.
//
//   bench-cpu <threads>          prints the table
//   bench-cpu <threads> blas     prints only OpenBLAS's GFLOP/s at 1024, to choose OPENBLAS_CORETYPE
#include "plain.h"
#include "tilecc/abi.h"
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace add {
#include "vector-add.h"
}
namespace softmax {
#include "softmax.h"
}
namespace matmul {
#include "matmul.h"
}
extern "C" {
void cblas_sgemm(int order, int transA, int transB, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc);
void openblas_set_num_threads(int threads);
char *openblas_get_corename(void);
}

/// A team of threads that all run the same function; the caller is one of them. It spins, as OpenBLAS's team does.
class Team {
public:
  explicit Team(int size) : size(size), start(size), finish(size) {
    for (int t = 1; t < size; ++t)
      threads.emplace_back([this, t] {
        for (;;) {
          start.arrive_and_wait();
          if (!work)
            return;
          work(t);
          finish.arrive_and_wait();
        }
      });
  }
  ~Team() {
    work = nullptr;
    start.arrive_and_wait();
    for (std::thread &thread : threads)
      thread.join();
  }
  void run(std::function<void(int)> f) {
    work = std::move(f);
    start.arrive_and_wait();
    work(0);
    finish.arrive_and_wait();
  }
  const int size;

private:
  std::vector<std::thread> threads;
  std::barrier<> start, finish;
  std::function<void(int)> work;
};

/// Runs all programs of a kernel with the best of its functions that this processor can run.
template <class... Args>
static void launch(Team &team, const tilecc_cpu_entry *entries, uint32_t programs, Args... args) {
  while (entries->level > (__builtin_cpu_supports("x86-64-v4") ? 4u : __builtin_cpu_supports("x86-64-v3") ? 3u : 2u))
    ++entries;
  const tilecc_cpu_entry *two = entries->programs == 2 ? entries++ : nullptr; // runs two programs; a single one remains
  const uint64_t bytes = std::max(entries->scratch_bytes, two ? two->scratch_bytes : 0);
  static thread_local std::vector<std::unique_ptr<void, void (*)(void *)>> scratch;
  static thread_local uint64_t scratchBytes = 0;
  if (scratchBytes < bytes || scratch.size() < size_t(team.size)) {
    scratch.clear();
    scratchBytes = std::max(scratchBytes, bytes);
    for (int t = 0; t < team.size; ++t)
      scratch.emplace_back(std::aligned_alloc(4096, (scratchBytes + 4095) / 4096 * 4096), std::free);
  }
  void *pointers[] = {static_cast<void *>(&args)...};
  const uint32_t num[3] = {programs, 1, 1};
  std::atomic<uint32_t> next = 0;
  const uint32_t chunk = std::max(1u, programs / (team.size * 16));
  auto &buffers = scratch;
  team.run([&](int t) {
    for (uint32_t first; (first = next.fetch_add(chunk)) < programs;)
      for (uint32_t p = first, end = std::min(programs, first + chunk); p < end;) {
        const uint32_t id[3] = {p, 0, 0};
        const bool isTwo = two && p + 1 < end;
        (isTwo ? two : entries)->run(pointers, id, num, buffers[t].get());
        p += 1 + isTwo;
      }
  });
}

static double seconds(const std::function<void()> &f, int repeat) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; ++i)
    f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeat;
}

struct Pair {
  double ours, theirs;
};
/// Returns the medians of interleaved runs.
static Pair compare(const std::function<void()> &ours, const std::function<void()> &theirs) {
  double once = seconds(ours, 1);
  once = std::min(once, seconds(ours, 1));
  int repeat = std::max(1, int(0.01 / once));
  std::vector<double> a, b;
  seconds(theirs, repeat);
  for (int round = 0; round < 21; ++round) {
    a.push_back(seconds(ours, repeat));
    b.push_back(seconds(theirs, repeat));
  }
  std::nth_element(a.begin(), a.begin() + 10, a.end());
  std::nth_element(b.begin(), b.begin() + 10, b.end());
  return {a[10], b[10]};
}

static void report(const char *kernel, const char *against, const char *unit, double work, Pair time, double goal) {
  std::printf("| %-22s | %-16s | %8.2f %-7s | %8.2f %-7s | %5.2f | %s |\n", kernel, against, work / time.ours * 1e-9, unit,
              work / time.theirs * 1e-9, unit, time.theirs / time.ours,
              goal == 0 ? "-   " : time.theirs / time.ours >= goal ? "met " : "MISS");
}

/// Allocates memory as ttMalloc does, aligned to cache lines, for both sides.
template <class T> struct Allocator {
  using value_type = T;
  T *allocate(size_t n) { return static_cast<T *>(std::aligned_alloc(256, (n * sizeof(T) + 255) / 256 * 256)); }
  void deallocate(T *memory, size_t) { std::free(memory); }
  bool operator==(const Allocator &) const = default;
};
using Floats = std::vector<float, Allocator<float>>;

static Floats randomFloats(size_t n, float lo, float hi) {
  static std::mt19937 engine(std::random_device{}());
  std::uniform_real_distribution<float> d(lo, hi);
  Floats v(n);
  for (float &x : v)
    x = d(engine);
  return v;
}

static void check(const char *what, const Floats &got, const Floats &want, float tolerance) {
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - want[i]) <= tolerance * std::fmax(1.0f, std::fabs(want[i])))) {
      std::printf("%s: element %zu is %g, not %g\n", what, i, got[i], want[i]);
      std::exit(1);
    }
}

static void benchAdd(Team &team, const char *name, int n, double goal) {
  auto x = randomFloats(n, -1, 1), y = randomFloats(n, -1, 1);
  Floats ours(n, NAN), theirs(n, NAN);
  auto tile = [&] { launch(team, add::entries, (n + 1023) / 1024, x.data(), y.data(), ours.data(), n); };
  auto plain = [&] {
    team.run([&](int t) {
      plainAdd(x.data(), y.data(), theirs.data(), long(n) * t / team.size, long(n) * (t + 1) / team.size);
    });
  };
  tile();
  plain();
  check(name, ours, theirs, 0);
  report(name, "plain loop", "GB/s", 12.0 * n, compare(tile, plain), goal);
}

static void benchSoftmax(Team &team, const char *name, int rows, int cols, double goal) {
  size_t n = size_t(rows) * cols;
  auto x = randomFloats(n, -10, 10);
  Floats ours(n, NAN), theirs(n, NAN);
  auto tile = [&] { launch(team, softmax::entries, rows, x.data(), ours.data(), cols, cols); };
  auto plain = [&] {
    team.run([&](int t) {
      plainSoftmax(x.data(), theirs.data(), cols, cols, long(rows) * t / team.size, long(rows) * (t + 1) / team.size);
    });
  };
  tile();
  plain();
  check(name, ours, theirs, 1e-5f);
  report(name, "plain loop", "Gelem/s", double(n), compare(tile, plain), goal);
}

static void benchMatmul(Team &team, const char *name, int n, double goal) {
  auto a = randomFloats(size_t(n) * n, -1, 1), b = randomFloats(size_t(n) * n, -1, 1);
  Floats ours(size_t(n) * n, NAN), theirs(size_t(n) * n, NAN);
  uint32_t tiles = (n + 127) / 128;
  auto tile = [&] {
    launch(team, matmul::entries, tiles * tiles, a.data(), b.data(), ours.data(), n, n, n, n, n, n);
  };
  auto blas = [&] {
    cblas_sgemm(101, 111, 111, n, n, n, 1, a.data(), n, b.data(), n, 0, theirs.data(), n);
  };
  tile();
  blas();
  check(name, ours, theirs, 1e-3f);
  report(name, "OpenBLAS", "GFLOP/s", 2.0 * n * n * n, compare(tile, blas), goal);
}

// Set as in the runtime, to three quarters of the last-level cache.
uint64_t __tilecc_cpu_stream_bytes = ~0ull;
static void findCache() {
  unsigned long kilobytes;
  FILE *file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
  if (file && std::fscanf(file, "%luK", &kilobytes) == 1)
    __tilecc_cpu_stream_bytes = kilobytes * 1024 / 4 * 3;
  if (file)
    std::fclose(file);
}

int main(int argc, char **argv) {
  findCache();
  int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  openblas_set_num_threads(threads);
  if (argc > 2 && !std::strcmp(argv[2], "blas")) {
    int n = 1024;
    auto a = randomFloats(n * n, -1, 1), b = randomFloats(n * n, -1, 1), c = a;
    auto blas = [&] { cblas_sgemm(101, 111, 111, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n); };
    blas();
    double best = 1e9;
    for (int i = 0; i < 10; ++i)
      best = std::min(best, seconds(blas, 1));
    std::printf("%.1f %s\n", 2e-9 * n * n * n / best, openblas_get_corename());
    return 0;
  }
  Team team(threads);
  std::printf("%d thread%s, OpenBLAS's kernels for %s\n\n", threads, threads == 1 ? "" : "s", openblas_get_corename());
  std::printf("| kernel                 | against          | tcc              | the other        | ratio | goal |\n");
  std::printf("|------------------------|------------------|------------------|------------------|-------|------|\n");
  benchAdd(team, "vector_add 2^24", 1 << 24, 0.95);
  benchAdd(team, "vector_add 2^17", 1 << 17, 0.95);
  benchSoftmax(team, "softmax 8192 x 1000", 8192, 1000, 1.1);
  benchSoftmax(team, "softmax 64 x 1000", 64, 1000, 1.1);
  benchSoftmax(team, "softmax 64 x 1024", 64, 1024, 1.1);
  benchMatmul(team, "matmul 1024", 1024, 0.7);
  benchMatmul(team, "matmul 2048", 2048, 0);
  benchMatmul(team, "matmul 1000", 1000, 0);
}
