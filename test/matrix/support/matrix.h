// What the programs of test/matrix share: cases, which are an operation on an element type, on tiles of a shape, by so
// many warps, with arguments of some form. Memory, random numbers and messages are those of test/e2e (check.h).
//
// A family is a program: kernels, each of which does many operations, and a body that goes through its launches:
//
//   matrix::family elementwise("elementwise", [] {
//     for (matrix::form form : matrix::forms(B)) {
//       matrix::cases cases(matrix::name_of<T>, "256", W, form.name);
//       if (!cases.of({"add", "sub"}))
//         continue; // none of them is wanted
//       ... inputs, matrix::results<T> out(2, ...), the launch
//       cases.exact("add", out, 0, form.n, [&](int i) { return a[i] + b[i]; });
//       cases.exact("sub", out, 1, form.n, [&](int i) { return a[i] - b[i]; });
//     }
//   });
//
// Each case is named operation/type/shape/wWARPS/form and has random numbers of its own, made of the program's seed and its
// name: it computes the same in every run with that seed, alone or among all. A case that is named and not checked is
// a failure.
#ifndef TEST_MATRIX_SUPPORT_MATRIX_H
#define TEST_MATRIX_SUPPORT_MATRIX_H

#include "../../e2e/support/check.h"

#include <initializer_list>
#include <string>

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

  // Row `row` of `out` has `count` elements, which are exactly what reference(i) says; of NaNs, any will do. Where
  // defined(i) is false it may be anything.
  template <class T, class F> void exact(const char *operation, results<T> &out, size_t row, size_t count, F reference) {
    exact(operation, out, row, count, [](int) { return true; }, reference);
  }
  template <class T, class D, class F>
  void exact(const char *operation, results<T> &out, size_t row, size_t count, D defined, F reference) {
    if (!begin(operation))
      return;
    out.fetch_once();
    hasher hash;
    for (size_t i = 0; i < count; ++i) {
      if (!defined(int(i)))
        continue;
      T got = out.after(row * out.pitch + i), want = reference(int(i));
      if (!e2e::same(got, want))
        wrong(i, count, got, want);
      if constexpr (std::is_integral_v<T>)
        hash.add(&got, sizeof got);
    }
    untouched(out, row, count);
    end(std::is_integral_v<T> ? &hash : nullptr);
  }

  // The same for results that are rounded; reference(i) is an `approximately`.
  template <class T, class F> void near(const char *operation, results<T> &out, size_t row, size_t count, F reference) {
    if (!begin(operation))
      return;
    out.fetch_once();
    for (size_t i = 0; i < count; ++i) {
      T got = out.after(row * out.pitch + i);
      approximately want = reference(int(i));
      if (!is_near(got, want))
        wrong(i, count, got, want.value);
    }
    untouched(out, row, count);
    end(nullptr);
  }

  // The device lacks something. Say what.
  void skip(const char *operation, const char *reason);

private:
  struct hasher {
    uint64_t state = 0xcbf29ce484222325u; // FNV-1a
    void add(const void *data, size_t size);
  };

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

  template <class T> void untouched(results<T> &out, size_t row, size_t count) {
    for (size_t i = row * out.pitch + count; i < (row + 1) * out.pitch; ++i)
      if (out.is_changed(i))
        return e2e::fail("wrote %s element %zu of %zu", name_of<T>, i - row * out.pitch, count);
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

template <class T, class... U> constexpr int index_in(types<U...>) {
  int i = 0, found = -1;
  ((std::is_same_v<T, U> ? found = i : 0, ++i), ...);
  return found;
}
template <class T> constexpr int type_index = index_in<T>(all_types());

template <int... Dims> std::string text(tt::shape<Dims...>) {
  std::string result;
  for (int dim : {Dims...})
    result += (result.empty() ? "" : "x") + std::to_string(dim);
  return result;
}

// f.operator()<T, W, I>() for every type T and number of warps W. Shapes are chosen by I, which is another one for
// neighbours: so the types together see every shape with every number of warps, at the price of one shape for each pair.
template <class Types, class F> void for_each(F f) {
  [&]<class... T>(types<T...>) {
    ((f.template operator()<T, 1, type_index<T>>(), f.template operator()<T, 2, type_index<T> + 1>(),
      f.template operator()<T, 4, type_index<T> + 2>(), f.template operator()<T, 8, type_index<T> + 3>(),
      f.template operator()<T, 16, type_index<T> + 4>()),
     ...);
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

} // namespace matrix

#endif // TEST_MATRIX_SUPPORT_MATRIX_H
