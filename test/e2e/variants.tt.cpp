// A kernel has variants for pointers and sizes that are divisible by 16, and for others. The results must be the same
// for all arguments: here for every misalignment of 0 to 15 elements, and for both kinds of sizes.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

#include <optional>
#include <tuple>
#include <vector>

constexpr int block = 256;

template <class T> __tile_global__ void axpy(const T *x, const T *y, T *out, int n, T a) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) * a + tt::load(y + i, mask), mask);
}

// The stride may be divisible, too; the last program's tile is ragged on both sides.
__tile_global__ void transpose(const float *x, float *out, int rows, int columns, int x_stride, int64_t out_stride) {
  auto r = tt::program_id(0) * 16 + tt::arange<16>();
  auto c = tt::program_id(1) * 32 + tt::arange<32>();
  auto v = tt::load(x + r(tt::all, tt::newaxis) * x_stride + c(tt::newaxis, tt::all),
                    (r < rows)(tt::all, tt::newaxis) && (c < columns)(tt::newaxis, tt::all));
  tt::store(out + c(tt::newaxis, tt::all) * out_stride + r(tt::all, tt::newaxis), v,
            (r < rows)(tt::all, tt::newaxis) && (c < columns)(tt::newaxis, tt::all));
}

// A program's assumptions about its arguments are trusted.
__tile_global__ void promised(const float *x, float *out, int n) {
  n = tt::multiple_of<16>(n);
  auto base = tt::multiple_of<32>(tt::program_id(0) * 32);
  auto i = base + tt::arange<32>();
  tt::assume(n > 0);
  tt::store(out + i, tt::load(x + i, i < n) + 1, i < n);
}

// Nothing is assumed of these: there is one variant for all of them, and for the one that is not excluded.
__tile_global__ void unspecialized([[tt::no_specialize]] const int *x, [[tt::no_specialize]] int *out,
                                   [[tt::no_specialize]] int n) {
  auto i = tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < n) + n, i < n);
}
__tile_global__ void half_specialized([[tt::no_specialize]] const int *x, int *out, [[tt::no_specialize]] int n, int m) {
  auto i = tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < n) + m, i < n);
}

// Strides of both axes are arguments, as in Triton's tutorials. Those of the columns are 1 for most callers, and need not be.
__tile_global__ void strided(const float *x, float *out, int rows, int columns, int x_row, int x_column, int out_row, int out_column) {
  auto r = tt::program_id(0) * 16 + tt::arange<16>();
  auto c = tt::program_id(1) * 32 + tt::arange<32>();
  auto mask = (r < rows).col() && (c < columns).row();
  auto v = tt::load(x + (r.col() * x_row + c.row() * x_column), mask);
  tt::store(out + (r.col() * out_row + c.row() * out_column), v + 1, mask);
}

// The scale of a softmax is usually positive, but need not be.
__tile_global__ void scaled_softmax(const float *x, float *out, int n, float scale) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + tt::program_id(0) * n + i) * scale;
  tt::store(out + tt::program_id(0) * n + i, tt::exp2(v - tt::max(v)));
}

template <class T> T whole_number(int) { return T(e2e::between(-50, 50)); }

template <class T> void check_axpy() {
  for (int n : {512, 500, 1, 256 + 16, 255})
    for (int skew = 0; skew < 16; ++skew) {
      int skews[] = {skew, skew * 7 % 16, skew * 5 % 16};
      e2e::context("axpy: %s, n = %d, skews %d %d %d", e2e::name_of<T>, n, skews[0], skews[1], skews[2]);
      e2e::buffer<T> x(n, whole_number<T>, skews[0]), y(n, whole_number<T>, skews[1]), out(n, skews[2]);
      axpy<<<tt::cdiv(n, block)>>>(x.data(), y.data(), out.data(), n, T(2));
      out.expect_value([&](int i) { return T(x[i] * T(2) + y[i]); });
    }
}

int main() {
  return e2e::run("variants", [] {
    check_axpy<int8_t>();
    check_axpy<tt::float16>();
    check_axpy<float>();
    check_axpy<double>();

    for (auto [rows, columns] : {std::pair{16, 32}, {17, 31}, {48, 64}, {33, 100}})
      for (int padding : {0, 1, 16 - columns % 16})
        for (int skew : {0, 1, 4}) {
          int x_stride = columns + padding, out_stride = rows + padding;
          e2e::context("transpose: %d x %d, padding %d, skew %d", rows, columns, padding, skew);
          e2e::buffer<float> x(rows * x_stride, e2e::random<float>, skew), out(columns * out_stride, skew);
          transpose<<<dim3(tt::cdiv(rows, 16), tt::cdiv(columns, 32))>>>(x.data(), out.data(), rows, columns, x_stride,
                                                                         out_stride);
          out.expect([&](int i) {
            int c = i / out_stride, r = i % out_stride;
            return r < rows ? x[r * x_stride + c] : out[i];
          });
        }

    for (auto [x_row, x_column, out_row, out_column] : {std::tuple{64, 1, 64, 1}, {72, 1, 48, 1}, {65, 1, 48, 1}, {1, 48, 64, 1},
                                                        {128, 2, 64, 1}, {64, 1, 160, 3}, {128, 2, 1, 48}, {-64, 1, 64, 1}}) {
      constexpr int rows = 33, columns = 40;
      e2e::context("strided: %d, %d to %d, %d", x_row, x_column, out_row, out_column);
      e2e::buffer<float> x(rows * 128 + 100, e2e::random<float>), out(rows * 160);
      int begin = x_row < 0 ? 32 * 64 : 0;
      strided<<<dim3(3, 2)>>>(x.data() + begin, out.data(), rows, columns, x_row, x_column, out_row, out_column);
      std::vector<std::optional<float>> expected(rows * 160);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
          expected[r * out_row + c * out_column] = x[begin + r * x_row + c * x_column] + 1;
      out.expect([&](int i) { return expected[i].value_or(out[i]); });
    }

    for (float scale : {0.5f, -0.5f, 0.0f, -0.0f, 1e-30f, 30.0f}) {
      e2e::context("scaled_softmax: %g", scale);
      e2e::buffer<float> x(5 * 64, e2e::random<float>), out(5 * 64);
      scaled_softmax<<<5>>>(x.data(), out.data(), 64, scale);
      out.expect(e2e::tolerance{.ulps = 64, .absolute = 1e-6}, [&](int i) {
        float largest = -__builtin_inff();
        for (int j = i / 64 * 64; j < i / 64 * 64 + 64; ++j)
          largest = std::max(largest, x[j] * scale);
        return std::exp2(double(x[i] * scale) - largest);
      });
    }

    for (int n : {256, 255, 240, 13})
      for (int skew : {0, 1, 2})
        for (int m : {16, 17}) {
          e2e::context("unspecialized: n = %d, m = %d, skew %d", n, m, skew);
          e2e::buffer<int> x(n, [](int) { return int(e2e::between(-1000, 1000)); }, skew), out(n, skew), half(n);
          unspecialized<<<1>>>(x.data(), out.data(), n);
          half_specialized<<<1>>>(x.data(), half.data(), n, m);
          out.expect([&](int i) { return x[i] + n; });
          half.expect([&](int i) { return x[i] + m; });
        }

    for (int n : {16, 32, 48, 1600}) {
      e2e::context("promised: n = %d", n);
      e2e::buffer<float> x(n, e2e::random<float>), out(n);
      promised<<<tt::cdiv(n, 32)>>>(x.data(), out.data(), n);
      out.expect([&](int i) { return x[i] + 1; });
    }
  });
}
