// Tiles of two dimensions: rows and columns in any order in memory, masks along each and both, shapes made of lines by
// expand_dims and broadcasting. Bits, not values, are compared.
// RUN: %matrix %s -o %t
// RUN: grep '^planes ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

enum operation { rows, columns, strided, transposed, row_mask, column_mask, by_row, by_column, outer, operations };
constexpr const char *names[] = {"2d-rows",      "2d-columns",     "2d-strided",       "2d-transpose-copy", "2d-row-mask",
                                 "2d-column-mask", "2d-broadcast-row", "2d-broadcast-column", "2d-outer-where"};

// x has rows that are x_pitch elements apart, y has columns that are y_pitch apart.
template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void planes(const T *x, const T *y, T *out, int height, int width,
                                                 int x_pitch, int y_pitch, int step) {
  auto r = tt::program_id(0) * M + tt::arange<M>();
  auto c = tt::program_id(1) * N + tt::arange<N>();
  auto rr = r(tt::all, tt::newaxis);
  auto cc = tt::expand_dims<0>(c);
  auto inside = rr < height && cc < width;
  constexpr int plane = 8 * M * N;
  auto to_row = [&](int k) { return out + k * plane + rr * (2 * N) + cc; };
  auto from_x = tt::load(x + rr * x_pitch + cc, inside);
  tt::store(to_row(rows), from_x, inside);
  tt::store(to_row(columns), tt::load(y + cc * y_pitch + rr, inside), inside);
  tt::store(to_row(strided), tt::load(x + rr * x_pitch + cc * step, inside), inside);
  tt::store(out + transposed * plane + cc * (4 * M) + rr, from_x, inside);
  tt::store(to_row(row_mask), tt::load(x + rr * x_pitch + cc, rr < height, T(1)), rr < height);
  tt::store(to_row(column_mask), tt::load(x + rr * x_pitch + cc, cc < width, T(1)), cc < width && rr < height);
  tt::store(to_row(by_row), tt::broadcast_to<M, N>(tt::load(x + c, c < width)(tt::newaxis, tt::all)), inside);
  tt::store(to_row(by_column), tt::load(y + r, r < height)(tt::all, tt::newaxis), inside);
  // Tiles of one row and of one column are broadcast to each other.
  tt::store(to_row(outer), tt::where(rr < cc, tt::load(x + cc, cc < width), tt::load(y + rr, rr < height)), inside);
}

template <class T>
void launch(int M, int N, int warps, int height, int width, int padding, int skew,
            void (*planes)(const T *, const T *, T *, int, int, int, int, int)) {
  std::string form = std::to_string(height) + "x" + std::to_string(width) + "p" + std::to_string(padding);
  if (skew)
    form += "+" + std::to_string(skew);
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, form);
  if (!cases.of(names, operations))
    return;
  const int step = 2, x_pitch = 2 * N * step + padding, y_pitch = 3 * M + padding;
  using U = matrix::bits_of<T>;
  matrix::buffer<U> x(3 * M * x_pitch, matrix::any_bits<T>, skew), y(2 * N * y_pitch, matrix::any_bits<T>, skew);
  matrix::results<U> out(operations, size_t(8) * M * N, skew);
  planes<<<dim3(tt::cdiv(height, M), tt::cdiv(width, N))>>>(matrix::as<T>(x), matrix::as<T>(y), matrix::as<T>(out),
                                                               height, width, x_pitch, y_pitch, step);

  // Rows of results are 2 * N elements apart, of which `width` are written; of the transposed, 4 * M and `height`.
  // With a mask of rows alone every column of the tiles is copied.
  auto width_of = [&](int k) { return k == row_mask ? tt::cdiv(width, N) * N : width; };
  auto check = [&](int k, bool is_transposed, auto reference) {
    int line = is_transposed ? 4 * M : 2 * N, count = is_transposed ? width : height;
    cases.check(names[k], out, k, size_t(line) * count, [&](int i) {
      int r = is_transposed ? i % line : i / line, c = is_transposed ? i / line : i % line;
      return r < height && c < width_of(k) ? std::optional(reference(r, c)) : std::nullopt;
    });
  };
  check(rows, false, [&](int r, int c) { return x[r * x_pitch + c]; });
  check(columns, false, [&](int r, int c) { return y[c * y_pitch + r]; });
  check(strided, false, [&](int r, int c) { return x[r * x_pitch + c * step]; });
  check(transposed, true, [&](int r, int c) { return x[r * x_pitch + c]; });
  check(row_mask, false, [&](int r, int c) { return x[r * x_pitch + c]; });
  check(column_mask, false, [&](int r, int c) { return x[r * x_pitch + c]; });
  check(by_row, false, [&](int r, int c) { return x[c]; });
  check(by_column, false, [&](int r, int c) { return y[r]; });
  check(outer, false, [&](int r, int c) { return r < c ? x[c] : y[r]; });
}

template <class T, int M, int N, int W> void family_of(int pick) {
  auto run = [&](int height, int width, int padding, int skew) {
    launch<T>(M, N, W, height, width, padding, skew, planes<T, M, N, W>);
  };
  run(M, N, 0, 0);
  run(3 * M, 2 * N, 16, 0);
  run(M + M / 2 + 1, 2 * N, 16, 0);
  run(2 * M, N + N / 2 + 1, 3, 0);
  run(2 * M - 1, 2 * N - 1, 1 + pick % 15, 0);
  run(2 * M, 2 * N, 16, 1 + pick % 15);
  run(1, 1, 0, 1 + (pick + 4) % 15);
  run(0, N, 0, 0);
}

matrix::family family("planes", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    if constexpr (I % 5 == 0)
      family_of<T, 1, 32 * W, W>(I);
    else if constexpr (I % 5 == 1)
      family_of<T, 8 * W, 2, W>(I);
    else if constexpr (I % 5 == 2)
      family_of<T, 16, 4 * W, W>(I);
    else if constexpr (I % 5 == 3)
      family_of<T, 4, 4, W>(I);
    else
      family_of<T, 4 * W, 32, W>(I);
  });
});

} // namespace
