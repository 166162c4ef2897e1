// Tests times inside kernels (-fprofile-tile, TILECC_PROFILE). On the emulator, the clock of a warp is a step of its
// profile, so events must be in the order of its timeline. On the CPU, scopes are in the rows of threads.
// RUN: %tcc -O1 -fprofile-tile -arch=compute_90a %s -o %t
// RUN: env TILECC_NUM_THREADS=2 TILECC_PROFILE=%t.json TILECC_EMU_PROFILE=%t.steps.json %emulate %t
// RUN: %python %S/Inputs/check-times.py %t.json %t.steps.json
// RUN: env TILECC_PROFILE=%t.random.json %emulate_at_random %t && %python %S/Inputs/check-times.py %t.random.json
// RUN: env TILECC_PROFILE=%t.cpu.json TILECC_DEVICE=cpu %t && %python %S/Inputs/check-times.py --cpu %t.cpu.json
// If the buffer is too small, that must be reported, and the contents of the buffer must be right.
// RUN: env TILECC_PROFILE=%t.small.json TILECC_PROFILE_BYTES=2000 %emulate %t 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: %python %S/Inputs/check-times.py --cut %t.small.json
// SMALL: tilecc: TILECC_PROFILE: kernel 'rows': there was no room for {{[1-9][0-9]*}} of 8 warps, and {{[0-9]+}} of the others have filled theirs; set TILECC_PROFILE_BYTES to more than 2000
// Only the first launch is recorded, unless more are requested. Without TILECC_PROFILE, no launch is recorded.
// RUN: env TILECC_PROFILE=%t.two.json TILECC_PROFILE_LAUNCHES=2 %emulate %t && %python %S/Inputs/check-times.py --launches=2 %t.two.json
// RUN: env TILECC_TRACE=%t.trace.json %emulate %t && not grep -q '"cat":"scope"' %t.trace.json
// Without -fprofile-tile, scopes generate no code.
// RUN: %tcc --emit=ptx -arch=compute_90a %s | FileCheck %s --check-prefix=NONE --implicit-check-not=%%clock --implicit-check-not='$profile'
// NONE: .entry

#include "support/check.h"

/// Two scopes, one within the other, in each of several iterations; and one in a function.
__tile__ auto twice(tt::tile<float, 128> x) {
  tt::profile_scope scope("twice");
  return x + x;
}

__tile_global__ void rows(const float *x, float *out, int rows) {
  auto i = tt::arange<128>();
  for (int row = 0; row < rows; ++row) {
    tt::profile_scope outer("row");
    auto sum = tt::sum(tt::load(x + row * 128 + i));
    {
      tt::profile_scope inner("write");
      tt::store(out + (tt::program_id(0) * rows + row) * 128 + i, twice(sum + tt::zeros<float, 128>()));
    }
    if (sum < -1e30f) // the scope ends here, too
      return;
  }
}

/// Producer warps wait for slots, and the others for data.
template <int M, int N, int K>
[[tt::num_warps(4)]] __tile_global__ void product(const tt::float16 *a, const tt::float16 *b, float *c, int depth) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto sum = tt::zeros<float, M, N>();
  for (int step : tt::range(0, depth, K).warp_specialize())
    sum = tt::dot(tt::load(a + m.col() * depth + (step + k).row()), tt::load(b + (step + k).col() * N + n.row()), sum);
  tt::store(c + m.col() * N + n.row(), sum);
}

int main() {
  return e2e::run("profile-scopes", [] {
    constexpr int programs = 8, count = 3;
    e2e::buffer<float> x(count * 128, [](int i) { return float(i % 7); }), out(programs * count * 128);
    for (int launch = 0; launch < 2; ++launch)
      rows<<<programs>>>(x.data(), out.data(), count);
    out.expect([&](int i) {
      float sum = 0;
      for (int j = 0; j < 128; ++j)
        sum += x[i / 128 % count * 128 + j];
      return 2 * sum;
    });
    constexpr int depth = 256;
    e2e::buffer<tt::float16> a(64 * depth, [](int i) { return tt::float16(i % 3); });
    e2e::buffer<tt::float16> b(depth * 64, [](int i) { return tt::float16(i % 5); });
    e2e::buffer<float> c(64 * 64);
    product<64, 64, 32><<<1>>>(a.data(), b.data(), c.data(), depth);
    c.expect([&](int i) {
      float sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += float(a[i / 64 * depth + k]) * float(b[k * 64 + i % 64]);
      return sum;
    });
  });
}
