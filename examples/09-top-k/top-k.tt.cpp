// 09: sorting in registers. Finds the 8 largest logits of each row and their positions. A number and its position form
// one 64-bit key, whose order is that of the numbers.
//
//   tcc -O2 top-k.tt.cpp -o top-k && ./top-k

#include "../support/report.h"
#include <algorithm>
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int BLOCK, int K> __tile_global__ void top_k(const float *x, float *values, int *places, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto v = tt::load(x + long(row) * columns + i, i < columns, -tt::inf<float>);
  // The bits of a float have the order of integers if all bits of negative numbers except the sign are inverted.
  auto bits = tt::bitcast<int>(v);
  auto ordered = tt::where(bits < 0, bits ^ 0x7fffffff, bits);
  auto best = tt::topk<K>(ordered.template to<long>() << 32 | (BLOCK - i).template to<long>());
  auto top = (best >> 32).template to<int>();
  auto k = tt::arange<K>();
  tt::store(values + row * K + k, tt::bitcast<float>(tt::where(top < 0, top ^ 0x7fffffff, top)));
  tt::store(places + row * K + k, BLOCK - best.template to<int>());
}

constexpr int K = 8;

static void top_k_plain(const float *x, float *values, int *places, int columns) {
  std::vector<int> order(columns);
  for (int i = 0; i < columns; ++i)
    order[i] = i;
  std::partial_sort(order.begin(), order.begin() + K, order.end(),
                    [&](int a, int b) { return x[a] > x[b] || (x[a] == x[b] && a < b); });
  for (int k = 0; k < K; ++k)
    values[k] = x[places[k] = order[k]];
}

int main(int argc, char **argv) {
  const int rows = example::size_from(argc, argv, 1000), columns = 1000;
  auto x = tt::random_normal(size_t(rows) * columns, 9);
  tt::buffer<float> dx(x), dvalues(size_t(rows) * K);
  tt::buffer<int> dplaces(size_t(rows) * K);
  auto time = tt::do_bench([&] { top_k<1024, K><<<rows>>>(dx, dvalues, dplaces, columns); });

  std::vector<float> values(size_t(rows) * K);
  std::vector<int> places(size_t(rows) * K);
  double plain_ms = example::median_ms([&] {
    for (int r = 0; r < rows; ++r)
      top_k_plain(&x[size_t(r) * columns], &values[size_t(r) * K], &places[size_t(r) * K], columns);
  });
  double error = tt::compare("values", dvalues.to_vector(), values).difference +
                 tt::compare("places", dplaces.to_vector(), places).difference;
  return example::report("top-k", error, 0, time.median, plain_ms, 4.0 * rows * columns, "GB/s");
}
