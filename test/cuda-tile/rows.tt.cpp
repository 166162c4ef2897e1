// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/rows.cuh"
#include "Inputs/support.h"

struct row_sums {
  std::vector<double> most, sum;
  template <class X> row_sums(X &x, int rows, int columns) : most(rows, -INFINITY), sum(rows) {
    for (int i = 0; i < rows * columns; ++i)
      most[i / columns] = std::max(most[i / columns], x.at(i));
    for (int i = 0; i < rows * columns; ++i)
      sum[i / columns] += std::exp(x.at(i) - most[i / columns]);
  }
};

template <class T> void check_softmax(int rows, int columns) {
  numbers<T> x(rows * columns, 6), out(rows * columns);
  softmax<T, 256><<<rows>>>(x.get(), out.get(), rows, columns);
  row_sums of(x, rows, columns);
  out.expect(e2e::tolerance{sizeof(T) == 4 ? 20.0 : 1.0, 1e-7},
             [&](int i) { return std::exp(x.at(i) - of.most[i / columns]) / of.sum[i / columns]; });
}

int main() {
  return e2e::run("rows", [] {
    for (int columns : {1, 100, 256}) {
      e2e::context("%d columns", columns);
      check_softmax<float>(3, columns);
      check_softmax<__half>(3, columns);
      check_softmax<__nv_bfloat16>(3, columns);
    }
    for (int columns : {64, 300, 512}) {
      e2e::context("online, %d columns", columns);
      const int rows = 4;
      numbers<float> x(rows * columns, 6), out(rows * columns);
      online_softmax<128><<<rows>>>(x.get(), out.get(), rows, columns);
      row_sums of(x, rows, columns);
      out.expect(e2e::tolerance{30, 1e-7},
                 [&](int i) { return std::exp(x.at(i) - of.most[i / columns]) / of.sum[i / columns]; });
    }
    {
      e2e::context("log_softmax");
      const int rows = 37, columns = 50;
      numbers<float> x(rows * columns, 6), out(rows * columns), rowwise(rows * columns);
      log_softmax<16, 64><<<(rows + 15) / 16>>>(x.get(), out.get(), rows, columns);
      out.expect(e2e::tolerance{4, 4e-6}, [&](int i) {
        double most = -INFINITY, sum = 0;
        for (int j = 0; j < columns; ++j)
          most = std::max(most, x.at(j * rows + i % rows));
        for (int j = 0; j < columns; ++j)
          sum += std::exp(x.at(j * rows + i % rows) - most);
        return x.at(i) - most - std::log(sum);
      });
    }
    {
      e2e::context("norms");
      const int rows = 7, columns = 200;
      numbers<__half> x(rows * columns, 3), w(columns, 2), out(rows * columns);
      rms_norm<512><<<3>>>(x.get(), w.get(), out.get(), rows, columns, 1e-5f);
      out.expect(e2e::tolerance{1}, [&](int i) {
        double squares = 0;
        for (int j = 0; j < columns; ++j)
          squares += x.at(i / columns * columns + j) * x.at(i / columns * columns + j);
        return x.at(i) / std::sqrt(squares / columns + 1e-5) * w.at(i % columns);
      });
      numbers<float> f(rows * columns, 3), weight(columns, 2), bias(columns, 2), normed(rows * columns), mean(rows),
          scale(rows);
      layer_norm<256><<<2>>>(f.get(), weight.get(), bias.get(), normed.get(), mean.get(), scale.get(), rows, columns);
      std::vector<double> m(rows), r(rows);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j)
          m[i] += f.at(i * columns + j) / columns;
        double variance = 0;
        for (int j = 0; j < columns; ++j)
          variance += (f.at(i * columns + j) - m[i]) * (f.at(i * columns + j) - m[i]) / columns;
        r[i] = 1 / std::sqrt(variance + 1e-5);
      }
      mean.expect(e2e::tolerance{4, 1e-6}, [&](int i) { return m[i]; });
      scale.expect(e2e::tolerance{8}, [&](int i) { return r[i]; });
      normed.expect(e2e::tolerance{4, 4e-6}, [&](int i) {
        return (f.at(i) - m[i / columns]) * r[i / columns] * weight.at(i % columns) + bias.at(i % columns);
      });
    }
    {
      e2e::context("cross_entropy");
      const int rows = 5, columns = 90;
      numbers<float> x(rows * columns, 5), loss(rows);
      e2e::buffer<int> label(rows, [&](int) { return int(e2e::between(0, columns - 1)); });
      cross_entropy<128><<<rows>>>(x.get(), label.data(), loss.get(), columns);
      row_sums of(x, rows, columns);
      loss.expect(e2e::tolerance{4, 4e-6},
                  [&](int i) { return std::log(of.sum[i]) + of.most[i] - x.at(i * columns + label[i]); });
      x.expect(e2e::tolerance{8, 1e-6}, [&](int i) {
        int row = i / columns;
        return std::exp(x.at(i) - of.most[row]) / of.sum[row] - (i % columns == label[row]);
      });
    }
  });
}
