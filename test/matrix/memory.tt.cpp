// Loads and stores of every element type, through tiles of pointers in lines: masks of every pattern, with and without
// another value, gathered, scattered, reversed and strided; whole tiles without a mask; single elements. Bits, not
// values, are compared.
// RUN: %matrix %s -o %t
// RUN: grep '^memory ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

//===-- with masks ------------------------------------------------------------------------------------------------===//

enum masked_operation { prefix, holes, other_constant, other_tile, same_address, gather, reverse, by_stride, by_two, wide_offset, negative,
                        runs, store_holes, scatter, store_by_stride, store_runs, masked_operations };
constexpr const char *masked_names[] = {
    "load-prefix",  "load-holes",   "load-other",  "load-other-tile", "load-same",   "gather",         "load-reverse",
    "load-strided", "load-by-two", "load-wide-offset", "load-negative",
    "load-runs", "store-holes", "scatter", "store-strided", "store-runs"};
constexpr int stride_limit = 3;
// A mask that is alternately true and false for half the number of elements of the widest access.
template <class T> constexpr int run_of = 8 / sizeof(T);

// (A stride that is no multiple of 16 must not keep the launch from the variant in which n is one.)
template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void masked(const T *x, const T *y, const bool *flags, const int *order, T *out, int n,
                                                 [[tt::no_specialize]] int stride) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto flag = tt::load(flags + i, mask, false);
  auto at = tt::load(order + i, mask, 0);
  auto v = tt::load(x + i, mask);
  constexpr int pitch = 4 * B * stride_limit;
  auto put = [&](int row, auto result) { tt::store(out + row * pitch + i, result, mask); };
  put(prefix, v);
  put(holes, tt::where(flag, tt::load(x + i, flag), T(1)));
  put(other_constant, tt::load(x + i, flag, T(7)));
  put(other_tile, tt::load(x + i, flag, tt::load(y + i, mask)));
  put(same_address, tt::load(x + (i - i), mask));
  put(gather, tt::load(x + at, mask));
  put(reverse, tt::load(x + (n - 1 - i), mask));
  put(by_stride, tt::load(x + i * stride, mask));
  put(by_two, tt::load(x + 2 * i, mask));
  put(wide_offset, tt::load(x + i.template to<int64_t>(), mask));
  put(negative, tt::load(x + n + (i - n), mask));
  auto in_run = mask && i / run_of<T> % 2 == 0;
  put(runs, tt::load(x + i, in_run, T(7)));
  tt::store(out + store_holes * pitch + i, v, flag);
  tt::store(out + scatter * pitch + at, v, mask);
  tt::store(out + store_by_stride * pitch + i * stride, v, mask);
  tt::store(out + store_runs * pitch + i, v, in_run);
}

template <class T>
void launch_masked(int block, int warps, int pick, matrix::form form,
                   void (*masked)(const T *, const T *, const bool *, const int *, T *, int, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of(masked_names, masked_operations))
    return;
  const int n = form.n, stride = 1 + pick % stride_limit;
  using U = matrix::bits_of<T>;
  matrix::buffer<U> x(n * stride_limit + 1, matrix::any_bits<T>, form.skew), y(n, matrix::any_bits<T>, form.skew ? form.skew + 1 : 0);
  // Flags in runs of any length, so that some vectors are completely true, some false and some mixed.
  int run = 0;
  bool value = false;
  matrix::buffer<bool> flags(n, [&](int) {
    if (run-- == 0) {
      run = int(matrix::random_bits() % 20);
      value = !value;
    }
    return value;
  }, form.skew);
  matrix::buffer<int> order(n, [](int i) { return i; }, form.skew);
  for (int i = n - 1; i > 0; --i) {
    int j = int(matrix::between(0, i)), at = order[i];
    order.set(i, order[j]);
    order.set(j, at);
  }
  order.upload();
  matrix::results<U> out(masked_operations, size_t(4) * block * stride_limit, form.skew);
  masked<<<tt::cdiv(n, block)>>>(matrix::as<T>(x), matrix::as<T>(y), flags.data(), order.data(), matrix::as<T>(out), n,
                                 stride);

  const U one = matrix::to_bits(T(1)), seven = matrix::to_bits(T(7));
  auto check = [&](int k, auto reference) { cases.check(masked_names[k], out, k, n, reference); };
  check(prefix, [&](int i) { return x[i]; });
  check(holes, [&](int i) { return flags[i] ? x[i] : one; });
  check(other_constant, [&](int i) { return flags[i] ? x[i] : seven; });
  check(other_tile, [&](int i) { return flags[i] ? x[i] : y[i]; });
  check(same_address, [&](int) { return x[0]; });
  check(gather, [&](int i) { return x[order[i]]; });
  check(reverse, [&](int i) { return x[n - 1 - i]; });
  check(by_stride, [&](int i) { return x[i * stride]; });
  check(by_two, [&](int i) { return x[2 * i]; });
  check(wide_offset, [&](int i) { return x[i]; });
  check(negative, [&](int i) { return x[i]; });
  check(runs, [&](int i) { return i / run_of<T> % 2 ? seven : x[i]; });
  check(store_runs, [&](int i) { return i / run_of<T> % 2 ? std::nullopt : std::optional(x[i]); });
  check(store_holes, [&](int i) { return flags[i] ? std::optional(x[i]) : std::nullopt; });
  std::vector<int> from(n);
  for (int i = 0; i < n; ++i)
    from[order[i]] = i;
  check(scatter, [&](int i) { return x[from[i]]; });
  cases.check(masked_names[store_by_stride], out, store_by_stride, size_t(n) * stride, [&](int i) {
    return i % stride ? std::nullopt : std::optional(x[i / stride]);
  });
}

//===-- without masks, and single elements ------------------------------------------------------------------------===//

enum whole_operation { whole_tile, whole_strided, whole_shifted, scalar, scalar_mask, scalar_store_mask, scalar_to_tile, whole_operations };
constexpr const char *whole_names[] = {"load-whole", "load-whole-strided", "load-whole-shifted", "scalar",
                                       "scalar-other", "scalar-store-mask", "scalar-to-tile"};

template <class T, int B, int W> [[tt::num_warps(W)]] __tile_global__ void whole(const T *x, T *out) {
  int p = tt::program_id(0);
  auto i = p * B + tt::arange<B>();
  constexpr int pitch = 4 * B;
  tt::store(out + whole_tile * pitch + i, tt::load(x + i));
  tt::store(out + whole_strided * pitch + i, tt::load(x + i * 2));
  tt::store(out + whole_shifted * pitch + i, tt::load(x + i + 1));
  out[scalar * pitch + p] = x[p];
  tt::store(out + scalar_mask * pitch + p, tt::load(x + p, p % 2 == 0, T(5)));
  tt::store(out + scalar_store_mask * pitch + p, x[p + 1], p % 2 == 0);
  tt::store(out + scalar_to_tile * pitch + i, x[p]);
}

template <class T> void launch_whole(int block, int warps, int programs, int skew, void (*whole)(const T *, T *)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps,
                      "p" + std::to_string(programs) + (skew ? "+" + std::to_string(skew) : ""));
  if (!cases.of(whole_names, whole_operations))
    return;
  const int n = programs * block;
  using U = matrix::bits_of<T>;
  matrix::buffer<U> x(2 * n + 1, matrix::any_bits<T>, skew);
  matrix::results<U> out(whole_operations, size_t(4) * block, skew);
  whole<<<programs>>>(matrix::as<T>(x), matrix::as<T>(out));
  const U five = matrix::to_bits(T(5));
  auto check = [&](int k, int count, auto reference) { cases.check(whole_names[k], out, k, count, reference); };
  check(whole_tile, n, [&](int i) { return x[i]; });
  check(whole_strided, n, [&](int i) { return x[i * 2]; });
  check(whole_shifted, n, [&](int i) { return x[i + 1]; });
  check(scalar, programs, [&](int p) { return x[p]; });
  check(scalar_mask, programs, [&](int p) { return p % 2 ? five : x[p]; });
  check(scalar_store_mask, programs, [&](int p) { return p % 2 ? std::nullopt : std::optional(x[p + 1]); });
  check(scalar_to_tile, n, [&](int i) { return x[i / block]; });
}

matrix::family family("memory", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    // Vectors of 16 bytes, of the narrowest types, need 16 elements for each thread.
    constexpr int block = I % 5 == 3 && sizeof(T) < 4 ? 512 * W : matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 5 * I))
      launch_masked<T>(block, W, I, form, masked<T, block, W>);
    for (int skew : {0, 1 + I % 7, 8 + I % 8})
      launch_whole<T>(block, W, skew ? 3 : 4, skew, whole<T, block, W>);
  });
});

} // namespace
