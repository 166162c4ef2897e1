// Shared by the programs of test/matrix: cases, which are an operation on an element type, on tiles of a shape, with a
// number of warps, with arguments of some form. Memory, random numbers and messages are those of test/e2e (check.h).
//
// A family is a program: kernels, each of which executes many operations, and a body that iterates over its launches:
//
//   matrix::family elementwise("elementwise", [] {
//     for (matrix::form form : matrix::forms(B)) {
//       matrix::cases cases(matrix::name_of<T>, "256", W, form.name);
//       if (!cases.of({"add", "sub"}))
//         continue; // none of them is wanted
//       ... inputs, matrix::results<T> out(2, ...), the launch
//       cases.check("add", out, 0, form.n, [&](int i) { return a[i] + b[i]; });
//       cases.check("sub", out, 1, form.n, [&](int i) { return a[i] - b[i]; });
//     }
//   });
//
// Each case is named operation/type/shape/wWARPS/form and has random numbers of its own, from the program's seed and
// its name: it computes the same in every run with that seed, alone or among all. It is a failure if a case is named
// and not checked.
#ifndef TEST_MATRIX_SUPPORT_MATRIX_H
#define TEST_MATRIX_SUPPORT_MATRIX_H

#include "../../e2e/support/check.h"
#include "../../e2e/support/float8.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace matrix {

using e2e::between;
using e2e::buffer;
using e2e::name_of;
using e2e::random_bits;
using e2e::uniform;

//===-- families and cases ----------------------------------------------------------------------------------------===//

// A program may consist of several families, one for each object file; main is in main.tt.cpp.
struct family {
  family(const char *name, void (*body)());
  const char *name;
  void (*body)();
  family *next;
};

// Results of several operations: `rows` rows of `pitch` elements, poisoned. An operation writes the first elements of
// its row and leaves the others alone.
template <class T> class results : public buffer<T> {
public:
  results(size_t rows, size_t pitch, size_t skew = 0) : buffer<T>(rows * pitch, skew), pitch(pitch) {}
  const size_t pitch;
  void fetch_once() {
    if (!fetched_)
      this->fetch();
    fetched_ = true;
  }

private:
  bool fetched_ = false;
};

// A value that rounding may change: by so many units in its last place, and by so much besides.
struct approximately {
  double value;
  double ulps;
  double absolute = 0;
};

// The cases of one launch.
class cases {
public:
  cases(std::string type, std::string shape, int warps, std::string form);
  ~cases(); // each wanted case has been checked
  cases(const cases &) = delete;

  // Names the operations. True if one of them is to run; then the random numbers start anew.
  bool of(std::initializer_list<const char *> operations) { return of(operations.begin(), operations.size()); }
  bool of(const char *const *operations, size_t count);

  // Row `row` of `out` has `count` elements that are what reference(i) says, and the rest of the row is as it was. The
  // reference is
  //   a T: exactly that, but of NaNs any will do
  //   an approximately
  //   an optional of one of these: without a value, the element is as it was
  // Where defined(i) is false there may be anything.
  template <class T, class F> void check(const char *operation, results<T> &out, size_t row, size_t count, F reference) {
    check(operation, out, row, count, [](int) { return true; }, reference);
  }
  template <class T, class D, class F>
  void check(const char *operation, results<T> &out, size_t row, size_t count, D defined, F reference) {
    check_rows(operation, out, row, 1, count, [&](int i, int) { return defined(i); }, [&](int i, int) { return reference(i); });
  }
  // The same of several rows, which are one case: reference(i, k) for row k of them.
  template <class T, class F> void check_rows(const char *operation, results<T> &out, size_t row, int rows, size_t count, F reference) {
    check_rows(operation, out, row, rows, count, [](int, int) { return true; }, reference);
  }
  template <class T, class D, class F>
  void check_rows(const char *operation, results<T> &out, size_t row, int rows, size_t count, D defined, F reference) {
    if (!begin(operation))
      return;
    out.fetch_once();
    hasher hash;
    for (int k = 0; k < rows; ++k)
      for (size_t i = 0; i < out.pitch; ++i) {
        size_t at = (row + k) * out.pitch + i;
        T got = out.after(at);
        if (i >= count) {
          if (out.is_changed(at))
            wrong(i, count, got, out[at]);
        } else if (defined(int(i), k)) {
          compare(out, at, i, count, got, reference(int(i), k));
          hash.add(&got, sizeof got);
        }
      }
    end(std::is_integral_v<T> ? &hash : nullptr);
  }

  // Reports a feature that the device lacks.
  void skip(const char *operation, const char *reason);

private:
  struct hasher {
    uint64_t state = 0xcbf29ce484222325u; // FNV-1a
    void add(const void *data, size_t size);
  };

  template <class T, class V>
  void compare(const results<T> &, size_t, size_t i, size_t count, T got, V want) {
    if constexpr (std::is_same_v<V, approximately>) {
      if (!is_near(got, want))
        wrong(i, count, got, want.value);
    } else {
      static_assert(std::is_same_v<V, T>);
      if (!e2e::same(got, want))
        wrong(i, count, got, want);
    }
  }
  template <class T, class V>
  void compare(const results<T> &out, size_t at, size_t i, size_t count, T got, const std::optional<V> &want) {
    if (want)
      compare(out, at, i, count, got, *want);
    else if (out.is_changed(at))
      wrong(i, count, got, out[at]);
  }

  template <class T> static bool is_near(T got, approximately want) {
    if (e2e::near(got, want.value, {want.ulps, want.absolute}))
      return true;
    // Beyond the largest number there is infinity, and rounding may cross the border.
    using format = e2e::float_format<T>;
    double largest = std::ldexp(2 - std::ldexp(1, 1 - format::digits), 1 - format::min_exponent);
    double margin = want.ulps * e2e::ulp<T>(largest) + want.absolute;
    return std::isinf(double(got)) && std::fabs(want.value) > largest - margin && (double(got) > 0) == (want.value > 0);
  }

  template <class T, class V> void wrong(size_t i, size_t count, T got, V want) {
    if (++wrong_ > 3)
      return;
    char got_text[64], want_text[64];
    e2e::detail::print(got_text, got);
    e2e::detail::print(want_text, want);
    e2e::fail("%s element %zu of %zu is %s, not %s", name_of<T>, i, count, got_text, want_text);
  }

  // Sets the stage for a case. False: it is not selected, or the launch has failed.
  bool begin(const char *operation);
  void end(const hasher *hash);
  void wait();
  std::string name(const char *operation) const;

  std::string type_, shape_, form_;
  int warps_;
  const char *const *operations_ = nullptr;
  size_t count_ = 0, checked_ = 0, wrong_ = 0;
  const char *current_ = nullptr;
  bool has_run_ = false;
  std::string error_; // of the launch
};

//===-- types, shapes, warps --------------------------------------------------------------------------------------===//

template <class... T> struct types { static constexpr int size = sizeof...(T); };
using integers = types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using floats = types<tt::float16, tt::bfloat16, float, double>;
using all_types = types<bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, tt::float16,
                        tt::bfloat16, float, double>;
// Also the types that are only moved, converted and multiplied.
using with_float8 = types<bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, tt::float16,
                          tt::bfloat16, float, double, tt::float8_e4m3fn, tt::float8_e5m2>;
template <class T> constexpr bool is_float8 = sizeof(T) == 1 && !std::is_integral_v<T>;

template <class T, class... U> constexpr int index_in(types<U...>) {
  int i = 0, found = -1;
  ((std::is_same_v<T, U> ? found = i : 0, ++i), ...);
  return found;
}
template <class T> constexpr int type_index = index_in<T>(with_float8());

template <int... Dims> std::string text(tt::shape<Dims...>) {
  std::string result;
  for (int dim : {Dims...})
    result += (result.empty() ? "" : "x") + std::to_string(dim);
  return result;
}

// f.operator()<T, W, I>() for every type T and some numbers of warps W of the five. Shapes are chosen by I. Neighbours have
// other warps and other shapes: with three numbers, the types together see every shape with every number of warps, at the
// price of three kernels for each type. The gpu-bundle has all five.
#ifndef TILECC_MATRIX_WARPS
#define TILECC_MATRIX_WARPS 3
#endif
template <class Types, class F> void for_each(F f) {
  [&]<class... T>(types<T...>) {
    auto one = [&]<class U, int Step>() {
      constexpr int t = type_index<U>;
      f.template operator()<U, 1 << (t + 2 * Step) % 5, t + Step + t / 5>();
    };
    auto each = [&]<class U, int... Step>(std::integer_sequence<int, Step...>) {
      (one.template operator()<U, Step>(), ...);
    };
    (each.template operator()<T>(std::make_integer_sequence<int, TILECC_MATRIX_WARPS>()), ...);
  }(Types());
}

// A number of elements for W warps: one in all, a few lanes, one for each thread, two, four.
template <int W, int I> constexpr int length = I % 5 == 0 ? 1 + W % 2 : 8 * W << (I % 5 == 1 ? 0 : I % 5);

//===-- arguments -------------------------------------------------------------------------------------------------===//

// The form of a launch's arguments: how many elements there are, and how many elements the pointers are off alignment.
struct form {
  std::string name;
  int n;
  int skew;
};
// What elements there are around the edges of tiles of `block`: none, some of a tile, a tile, some tiles; and pointers that
// are +1 to +15 elements off. `pick` chooses among those offsets.
std::vector<form> forms(int block, int pick);

// Any value: numbers of every magnitude, and often what is special. Of bool, integers and floating point.
double special_number();
template <class T> T any(int = 0) {
  if constexpr (std::is_integral_v<T>) {
    return e2e::random<T>();
  } else {
    using format = e2e::float_format<T>;
    switch (random_bits() % 8) {
    case 0:
      return T(special_number());
    case 1: // the ends of the range
      return T((random_bits() & 1 ? 1 : -1) * std::ldexp(uniform(0, 1), format::min_exponent + (random_bits() & 1)));
    case 2:
      return T((random_bits() & 1 ? 1 : -1) * std::ldexp(uniform(1, 2), -format::min_exponent + 1));
    case 3:
    case 4:
      return T((random_bits() & 1 ? 1 : -1) *
               std::ldexp(uniform(1, 2), int(between(format::min_exponent, -format::min_exponent))));
    case 5:
      return T(double(between(-8, 8)) / 2); // equal ones
    default:
      return T(uniform(-4, 4));
    }
  }
}

// The bits of a T, for values that are only moved: floating-point values lose some NaNs on their way through host code.
template <class T>
using bits_of = std::conditional_t<std::is_integral_v<T>, T,
                                   std::conditional_t<sizeof(T) == 8, uint64_t,
                                                      std::conditional_t<sizeof(T) == 4, uint32_t,
                                                                         std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>>;
template <class T> bits_of<T> to_bits(T value) {
  bits_of<T> bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T> bits_of<T> any_bits(int = 0) { return bits_of<T>(random_bits()); }
template <> inline bool any_bits<bool>(int) { return random_bits() & 1; }
template <class T, class U> T *as(const buffer<U> &memory) { return reinterpret_cast<T *>(memory.data()); }

template <class T> constexpr bool is_integer = std::is_integral_v<T>;

// What running sums of T are: of narrow integers they are counted as int, of bfloat16 as float.
template <class T>
using running_sum = std::conditional_t<is_integer<T> && sizeof(T) < 4,
                                       std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, unsigned, int>,
                                       std::conditional_t<std::is_same_v<T, tt::bfloat16>, float, T>>;

// The last value that is not zero: associative, and the order matters.
struct last_of {
  template <class T> __tile__ T operator()(T a, T b) const { return b != T(0) ? b : a; }
};

} // namespace matrix

#endif // TEST_MATRIX_SUPPORT_MATRIX_H
