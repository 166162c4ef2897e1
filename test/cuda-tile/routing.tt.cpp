// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/routing.cuh"
#include "Inputs/support.h"
#include <algorithm>

int main() {
  return e2e::run("routing", [] {
    const int tokens = 70, experts = 16, n = 72, k = 40, block = 32, pairs = 2 * tokens;
    numbers<float> logits(tokens * experts, 3), weight(pairs);
    e2e::buffer<int> expert(pairs), count(experts, [](int) { return 0; }), place(pairs), start(experts);
    const int most = pairs + experts * block;
    e2e::buffer<int> block_expert(most / block), sorted(most, [](int) { return -1; });
    numbers<__nv_bfloat16> x(tokens * k, 1), w(experts * n * k, 1), parts(pairs * n), out(tokens * n);

    e2e::context("choice");
    top_2<experts><<<tokens>>>(logits.get(), expert.data(), weight.get(), tokens);
    std::vector<int> chosen(pairs);
    std::vector<double> share(pairs);
    for (int t = 0; t < tokens; ++t) {
      int a = 0, b = -1;
      for (int e = 1; e < experts; ++e)
        if (logits[t * experts + e] > logits[t * experts + a])
          a = e;
      for (int e = 0; e < experts; ++e)
        if (e != a && (b < 0 || logits[t * experts + e] > logits[t * experts + b]))
          b = e;
      chosen[2 * t] = a, chosen[2 * t + 1] = b;
      double ratio = std::exp(logits.at(t * experts + b) - logits.at(t * experts + a));
      share[2 * t] = 1 / (1 + ratio), share[2 * t + 1] = ratio / (1 + ratio);
    }
    expert.expect([&](int i) { return chosen[i]; });
    weight.expect(e2e::tolerance{8}, [&](int i) { return share[i]; });

    e2e::context("order");
    count_tokens<128><<<(pairs + 127) / 128>>>(expert.data(), count.data(), place.data(), pairs);
    align_groups<experts><<<1>>>(count.data(), start.data(), block_expert.data(), block);
    scatter_tokens<128><<<(pairs + 127) / 128>>>(expert.data(), start.data(), place.data(), sorted.data(), pairs);
    count.expect([&](int e) { return int(std::count(chosen.begin(), chosen.end(), e)); });
    start.fetch();
    sorted.fetch();
    // Each pair occurs once, in its expert's group.
    std::vector<int> seen(pairs);
    for (int i = 0; i < most; ++i)
      if (int pair = sorted.after(i); pair >= 0) {
        int e = chosen[pair], first = start.after(e);
        ++seen[pair];
        E2E_EXPECT(i >= first && i < first + count.after(e));
      }
    E2E_EXPECT(std::count(seen.begin(), seen.end(), 1) == pairs);

    e2e::context("products");
    int last = start.after(experts - 1) + (count.after(experts - 1) + block - 1) / block * block;
    expert_product<block, 64, 32><<<dim3(last / block, 2)>>>(x.get(), w.get(), parts.get(), sorted.data(),
                                                             block_expert.data(), weight.get(), tokens, n, k);
    auto product = [&](int pair, int column) {
      double sum = 0;
      for (int p = 0; p < k; ++p)
        sum += x.at(pair / 2 * k + p) * w.at((chosen[pair] * n + column) * k + p);
      return sum * share[pair];
    };
    parts.expect(e2e::tolerance{1, 1e-4}, [&](int i) { return product(i / n, i % n); });
    combine<64><<<dim3(tokens, 2)>>>(parts.get(), out.get(), tokens, n);
    out.expect(e2e::tolerance{1, 4e-2},
               [&](int i) { return product(i / n * 2, i % n) + product(i / n * 2 + 1, i % n); });

    e2e::context("quantize");
    numbers<float> f(5 * 100, 7), scale(5);
    e2e::buffer<tt::float8_e4m3fn> narrow(500);
    quantize<128><<<5>>>(f.get(), as<__nv_fp8_e4m3>(narrow), scale.get(), 100);
    narrow.fetch();
    scale.fetch();
    for (int i = 0; i < 500; ++i)
      E2E_EXPECT(std::fabs(double(float(narrow.after(i))) * scale.after(i / 100) - f.at(i)) <=
                 std::fabs(f.at(i)) / 16 + scale.after(i / 100) * 0x1p-10);
  });
}
