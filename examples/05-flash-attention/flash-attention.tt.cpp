// 05: two products in a loop. In fused causal attention, the scores of a block of queries are never stored in memory.
// The loop carries the running sums, and the running maximum of the scores, by which they are scaled.
//
//   tcc -O2 flash-attention.tt.cpp -o flash-attention && ./flash-attention

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

// q, k, v, out: heads x length x D. A program handles M rows of one head. `scale` converts scores to exponents of 2.
template <int M, int N, int D>
__tile_global__ void attention(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, tt::float16 *out,
                               int length, float scale) {
  long head = long(tt::program_id(1)) * length * D;
  auto rows = tt::program_id(0) * M + tt::arange<M>();
  auto d = tt::arange<D>();
  auto n = tt::arange<N>();
  auto place = rows.col() * D + d.row();
  auto queries = tt::load(q + head + place, (rows < length).col(), tt::float16(0));
  auto most = tt::full<float, M>(-tt::inf<float>), sum = tt::zeros<float, M>();
  auto acc = tt::zeros<float, M, D>();
  int last = tt::minimum(int(tt::program_id(0) + 1) * M, length);
  for (int j = 0; j < last; j += N) {
    auto keys = j + n;
    auto in = keys < length;
    auto kt = tt::load(k + head + (keys.row() * D + d.col()), in.row(), tt::float16(0));
    auto scores = tt::where(keys.row() <= rows.col() && in.row(), tt::dot(queries, kt) * scale, -1e30f);
    auto next = tt::maximum(most, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(most - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + head + (keys.col() * D + d.row()), in.col(), tt::float16(0));
    acc = tt::dot(p.template to<tt::float16>(), values, acc * shrink.col());
    most = next;
  }
  tt::store(out + head + place, (acc / sum.col()).template to<tt::float16>(), (rows < length).col());
}

static constexpr int D = 64;

// One row in double precision. T is float for the plain loop that is timed.
template <class T>
static void attend(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, T *out, int row) {
  std::vector<T> p(row + 1);
  T sum = 0, most = -1e30;
  for (int j = 0; j <= row; ++j) {
    T score = 0;
    for (int d = 0; d < D; ++d)
      score += T(float(q[row * D + d])) * T(float(k[j * D + d]));
    most = std::max(most, p[j] = score / T(8));
  }
  for (T &x : p)
    sum += x = std::exp(x - most);
  std::fill(out, out + D, T(0));
  for (int j = 0; j <= row; ++j)
    for (int d = 0; d < D; ++d)
      out[d] += p[j] / sum * T(float(v[j * D + d]));
}

int main(int argc, char **argv) {
  const int length = example::size_from(argc, argv, 1000), heads = 2;
  const size_t size = size_t(heads) * length * D;
  auto q = tt::random_normal<tt::float16>(size, 1), k = tt::random_normal<tt::float16>(size, 2),
       v = tt::random_normal<tt::float16>(size, 3);
  tt::buffer<tt::float16> dq(q), dk(k), dv(v), dout(size);
  auto time = tt::do_bench(
      [&] { attention<64, 32, D><<<dim3(tt::cdiv(length, 64), heads)>>>(dq, dk, dv, dout, length, 1.44269504f / 8); });
  std::vector<tt::float16> out = dout.to_vector();
  std::vector<double> expected(size);
  std::vector<float> plain(size);
  auto all = [&](auto &to) {
    for (size_t r = 0; r < size_t(heads) * length; ++r) {
      size_t head = r / length * length * D;
      attend(&q[head], &k[head], &v[head], &to[r * D], int(r % length));
    }
  };
  all(expected);
  double plain_ms = example::median_ms([&] { all(plain); }, 1);
  return example::report("attention", tt::compare("out", out, expected).difference, 4e-3, time.median, plain_ms,
                         2.0 * heads * length * length * D, "GFLOP/s");
}
