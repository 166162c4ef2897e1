#include "harness.h"

/// The distance of `got` from the exact result, in units in the last place of a float of that size.
static double ulps(float got, double exact) {
  if (std::isnan(exact) || std::isinf(got) || std::isnan(got)) {
    if (std::isnan(exact))
      return std::isnan(got) ? 0 : INFINITY;
    // An infinity is right if rounding the exact result gives infinity.
    return double(float(exact)) == double(got) ? 0 : INFINITY;
  }
  int e = exact == 0 ? -149 : std::max(std::ilogb(exact), -126) - 23;
  return std::fabs(double(got) - exact) / std::ldexp(1.0, std::max(e, -149));
}

int main(int argc, char **argv) {
  // An odd step through all bit patterns; the argument 1 tests every float.
  const uint64_t step = argc > 1 ? std::atoi(argv[1]) : 4099;
  std::vector<uint32_t> patterns;
  for (float around : {-104.0f, -103.97208f, -87.33655f, -88.0f, 88.72284f, 89.0f, -174.67f, -150.0f, -149.0f, -126.0f,
                       128.0f, 0.0f, -0.0f, 1.0f, 1.17549435e-38f, INFINITY, -INFINITY, 65520.0f, 65504.0f, 6.1e-5f, 6e-8f,
                       3.0e-8f, 3.39e38f}) {
    uint32_t bits;
    std::memcpy(&bits, &around, 4);
    for (int i = -600; i <= 600; ++i)
      patterns.push_back(bits + i);
  }
  for (uint64_t b = 0; b < (1ull << 32) && step > 1; b += step)
    patterns.push_back(uint32_t(b));
  // |x| <= 104 in every exponent, which covers all results of exp that do not overflow or underflow, and a whole
  // binade.
  for (int i = 0; i < 300000; ++i) {
    float v = -104.0f + 193.0f * (float(i) / 300000.0f);
    uint32_t bits;
    std::memcpy(&bits, &v, 4);
    patterns.push_back(bits);
  }
  const int block = 65536;
  float divisors[] = {3.0f, -7e-42f, 2.5e38f, 0.1f, 1e-30f, 1e31f};
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    std::vector<float> x(block), e(block), e2(block), l(block), l2(block), s(block), back(block), quot(block), r(block);
    std::vector<uint16_t> h(block), b(block), dh(block);
    std::vector<double> de(block);
    double worst[6] = {};
    uint64_t total = step == 1 ? 1ull << 32 : patterns.size();
    int turn = 0;
    for (uint64_t first = 0; first < total; first += block) {
      float d = divisors[turn++ % 6];
      for (uint64_t i = 0; i < block; ++i) {
        uint32_t bits = step == 1 ? uint32_t(first + i) : patterns[std::min<uint64_t>(first + i, total - 1)];
        std::memcpy(&x[i], &bits, 4);
      }
      launch(entry, {block / 1024}, x.data(), e.data(), e2.data(), l.data(), l2.data(), s.data(), h.data(), b.data(),
             back.data(), dh.data(), de.data(), quot.data(), r.data(), d);
      for (int i = 0; i < block; ++i) {
        double v = x[i];
        const double got[6] = {ulps(e[i], std::exp(v)), ulps(e2[i], std::exp2(v)), ulps(l[i], std::log(v)),
                               ulps(l2[i], std::log2(v)), ulps(quot[i], v / d), ulps(r[i], 1 / std::sqrt(v))};
        const double limits[6] = {1, 1, 2, 2, 2, 1.5};
        const char *names[6] = {"exp", "exp2", "log", "log2", "quotient", "rsqrt"};
        for (int k = 0; k < 6; ++k) {
          worst[k] = std::fmax(worst[k], got[k]);
          if (!(got[k] <= limits[k]) && failures++ < 20)
            std::printf("FAIL: level %u: %s(%a) is off by %g ulp\n", entry.level, names[k], v, got[k]);
        }
        if (step > 1) {
          expectNear("sqrt", i, s[i], std::sqrt(x[i]), 0, entry.level);
          expectNear("half", i, fromHalf(h[i]), fromHalf(toHalf(v)), 0, entry.level);
          expectNear("bfloat", i, fromBFloat(b[i]), fromBFloat(toBFloat(v)), 0, entry.level);
          expectNear("back", i, back[i], fromHalf(i), 0, entry.level);
          expectNear("f64 to half", i, fromHalf(dh[i]), fromHalf(toHalf(v + v * 0x1p-30)), 0, entry.level);
          if (std::isfinite(v))
            expectNear("f64 exp", i, de[i], std::exp(v), 1e-15, entry.level);
        }
      }
    }
    std::printf("level %u: exp %.3f ulp, exp2 %.3f, log %.3f, log2 %.3f, / %.3f, rsqrt %.3f\n", entry.level, worst[0], worst[1],
                worst[2], worst[3], worst[4], worst[5]);
  });
}
