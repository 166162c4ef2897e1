// A tiny benchmark registry: BENCH(name) { ... time_kernel(...); check(...); }
#pragma once
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CU(call)                                                                                                       \
  do {                                                                                                                 \
    cudaError_t status_ = (call);                                                                                      \
    if (status_ != cudaSuccess) {                                                                                      \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));                      \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

namespace bench {

struct State {
  double microseconds = 0, sum = 0, weighted = 0; // sums of medians, of outputs, and of weighted outputs
};
inline State state;

struct Entry {
  const char *name;
  void (*function)();
};
inline std::vector<Entry> &entries() {
  static std::vector<Entry> list;
  return list;
}
struct Register {
  Register(const char *name, void (*function)()) { entries().push_back({name, function}); }
};

// The host's random numbers: splitmix64, seeded per benchmark.
struct Random {
  uint64_t s;
  explicit Random(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 12345) {}
  uint64_t bits() {
    uint64_t z = (s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double uniform(double a = 0, double b = 1) { return a + (b - a) * (double)(bits() >> 11) * 0x1p-53; }
  uint32_t below(uint32_t n) { return (uint32_t)((bits() >> 32) * n >> 32); }
};

// An array on the host and on the device.
template <class T> struct Array {
  std::vector<T> h;
  T *d = nullptr;
  explicit Array(size_t n) : h(n) {
    CU(cudaMalloc(&d, n * sizeof(T)));
    zero();
  }
  template <class F> Array(size_t n, F f) : Array(n) {
    for (size_t i = 0; i < n; i++)
      h[i] = f(i);
    up();
  }
  Array(const Array &) = delete;
  ~Array() { CU(cudaFree(d)); }
  size_t size() const { return h.size(); }
  void up() { CU(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  void down() { CU(cudaMemcpy(h.data(), d, h.size() * sizeof(T), cudaMemcpyDeviceToHost)); }
  void zero() { CU(cudaMemset(d, 0, h.size() * sizeof(T))); }
  operator T *() { return d; }
};

// Returns the median time of 21 launches. before() runs before each launch and is not timed.
template <class F, class B> void time_kernel(F launch, B before) {
  cudaEvent_t from, to;
  CU(cudaEventCreate(&from));
  CU(cudaEventCreate(&to));
  std::vector<float> times;
  for (int i = 0; i < 24; i++) {
    before();
    CU(cudaEventRecord(from));
    launch();
    CU(cudaEventRecord(to));
    CU(cudaGetLastError());
    CU(cudaEventSynchronize(to));
    float ms = 0;
    CU(cudaEventElapsedTime(&ms, from, to));
    times.push_back(ms * 1000);
  }
  std::sort(times.begin() + 3, times.end());
  state.microseconds += times[3 + 10];
  CU(cudaEventDestroy(from));
  CU(cudaEventDestroy(to));
}
template <class F> void time_kernel(F launch) { time_kernel(launch, [] {}); }

// Adds an output to the checksum. Only the low 20 bits of integers count.
template <class T> void check(Array<T> &out) {
  out.down();
  for (size_t i = 0; i < out.size(); i++) {
    double x = (double)out.h[i];
    if constexpr (std::is_integral_v<T>)
      x = (double)((uint64_t)out.h[i] & 0xFFFFF);
    uint32_t w = (uint32_t)(i * 2654435761u) ^ (uint32_t)(i >> 7);
    state.sum += std::fabs(x);
    state.weighted += x * (0.5 + (w >> 8) * 0x1p-24);
  }
}

} // namespace bench

using bench::Array, bench::check, bench::Random, bench::time_kernel;

#define BENCH(name)                                                                                                    \
  static void bench_##name();                                                                                          \
  static bench::Register register_##name(#name, bench_##name);                                                         \
  static void bench_##name()
