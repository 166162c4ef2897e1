// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/elementwise.cuh"
#include "Inputs/support.h"

static double gelu_of(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))); }

int main() {
  return e2e::run("elementwise", [] {
    for (int n : {1, 1000, 2500}) {
      e2e::context("n = %d", n);
      numbers<float> x(n, 4), y(n, 4), sum(n), g(n), dx(n), dropped(n);
      numbers<__half> h(n, 4), r(n);
      add<1024><<<(n + 1023) / 1024>>>(x.get(), y.get(), sum.get(), n);
      sum.expect([&](int i) { return x[i] + y[i]; });
      relu<512><<<(n + 511) / 512>>>(h.get(), r.get(), n);
      r.expect_value([&](int i) { return h[i] > 0 ? h[i] : tt::float16(0); });
      gelu<512><<<(n + 511) / 512>>>(x.get(), g.get(), n);
      g.expect(e2e::tolerance{8, 1e-6}, [&](int i) { return gelu_of(x[i]); });
      gelu_backward<512><<<(n + 511) / 512>>>(x.get(), y.get(), dx.get(), n);
      dx.expect(e2e::tolerance{0, 2e-5}, [&](int i) {
        double t = std::tanh(0.7978845608 * (x[i] + 0.044715 * x.at(i) * x[i] * x[i]));
        return y[i] * (0.5 * (1 + t) + 0.5 * x[i] * (1 - t * t) * 0.7978845608 * (1 + 3 * 0.044715 * x.at(i) * x[i]));
      });
      dropout<1024><<<(n + 1023) / 1024>>>(x.get(), dropped.get(), n, 0.75f, 7u);
      dropped.expect(e2e::tolerance{1}, [&](int i) {
        unsigned v = (unsigned(i) + 7u) * 2654435761u;
        v = (v ^ (v >> 15)) * 2246822519u;
        v ^= v >> 13;
        return (v >> 8) * 0x1p-24f < 0.75f ? x[i] / 0.75 : 0.0;
      });
    }
    {
      e2e::context("swiglu");
      const int rows = 3, columns = 300;
      numbers<__nv_bfloat16> x(rows * 2 * columns, 4), out(rows * columns);
      swiglu<256><<<dim3(rows, 2)>>>(x.get(), out.get(), rows, columns);
      out.expect(e2e::tolerance{1}, [&](int i) {
        double gate = x.at(i / columns * 2 * columns + i % columns),
               up = x.at((i / columns * 2 + 1) * columns + i % columns);
        return gate / (1 + std::exp(-gate)) * up;
      });
    }
    {
      e2e::context("rope");
      const int positions = 5, heads = 3, half = 32;
      numbers<float> x(positions * heads * 2 * half, 2), c(positions * half, 1), s(positions * half, 1);
      rope<half><<<dim3(positions, heads)>>>(x.get(), c.get(), s.get(), positions, heads);
      x.expect(e2e::tolerance{4, 1e-6}, [&](int i) {
        int lane = i % half, part = i / half % 2, at = i - part * half, position = i / (2 * half * heads);
        double a = x[at], b = x[at + half], cosine = c[position * half + lane], sine = s[position * half + lane];
        return part ? b * cosine + a * sine : a * cosine - b * sine;
      });
    }
  });
}
