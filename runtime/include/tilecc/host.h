//===-- tilecc/host.h - utilities for programs that use kernels -----------------------------------------*- C++ -*-===//
//
//   TT_CHECK(call)        throws tt::error with file, line and call if a call of the runtime fails
//   tt::buffer<T>         device memory, copied from and to std::vector and std::span; a kernel argument
//   tt::view<T, Rank>     a tensor in host memory: sizes, strides, elements; prints itself
//   tt::compare           compares two arrays within a tolerance: how many elements differ, where, and by how much
//   tt::do_bench          measures a call: the median of many runs, with the L2 cache flushed before each
//
//   tt::buffer<float> x(tt::random_normal(n)), y(n);
//   scale<<<tt::cdiv(n, 1024)>>>(x, y, n);
//   auto result = tt::compare("y", y.to_vector(), expected);
//   auto time = tt::do_bench([&] { scale<<<tt::cdiv(n, 1024)>>>(x, y, n); });
//   std::cout << result << "\n" << time << ", " << time.gigabytes_per_second(8.0 * n) << " GB/s\n";
//
// Header only, C++20, for every compiler. The headers for kernels do not include it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_HOST_H
#define TILECC_HOST_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

// The header avoids <random>, <chrono> and <string>, because they would take four times as long to parse as everything
// here.
#include <cstdint>
#include <iosfwd>
#include <span>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vector>

/// Evaluates a call that returns a `ttError_t`, and throws `tt::error` with file, line and call if it failed.
#define TT_CHECK(...) ::tt::detail::check_at((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

namespace tt {
namespace detail {
[[noreturn]] inline void report(ttError_t code, const char *text) {
#if defined(__cpp_exceptions)
  throw error(code, text);
#else
  fprintf(stderr, "%s\n", text);
  (void)code;
  abort();
#endif
}
inline void check_at(ttError_t code, const char *call, const char *file, int line) {
  if (code == ttSuccess)
    return;
  char text[2048];
  snprintf(text, sizeof(text), "%s:%d: %s: %s", file, line, call, ttGetErrorMessage(code));
  ttGetLastError(); // it has been reported
  report(code, text);
}
// Checks that two sizes are equal.
inline void check_size(const char *what, size_t size, size_t expected) {
  if (size == expected)
    return;
  char text[128];
  snprintf(text, sizeof(text), "%s of %zu elements where there are %zu", what, size, expected);
  report(ttErrorInvalidValue, text);
}

// A generator of random numbers (splitmix64).
struct random_bits {
  uint64_t state;
  uint64_t operator()() {
    uint64_t bits = state += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  double uniform() { return double((*this)() >> 11) * 0x1p-53; } // in [0, 1)
  // Marsaglia's polar method, of which one result is used.
  double normal() {
    for (;;) {
      double x = 2 * uniform() - 1, y = 2 * uniform() - 1, square = x * x + y * y;
      if (square > 0 && square < 1)
        return x * __builtin_sqrt(-2 * __builtin_log(square) / square);
    }
  }
};

inline double milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

inline double median(std::vector<double> &times) { // sorts them
  qsort(times.data(), times.size(), sizeof(double), [](const void *a, const void *b) {
    double left = *static_cast<const double *>(a), right = *static_cast<const double *>(b);
    return (left > right) - (left < right);
  });
  return times[times.size() / 2];
}

// Owns a copy of a name.
class label {
public:
  label(const char *name) : text(name, name + __builtin_strlen(name) + 1) {}
  template <class S>
    requires requires(const S &name) { name.c_str(); }
  label(const S &name) : label(name.c_str()) {}
  const char *c_str() const { return text.data(); }

private:
  std::vector<char> text;
};
} // namespace detail

//===-- numbers ---------------------------------------------------------------------------------------------------===//

/// Returns `n` numbers between `low` and `high`. The same seed gives the same numbers.
template <class T = float> std::vector<T> random_uniform(size_t n, double low = 0, double high = 1, uint64_t seed = 0) {
  detail::random_bits bits{seed};
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(static_cast<float>(low + (high - low) * bits.uniform()));
  return values;
}
/// Returns `n` normally distributed numbers with mean 0 and standard deviation 1. The same seed gives the same numbers.
template <class T = float> std::vector<T> random_normal(size_t n, uint64_t seed = 0) {
  detail::random_bits bits{seed};
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(static_cast<float>(bits.normal()));
  return values;
}

/// Returns `n` integers from `low` up to but excluding `high`.
template <class T = int> std::vector<T> random_int(size_t n, int64_t low, int64_t high, uint64_t seed = 0) {
  detail::random_bits bits{seed};
  std::vector<T> values(n);
  for (T &value : values)
    value = static_cast<T>(low + static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low)));
  return values;
}

//===-- memory ----------------------------------------------------------------------------------------------------===//

/// An array in the memory of the device that is current when it is constructed. It converts to the pointer that
/// kernels take; `x + 16`, `&x[3]` and `+x` are pointers, too. Where a kernel deduces template arguments from its
/// parameters, pass `x.data()` or `+x`. Copies are synchronous.
template <class T> class buffer : public device_buffer<T> {
  static_assert(std::is_trivially_copyable_v<T>,
                "the elements of a tt::buffer are copied byte by byte: they are numbers, or structs of numbers");

public:
  /// The result of `x[i]`: a reference to an element, which is copied from the device when it is read, and to the
  /// device when it is assigned.
  class reference {
  public:
    explicit reference(T *at) : at_(at) {}
    operator T() const {
      T value;
      check(ttMemcpy(const_cast<std::remove_const_t<T> *>(&value), at_, sizeof(T), ttMemcpyDeviceToHost));
      return value;
    }
    const reference &operator=(const std::remove_const_t<T> &value) const {
      check(ttMemcpy(at_, &value, sizeof(T), ttMemcpyHostToDevice));
      return *this;
    }
    const reference &operator=(const reference &other) const { return *this = static_cast<T>(other); }
    T *operator&() const { return at_; }

  private:
    T *at_;
  };

  buffer() = default;
  explicit buffer(size_t size) : device_buffer<T>(size) {}
  buffer(size_t size, T value) : device_buffer<T>(size) { fill(value); }
  explicit buffer(std::span<const T> values) : device_buffer<T>(values.data(), values.size()) {}
  explicit buffer(const std::vector<T> &values) : buffer(std::span<const T>(values)) {}
  buffer(std::initializer_list<T> values) : device_buffer<T>(values.begin(), values.size()) {}

  operator T *() const noexcept { return this->data(); }
  operator const T *() const noexcept
    requires(!std::is_const_v<T>)
  {
    return this->data();
  }

  T *operator+() const noexcept { return this->data(); }
  T *operator+(ptrdiff_t i) const noexcept { return this->data() + i; }
  T *operator-(ptrdiff_t i) const noexcept { return this->data() - i; }
  friend T *operator+(ptrdiff_t i, const buffer &x) noexcept { return x + i; }
  reference operator[](size_t i) const { return reference(this->data() + i); }
  /// Returns the element of a buffer that has only one.
  T item() const {
    detail::check_size("item()", this->size(), 1);
    return (*this)[0];
  }

  /// Copies all elements to the host.
  std::vector<T> to_vector() const {
    std::vector<T> values(this->size());
    this->copy_to(values.data());
    return values;
  }
  using device_buffer<T>::copy_from;
  using device_buffer<T>::copy_to;
  /// Copies from or to the host. The span must have as many elements as the buffer.
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

/// A tensor in host memory: a pointer, sizes and strides, which count elements. Without strides it is row-major.
template <class T, size_t Rank> class view {
public:
  struct index {
    int64_t of[Rank];
    constexpr index() : of{} {}
    template <class... I> // of any integer type: sizes are often size_t
      requires(sizeof...(I) == Rank && (std::is_integral_v<I> && ...))
    constexpr index(I... i) : of{static_cast<int64_t>(i)...} {}
    constexpr int64_t &operator[](size_t d) { return of[d]; }
    constexpr const int64_t &operator[](size_t d) const { return of[d]; }
    constexpr const int64_t *begin() const { return of; }
    constexpr const int64_t *end() const { return of + Rank; }
    constexpr size_t size() const { return Rank; }
  };

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
    index at(i...);
    return data_[offset(at)];
  }

  /// Prints the tensor as NumPy does: only the first and last three elements of a long dimension.
  template <class Traits>
  friend std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, const view &tensor) {
    index at{};
    tensor.print(out, 0, at);
    return out;
  }

  /// Prints the tensor and a newline on standard output.
  void print() const {
    struct {
      auto &operator<<(const char *text) { return fputs(text, stdout), *this; }
      auto &operator<<(double number) { return printf("%g", number), *this; }
      auto &operator<<(long long number) { return printf("%lld", number), *this; }
      auto &operator<<(unsigned long long number) { return printf("%llu", number), *this; }
      auto &operator<<(int number) { return *this << static_cast<long long>(number); }
      auto &operator<<(long number) { return *this << static_cast<long long>(number); }
      auto &operator<<(unsigned number) { return *this << static_cast<unsigned long long>(number); }
      auto &operator<<(unsigned long number) { return *this << static_cast<unsigned long long>(number); }
    } out;
    index at{};
    print(out, 0, at);
    puts("");
  }

private:
  static constexpr int64_t shown = 3;

  int64_t offset(const index &at) const {
    int64_t sum = 0;
    for (size_t d = 0; d < Rank; ++d)
      sum += at[d] * strides_[d];
    return sum;
  }
  template <class Stream> void print(Stream &out, size_t d, index &at) const {
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
        out << (d + 1 == Rank ? ", " : ",\n");
      for (size_t space = 0; at[d] && d + 1 < Rank && space <= d; ++space)
        out << " ";
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
template <class T, size_t Rank> view(T *, const int64_t (&)[Rank], const int64_t (&)[Rank]) -> view<T, Rank>;

/// Prints a buffer as a tensor with these sizes: `tt::print(x, {4, 8})`. Without sizes it is printed as one row.
template <class T, size_t Rank> void print(const buffer<T> &x, const int64_t (&sizes)[Rank]) {
  std::vector<std::remove_const_t<T>> values = x.to_vector();
  typename view<std::remove_const_t<T>, Rank>::index extents;
  int64_t count = 1;
  for (size_t d = 0; d < Rank; ++d)
    count *= extents[d] = sizes[d];
  detail::check_size("print", static_cast<size_t>(count), values.size());
  view<std::remove_const_t<T>, Rank>(values.data(), extents).print();
}
template <class T> void print(const buffer<T> &x) { print(x, {static_cast<int64_t>(x.size())}); }

//===-- comparison ------------------------------------------------------------------------------------------------===//

/// The difference that `compare` allows: `absolute + relative * |expected|`.
struct tolerance {
  double relative = 1e-5, absolute = 1e-8;
};

/// The result of `compare`. It converts to true if no element is wrong, and prints itself as one line.
struct comparison {
  detail::label name;
  size_t count = 0, wrong = 0;
  size_t first = 0, worst = 0; ///< the positions of the first wrong element and of the largest difference
  double difference = 0; ///< the largest difference
  double value = 0, expected = 0; ///< at the position of the largest difference
  explicit operator bool() const { return wrong == 0; }

  template <class Traits>
  friend std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, const comparison &result) {
    out << result.name.c_str() << ": ";
    if (result)
      return out << "all " << result.count << " elements are right, the largest difference is " << result.difference;
    return out << result.wrong << " of " << result.count << " elements are wrong, the first at " << result.first
               << "; the worst at " << result.worst << ": " << result.value << ", expected " << result.expected
               << ", which is off by " << result.difference;
  }
};

/// Compares two arrays of the same size, element by element in `double`. A NaN equals only a NaN, and an infinity only
/// itself.
template <class A, class B>
comparison compare(detail::label name, const A &values, const B &expected, tolerance allowed = {}) {
  comparison result{std::move(name), std::size(values)};
  detail::check_size("a comparison", std::size(expected), result.count);
  for (size_t i = 0; i < result.count; ++i) {
    double value = static_cast<double>(values[i]), want = static_cast<double>(expected[i]);
    bool isSame = value == want || (__builtin_isnan(value) && __builtin_isnan(want));
    double difference = isSame ? 0 : __builtin_fabs(value - want);
    if (__builtin_isnan(difference))
      difference = __builtin_inf();
    bool isClose =
        __builtin_isfinite(difference) && difference <= allowed.absolute + allowed.relative * __builtin_fabs(want);
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

/// The time of one call in milliseconds: median, smallest and largest. It prints itself as one line.
struct timing {
  double median = 0, least = 0, most = 0;
  size_t runs = 0;

  double gigabytes_per_second(double bytes) const { return bytes / median / 1e6; }
  double teraflops(double operations) const { return operations / median / 1e9; }
  template <class Traits>
  friend std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, const timing &time) {
    return out << time.median << " ms (" << time.least << " to " << time.most << " in " << time.runs << " runs)";
  }
};

/// Options of `do_bench`.
struct bench_options {
  double warmup_ms = 25, measured_ms = 100; ///< the duration of each phase, which has at least one call
  bool flush = true; ///< write to more memory than the L2 cache holds before each call
  ttStream_t stream = nullptr; ///< in which the call works
};

/// Measures the time that the work of `call()` takes on the current device: between two events in `options.stream` on a
/// GPU, and by the clock on the CPU and the emulator. Throws if a call or a launch fails.
template <class F> timing do_bench(F call, const bench_options &options = {}) {
  int device = 0;
  ttDeviceProp properties;
  check(ttGetDevice(&device));
  check(ttGetDeviceProperties(&properties, device));
  const bool isGpu = properties.kind == ttDeviceKindCuda || properties.kind == ttDeviceKindHip;
  device_buffer<char> cache(options.flush ? isGpu ? size_t(256) << 20 : size_t(32) << 20 : 0);
  event start, stop;
  auto run = [&] {
    if (options.flush)
      check(ttMemsetAsync(cache.data(), 0, cache.size(), options.stream));
    if (!isGpu)
      check(ttStreamSynchronize(options.stream));
    double begin = detail::milliseconds();
    start.record(options.stream);
    call();
    check(ttGetLastError());
    stop.record(options.stream);
    stop.synchronize();
    return isGpu ? double(stop.since(start)) : detail::milliseconds() - begin;
  };
  // Repeats `body` for this many milliseconds, including the time to flush caches.
  auto repeat = [](double milliseconds, auto body) {
    double begin = detail::milliseconds();
    do
      body();
    while (detail::milliseconds() - begin < milliseconds);
  };
  run(); // loads code
  repeat(options.warmup_ms, run);
  std::vector<double> times;
  repeat(options.measured_ms, [&] { times.push_back(run()); });
  double median = detail::median(times);
  return {median, times.front(), times.back(), times.size()};
}

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_HOST_H
