// The code that the programs of test/e2e share: repeatable random inputs, memory that detects every wrong write, and
// comparisons that report the wrong element and how to reproduce it. All of it is for a single thread.
//
//   int main() {
//     return e2e::run("negate", [] {
//       for (int n : e2e::edges(64)) {
//         e2e::context("n = %d", n);
//         e2e::buffer<float> x(n, e2e::random<float>), out(n);
//         negate<<<tt::cdiv(n, 64)>>>(x.data(), out.data(), n);
//         out.expect([&](int i) { return -x[i]; });
//       }
//     });
//   }
//
// A buffer without initial values is filled with random bytes, so that no test passes because nothing was written.
// Inputs and outputs lie between guard zones of random bytes: reads beyond a buffer give random values, and writes
// beyond it are detected.
//
// The seed of the random numbers is new in every run, unless TILECC_TEST_SEED sets it. The exit status is 0 on success,
// 1 on failure, and 77 (from e2e::skip, with the reason) if the program cannot run here.
#ifndef TEST_E2E_SUPPORT_CHECK_H
#define TEST_E2E_SUPPORT_CHECK_H

#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <time.h>
#include <type_traits>
#include <vector>

namespace e2e {

//===-- random values ---------------------------------------------------------------------------------------------===//

inline uint64_t seed = 0; // set by run
inline uint64_t random_state = 0;

inline uint64_t random_bits() { // SplitMix64
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// A number in [low, high).
inline double uniform(double low, double high) { return low + (high - low) * double(random_bits() >> 11) * 0x1p-53; }
// An integer in [low, high].
inline int64_t between(int64_t low, int64_t high) {
  return low + int64_t(random_bits() % (uint64_t(high) - uint64_t(low) + 1));
}

// Any value of a type: of integers of every magnitude, the ends of the range more often; of floating point, numbers
// around 1 in size. Takes and ignores an index, to serve as a buffer's content.
template <class T> T random(int = 0) {
  if constexpr (std::is_same_v<T, bool>)
    return random_bits() & 1;
  else if constexpr (!std::is_integral_v<T>)
    return T(uniform(-4, 4));
  else if (random_bits() % 8 == 0)
    return T(std::numeric_limits<T>::min() + T(random_bits() % 3) - T(1)); // the two ends, and what is beside them
  else
    return T(int64_t(random_bits()) >> (random_bits() % 64));
}

//===-- types -----------------------------------------------------------------------------------------------------===//

template <class T> constexpr const char *name_of = "?";
template <> inline constexpr const char *name_of<bool> = "bool";
template <> inline constexpr const char *name_of<int8_t> = "int8";
template <> inline constexpr const char *name_of<uint8_t> = "uint8";
template <> inline constexpr const char *name_of<int16_t> = "int16";
template <> inline constexpr const char *name_of<uint16_t> = "uint16";
template <> inline constexpr const char *name_of<int32_t> = "int32";
template <> inline constexpr const char *name_of<uint32_t> = "uint32";
template <> inline constexpr const char *name_of<int64_t> = "int64";
template <> inline constexpr const char *name_of<uint64_t> = "uint64";
template <> inline constexpr const char *name_of<tt::float16> = "float16";
template <> inline constexpr const char *name_of<tt::bfloat16> = "bfloat16";
template <> inline constexpr const char *name_of<float> = "float";
template <> inline constexpr const char *name_of<double> = "double";

// The number of significand bits, and the exponent of the smallest normal number.
template <class T> struct float_format;
template <> struct float_format<tt::float16> { static constexpr int digits = 11, min_exponent = -14; };
template <> struct float_format<tt::bfloat16> { static constexpr int digits = 8, min_exponent = -126; };
template <> struct float_format<float> { static constexpr int digits = 24, min_exponent = -126; };
template <> struct float_format<double> { static constexpr int digits = 53, min_exponent = -1022; };

// The distance of T's neighbouring values around x.
template <class T> double ulp(double x) {
  int exponent = x == 0 ? float_format<T>::min_exponent : std::ilogb(x);
  if (exponent < float_format<T>::min_exponent)
    exponent = float_format<T>::min_exponent;
  return std::ldexp(1.0, exponent - float_format<T>::digits + 1);
}

// The integers as every target computes them: without promotion, modulo 2^bits. For references, where C++ would leave
// an overflow undefined.
template <class T> struct wrapping {
  T value;
  using wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  friend wrapping operator+(wrapping a, wrapping b) { return {T(wide(a.value) + wide(b.value))}; }
  friend wrapping operator-(wrapping a, wrapping b) { return {T(wide(a.value) - wide(b.value))}; }
  friend wrapping operator*(wrapping a, wrapping b) { return {T(wide(a.value) * wide(b.value))}; }
  friend wrapping operator/(wrapping a, wrapping b) { return {T(a.value / b.value)}; }
  friend wrapping operator%(wrapping a, wrapping b) { return {T(a.value % b.value)}; }
  friend wrapping operator&(wrapping a, wrapping b) { return {T(a.value & b.value)}; }
  friend wrapping operator|(wrapping a, wrapping b) { return {T(a.value | b.value)}; }
  friend wrapping operator^(wrapping a, wrapping b) { return {T(a.value ^ b.value)}; }
  friend wrapping operator<<(wrapping a, wrapping b) { return {T(wide(a.value) << b.value)}; }
  friend wrapping operator>>(wrapping a, wrapping b) { return {T(a.value >> b.value)}; }
  friend bool operator<(wrapping a, wrapping b) { return a.value < b.value; }
  friend bool operator<=(wrapping a, wrapping b) { return a.value <= b.value; }
  friend bool operator>(wrapping a, wrapping b) { return a.value > b.value; }
  friend bool operator>=(wrapping a, wrapping b) { return a.value >= b.value; }
  friend bool operator==(wrapping a, wrapping b) { return a.value == b.value; }
  friend bool operator!=(wrapping a, wrapping b) { return a.value != b.value; }
  wrapping operator-() const { return {T(wide(0) - wide(value))}; }
  wrapping operator~() const { return {T(~value)}; }
};

//===-- failures --------------------------------------------------------------------------------------------------===//

inline const char *program = "";
inline int checks = 0, failures = 0;
inline char context_text[256] = "";

// A description of the next checks, for messages.
__attribute__((format(printf, 1, 2))) inline void context(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(context_text, sizeof context_text, format, arguments);
  va_end(arguments);
}

__attribute__((format(printf, 1, 2))) inline void fail(const char *format, ...) {
  if (++failures > 20) // enough to see what is wrong
    return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "%s: %s%s%s\n", program, context_text, *context_text ? ": " : "", text);
}

inline void expect_true(bool condition, const char *what) {
  ++checks;
  if (!condition)
    fail("not true: %s", what);
}
#define E2E_EXPECT(condition) e2e::expect_true(bool(condition), #condition)

[[noreturn]] inline void skip(const char *reason) {
  std::printf("%s: skipped: %s\n", program, reason);
  std::exit(77);
}

// Returns true if the kernels launched so far have run without failure.
inline void synchronize() {
  tt::check(ttPeekAtLastError()); // which resets it, and has its message
  tt::check(ttDeviceSynchronize());
}

inline ttDeviceProp device() {
  int index;
  ttDeviceProp properties;
  tt::check(ttGetDevice(&index));
  tt::check(ttGetDeviceProperties(&properties, index));
  return properties;
}
// Returns true if GPU code runs: on a GPU, or on the emulator.
inline bool on_gpu() { return device().kind != ttDeviceKindCpu; }

// Runs a program's body and returns main's result.
template <class Body> int run(const char *name, Body body) {
  program = name;
  const char *given = std::getenv("TILECC_TEST_SEED");
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  seed = given ? std::strtoull(given, nullptr, 0) : uint64_t(now.tv_sec) * 1000003 ^ uint64_t(now.tv_nsec);
  random_state = seed;
  try {
    body();
    context_text[0] = 0;
    synchronize();
    if (checks == 0)
      fail("nothing was checked");
  } catch (const std::exception &error) {
    fail("%s", error.what());
  }
  if (failures) {
    std::fprintf(stderr, "%s: %d failures, %d checks; rerun with TILECC_TEST_SEED=%llu\n", name, failures,
                 checks, static_cast<unsigned long long>(seed));
    return 1;
  }
  std::printf("%s: %d checks passed on %s\n", name, checks, device().name);
  return 0;
}

//===-- buffers ---------------------------------------------------------------------------------------------------===//

// The permitted error of a result: units in the last place of the reference, and an absolute error.
struct tolerance {
  double ulps = 0, absolute = 0;
};

// Equality of values; zeros of different sign differ, NaNs do not.
template <class T> bool same(T got, T want) {
  if constexpr (std::is_integral_v<T>) {
    return got == want;
  } else {
    double a = double(got), b = double(want);
    return (a == b && std::signbit(a) == std::signbit(b)) || (a != a && b != b);
  }
}

template <class T> bool near(T got, double want, tolerance t) {
  if (same(got, T(want)) || (want == 0 && double(got) == 0))
    return true;
  return std::fabs(double(got) - want) <= t.ulps * ulp<T>(want) + t.absolute; // false for NaN and infinities
}

namespace detail {
inline void print(char (&text)[64], double value, uint64_t bits, int kind) {
  if (kind == 'f')
    std::snprintf(text, sizeof text, "%.17g", value);
  else
    std::snprintf(text, sizeof text, kind == 'i' ? "%lld" : "%llu", static_cast<long long>(bits));
}
template <class T> void print(char (&text)[64], T value) {
  if constexpr (std::is_integral_v<T>)
    print(text, 0, uint64_t(value), std::is_signed_v<T> ? 'i' : 'u');
  else
    print(text, double(value), 0, 'f');
}

// The part of a buffer that knows no element type: bytes between guard zones, as they were and as they are now.
class guarded_memory {
public:
  guarded_memory(size_t bytes, size_t skew)
      : first_(zone + skew), end_(first_ + bytes), before_(end_ + zone), device_(before_.size()) {
    for (size_t i = 0; i < before_.size(); i += 8) {
      uint64_t bits = random_bits();
      std::memcpy(&before_[i], &bits, before_.size() - i < 8 ? before_.size() - i : 8);
    }
    upload();
  }
  void upload() { device_.copy_from(before_.data()); }
  unsigned char *before() { return before_.data() + first_; }
  const unsigned char *before() const { return before_.data() + first_; }
  unsigned char *on_device() const { return device_.data() + first_; }

  // Waits for the kernels and reads everything back. After it, now() is what kernels left in place of before().
  void fetch(const char *type) {
    ++checks;
    synchronize();
    now_.resize(before_.size());
    device_.copy_to(now_.data());
    for (size_t i = 0; i < now_.size(); i = i + 1 == first_ ? end_ : i + 1)
      if (now_[i] != before_[i])
        return fail("wrote outside of a %s buffer of %zu bytes: at byte %lld", type, end_ - first_,
                    static_cast<long long>(i) - static_cast<long long>(first_));
  }
  const unsigned char *now() const { return now_.data() + first_; }

private:
  static constexpr size_t zone = 4096; // more than a tile of the tests, so that a missing mask is found, not fatal
  size_t first_, end_; // of the bytes that are the buffer's
  std::vector<unsigned char> before_, now_;
  tt::device_buffer<unsigned char> device_;
};
} // namespace detail

// `size` values in the memory of the current device, between guard zones. Host code reads and sets what they were
// before the launch by [], and checks with expect what they are after it.
template <class T> class buffer {
public:
  // skew: how many elements the first one is away from an address divisible by 256.
  explicit buffer(size_t size, size_t skew = 0) : size_(size), memory_(size * sizeof(T), skew * sizeof(T)) {}
  template <class F>
    requires std::is_invocable_v<F, int>
  buffer(size_t size, F content, size_t skew = 0) : buffer(size, skew) {
    for (size_t i = 0; i < size_; ++i)
      set(i, content(int(i)));
    upload();
  }

  void set(size_t i, T value) { std::memcpy(memory_.before() + i * sizeof(T), &value, sizeof(T)); }
  void upload() { memory_.upload(); } // after set

  size_t size() const { return size_; }
  T *data() const { return reinterpret_cast<T *>(memory_.on_device()); }
  T operator[](size_t i) const { return read(memory_.before(), i); }

  // Every element is exactly what reference(i) says, which may be (*this)[i]: untouched. Any NaN is as good as another;
  // with expect_value, so is any zero.
  template <class F> void expect(F reference) { compare(reference, same<T>); }
  template <class F> void expect_value(F reference) {
    compare(reference, [](T got, T want) { return got == want || same<T>(got, want); });
  }

  // Every element is reference(i), a double, but for a rounding error.
  template <class F> void expect(tolerance t, F reference) {
    compare(reference, [t](T got, double want) { return near(got, want, t); });
  }

  // For checks of one's own: waits for the kernels and reads everything back, then what element i is now, and whether
  // that is not what it was before.
  void fetch() {
    memory_.fetch(name_of<T>);
    if constexpr (std::is_same_v<T, bool>) // which host code would take for true
      for (size_t i = 0; i < size_; ++i)
        if (is_changed(i) && memory_.now()[i] > 1)
          return fail("bool element %zu of %zu is the byte %d", i, size_, memory_.now()[i]);
  }
  T after(size_t i) const { return read(memory_.now(), i); }
  bool is_changed(size_t i) const {
    return std::memcmp(memory_.now() + i * sizeof(T), memory_.before() + i * sizeof(T), sizeof(T)) != 0;
  }

  // The check accepts a value if good(i, value) is true.
  template <class F> void expect_if(F good) {
    fetch();
    int wrong = 0;
    for (size_t i = 0; i < size_; ++i)
      if (T got = read(memory_.now(), i); !good(int(i), got) && ++wrong <= 3) {
        char text[64];
        detail::print(text, got);
        fail("%s element %zu of %zu is wrong: %s", name_of<T>, i, size_, text);
      }
  }

private:
  static T read(const unsigned char *bytes, size_t i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    return value;
  }

  template <class F, class Good> void compare(F reference, Good good) {
    fetch();
    int wrong = 0;
    for (size_t i = 0; i < size_; ++i) {
      T got = read(memory_.now(), i);
      auto want = reference(int(i));
      if (good(got, want) || ++wrong > 3)
        continue;
      char got_text[64], want_text[64];
      detail::print(got_text, got);
      detail::print(want_text, want);
      fail("%s element %zu of %zu is %s, not %s", name_of<T>, i, size_, got_text, want_text);
    }
    if (wrong > 3)
      fail("... %d elements are wrong", wrong);
  }

  size_t size_;
  detail::guarded_memory memory_;
};

//===-- sizes -----------------------------------------------------------------------------------------------------===//

// The sizes around the edges of tiles of `block`: none, one, and around one and a few blocks.
inline std::vector<int> edges(int block) {
  std::vector<int> sizes{0, 1};
  for (int n : {block - 1, block, block + 1, 3 * block - 1, 3 * block, 3 * block + 1, 5 * block + block / 2})
    if (n > sizes.back())
      sizes.push_back(n);
  return sizes;
}

} // namespace e2e

#endif // TEST_E2E_SUPPORT_CHECK_H
