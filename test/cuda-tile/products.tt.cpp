// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/products.cuh"
#include "Inputs/support.h"
#include <functional>

// Integers between the bounds: products of floats that are small integers are exact.
template <class T> host<T> element(int) {
  if constexpr (std::is_integral_v<T>)
    return T(e2e::between(std::is_signed_v<T> ? -100 : 0, 100));
  else
    return static_cast<host<T>>(static_cast<float>(e2e::uniform(-1, 1)));
}
template <class B> double at(B &b, size_t i) { return static_cast<double>(static_cast<float>(b[i])); }
template <> double at(e2e::buffer<double> &b, size_t i) { return b[i]; }

template <class A, class B, class F> auto reference(A &a, B &b, int n, int k, F place_a, F place_b) {
  return [=, &a, &b](int i) {
    double sum = 0;
    for (int p = 0; p < k; ++p)
      sum += at(a, place_a(i / n, p)) * at(b, place_b(p, i % n));
    return sum;
  };
}

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
void check(int m, int n, int k, double tolerance) {
  e2e::context("%s %d x %d x %d, transposed %d %d", e2e::name_of<host<T>>, m, n, k, TransA, TransB);
  e2e::buffer<host<T>> a(m * k, element<T>), b(k * n, element<T>);
  e2e::buffer<Acc> c(m * n);
  matmul<T, Acc, M, N, K, TransA, TransB>
      <<<dim3((m + M - 1) / M, (n + N - 1) / N)>>>(as<T>(a), as<T>(b), c.data(), m, n, k);
  auto want = reference(a, b, n, k, std::function([=](int i, int p) { return TransA ? p * m + i : i * k + p; }),
                        std::function([=](int p, int j) { return TransB ? j * k + p : p * n + j; }));
  if constexpr (std::is_integral_v<T>)
    c.expect([&](int i) { return Acc(want(i)); });
  else
    c.expect(e2e::tolerance{4, tolerance}, want);
}
static std::function<int(int, int)> rows_of(int columns) { return [=](int i, int j) { return i * columns + j; }; }

int main() {
  return e2e::run("products", [] {
    check<__half, float, 64, 64, 32, false, false>(64, 64, 64, 1e-5);
    check<__half, float, 64, 64, 32, false, false>(100, 72, 56, 1e-5);
    check<__half, float, 64, 64, 32, true, false>(72, 100, 56, 1e-5);
    check<__half, float, 64, 64, 32, false, true>(72, 100, 40, 1e-5);
    check<__half, float, 64, 64, 32, true, true>(72, 100, 40, 1e-5);
    check<__nv_bfloat16, float, 128, 64, 64, false, false>(130, 64, 72, 1e-5);
    check<float, float, 32, 32, 16, false, false>(40, 33, 20, 1e-5);
    check<double, double, 32, 32, 16, false, true>(40, 33, 20, 1e-13);
    check<signed char, int, 64, 64, 32, false, false>(70, 80, 48, 0);
    check<unsigned char, int, 64, 64, 32, false, true>(70, 80, 48, 0);
    check<__nv_fp8_e5m2, float, 64, 64, 32, false, true>(70, 80, 48, 1e-3);
    {
      e2e::context("tf32");
      const int m = 70, n = 65, k = 40;
      numbers<float> a(m * k, 1), b(k * n, 1), c(m * n);
      matmul_tf32<64, 64, 32><<<dim3(2, 2)>>>(a.get(), b.get(), c.get(), m, n, k);
      c.expect(e2e::tolerance{4, 3e-2}, reference(a, b, n, k, rows_of(k), rows_of(n)));
    }
    for (int b_batches : {1, 3}) {
      e2e::context("batches, %d of b", b_batches);
      const int m = 70, n = 72, k = 40, batches = 3;
      numbers<__half> a(batches * m * k, 1), b(b_batches * k * n, 1), bias(n, 2), c(batches * m * n);
      bmm_bias_relu<64, 64, 32>
          <<<dim3(2, 2, batches)>>>(a.get(), b.get(), bias.get(), c.get(), batches, b_batches, m, n, k);
      c.expect(e2e::tolerance{1, 2e-3}, [&](int i) {
        int batch = i / (m * n), row = i / n % m, column = i % n;
        double sum = bias.at(column);
        for (int p = 0; p < k; ++p)
          sum += a.at((batch * m + row) * k + p) * b.at(((b_batches == 1 ? 0 : batch) * k + p) * n + column);
        return std::max(sum, 0.0);
      });
    }
    {
      e2e::context("split k");
      const int m = 70, n = 72, k = 200;
      numbers<__nv_bfloat16> a(m * k, 1), b(k * n, 1);
      e2e::buffer<float> c(m * n, [](int) { return 0.0f; });
      split_k<64, 64, 32><<<dim3(2, 2, 3)>>>(a.get(), b.get(), c.data(), m, n, k, 3);
      c.expect(e2e::tolerance{4, 4e-5}, reference(a, b, n, k, rows_of(k), rows_of(n)));
    }
    {
      e2e::context("persistent");
      const int m = 330, n = 136, k = 40;
      numbers<__half> a(m * k, 1), b(k * n, 1), c(m * n);
      persistent<64, 64, 32><<<4>>>(a.get(), b.get(), c.get(), m, n, k);
      c.expect(e2e::tolerance{1, 2e-3}, reference(a, b, n, k, rows_of(k), rows_of(n)));
    }
    {
      e2e::context("scaled 8-bit floats");
      const int m = 70, n = 128, k = 256;
      numbers<__nv_fp8_e4m3> a(m * k, 4), b(n * k, 4);
      numbers<float> a_scale(m * 2, 2), b_scale(2, 2);
      numbers<__nv_bfloat16> c(m * n);
      scaled_fp8<64, 64><<<dim3(2, 2)>>>(a.get(), b.get(), a_scale.get(), b_scale.get(), c.get(), m, n, k);
      c.expect(e2e::tolerance{1, 4.0}, [&](int i) {
        double sum = 0;
        for (int p = 0; p < k; ++p)
          sum += a.at(i / n * k + p) * b.at(i % n * k + p) * a_scale.at(i / n * 2 + p / 128) * b_scale.at(p / 128);
        return sum;
      });
    }
    {
      e2e::context("matmul of halves");
      numbers<__half> a(1024, 1), b(1024, 1), c(1024);
      matmul_of_halves<<<1>>>(a.get(), b.get(), c.get());
      c.expect(e2e::tolerance{2, 2e-2}, reference(a, b, 32, 32, rows_of(32), rows_of(32)));
    }
  });
}
