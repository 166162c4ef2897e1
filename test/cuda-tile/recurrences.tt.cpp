// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/recurrences.cuh"
#include "Inputs/support.h"
#include <functional>

template <class T, int R, int C> void check_scans(double size, e2e::tolerance tolerance) {
  e2e::context("scans of %s", e2e::name_of<host<T>>);
  numbers<T> x(R * C, size), down(R * C), back(R * C), products(R * C);
  scans<T, R, C><<<1>>>(x.get(), down.get(), back.get(), products.get());
  auto fold = [&](int from, int to, int step, double first, auto combine) {
    double v = first;
    for (int i = from; i != to + step; i += step)
      v = combine(v, x.at(i));
    return v;
  };
  auto check = [&](auto &got, auto want) {
    if constexpr (std::is_integral_v<T>)
      got.expect([&](int i) { return T(static_cast<int64_t>(want(i))); });
    else
      got.expect(tolerance, want);
  };
  check(down, [&](int i) { return fold(i % C, i, C, 0, std::plus<>()); });
  check(back, [&](int i) { return fold(i / C * C + C - 1, i, -1, 0, std::plus<>()); });
  check(products, [&](int i) { return fold(i / C * C, i, 1, 1, std::multiplies<>()); });
}

int main() {
  return e2e::run("recurrences", [] {
    check_scans<float, 16, 64>(1, {4, 4e-6});
    check_scans<int, 8, 32>(2.9, {});
    check_scans<__half, 8, 32>(1, {1, 1e-3});
    for (int n : {1, 256, 700}) {
      e2e::context("prefix sum of %d", n);
      e2e::buffer<int> x(n, [](int) { return int(e2e::between(-100, 100)); }), out(n);
      prefix_sum<256><<<1>>>(x.data(), out.data(), n);
      int sum = 0;
      out.expect([&](int i) { return sum += x[i]; });
    }
    {
      constexpr int D = 32, length = 20;
      numbers<float> q(length * D, 1), k(length * D, 1), v(length * D, 1), out(length * D), chunks(length * D),
          plain(length * D);
      e2e::buffer<float> decay(length, [](int) { return float(e2e::uniform(0.5, 1)); });
      linear_attention<D><<<1>>>(q.get(), k.get(), v.get(), decay.data(), out.get(), length);
      chunked<32, D><<<1>>>(q.get(), k.get(), v.get(), chunks.get(), length);
      auto expect = [&](auto &got, bool decays) {
        std::vector<double> state(D * D), want(length * D);
        for (int t = 0; t < length; ++t)
          for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
              state[i * D + j] = state[i * D + j] * (decays ? decay[t] : 1) + k.at(t * D + i) * v.at(t * D + j);
              want[t * D + j] += q.at(t * D + i) * state[i * D + j];
            }
        got.expect(e2e::tolerance{0, 4e-5}, [&](int i) { return want[i]; });
      };
      e2e::context("linear attention");
      expect(out, true);
      e2e::context("in chunks");
      expect(chunks, false);
    }
    {
      e2e::context("delta rule");
      constexpr int D = 64, length = 12;
      numbers<float> q(length * D, 1), k(length * D, 0.2), v(length * D, 1), out(length * D), final_state(D * D);
      e2e::buffer<float> gate(length, [](int) { return float(e2e::uniform(-0.5, 0)); }),
          beta(length, [](int) { return float(e2e::uniform(0, 1)); });
      delta_rule<D><<<1>>>(q.get(), k.get(), v.get(), gate.data(), beta.data(), out.get(), final_state.get(), length);
      std::vector<double> state(D * D), want(length * D);
      for (int t = 0; t < length; ++t) {
        for (double &s : state)
          s *= std::exp(double(gate[t]));
        for (int j = 0; j < D; ++j) {
          double said = 0;
          for (int i = 0; i < D; ++i)
            said += k.at(t * D + i) * state[i * D + j];
          for (int i = 0; i < D; ++i) {
            state[i * D + j] += k.at(t * D + i) * (v.at(t * D + j) - said) * beta[t];
            want[t * D + j] += q.at(t * D + i) * state[i * D + j];
          }
        }
      }
      out.expect(e2e::tolerance{0, 2e-5}, [&](int i) { return want[i]; });
      final_state.expect(e2e::tolerance{0, 1e-5}, [&](int i) { return state[i]; });
    }
  });
}
