// Blocks of tensors of every element type, through descriptors and block pointers: elements outside the tensor,
// gathered and scattered rows, atomic changes, block pointers that are advanced and that have other strides. Bits, not
// values, are compared.
// RUN: %matrix %s -o %t
// RUN: grep '^blocks ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

enum operation {
  load, load_nan, store, gather, scatter, add, minimum, maximum, bits_and, bits_or, bits_xor, // by descriptors
  block_load, block_columns, block_advance, block_store, operations
};
constexpr const char *names[] = {
    "desc-load",       "desc-load-nan",  "desc-store",         "desc-gather",     "desc-scatter",
    "desc-atomic-add", "desc-atomic-min", "desc-atomic-max",   "desc-atomic-and", "desc-atomic-or",
    "desc-atomic-xor", "block-load",     "block-load-columns", "block-advance",   "block-store"};
template <class T> constexpr bool is_float = !std::is_integral_v<T> && !matrix::is_float8<T>;
template <class T> constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) >= 4;
template <class T> constexpr bool is_for(int k) {
  if (k <= bits_xor && std::is_same_v<T, bool>)
    return false; // descriptors are of numbers
  if (k == load_nan)
    return !std::is_integral_v<T>;
  if (k == add)
    return is_float<T> || is_wide_integer<T>;
  if (k == minimum || k == maximum)
    return is_wide_integer<T> && std::is_signed_v<T>;
  return k <= scatter || k >= block_load || is_wide_integer<T>;
}

// x and each row of `out` are height x width, in rows that are 2 * N apart, and have room for 2 * M of them.
template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void blocks(const T *x, const int *order, T *out, int height, int width) {
  constexpr int pitch = 2 * N, plane = 2 * M * pitch;
  int i = tt::program_id(0) * M, j = tt::program_id(1) * N;
  auto r = i + tt::arange<M>();
  auto place = r.col() * pitch + (j + tt::arange<N>()).row();
  auto whole = [&](int k, auto block) { tt::store(out + k * plane + place, block); };
  auto rows_of = [&](int k) { return tt::make_tensor_descriptor<1, N>(out + k * plane, {height, width}, {pitch, 1}); };
  auto blocks_of = [&](int k) { return tt::make_tensor_descriptor<M, N>(out + k * plane, {height, width}, {pitch, 1}); };
  auto v = tt::load(x + place);
  auto places = tt::load(order + r);

  if constexpr (is_for<T>(load)) {
    auto from = tt::make_tensor_descriptor<M, N>(x, {height, width}, {pitch, 1});
    whole(load, from.load({i, j}));
    blocks_of(store).store({i, j}, v);
    whole(gather, tt::make_tensor_descriptor<1, N>(x, {height, width}, {pitch, 1}).gather(places, j));
    rows_of(scatter).scatter(v, places, j);
  }
  if constexpr (is_for<T>(load_nan)) {
    auto from = tt::make_tensor_descriptor<M, N>(x, {height, width}, {pitch, 1}, tt::padding::nan);
    whole(load_nan, from.load({i, j}));
  }
  if constexpr (is_for<T>(add))
    blocks_of(add).atomic_add({i, j}, v);
  if constexpr (is_for<T>(minimum)) {
    blocks_of(minimum).atomic_min({i, j}, v);
    blocks_of(maximum).atomic_max({i, j}, v);
  }
  if constexpr (is_for<T>(bits_and)) {
    blocks_of(bits_and).atomic_and({i, j}, v);
    blocks_of(bits_or).atomic_or({i, j}, v);
    blocks_of(bits_xor).atomic_xor({i, j}, v);
  }

  auto check = tt::boundary_check<0, 1>;
  whole(block_load, tt::load(tt::make_block_ptr<M, N>(x, {height, width}, {pitch, 1}, {i, j}), check));
  // The same memory, taken for a tensor of columns that are 2 * M apart.
  whole(block_columns, tt::load(tt::make_block_ptr<M, N>(x, {height, width}, {1, 2 * M}, {i, j}), check));
  auto moving = tt::make_block_ptr<M, N>(x, {height, width}, {pitch, 1}, {-M, 3});
  whole(block_advance, tt::load(tt::advance(moving, {i + M, j - 3}), check));
  tt::store(tt::make_block_ptr<M, N>(out + block_store * plane, {height, width}, {pitch, 1}, {i, j}), v, check);
}

template <class T>
void launch(int M, int N, int warps, int height, int width, void (*blocks)(const T *, const int *, T *, int, int)) {
  std::vector<const char *> listed;
  for (int k = 0; k < operations; ++k)
    if (is_for<T>(k))
      listed.push_back(names[k]);
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps,
                      std::to_string(height) + "x" + std::to_string(width));
  if (!cases.of(listed.data(), listed.size()))
    return;
  const int rows = tt::cdiv(height, M) * M, columns = tt::cdiv(width, N) * N;
  const int pitch = 2 * N, plane = 2 * M * pitch;
  using U = matrix::bits_of<T>;
  // Floats are small integers, whose sums are exact.
  auto any = [](int) -> U {
    if constexpr (is_float<T>)
      return matrix::to_bits(T(double(matrix::between(-8, 8))));
    else
      return matrix::any_bits<T>();
  };
  matrix::buffer<U> x(plane, any);
  matrix::buffer<int> order(rows, [](int i) { return i; });
  for (int i = rows - 1; i > 0; --i) {
    int j = int(matrix::between(0, i)), at = order[i];
    order.set(i, order[j]);
    order.set(j, at);
  }
  order.upload();
  matrix::results<U> out(operations, plane);
  for (int k = add; k <= bits_xor; ++k)
    for (int i = 0; i < plane; ++i)
      out.set(size_t(k) * plane + i, any(0));
  out.upload();
  dim3 grid{tt::cdiv(height, M), tt::cdiv(width, N)};
  blocks<<<grid>>>(matrix::as<T>(x), order.data(), matrix::as<T>(out), height, width);

  // Writes whole blocks, or the part inside the tensor.
  auto check = [&](int k, bool is_whole, auto reference) {
    if (!is_for<T>(k))
      return;
    cases.check(names[k], out, k, plane, [&](int i) {
      int r = i / pitch, c = i % pitch;
      bool is_written = is_whole ? r < rows && c < columns : r < height && c < width;
      return is_written ? std::optional<U>(reference(r, c)) : std::nullopt;
    });
  };
  auto inside = [&](int r, int c) { return r < height && c < width; };
  auto in_rows = [&](int r, int c) { return inside(r, c) ? x[r * pitch + c] : U(0); };
  check(load, true, in_rows);
  check(store, false, in_rows);
  check(gather, true, [&](int r, int c) { return in_rows(order[r], c); });
  std::vector<int> from(rows);
  for (int r = 0; r < rows; ++r)
    from[order[r]] = r;
  check(scatter, false, [&](int r, int c) { return x[from[r] * pitch + c]; });
  check(block_load, true, in_rows);
  check(block_columns, true, [&](int r, int c) { return inside(r, c) ? x[c * 2 * M + r] : U(0); });
  check(block_advance, true, in_rows);
  check(block_store, false, in_rows);

  auto changed = [&](int k, auto function) {
    check(k, false, [&](int r, int c) { return function(out[size_t(k) * plane + r * pitch + c], x[r * pitch + c]); });
  };
  if constexpr (is_for<T>(load_nan)) {
    const U nan = std::is_same_v<T, tt::float8_e5m2> ? U(0x7e) : matrix::to_bits(T(__builtin_nan("")));
    check(load_nan, true, [&](int r, int c) { return inside(r, c) ? x[r * pitch + c] : nan; });
  }
  if constexpr (is_float<T>) {
    auto value = [](U bits) {
      T v;
      std::memcpy(&v, &bits, sizeof v);
      return v;
    };
    changed(add, [&](U was, U v) { return matrix::to_bits(T(double(value(was)) + double(value(v)))); });
  } else if constexpr (is_wide_integer<T>) {
    using bits = std::make_unsigned_t<T>;
    changed(add, [](U was, U v) { return U(bits(was) + bits(v)); });
    changed(minimum, [](U was, U v) { return was < v ? was : v; });
    changed(maximum, [](U was, U v) { return was > v ? was : v; });
    changed(bits_and, [](U was, U v) { return U(was & v); });
    changed(bits_or, [](U was, U v) { return U(was | v); });
    changed(bits_xor, [](U was, U v) { return U(was ^ v); });
  }
}

template <class T, int M, int N, int W> void family_of() {
  for (auto [height, width] : {std::pair{M, N}, {2 * M - 1, 2 * N - 3}, {1, N + 1}, {M / 2, 2 * N}})
    launch<T>(M, N, W, height, width, blocks<T, M, N, W>);
}

matrix::family family("blocks", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    if constexpr (I % 3 == 0)
      family_of<T, 8, 16, W>();
    else if constexpr (I % 3 == 1)
      family_of<T, 16, 32, W>();
    else
      family_of<T, 32, 16, W>();
  });
});

} // namespace
