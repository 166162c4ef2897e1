// 15: the gradients of attention. The forward kernel stores one number per row, the logarithm of its sum. The backward
// kernels use it to recompute the scores instead of reading them from memory. One kernel loops over all queries for a
// block of keys, the other over all keys for a block of queries, so no sums are accumulated in memory.
//
//   tcc -O2 attention-backward.tt.cpp -o attention-backward && ./attention-backward

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

using half = tt::float16;
static constexpr int D = 64, B = 32; // D: row length; B: rows per block
static constexpr float scale = 0.125f, log2e = 1.44269504f;

// The B rows at `first` of a length x D matrix, and of its transpose.
template <class I> __tile__ auto load_rows(const half *x, I first, int length) {
  auto rows = first + tt::arange<B>();
  return tt::load(x + (rows.col() * D + tt::arange<D>().row()), (rows < length).col(), half(0));
}
template <class I> __tile__ auto load_columns(const half *x, I first, int length) {
  auto rows = first + tt::arange<B>();
  return tt::load(x + (rows.row() * D + tt::arange<D>().col()), (rows < length).row(), half(0));
}
template <class X> __tile__ void store_rows(float *out, int first, int length, X x) {
  auto rows = first + tt::arange<B>();
  tt::store(out + (rows.col() * D + tt::arange<D>().row()), x, (rows < length).col());
}

// out = softmax(scale q k') v. `logs` receives the binary logarithms of softmax's denominators.
__tile_global__ void forward(const half *q, const half *k, const half *v, float *out, float *logs, int length) {
  int first = tt::program_id(0) * B;
  auto queries = load_rows(q, first, length);
  auto most = tt::full<float, B>(-tt::inf<float>), sum = tt::zeros<float, B>();
  auto acc = tt::zeros<float, B, D>();
  for (int j = 0; j < length; j += B) {
    auto in = (j + tt::arange<B>() < length).row();
    auto scores = tt::where(in, tt::dot(queries, load_columns(k, j, length)) * (scale * log2e), -tt::inf<float>);
    auto next = tt::maximum(most, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(most - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = tt::dot(p.to<half>(), load_rows(v, j, length), acc * shrink.col());
    most = next;
  }
  auto rows = first + tt::arange<B>();
  store_rows(out, first, length, acc / sum.col());
  tt::store(logs + rows, most + tt::log2(sum), rows < length);
}

// The sum of a row of p times its gradient equals the sum of out times dout.
__tile_global__ void sums(const float *out, const half *dout, float *delta) {
  auto at = tt::program_id(0) * D + tt::arange<D>();
  tt::store(delta + tt::program_id(0), tt::sum(tt::load(out + at) * tt::load(dout + at)));
}

__tile_global__ void backward_keys(const half *q, const half *k, const half *v, const half *dout, const float *logs,
                                   const float *delta, float *dk, float *dv, int length) {
  int first = tt::program_id(0) * B;
  auto keys = load_rows(k, first, length), values = load_rows(v, first, length);
  auto dkeys = tt::zeros<float, B, D>(), dvalues = tt::zeros<float, B, D>();
  for (int i = 0; i < length; i += B) {
    auto rows = i + tt::arange<B>();
    auto log = tt::load(logs + rows, rows < length, tt::inf<float>); // rows out of bounds have p = 0
    auto p = tt::exp2(tt::dot(keys, load_columns(q, i, length)) * (scale * log2e) - log.row());
    dvalues = tt::dot(p.to<half>(), load_rows(dout, i, length), dvalues);
    auto dp = tt::dot(values, load_columns(dout, i, length));
    auto ds = p * (dp - tt::load(delta + rows, rows < length, 0.0f).row());
    dkeys = tt::dot(ds.to<half>(), load_rows(q, i, length), dkeys);
  }
  store_rows(dk, first, length, dkeys * scale);
  store_rows(dv, first, length, dvalues);
}

__tile_global__ void backward_queries(const half *q, const half *k, const half *v, const half *dout, const float *logs,
                                      const float *delta, float *dq, int length) {
  int first = tt::program_id(0) * B;
  auto rows = first + tt::arange<B>();
  auto queries = load_rows(q, first, length), douts = load_rows(dout, first, length);
  auto log = tt::load(logs + rows, rows < length, 0.0f), d = tt::load(delta + rows, rows < length, 0.0f);
  auto dqueries = tt::zeros<float, B, D>();
  for (int j = 0; j < length; j += B) {
    auto p = tt::exp2(tt::dot(queries, load_columns(k, j, length)) * (scale * log2e) - log.col());
    auto ds = p * (tt::dot(douts, load_columns(v, j, length)) - d.col());
    dqueries = tt::dot(ds.to<half>(), load_rows(k, j, length), dqueries); // keys out of bounds are zero
  }
  store_rows(dq, first, length, dqueries * scale);
}

template <class T> struct gradients { std::vector<T> dq, dk, dv; };
template <class T>
static gradients<T> reference(const std::vector<half> &q, const std::vector<half> &k, const std::vector<half> &v,
                              const std::vector<half> &dout, int length) {
  gradients<T> g = {std::vector<T>(q.size()), std::vector<T>(q.size()), std::vector<T>(q.size())};
  auto dot = [](const half *x, const half *y) {
    T sum = 0;
    for (int d = 0; d < D; ++d)
      sum += T(float(x[d])) * T(float(y[d]));
    return sum;
  };
  std::vector<T> p(length), dp(length);
  for (int i = 0; i < length; ++i) {
    T sum = 0, delta = 0;
    for (int j = 0; j < length; ++j) {
      sum += p[j] = std::exp(dot(&q[i * D], &k[j * D]) * scale);
      dp[j] = dot(&dout[i * D], &v[j * D]);
    }
    for (int j = 0; j < length; ++j)
      delta += (p[j] /= sum) * dp[j];
    for (int j = 0; j < length; ++j)
      for (int d = 0; d < D; ++d) {
        T ds = p[j] * (dp[j] - delta) * scale;
        g.dq[i * D + d] += ds * T(float(k[j * D + d]));
        g.dk[j * D + d] += ds * T(float(q[i * D + d]));
        g.dv[j * D + d] += p[j] * T(float(dout[i * D + d]));
      }
  }
  return g;
}

int main(int argc, char **argv) {
  const int length = example::size_from(argc, argv, 700), size = length * D, grid = tt::cdiv(length, B);
  auto q = tt::random_normal<half>(size, 1), k = tt::random_normal<half>(size, 2), v = tt::random_normal<half>(size, 3),
       dout = tt::random_normal<half>(size, 4);
  tt::buffer<half> q_(q), k_(k), v_(v), dout_(dout);
  tt::buffer<float> out(size), logs(length), delta(length), dq(size), dk(size), dv(size);
  auto time = tt::do_bench([&] {
    forward<<<grid>>>(q_, k_, v_, out, logs, length);
    sums<<<length>>>(out, dout_, delta);
    backward_keys<<<grid>>>(q_, k_, v_, dout_, logs, delta, dk, dv, length);
    backward_queries<<<grid>>>(q_, k_, v_, dout_, logs, delta, dq, length);
  });
  auto expected = reference<double>(q, k, v, dout, length);
  double plain_ms = example::median_ms([&] { reference<float>(q, k, v, dout, length); }, 1);
  double error = 0;
  auto check = [&](const char *name, const auto &gradient, const auto &reference) {
    error = std::max(error, tt::compare(name, gradient.to_vector(), reference).difference);
  };
  check("dq", dq, expected.dq), check("dk", dk, expected.dk), check("dv", dv, expected.dv);
  return example::report("backward", error, 4e-3, time.median, plain_ms, 9 * 2.0 * length * length * D, "GFLOP/s");
}
