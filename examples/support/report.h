// Shared by the examples: random inputs, timing, and output.
#ifndef EXAMPLES_SUPPORT_REPORT_H
#define EXAMPLES_SUPPORT_REPORT_H

#include <tilecc/host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vector>

namespace example {

// Returns a new seed for every run.
inline uint64_t fresh_seed() {
  uint64_t seed = 0;
  return getentropy(&seed, sizeof(seed)) == 0 ? seed : time(nullptr);
}
inline std::vector<float> random_floats(size_t n) { return tt::random_normal(n, fresh_seed()); }

// An output array filled with a value that no kernel computes.
inline std::vector<float> poisoned(size_t n) { return std::vector<float>(n, NAN); }

// The largest difference from a reference, in units of `scale` if given. A NaN counts as infinitely wrong.
inline double largest_error(const std::vector<float> &values, const std::vector<double> &reference, double scale = 1) {
  double error = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    double difference = fabs(values[i] - reference[i]) / scale;
    error = __builtin_isnan(difference) ? INFINITY : difference > error ? difference : error;
  }
  return error;
}

// The median time of a call in milliseconds, including work on the device.
template <class F> double median_ms(F call, int runs = 7) {
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) { // the first run loads code and warms caches
    double start = tt::detail::milliseconds();
    call();
    tt::check(ttDeviceSynchronize());
    if (run)
      times.push_back(tt::detail::milliseconds() - start);
  }
  return tt::detail::median(times);
}

// Prints one line and returns main's result.
inline int report(const char *name, double error, double tolerance, double ms, double plain_ms, double work,
                  const char *unit) {
  int device;
  ttDeviceProp properties;
  tt::check(ttGetDevice(&device));
  tt::check(ttGetDeviceProperties(&properties, device));
  bool correct = error <= tolerance;
  printf("%-12s on %s: %s (largest error %.2g), %.3f ms, %.1f %s; plain C++ loop on one CPU core %.3f ms, %.1f %s\n",
         name, properties.name, correct ? "correct" : "WRONG", error, ms, work / ms / 1e6, unit, plain_ms,
         work / plain_ms / 1e6, unit);
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The first argument as a size, or a default.
inline int size_from(int argc, char **argv, int otherwise) { return argc > 1 ? atoi(argv[1]) : otherwise; }

} // namespace example

#endif // EXAMPLES_SUPPORT_REPORT_H
