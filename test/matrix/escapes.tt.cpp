// Assembly in kernels, messages, assertions that hold, and scalar functions whose branches depend on the elements.
// RUN: %matrix -Wno-tile-cpu %s -o %t
// RUN: grep '^escapes ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed
// RUN: %emulate %t --seed=%seed
#include "support/matrix.h"

#include <algorithm>
#include <string>
#include <unistd.h>

namespace {

//===-- assembly --------------------------------------------------------------------------------------------------===//

// Elements that are narrower than a register come packed: all bits of a register are inverted at once.
template <class T> __tile__ auto inverted(T x) {
  using E = tt::detail::element<T>;
  if constexpr (sizeof(E) == 8)
    return tt::inline_asm_elementwise<"not.b64 $0, $1;", "=l,l", E>(x);
  else
    return tt::inline_asm_elementwise<"not.b32 $0, $1;", "=r,r", E>(tt::pack<4 / sizeof(E)>, x);
}

template <class T, int B, int W> [[tt::num_warps(W)]] __tile_global__ void assembly(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto v = tt::load(x + i, i < n, T(0));
  tt::store(out + i, inverted(v), i < n);
  auto [a, b] = tt::inline_asm_elementwise<"mov.b64 $0, $2; mov.b64 $1, $3;", "=&l,=l,l,l", int64_t, int64_t>(
      tt::side_effects, v.template to<int64_t>(), i.template to<int64_t>());
  tt::store(out + 4 * B + i, (a + b).template to<T>(), i < n);
}

template <class T> void launch_assembly(int block, int warps, matrix::form form, void (*assembly)(const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of({"inline-asm", "inline-asm-several"}))
    return;
  if (!e2e::on_gpu()) {
    cases.skip("inline-asm", "assembly is for GPUs");
    cases.skip("inline-asm-several", "assembly is for GPUs");
    return;
  }
  matrix::buffer<T> x(form.n, [](int) { return T(matrix::between(-100, 100)); }, form.skew);
  matrix::results<T> out(2, 4 * block, form.skew);
  assembly<<<tt::cdiv(form.n, block)>>>(x.data(), out.data(), form.n);
  cases.check("inline-asm", out, 0, form.n, [&](int i) {
    auto bits = matrix::to_bits(x[i]);
    bits = decltype(bits)(~bits);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  });
  cases.check("inline-asm-several", out, 1, form.n, [&](int i) { return T(int64_t(x[i]) + i); });
}

//===-- scalar functions ------------------------------------------------------------------------------------------===//

template <class T, int B, int W> [[tt::num_warps(W)]] __tile_global__ void mapped(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto v = tt::load(x + i, i < n, T(0));
  tt::device_assert(v == v || v != v, "a number is equal to itself or not");
  tt::store(out + i, tt::map_elementwise([](T a, int at) {
    if (at % 3 == 0)
      return a;
    return at % 3 == 1 ? T(at % 2) : T(1);
  }, v, i), i < n);
}

template <class T> void launch_mapped(int block, int warps, matrix::form form, void (*mapped)(const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of({"map-elementwise"}))
    return;
  using U = matrix::bits_of<T>;
  matrix::buffer<U> x(form.n, matrix::any_bits<T>, form.skew);
  matrix::results<U> out(1, 4 * block, form.skew);
  mapped<<<tt::cdiv(form.n, block)>>>(matrix::as<T>(x), matrix::as<T>(out), form.n);
  cases.check("map-elementwise", out, 0, form.n, [&](int i) {
    return i % 3 == 0 ? x[i] : matrix::to_bits(i % 3 == 1 ? T(i % 2) : T(1));
  });
}

//===-- messages --------------------------------------------------------------------------------------------------===//

template <class T, int W> [[tt::num_warps(W)]] __tile_global__ void messages(const T *x, int *done) {
  tt::device_print("value", tt::load(x + tt::arange<4>()));
  tt::store(done, 1);
}

// The standard output of body.
template <class F> std::string capture(F body) {
  std::fflush(stdout);
  char name[] = "/tmp/tilecc-matrix-XXXXXX";
  const int file = mkstemp(name), before = dup(1);
  unlink(name);
  dup2(file, 1);
  body();
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  std::string text(size_t(lseek(file, 0, SEEK_END)), 0);
  [[maybe_unused]] ssize_t size = pread(file, text.data(), text.size(), 0);
  close(file);
  return text;
}

template <class T, int W> void launch_messages() {
  matrix::cases cases(matrix::name_of<T>, "4", W, "small");
  if (!cases.of({"device-print"}))
    return;
  matrix::buffer<T> x(4, [](int i) { return T(float(i % 2)); });
  matrix::results<int> done(1, 2);
  const std::string text = capture([&] {
    messages<T, W><<<1>>>(x.data(), done.data());
    e2e::synchronize();
  });
  cases.check("device-print", done, 0, 1, [&](int) {
    for (int i = 0; i < 4; ++i) {
      const std::string line = "pid (0, 0, 0) idx (" + std::to_string(i) + ") value: " + (i % 2 ? "1" : "0");
      if (text.find(line) == std::string::npos)
        return -1;
    }
    return std::count(text.begin(), text.end(), '\n') == 4 ? 1 : -2;
  });
}

matrix::family family("escapes", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    constexpr int block = 64 * W;
    const auto forms = matrix::forms(block, 3 * I);
    if constexpr (I % 3 == 0 || W == 1)
      launch_messages<T, W>();
    if constexpr (I % 3 == 1 && !std::is_same_v<T, bool> && !matrix::is_float8<T>)
      for (const matrix::form &form : forms)
        launch_assembly<T>(block, W, form, assembly<T, block, W>);
    if constexpr (I % 3 == 2 && !matrix::is_float8<T>)
      for (const matrix::form &form : forms)
        launch_mapped<T>(block, W, form, mapped<T, block, W>);
  });
});

} // namespace
