// On the CPU device, programs that compute rows run in pairs. A launch of many programs must give the same bits as
// launches of one. Tests odd numbers of programs, also along a grid's last axis, results in place, masks and selects
// that differ between both programs, rows with NaNs, and a launch that is too large for pairs.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 TILECC_CPU_STREAM_BYTES=30000 %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=3 %t

#include "support/check.h"

constexpr int N = 256;

// `first` is the row of the first program, of which a launch of one has another.
__tile_global__ void normalize(const float *x, const float *weight, float *y, int columns, int first) {
  auto c = tt::arange<N>();
  auto mask = c < columns;
  long at = long(first + tt::program_id(0)) * columns;
  auto row = tt::load(x + at + c, mask, 0.0f);
  float mean = tt::sum(row) / columns;
  auto centered = tt::where(mask, row - mean, 0.0f);
  float scale = tt::rsqrt(tt::sum(centered * centered) / columns + 1e-5f);
  tt::store(y + at + c, centered * scale * tt::load(weight + c, mask), mask);
}

__tile_global__ void loss(const float *x, const int *labels, float *out, float *gradient, int columns, int first) {
  long row = first + tt::program_id(0);
  int label = labels[row];
  auto i = tt::arange<N>();
  auto in = i < columns;
  auto v = tt::load(x + row * columns + i, in, -tt::inf<float>);
  float most = tt::max(v);
  auto e = tt::exp(v - most);
  float sum = tt::sum(e), picked = tt::sum(tt::where(i == label, v, 0.0f));
  out[row] = tt::log(sum) + most - picked;
  tt::store(gradient + row * columns + i, e / sum - (i == label).template to<float>(), in);
}

// A triangle: each program's row ends elsewhere. Two dimensions of programs.
__tile_global__ void triangle(const int *x, int *y, float *most, int first) {
  auto c = tt::arange<N>();
  int row = first + tt::program_id(0), height = tt::num_programs(1), z = tt::program_id(1);
  auto mask = c <= row;
  auto v = tt::load(x + (row * height + z) * N + c, mask, 0);
  int sum = tt::sum(v);
  most[row * height + z] = tt::max(tt::load(x + (row * height + z) * N + c, mask, 0).template to<float>());
  tt::store(y + (row * height + z) * N + c, v * 2 + sum, mask);
}

// What launches leave in memory that all find with the same in it, also where none should write.
template <class T> static std::vector<T> after(std::vector<T> memory, auto launch) {
  tt::device_buffer<T> device(memory.data(), memory.size());
  launch(device.data());
  tt::check(ttGetLastError());
  device.copy_to(memory.data());
  return memory;
}
template <class T> static void expect_same(const std::vector<T> &one, const std::vector<T> &many) {
  E2E_EXPECT(!std::memcmp(one.data(), many.data(), one.size() * sizeof(T)));
}

int main() {
  return e2e::run("rows-in-pairs", [] {
    for (int rows : {1, 2, 3, 8, 13})
      for (int columns : {1, 15, 16, 17, 64, 100, 200, 255, 256}) {
        e2e::context("%d rows of %d", rows, columns);
        std::vector<float> x(rows * columns), weight(columns), y(rows * columns + 100, 7.0f), loss0(rows + 10, 7.0f);
        std::vector<int> labels(rows);
        for (auto *list : {&x, &weight})
          for (float &v : *list)
            v = e2e::uniform(-3, 3);
        for (int &label : labels)
          label = e2e::between(0, columns);
        tt::device_buffer<float> dx(x.data(), x.size()), dw(weight.data(), weight.size());
        tt::device_buffer<int> dl(labels.data(), labels.size());
        auto each = [&](auto launch) { // of one program
          return [&, launch](float *to) {
            for (int r = 0; r < rows; ++r)
              launch(to, r, 1);
          };
        };
        auto all = [&](auto launch) { return [&, launch](float *to) { launch(to, 0, rows); }; };

        auto norm = [&](float *to, int first, int n) { normalize<<<n>>>(dx.data(), dw.data(), to, columns, first); };
        auto result = after(y, all(norm));
        expect_same(after(y, each(norm)), result);
        for (int r = 0; r < rows; ++r) {
          double mean = 0, squares = 0;
          for (int c = 0; c < columns; ++c)
            mean += double(x[r * columns + c]) / columns;
          for (int c = 0; c < columns; ++c)
            squares += (x[r * columns + c] - mean) * (x[r * columns + c] - mean) / columns;
          for (int c = 0; c < columns; ++c)
            E2E_EXPECT(std::fabs(result[r * columns + c] - (x[r * columns + c] - mean) / std::sqrt(squares + 1e-5) * weight[c]) < 1e-3);
        }
        auto in_place = [&](float *to, int first, int n) { normalize<<<n>>>(to, dw.data(), to, columns, first); };
        auto padded = x;
        padded.resize(x.size() + 100, 7.0f);
        expect_same(after(padded, all(in_place)), result);

        if (rows > 3) // a row without a number, and one that is a number nowhere
          x[columns] = NAN, std::fill_n(&x[2 * columns], columns, -INFINITY);
        tt::device_buffer<float> dv(x.data(), x.size());
        std::vector<float> losses[2], gradients[2];
        for (int k = 0; k < 2; ++k)
          gradients[k] = after(y, [&](float *gradient) {
            losses[k] = after(loss0, [&](float *out) {
              auto run = [&](float *to, int first, int n) { loss<<<n>>>(dv.data(), dl.data(), out, to, columns, first); };
              k ? all(run)(gradient) : each(run)(gradient);
            });
          });
        expect_same(losses[0], losses[1]);
        expect_same(gradients[0], gradients[1]);
      }

    constexpr int rows = 37, height = 3;
    std::vector<int> x(rows * height * N), y(rows * height * N, 7);
    std::vector<float> most(rows * height);
    for (int &v : x)
      v = e2e::between(-1000, 1000);
    tt::device_buffer<int> dx(x.data(), x.size());
    std::vector<float> mosts[2];
    std::vector<int> results[2];
    for (int k = 0; k < 2; ++k)
      results[k] = after(y, [&](int *to) {
        mosts[k] = after(most, [&](float *out) {
          for (int r = 0; r < (k ? 1 : rows); ++r)
            triangle<<<dim3(k ? rows : 1, height)>>>(dx.data(), to, out, r);
        });
      });
    expect_same(results[0], results[1]);
    expect_same(mosts[0], mosts[1]);
    for (int r = 0; r < rows; ++r)
      for (int z = 0; z < height; ++z) {
        const int *row = &x[(r * height + z) * N], *got = &results[1][(r * height + z) * N];
        int sum = 0;
        for (int c = 0; c <= r; ++c)
          sum += row[c];
        for (int c = 0; c < N; ++c)
          E2E_EXPECT(got[c] == (c <= r ? row[c] * 2 + sum : 7));
      }
  });
}
