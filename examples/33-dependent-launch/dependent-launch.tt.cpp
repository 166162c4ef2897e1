// 33: overlapping launches, and programs that synchronize.
//
// A kernel launched with programmatic() may start while the previous kernel is still running. It first does the work
// that does not depend on that kernel, and then waits for it. A cooperative() launch runs all programs at the same
// time, so that they may wait for each other.
//
//   tcc -O2 dependent-launch.tt.cpp -o dependent-launch && ./dependent-launch

#include "../support/report.h"
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

// out = tanh(x + weights), in a chain: the previous launch writes x, but the weights are available from the start.
__tile_global__ void layer(const float *x, const float *weights, float *out, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto w = tt::load(weights + i, i < n);
  tt::grid_dependency_launch(); // the next launch may start, and load its weights
  tt::grid_dependency_wait();   // from here on, x is complete
  tt::store(out + i, tt::tanh(tt::load(x + i, i < n) + w), i < n);
}

// Each program adds its part to the sum. When all have done so, each divides its part by the sum.
__tile_global__ void normalize(float *x, int n, float *sum, int *arrived) {
  const int rows = tt::num_programs(0), begin = tt::program_id(0);
  float part = 0;
  for (int block = begin; block * 1024 < n; block += rows) {
    auto i = block * 1024 + tt::arange<1024>();
    part += tt::sum(tt::load(x + i, i < n));
  }
  tt::atomic_add(sum, part);
  tt::debug_barrier();
  tt::atomic_add(arrived, 1); // atomics acquire and release, so everyone who sees this also sees the sum
  while (tt::atomic_add(arrived, 0) < rows) {
  }
  float all = tt::atomic_add(sum, 0.0f);
  for (int block = begin; block * 1024 < n; block += rows) {
    auto i = block * 1024 + tt::arange<1024>();
    tt::store(x + i, tt::load(x + i, i < n) / all, i < n);
  }
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1 << 17), layers = 16;
  auto input = example::random_floats(n), weights = example::random_floats(size_t(n) * layers);
  tt::stream stream;
  tt::device_buffer<float> x(n), y(n), w(weights.data(), weights.size()), sum(1);
  tt::device_buffer<int> arrived(1);

  auto run = [&](bool overlaps) {
    for (int i = 0; i < layers; ++i)
      tt::launch(layer, tt::launch_config(tt::cdiv(n, 1024), stream).programmatic(overlaps),
                 i % 2 ? y.data() : x.data(), w.data() + size_t(i) * n, i % 2 ? x.data() : y.data(), n);
  };
  x.copy_from(input.data());
  double apart_ms = example::median_ms([&] { run(false); });
  double overlapped_ms = example::median_ms([&] { run(true); });
  x.copy_from(input.data());
  run(true);
  stream.synchronize();
  std::vector<float> result(n);
  x.copy_to(result.data());
  std::vector<double> reference(input.begin(), input.end());
  for (int i = 0; i < layers; ++i)
    for (int j = 0; j < n; ++j)
      reference[j] = std::tanh(reference[j] + weights[size_t(i) * n + j]);
  double error = example::largest_error(result, reference);

  // As many programs as can run at the same time, but no more than there are blocks.
  int active;
  tt::check(ttOccupancyMaxActivePrograms(&active, reinterpret_cast<const void *>(normalize)));
  const int programs = std::max(1, std::min(active, tt::cdiv(n, 1024)));
  std::vector<float> positive(n);
  double total = 0;
  for (int j = 0; j < n; ++j)
    total += positive[j] = 1 + std::fabs(input[j]);
  x.copy_from(positive.data());
  sum.set_bytes(0);
  arrived.set_bytes(0);
  tt::launch(normalize, tt::launch_config(programs, stream).cooperative(), x.data(), n, sum.data(), arrived.data());
  stream.synchronize();
  x.copy_to(result.data());
  for (int j = 0; j < n; ++j)
    error = std::max(error, std::fabs(result[j] * total - positive[j]) / positive[j]);

  std::printf("%d dependent launches: %.4f ms one after the other, %.4f ms overlapping; %d programs met\n", layers,
              apart_ms, overlapped_ms, programs);
  return example::report("dependent-launch", error, 2e-5, overlapped_ms, apart_ms, 3.0 * sizeof(float) * n * layers,
                         "GB/s");
}
