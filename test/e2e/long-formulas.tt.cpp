// A formula of hundreds of operations is computed in one loop, one vector at a time, because the code would otherwise
// be several times as large. The formula is the rounds of a hash. The results must equal the host's.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %tcc --emit=cpu-llvm --cpu-level=3 %s -o - | FileCheck %s --implicit-check-not="<32 x i32>"
// CHECK: xor <8 x i32>
#include <cstdio>
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <class T> constexpr T rotate(T x, int n) { return (x << n) | (x >> (32 - n)); }
template <class T> constexpr T mix(T x, unsigned round) {
  x = (x ^ rotate(x, 7) ^ rotate(x, 18)) + (0x9e3779b9u + round);
  return x ^ (x >> 3);
}

__tile_global__ void hash(const unsigned *in, unsigned *out, int n) {
  auto i = tt::program_id(0) * 128 + tt::arange<128>();
  auto x = tt::load(in + i, i < n);
  tt::static_range<48>([&](auto round) { x = mix(x, round); });
  tt::store(out + i, x, i < n);
}

int main() {
  constexpr int n = 300;
  std::vector<unsigned> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * 2654435761u;
  tt::buffer<unsigned> in(values), out(n + 1, 77u);
  hash<<<tt::cdiv(n, 128)>>>(in, out, n);
  int wrong = out[n] != 77;
  for (int i = 0; i < n; ++i) {
    unsigned x = values[i];
    for (unsigned round = 0; round < 48; ++round)
      x = mix(x, round);
    wrong += out[i] != x;
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
