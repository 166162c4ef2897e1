// Tests a large grid of small programs, and the largest grids along y and z that a GPU accepts.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=7 %t
// RUN: %emulate TILECC_EMU_CHECKS=none %t

#include "support/check.h"

template <int B> __tile_global__ void mark(const int *x, int *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  tt::store(out + i, tt::load(x + i, i < n) ^ i, i < n);
}

__tile_global__ void axis(int *out, int which) {
  int i = which == 1 ? tt::program_id(1) : tt::program_id(2);
  out[i] = i + 7;
}

int main() {
  return e2e::run("many-programs", [] {
    for (int n : {1 << 20, (1 << 20) - 1, 999999}) {
      e2e::context("n = %d", n);
      e2e::buffer<int> x(n, [](int i) { return i * 77; }), out(n);
      mark<4><<<tt::cdiv(n, 4)>>>(x.data(), out.data(), n);
      out.expect([&](int i) { return x[i] ^ i; });
    }
    for (int which : {1, 2}) {
      e2e::context("65535 along axis %d", which);
      e2e::buffer<int> out(65535);
      axis<<<which == 1 ? dim3(1, 65535, 1) : dim3(1, 1, 65535)>>>(out.data(), which);
      out.expect([](int i) { return i + 7; });
    }
  });
}
