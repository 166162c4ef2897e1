// What the examples share: random inputs, times, and the lines they print.
#ifndef EXAMPLES_SUPPORT_REPORT_H
#define EXAMPLES_SUPPORT_REPORT_H

#include <tilecc/runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace example {

inline std::vector<float> random_floats(size_t n) {
  std::mt19937 bits{std::random_device{}()}; // fresh inputs for every run
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float &value : values)
    value = normal(bits);
  return values;
}

// An output that nothing has written yet: a value that no kernel computes.
inline std::vector<float> poisoned(size_t n) { return std::vector<float>(n, std::numeric_limits<float>::quiet_NaN()); }

// The largest difference from a reference, in units of `scale` where that is given; a NaN is infinitely wrong.
inline double largest_error(const std::vector<float> &values, const std::vector<double> &reference, double scale = 1) {
  double error = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    double difference = std::fabs(values[i] - reference[i]) / scale;
    error = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(error, difference);
  }
  return error;
}

// The median time of a call in milliseconds, device work included.
template <class F> double median_ms(F call, int runs = 7) {
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) { // the first loads code and warms caches
    auto start = std::chrono::steady_clock::now();
    call();
    tt::check(ttDeviceSynchronize());
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (run)
      times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Prints one line; returns main's result.
inline int report(const char *name, double error, double tolerance, double ms, double plain_ms, double work,
                  const char *unit) {
  int device;
  ttDeviceProp properties;
  tt::check(ttGetDevice(&device));
  tt::check(ttGetDeviceProperties(&properties, device));
  bool correct = error <= tolerance;
  std::printf("%-12s on %s: %s (largest error %.2g), %.3f ms, %.1f %s; plain C++ loop on one CPU core %.3f ms, %.1f %s\n",
              name, properties.name, correct ? "correct" : "WRONG", error, ms, work / ms / 1e6, unit, plain_ms,
              work / plain_ms / 1e6, unit);
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The first argument as a size, or a default.
inline int size_from(int argc, char **argv, int otherwise) { return argc > 1 ? std::atoi(argv[1]) : otherwise; }

} // namespace example

#endif // EXAMPLES_SUPPORT_REPORT_H
