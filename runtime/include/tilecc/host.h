//===-- tilecc/host.h - what programs around kernels are made of ----------------------------------------*- C++ -*-===//
//
//   TT_CHECK(call)        throws tt::error with file, line and call where a call of the runtime fails
//   tt::buffer<T>         device memory from and to std::vector and std::span, filled with a number; a kernel's argument
//   tt::view<T, Rank>     a tensor in host memory: sizes, strides, elements; prints itself
//   tt::compare           two arrays within a tolerance: how many differ, where, and by how much
//   tt::do_bench          the time of a call: the median of many, with the L2 cache flushed before each
//
//   tt::buffer<float> x(tt::random_normal(n)), y(n);
//   scale<<<tt::cdiv(n, 1024)>>>(x, y, n);
//   auto result = tt::compare("y", y.to_vector(), expected);
//   auto time = tt::do_bench([&] { scale<<<tt::cdiv(n, 1024)>>>(x, y, n); });
//   std::cout << result << "\n" << time << ", " << time.gigabytes_per_second(8.0 * n) << " GB/s\n";
//
// Header only and C++20, for every compiler; kernels' headers do not include it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_HOST_H
#define TILECC_HOST_H

#include <tilecc/runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <ostream>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

/// For each ttError_t: nothing, or an exception that says where and what.
#define TT_CHECK(...) ::tt::detail::check_at((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

namespace tt {
namespace detail {
[[noreturn]] inline void report(ttError_t code, const std::string &text) {
#if defined(__cpp_exceptions)
  throw error(code, text.c_str());
#else
  fprintf(stderr, "%s\n", text.c_str());
  (void)code;
  abort();
#endif
}
inline void check_at(ttError_t code, const char *call, const char *file, int line) {
  if (code == ttSuccess)
    return;
  std::string text = std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + ttGetErrorMessage(code);
  ttGetLastError(); // it has been reported
  report(code, text);
}
// Of two sizes that should be one.
inline void check_size(const char *what, size_t size, size_t expected) {
  if (size != expected)
    report(ttErrorInvalidValue, std::string(what) + " of " + std::to_string(size) + " elements where there are " +
                                    std::to_string(expected));
}
} // namespace detail

//===-- numbers ---------------------------------------------------------------------------------------------------===//

/// n numbers between low and high, or around 0 with deviation 1: the same ones for the same seed.
template <class T = float>
std::vector<T> random_uniform(size_t n, double low = 0, double high = 1, uint64_t seed = 0) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> numbers(low, high);
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(static_cast<float>(numbers(bits)));
  return values;
}
template <class T = float> std::vector<T> random_normal(size_t n, uint64_t seed = 0) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<float> numbers;
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(numbers(bits));
  return values;
}

//===-- memory ----------------------------------------------------------------------------------------------------===//

/// Elements in the memory of the device that is current at its construction. It converts to the pointer that kernels
/// take; where a kernel's template arguments are deduced from its parameters, say data(). Copies are synchronous.
template <class T> class buffer : public device_buffer<T> {
public:
  buffer() = default;
  explicit buffer(size_t size) : device_buffer<T>(size) {}
  buffer(size_t size, T value) : device_buffer<T>(size) { fill(value); }
  explicit buffer(std::span<const T> values) : device_buffer<T>(values.data(), values.size()) {}
  explicit buffer(const std::vector<T> &values) : buffer(std::span<const T>(values)) {}

  operator T *() const noexcept { return this->data(); }
  operator const T *() const noexcept
    requires(!std::is_const_v<T>)
  {
    return this->data();
  }

  std::vector<T> to_vector() const {
    std::vector<T> values(this->size());
    this->copy_to(values.data());
    return values;
  }
  using device_buffer<T>::copy_from;
  using device_buffer<T>::copy_to;
  /// As many elements as there are.
  void copy_from(std::span<const T> values) {
    detail::check_size("a copy", values.size(), this->size());
    this->copy_from(values.data());
  }
  void copy_to(std::span<T> values) const {
    detail::check_size("a copy", values.size(), this->size());
    this->copy_to(values.data());
  }
  void fill(T value) {
    std::vector<T> values(this->size(), value);
    this->copy_from(values.data());
  }
  void fill_uniform(double low = 0, double high = 1, uint64_t seed = 0) {
    copy_from(std::span<const T>(random_uniform<T>(this->size(), low, high, seed)));
  }
};

//===-- tensors ---------------------------------------------------------------------------------------------------===//

/// Host memory under sizes and strides, which count elements; row-major where no strides are given.
template <class T, size_t Rank> class view {
public:
  using index = std::array<int64_t, Rank>;

  view(T *data, const index &sizes) : data_(data), sizes_(sizes) {
    int64_t stride = 1;
    for (size_t d = Rank; d-- > 0; stride *= sizes[d])
      strides_[d] = stride;
  }
  view(T *data, const index &sizes, const index &strides) : data_(data), sizes_(sizes), strides_(strides) {}

  const index &sizes() const { return sizes_; }
  const index &strides() const { return strides_; }
  template <class... I>
    requires(sizeof...(I) == Rank)
  T &operator()(I... i) const {
    index at{static_cast<int64_t>(i)...};
    return data_[offset(at)];
  }

  /// Like NumPy's: of a long dimension the first and last three.
  friend std::ostream &operator<<(std::ostream &out, const view &tensor) {
    index at{};
    tensor.print(out, 0, at);
    return out;
  }

private:
  static constexpr int64_t shown = 3;

  int64_t offset(const index &at) const {
    int64_t sum = 0;
    for (size_t d = 0; d < Rank; ++d)
      sum += at[d] * strides_[d];
    return sum;
  }
  void print(std::ostream &out, size_t d, index &at) const {
    if (d == Rank) {
      if constexpr (std::is_integral_v<T>)
        out << +data_[offset(at)];
      else
        out << static_cast<double>(data_[offset(at)]);
      return;
    }
    out << "[";
    for (at[d] = 0; at[d] < sizes_[d]; ++at[d]) {
      if (at[d])
        out << (d + 1 == Rank ? ", " : ",\n" + std::string(d + 1, ' '));
      if (sizes_[d] > 2 * shown && at[d] == shown) {
        out << "...";
        at[d] = sizes_[d] - shown - 1;
      } else {
        print(out, d + 1, at);
      }
    }
    out << "]";
  }

  T *data_; ///< not owned
  index sizes_, strides_;
};
template <class T, size_t Rank> view(T *, const int64_t (&)[Rank]) -> view<T, Rank>;

//===-- comparison ------------------------------------------------------------------------------------------------===//

/// What may differ: absolute + relative * |expected|.
struct tolerance {
  double relative = 1e-5, absolute = 1e-8;
};

/// What tt::compare found; true if all is well. Prints a line.
struct comparison {
  std::string name;
  size_t count = 0, wrong = 0;
  size_t first = 0, worst = 0;    ///< where the first wrong element is, and where the largest difference
  double difference = 0;          ///< the largest
  double value = 0, expected = 0; ///< there
  explicit operator bool() const { return wrong == 0; }

  friend std::ostream &operator<<(std::ostream &out, const comparison &result) {
    out << result.name << ": ";
    if (result)
      return out << "all " << result.count << " elements are right, the largest difference is " << result.difference;
    return out << result.wrong << " of " << result.count << " elements are wrong, the first at " << result.first
               << "; the worst at " << result.worst << ": " << result.value << ", expected " << result.expected
               << ", which is off by " << result.difference;
  }
};

/// Compares arrays of the same size, element by element in double. A NaN equals a NaN, and an infinity itself, only.
template <class A, class B>
comparison compare(std::string name, const A &values, const B &expected, tolerance allowed = {}) {
  comparison result{std::move(name), std::size(values)};
  detail::check_size("a comparison", std::size(expected), result.count);
  for (size_t i = 0; i < result.count; ++i) {
    double value = static_cast<double>(values[i]), want = static_cast<double>(expected[i]);
    bool isSame = value == want || (std::isnan(value) && std::isnan(want));
    double difference = isSame ? 0 : std::fabs(value - want);
    if (std::isnan(difference))
      difference = std::numeric_limits<double>::infinity();
    bool isClose = std::isfinite(difference) && difference <= allowed.absolute + allowed.relative * std::fabs(want);
    if (!isSame && !isClose && result.wrong++ == 0)
      result.first = i;
    if (difference > result.difference || i == 0) {
      result.difference = difference;
      result.worst = i;
      result.value = value;
      result.expected = want;
    }
  }
  return result;
}

//===-- time ------------------------------------------------------------------------------------------------------===//

/// Milliseconds that one call took. Prints itself.
struct timing {
  double median = 0, least = 0, most = 0;
  size_t runs = 0;

  double gigabytes_per_second(double bytes) const { return bytes / median / 1e6; }
  double teraflops(double operations) const { return operations / median / 1e9; }
  friend std::ostream &operator<<(std::ostream &out, const timing &time) {
    return out << time.median << " ms (" << time.least << " to " << time.most << " in " << time.runs << " runs)";
  }
};

struct bench_options {
  double warmup_ms = 25, measured_ms = 100; ///< how long to run, at least one call each
  bool flush = true;                        ///< write to more memory than the L2 cache holds before each call
  ttStream_t stream = nullptr;              ///< in which the call works
};

/// How long the work of call() takes on the current device: what it launches in options.stream, from event to event on a
/// GPU, and by the clock on the CPU and the emulator. Its failures are exceptions, those of launches included.
template <class F> timing do_bench(F call, const bench_options &options = {}) {
  int device = 0;
  ttDeviceProp properties;
  check(ttGetDevice(&device));
  check(ttGetDeviceProperties(&properties, device));
  const bool isGpu = properties.kind == ttDeviceKindCuda;
  device_buffer<char> cache(options.flush ? isGpu ? size_t(256) << 20 : size_t(32) << 20 : 0);
  event start, stop;
  auto run = [&] {
    if (options.flush)
      check(ttMemsetAsync(cache.data(), 0, cache.size(), options.stream));
    if (!isGpu)
      check(ttStreamSynchronize(options.stream));
    auto begin = std::chrono::steady_clock::now();
    start.record(options.stream);
    call();
    check(ttGetLastError());
    stop.record(options.stream);
    stop.synchronize();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    return isGpu ? double(stop.since(start)) : time.count();
  };
  // For so many milliseconds, in which caches are flushed as well.
  auto repeat = [](double milliseconds, auto body) {
    auto begin = std::chrono::steady_clock::now();
    do
      body();
    while (std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() < milliseconds);
  };
  run(); // loads code
  repeat(options.warmup_ms, run);
  std::vector<double> times;
  repeat(options.measured_ms, [&] { times.push_back(run()); });
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back(), times.size()};
}

} // namespace tt

#endif // TILECC_HOST_H
