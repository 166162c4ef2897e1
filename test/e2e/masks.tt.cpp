// Tests masks of loads and stores: whole and partial tiles; masks and other values that are tiles, rows, columns or
// scalars; memory that must not be accessed; and single elements.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=7 TILECC_CPU_LEVEL=2 %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_STREAM_BYTES=0 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 256;

// Every n-th element, with a tile of others.
template <class T> __tile_global__ void every(const T *x, const T *others, T *out, int n, int step) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto inside = i < n;
  auto other = tt::load(others + i, inside);
  tt::store(out + i, tt::load(x + i, inside && i % step == 0, other), inside && i % step != 1);
}

template <class T> void check_every() {
  for (int n : e2e::edges(block))
    for (int step : {2, 3, 7}) {
      e2e::context("every: %s, n = %d, step = %d", e2e::name_of<T>, n, step);
      e2e::buffer<T> x(n, e2e::random<T>), others(n, e2e::random<T>), out(n);
      every<T><<<tt::cdiv(n, block)>>>(x.data(), others.data(), out.data(), n, step);
      out.expect([&](int i) { return i % step == 1 ? out[i] : i % step == 0 ? x[i] : others[i]; });
    }
}

// Bounds that belong to the range, on both sides of the comparison: of loads, of a store, and of the elements of a sum.
__tile_global__ void inclusive(const int *x, int *out, int *sums, int first, int last) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto v = tt::load(x + i, i <= last);
  tt::store(out + i, v + tt::load(x + i, i >= first && last >= i), last >= i);
  tt::store(sums + tt::program_id(0), tt::sum(v));
}

void check_inclusive() {
  for (int n : e2e::edges(block))
    for (int first : {0, 5}) {
      e2e::context("inclusive: n = %d, first = %d", n, first);
      int programs = tt::cdiv(n, block);
      e2e::buffer<int> x(n, [](int) { return int(e2e::between(-1000, 1000)); }), out(n), sums(programs);
      inclusive<<<programs>>>(x.data(), out.data(), sums.data(), first, n - 1);
      out.expect([&](int i) { return i < first ? x[i] : 2 * x[i]; });
      sums.expect([&](int program) {
        int sum = 0;
        for (int i = program * block; i < std::min(n, (program + 1) * block); ++i)
          sum += x[i];
        return sum;
      });
    }
}

// The address of a masked element is arbitrary: null here, so that any access ends the program.
__tile_global__ void nothing(const float *null, float *out, bool always) {
  auto i = tt::arange<block>();
  auto x = tt::load(null + i, false, 3.0f); // a mask that is known,
  auto y = tt::load(null + i, always, 4.0f); // one that is a scalar,
  auto z = tt::load(null + i, i < -1, 5.0f); // and one that is a tile
  tt::store(out + i, x + y + z);
  tt::store(const_cast<float *>(null) + i, x, false);
  tt::store(const_cast<float *>(null) + i, y, always);
  tt::store(const_cast<float *>(null) + i, z, i > block);
}

// The mask of a matrix from two edges; other is a row, and then a number of another type.
__tile_global__ void matrix(const float *x, const float *row, float *out, int rows, int columns, int stride) {
  auto r = (tt::program_id(0) * 16 + tt::arange<16>())(tt::all, tt::newaxis);
  auto c = (tt::program_id(1) * 32 + tt::arange<32>())(tt::newaxis, tt::all);
  auto other = tt::load(row + c, c < columns, 0);
  auto p = x + r * stride + c;
  auto odd = tt::load(p, (r < rows) && (c < columns) && ((r + c) % 2 == 1), other);
  auto even = tt::load(p, (r < rows) && (c < columns) && ((r + c) % 2 == 0), -1);
  tt::store(out + r * stride + c, odd + even, (r < rows) && (c < columns));
}

// Single elements, with and without masks, through pointers and as C++ writes them.
__tile_global__ void scalars(const int *x, int *out, int n) {
  int i = tt::program_id(0);
  int a = tt::load(x + i), b = tt::load(x + i + 1, i + 1 < n, 100), c = x[i];
  tt::store(out + i, a + b + c);
  tt::store(out + n + i, b, i % 2 == 0);
  out[2 * n + i] = *(x + i) * 2;
  if (i % 3 == 0)
    out[3 * n + i] = i;
}

int main() {
  return e2e::run("masks", [] {
    check_every<int8_t>();
    check_every<tt::float16>();
    check_every<float>();
    check_every<double>();
    check_inclusive();

    e2e::context("nothing");
    e2e::buffer<float> out(block);
    nothing<<<1>>>(nullptr, out.data(), false);
    out.expect([](int) { return 12.0f; });

    for (auto [rows, columns] : {std::pair{1, 1}, {16, 32}, {15, 33}, {17, 31}, {40, 100}}) {
      e2e::context("matrix: %d x %d", rows, columns);
      int stride = columns + 3;
      e2e::buffer<float> x(rows * stride, e2e::random<float>), row(columns, e2e::random<float>), y(rows * stride);
      matrix<<<dim3(tt::cdiv(rows, 16), tt::cdiv(columns, 32))>>>(x.data(), row.data(), y.data(), rows, columns,
                                                                    stride);
      y.expect([&](int i) {
        int r = i / stride, c = i % stride;
        if (c >= columns)
          return y[i];
        return (r + c) % 2 ? x[i] - 1 : row[c] + x[i];
      });
    }

    for (int n : {1, 2, 3, 100}) {
      e2e::context("scalars: n = %d", n);
      e2e::buffer<int> x(n, [](int) { return int(e2e::between(-1000, 1000)); }), y(4 * n);
      scalars<<<n>>>(x.data(), y.data(), n);
      y.expect([&](int j) {
        int i = j % n, next = i + 1 < n ? x[i + 1] : 100;
        switch (j / n) {
        case 0: return 2 * x[i] + next;
        case 1: return i % 2 == 0 ? next : y[j];
        case 2: return 2 * x[i];
        default: return i % 3 == 0 ? i : y[j];
        }
      });
    }
  });
}
