// 12: a loss and its gradient in one pass. A row of logits stays in registers from the sum of its exponentials until
// the gradient overwrites the logits.
//
//   tcc -O2 cross-entropy.tt.cpp -o cross-entropy && ./cross-entropy

#include "../support/report.h"
#include <algorithm>
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void cross_entropy(const float *logits, const int *labels, float *loss, float *gradient, int columns) {
  int row = tt::program_id(0), label = labels[row];
  auto i = tt::arange<BLOCK>();
  auto in = i < columns;
  auto v = tt::load(logits + long(row) * columns + i, in, -tt::inf<float>);
  float most = tt::max(v);
  auto e = tt::exp(v - most);
  float sum = tt::sum(e), picked = tt::sum(tt::where(i == label, v, 0.0f));
  tt::store(loss + row, tt::log(sum) + most - picked);
  tt::store(gradient + long(row) * columns + i, e / sum - (i == label).template to<float>(), in);
}

template <class T>
static void entropy_plain(const std::vector<float> &x, const std::vector<int> &labels, std::vector<T> &loss,
                          std::vector<T> &gradient, int columns) {
  for (size_t r = 0; r < labels.size(); ++r) {
    const float *row = &x[r * columns];
    T most = *std::max_element(row, row + columns), sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += gradient[r * columns + i] = std::exp(T(row[i]) - most);
    for (int i = 0; i < columns; ++i)
      gradient[r * columns + i] = gradient[r * columns + i] / sum - (i == labels[r]);
    loss[r] = std::log(sum) + most - row[labels[r]];
  }
}

int main(int argc, char **argv) {
  const int rows = example::size_from(argc, argv, 1000), columns = 1000;
  auto x = tt::random_normal(size_t(rows) * columns, 1), places = tt::random_uniform(rows, 0, columns, 2);
  std::vector<int> labels(places.begin(), places.end());
  tt::buffer<float> dx(x), dloss(rows), dgradient(x.size());
  tt::buffer<int> dlabels(labels);
  auto time = tt::do_bench([&] { cross_entropy<1024><<<rows>>>(dx, dlabels, dloss, dgradient, columns); });
  std::vector<double> loss(rows), gradient(x.size());
  std::vector<float> plain_loss(rows), plain(x.size());
  entropy_plain(x, labels, loss, gradient, columns);
  double plain_ms = example::median_ms([&] { entropy_plain(x, labels, plain_loss, plain, columns); }, 1);
  double error = std::max(tt::compare("loss", dloss.to_vector(), loss).difference,
                          tt::compare("gradient", dgradient.to_vector(), gradient).difference);
  return example::report("cross_entropy", error, 1e-5, time.median, plain_ms, 8.0 * rows * columns, "GB/s");
}
