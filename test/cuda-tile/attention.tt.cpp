// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/attention.cuh"
#include "Inputs/support.h"

constexpr int D = 64;
constexpr double log2e = 1.4426950408889634;

/// Attention of one head in double: its rows, and the sums of their exponentials to base 2.
struct head {
  std::vector<double> p, out, log_sum;
  template <class B> head(B &q, B &k, B &v, int at, int length, double scale, bool causal)
      : p(length * length), out(length * D), log_sum(length) {
    for (int i = 0; i < length; ++i) {
      int keys = causal ? i + 1 : length;
      double sum = 0;
      for (int j = 0; j < keys; ++j) {
        double s = 0;
        for (int d = 0; d < D; ++d)
          s += q.at(at + i * D + d) * k.at(at + j * D + d);
        sum += p[i * length + j] = std::exp2(s * scale);
      }
      log_sum[i] = std::log2(sum);
      for (int j = 0; j < keys; ++j) {
        p[i * length + j] /= sum;
        for (int d = 0; d < D; ++d)
          out[i * D + d] += p[i * length + j] * v.at(at + j * D + d);
      }
    }
  }
};

template <int M, int N, bool Causal> void check_forward(int batches, int heads, int length) {
  e2e::context("forward, %d x %d, length %d, causal %d", M, N, length, Causal);
  const int size = batches * heads * length * D;
  const float scale = float(log2e / 8);
  numbers<__half> q(size, 1), k(size, 1), v(size, 1), out(size);
  numbers<float> sums(batches * heads * length);
  attention<M, N, D, Causal><<<dim3((length + M - 1) / M, batches * heads)>>>(
      q.get(), k.get(), v.get(), out.get(), sums.get(), batches, heads, length, scale);
  std::vector<head> want;
  for (int h = 0; h < batches * heads; ++h)
    want.emplace_back(q, k, v, h * length * D, length, scale, Causal);
  out.expect(e2e::tolerance{2, 2e-3}, [&](int i) { return want[i / (length * D)].out[i % (length * D)]; });
  sums.expect(e2e::tolerance{0, 1e-4}, [&](int i) { return want[i / length].log_sum[i % length]; });
}

void check_backward(int length) {
  e2e::context("backward, length %d", length);
  const int size = length * D;
  const float scale = float(log2e / 8);
  numbers<__half> q(size, 1), k(size, 1), v(size, 1), out(size), dout(size, 1);
  numbers<float> sums(length), delta(length), dq(size), dk(size), dv(size);
  attention<64, 64, D, true>
      <<<dim3((length + 63) / 64, 1)>>>(q.get(), k.get(), v.get(), out.get(), sums.get(), 1, 1, length, scale);
  attention<128, 32, D, false>
      <<<dim3((length + 127) / 128, 1)>>>(q.get(), k.get(), v.get(), out.get(), sums.get(), 1, 1, length, scale);
  attention_delta<32, D><<<(length + 31) / 32>>>(out.get(), dout.get(), delta.get(), length);
  attention_backward_kv<32, 64, D><<<(length + 63) / 64>>>(q.get(), k.get(), v.get(), dout.get(), sums.get(),
                                                           delta.get(), dk.get(), dv.get(), length, scale);
  attention_backward_q<64, 32, D>
      <<<(length + 63) / 64>>>(q.get(), k.get(), v.get(), dout.get(), sums.get(), delta.get(), dq.get(), length, scale);
  head of(q, k, v, 0, length, scale, false);
  std::vector<double> wq(size), wk(size), wv(size);
  for (int i = 0; i < length; ++i) {
    double sum = 0;
    for (int d = 0; d < D; ++d)
      sum += of.out[i * D + d] * dout.at(i * D + d);
    for (int j = 0; j < length; ++j) {
      double p = of.p[i * length + j], dp = 0;
      for (int d = 0; d < D; ++d) {
        dp += dout.at(i * D + d) * v.at(j * D + d);
        wv[j * D + d] += p * dout.at(i * D + d);
      }
      for (int d = 0; d < D; ++d) {
        wq[i * D + d] += p * (dp - sum) * k.at(j * D + d) / 8;
        wk[j * D + d] += p * (dp - sum) * q.at(i * D + d) / 8;
      }
    }
  }
  dq.expect(e2e::tolerance{0, 4e-3}, [&](int i) { return wq[i]; });
  dk.expect(e2e::tolerance{0, 4e-3}, [&](int i) { return wk[i]; });
  dv.expect(e2e::tolerance{0, 4e-3}, [&](int i) { return wv[i]; });
}

void check_decode(int length, int parts) {
  e2e::context("decode, length %d in %d parts", length, parts);
  const float scale = float(log2e / 8);
  numbers<__half> q(16 * D, 1), k(length * D, 1), v(length * D, 1);
  numbers<float> partial(parts * 16 * D), sums(parts * 16), out(16 * D);
  int blocks = (length + 31) / 32;
  decode<32, D>
      <<<parts>>>(q.get(), k.get(), v.get(), partial.get(), sums.get(), length, (blocks + parts - 1) / parts, scale);
  decode_merge<8, D><<<16>>>(partial.get(), sums.get(), out.get(), parts);
  out.expect(e2e::tolerance{0, 2e-3}, [&](int i) {
    double sum = 0, weighted = 0;
    for (int j = 0; j < length; ++j) {
      double s = 0;
      for (int d = 0; d < D; ++d)
        s += q.at(i / D * D + d) * k.at(j * D + d);
      sum += s = std::exp2(s * scale);
      weighted += s * v.at(j * D + i % D);
    }
    return weighted / sum;
  });
}

int main() {
  return e2e::run("attention", [] {
    check_forward<64, 64, true>(1, 2, 150);
    check_forward<64, 64, true>(2, 1, 64);
    check_forward<128, 32, false>(1, 2, 150);
    check_backward(100);
    check_decode(150, 5);
    check_decode(64, 1);
  });
}
