// The largest tiles: 2^20 elements, in one dimension and in two, computed and reduced by one program.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t

#include "support/check.h"

constexpr int side = 1024;

[[tt::num_warps(32)]] __tile_global__ void flat(const int *x, int *out, int64_t *total, int n) {
  auto i = tt::arange<side * side>();
  auto v = tt::load(x + i, i < n, 0);
  tt::store(out + i, v * 3 - i, i < n);
  tt::store(total, tt::sum(v.to<int64_t>()));
}

[[tt::num_warps(32)]] __tile_global__ void square(const int *x, int *by_row, int *largest) {
  auto r = tt::arange<side>();
  auto v = tt::load(x + r(tt::all, tt::newaxis) * side + r(tt::newaxis, tt::all));
  tt::store(by_row + r, tt::sum<1>(v));
  tt::store(largest + r, tt::max<0>(v));
}

int main() {
  return e2e::run("huge-tile", [] {
    const int n = side * side;
    e2e::buffer<int> x(n, [](int) { return int(e2e::between(-100000, 100000)); }), by_row(side), largest(side);
    for (int used : {n, n - 1, n / 2 + 1}) {
      e2e::context("flat, %d", used);
      e2e::buffer<int> out(n);
      e2e::buffer<int64_t> total(1);
      flat<<<1>>>(x.data(), out.data(), total.data(), used);
      out.expect([&](int i) { return i < used ? x[i] * 3 - i : out[i]; });
      total.expect([&](int) {
        int64_t sum = 0;
        for (int i = 0; i < used; ++i)
          sum += x[i];
        return sum;
      });
    }
    e2e::context("square");
    square<<<1>>>(x.data(), by_row.data(), largest.data());
    by_row.expect([&](int r) {
      int sum = 0;
      for (int c = 0; c < side; ++c)
        sum += x[r * side + c];
      return sum;
    });
    largest.expect([&](int c) {
      int best = x[c];
      for (int r = 1; r < side; ++r)
        best = x[r * side + c] > best ? x[r * side + c] : best;
      return best;
    });
  });
}
