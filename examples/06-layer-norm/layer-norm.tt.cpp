// 06: forward and backward passes. Computes layer normalization and its gradients. The gradients of weight and bias are
// sums over all rows, to which each program contributes with atomic additions of whole tiles.
//
//   tcc -O2 layer-norm.tt.cpp -o layer-norm && ./layer-norm

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void layer_norm(const float *x, const float *w, const float *b, float *y, float *mean, float *scale,
                                int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto in = i < columns;
  auto v = tt::load(x + row * columns + i, in, 0.0f);
  float m = tt::sum(v) / columns;
  auto centered = tt::where(in, v - m, 0.0f);
  float r = tt::rsqrt(tt::sum(centered * centered) / columns + 1e-5f);
  tt::store(y + row * columns + i, centered * r * tt::load(w + i, in, 0.0f) + tt::load(b + i, in, 0.0f), in);
  tt::store(mean + row, m);
  tt::store(scale + row, r);
}

template <int BLOCK>
__tile_global__ void layer_norm_backward(const float *dy, const float *x, const float *w, const float *mean,
                                         const float *scale, float *dx, float *dw, float *db, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto in = i < columns;
  auto g = tt::load(dy + row * columns + i, in, 0.0f);
  float r = tt::load(scale + row);
  auto normal = tt::where(in, (tt::load(x + row * columns + i, in, 0.0f) - tt::load(mean + row)) * r, 0.0f);
  auto gw = g * tt::load(w + i, in, 0.0f);
  float along = tt::sum(gw * normal) / columns, all = tt::sum(gw) / columns;
  tt::store(dx + row * columns + i, (gw - normal * along - all) * r, in);
  tt::atomic_add(dw + i, g * normal, in);
  tt::atomic_add(db + i, g, in);
}

struct gradients {
  std::vector<double> y, dx, dw, db;
};
static gradients reference(const std::vector<float> &x, const std::vector<float> &w, const std::vector<float> &b,
                           const std::vector<float> &dy, int rows, int n) {
  gradients out = {std::vector<double>(x.size()), std::vector<double>(x.size()), std::vector<double>(n),
                   std::vector<double>(n)};
  std::vector<double> normal(n);
  for (int row = 0; row < rows; ++row) {
    const float *v = &x[size_t(row) * n], *g = &dy[size_t(row) * n];
    double m = 0, variance = 0, along = 0, all = 0;
    for (int i = 0; i < n; ++i)
      m += double(v[i]) / n;
    for (int i = 0; i < n; ++i)
      variance += (v[i] - m) * (v[i] - m) / n;
    double r = 1 / std::sqrt(variance + 1e-5);
    for (int i = 0; i < n; ++i) {
      normal[i] = (v[i] - m) * r;
      out.y[size_t(row) * n + i] = normal[i] * w[i] + b[i];
      along += double(g[i]) * w[i] * normal[i] / n;
      all += double(g[i]) * w[i] / n;
      out.dw[i] += g[i] * normal[i];
      out.db[i] += g[i];
    }
    for (int i = 0; i < n; ++i)
      out.dx[size_t(row) * n + i] = (double(g[i]) * w[i] - normal[i] * along - all) * r;
  }
  return out;
}

int main(int argc, char **argv) {
  const int rows = example::size_from(argc, argv, 1000), columns = 1000;
  const size_t size = size_t(rows) * columns;
  auto x = tt::random_normal(size, 1), w = tt::random_normal(columns, 2), b = tt::random_normal(columns, 3),
       dy = tt::random_normal(size, 4);
  tt::buffer<float> dx_(x), dw_(w), db_(b), ddy(dy), y(size), mean(rows), scale(rows), dx(size), dw(columns, 0),
      db(columns, 0);
  auto time = tt::do_bench([&] {
    layer_norm<1024><<<rows>>>(dx_, dw_, db_, y, mean, scale, columns);
    layer_norm_backward<1024><<<rows>>>(ddy, dx_, dw_, mean, scale, dx, dw, db, columns);
  });
  dw.fill(0), db.fill(0); // the timed runs have added to them
  layer_norm_backward<1024><<<rows>>>(ddy, dx_, dw_, mean, scale, dx, dw, db, columns);

  gradients expected = reference(x, w, b, dy, rows, columns);
  double error = 0;
  auto check = [&](const char *name, const tt::buffer<float> &values, const std::vector<double> &want) {
    error = std::max(error, tt::compare(name, values.to_vector(), want).difference);
  };
  check("y", y, expected.y), check("dx", dx, expected.dx), check("dw", dw, expected.dw), check("db", db, expected.db);
  double plain_ms = example::median_ms([&] { reference(x, w, b, dy, rows, columns); }, 1);
  return example::report("layer_norm", error, 1e-3, time.median, plain_ms, 24.0 * size, "GB/s");
}
