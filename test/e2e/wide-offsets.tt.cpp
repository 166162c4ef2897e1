// Tests offsets beyond 32 bits: in tiles of 64-bit integers, in scalars, and as products of 32-bit numbers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// The pointers lie far before the data, so that only the whole sum of offsets leads there.
template <int B>
__tile_global__ void gather(const float *x, float *out, const int64_t *index, int64_t base, int stride, int rows, int n) {
  auto i = tt::arange<B>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + (i.template to<int64_t>() + base), mask), mask);
  tt::store(out + B + i, tt::load(x + tt::load(index + i, mask, base), mask), mask);
  // stride * rows does not fit an int; it is base.
  int64_t wide = int64_t(stride) * rows;
  tt::store(out + 2 * B + i, tt::load(x + wide + i, mask), mask);
  const float *row = x + int64_t(rows) * stride;
  tt::store(out + 3 * B + i, tt::load(row + i, mask), mask);
  tt::store(out + 4 * B, x[wide + n - 1]);
}

template <int B> void check(int stride, int rows) {
  for (int n : {1, B / 2 + 1, B}) {
    int64_t base = int64_t(stride) * rows;
    e2e::context("%d of %d, %lld elements on", n, B, static_cast<long long>(base));
    e2e::buffer<float> x(n, e2e::random<float>), out(4 * B + 1);
    e2e::buffer<int64_t> index(n);
    for (int i = 0; i < n; ++i)
      index.set(i, base + (n - 1 - i));
    index.upload();
    auto *before = reinterpret_cast<const float *>(reinterpret_cast<uintptr_t>(x.data()) - uintptr_t(base) * sizeof(float));
    gather<B><<<1>>>(before, out.data(), index.data(), base, stride, rows, n);
    out.expect([&](int i) {
      if (i == 4 * B)
        return x[n - 1];
      return i % B < n ? x[i / B == 1 ? n - 1 - i % B : i % B] : out[i];
    });
  }
}

int main() {
  return e2e::run("wide-offsets", [] {
    check<64>(1 << 20, 5000);
    check<256>(70001, 65537);
    check<64>(-(1 << 20), 4099);
  });
}
