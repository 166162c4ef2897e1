// Movements of elements: reshape, ravel, permute, trans, join, split, cat, interleave, flip, gather. Bits, not values,
// are compared. Also order and counts: sort, topk, histogram.
// RUN: %matrix %s -o %t
// RUN: grep '^moves ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// (The emulator takes a byte for undefined that an `and` with a constant has cleared, as LLVM leaves it in vectors of bytes:
// it does not look for registers that were never written here.)
// RUN: env TILECC_EMU_CHECKS=memory,races %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

#include <algorithm>

namespace {

enum operation { reshape, ravel, transpose, permute, join, split, cat_rows, cat_columns, interleave, flip_rows, flip_columns,
                 gather_rows, gather_columns, operations };
constexpr const char *names[] = {"reshape",    "ravel",     "trans",        "permute-3d",  "join",        "split",        "cat-axis0",
                                 "cat-axis1",  "interleave", "flip-axis0", "flip-axis1", "gather-axis0", "gather-axis1"};

template <int M, int N> __tile__ auto offsets() {
  return tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>()(tt::newaxis, tt::all);
}
template <int A, int B, int C> __tile__ auto offsets() {
  return offsets<A, B>()(tt::all, tt::all, tt::newaxis) * C + tt::arange<C>()(tt::newaxis, tt::newaxis, tt::all);
}

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void moves(const T *x, const T *y, const int *order, T *out) {
  constexpr int pitch = 2 * M * N;
  auto v = tt::load(x + offsets<M, N>()), w = tt::load(y + offsets<M, N>());
  tt::store(out + reshape * pitch + offsets<2 * M, N / 2>(), tt::reshape<2 * M, N / 2>(v));
  tt::store(out + ravel * pitch + tt::arange<M * N>(), tt::ravel(v));
  tt::store(out + transpose * pitch + offsets<N, M>(), tt::trans(v));
  tt::store(out + permute * pitch + offsets<2, M, N / 2>(), tt::permute<2, 0, 1>(tt::reshape<M, N / 2, 2>(v)));
  tt::store(out + join * pitch + offsets<M, N, 2>(), tt::join(v, w));
  auto [even, odd] = tt::split(tt::reshape<M, N / 2, 2>(v));
  tt::store(out + split * pitch + offsets<M, N / 2>(), even);
  tt::store(out + split * pitch + M * N / 2 + offsets<M, N / 2>(), odd);
  tt::store(out + cat_rows * pitch + offsets<2 * M, N>(), tt::cat(v, w));
  tt::store(out + cat_columns * pitch + offsets<M, 2 * N>(), tt::cat<1>(v, w));
  tt::store(out + interleave * pitch + offsets<M, 2 * N>(), tt::interleave(v, w));
  tt::store(out + flip_rows * pitch + offsets<M, N>(), tt::flip<0>(v));
  tt::store(out + flip_columns * pitch + offsets<M, N>(), tt::flip(v));
  auto at = tt::load(order + offsets<M, N>());
  tt::store(out + gather_rows * pitch + offsets<M, N>(), tt::gather<0>(v, at % M));
  tt::store(out + gather_columns * pitch + offsets<M, N>(), tt::gather<1>(v, at % N));
}

template <class T>
void launch_moves(int M, int N, int warps, int skew, void (*moves)(const T *, const T *, const int *, T *)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, "+" + std::to_string(skew));
  if (!cases.of(names, operations))
    return;
  using U = matrix::bits_of<T>;
  const int size = M * N;
  matrix::buffer<U> x(size, matrix::any_bits<T>, skew), y(size, matrix::any_bits<T>, skew);
  matrix::buffer<int> order(size, [](int) { return int(matrix::random_bits() & 0xffffff); }, skew);
  matrix::results<U> out(operations, 2 * size, skew);
  moves<<<1>>>(matrix::as<T>(x), matrix::as<T>(y), order.data(), matrix::as<T>(out));

  auto check = [&](int k, int count, auto reference) { cases.check(names[k], out, k, count, reference); };
  check(reshape, size, [&](int i) { return x[i]; });
  check(ravel, size, [&](int i) { return x[i]; });
  check(transpose, size, [&](int i) { return x[i % M * N + i / M]; });
  check(permute, size, [&](int i) { return x[i % (size / 2) * 2 + i / (size / 2)]; });
  check(join, 2 * size, [&](int i) { return i % 2 ? y[i / 2] : x[i / 2]; });
  check(split, size, [&](int i) { return x[i % (size / 2) * 2 + i / (size / 2)]; });
  check(cat_rows, 2 * size, [&](int i) { return i < size ? x[i] : y[i - size]; });
  check(cat_columns, 2 * size, [&](int i) {
    int r = i / (2 * N), c = i % (2 * N);
    return c < N ? x[r * N + c] : y[r * N + c - N];
  });
  check(interleave, 2 * size, [&](int i) { return i % 2 ? y[i / 2] : x[i / 2]; });
  check(flip_rows, size, [&](int i) { return x[(M - 1 - i / N) * N + i % N]; });
  check(flip_columns, size, [&](int i) { return x[i / N * N + N - 1 - i % N]; });
  check(gather_rows, size, [&](int i) { return x[order[i] % M * N + i % N]; });
  check(gather_columns, size, [&](int i) { return x[i / N * N + order[i] % N]; });
}

//===-- order -----------------------------------------------------------------------------------------------------===//

enum sorted { ascending, descending, largest, counted, sorteds };
constexpr const char *sorted_names[] = {"sort", "sort-descending", "topk", "histogram"};
constexpr int bins = 16;

template <class T, int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void order(const T *x, T *out, int *counts) {
  constexpr int pitch = M * N, few = N / 4 > 1 ? N / 4 : 1;
  auto v = tt::load(x + offsets<M, N>());
  tt::store(out + ascending * pitch + offsets<M, N>(), tt::sort(v));
  tt::store(out + descending * pitch + offsets<M, N>(), tt::sort<1, true>(v));
  tt::store(out + largest * pitch + offsets<M, few>(), tt::topk<few>(v));
  if constexpr (std::is_integral_v<T>)
    tt::store(counts + tt::arange<bins>(), tt::histogram<bins>(tt::ravel(v)));
}

template <class T> void launch_order(int M, int N, int warps, int skew, void (*order)(const T *, T *, int *)) {
  constexpr bool has_bins = std::is_integral_v<T>;
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, "+" + std::to_string(skew));
  if (!cases.of(sorted_names, has_bins ? sorteds : sorteds - 1))
    return;
  const int size = M * N, few = std::max(N / 4, 1);
  matrix::buffer<T> x(size, [](int) {
    if constexpr (std::is_integral_v<T>)
      return matrix::random_bits() & 1 ? matrix::any<T>() : T(matrix::random_bits() % bins);
    else
      return matrix::any<T>();
  }, skew);
  matrix::results<T> out(sorteds, size, skew);
  matrix::results<int> counts(1, bins, skew);
  order<<<1>>>(x.data(), out.data(), counts.data());
  // NaNs are larger than all numbers.
  std::vector<T> rows(size);
  for (int i = 0; i < size; ++i)
    rows[i] = x[i];
  for (int r = 0; r < M; ++r)
    std::sort(rows.begin() + r * N, rows.begin() + (r + 1) * N, [](T a, T b) { return a == a && (b != b || a < b); });
  auto value = [&](int r, int c) { // of zeros, any sign
    if constexpr (std::is_integral_v<T>)
      return T(rows[r * N + c]);
    else
      return matrix::approximately{double(rows[r * N + c]), 0};
  };
  cases.check(sorted_names[ascending], out, ascending, size, [&](int i) { return value(i / N, i % N); });
  cases.check(sorted_names[descending], out, descending, size, [&](int i) { return value(i / N, N - 1 - i % N); });
  cases.check(sorted_names[largest], out, largest, M * few, [&](int i) { return value(i / few, N - 1 - i % few); });
  if constexpr (has_bins)
    cases.check(sorted_names[counted], counts, 0, bins, [&](int bin) {
      int count = 0;
      for (int i = 0; i < size; ++i)
        count += uint64_t(x[i]) == uint64_t(bin);
      return count;
    });
}

template <class T, int W, int I, int M, int N> void forms_of() {
  launch_moves<T>(M, N, W, 0, moves<T, M, N, W>);
  launch_moves<T>(M, N, W, 1 + I % 15, moves<T, M, N, W>);
  if constexpr (!matrix::is_float8<T>) {
    constexpr int rows = M > 16 ? 16 : M, columns = N > 64 ? 64 : N;
    launch_order<T>(rows, columns, W, I % 16, order<T, rows, columns, W>);
  }
}

matrix::family family("moves", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    if constexpr (I % 5 == 0)
      forms_of<T, W, I, 2, 32 * W>();
    else if constexpr (I % 5 == 1)
      forms_of<T, W, I, 16, 4 * W>();
    else if constexpr (I % 5 == 2)
      forms_of<T, W, I, 16 * W, 4>();
    else if constexpr (I % 5 == 3)
      forms_of<T, W, I, 2, 2>();
    else
      forms_of<T, W, I, 8, 16>();
  });
});

} // namespace
