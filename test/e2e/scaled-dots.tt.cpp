// Tests dots of microscaled numbers as users write them: a loop over K in tiles of 128 rows, for every pair of 8- and
// 4-bit formats, with scales for 32 and for 16 adjacent numbers, and with one operand without scales. The reference is
// in double. Matrix units that multiply such numbers directly, and units that multiply them in bf16, must give the same
// result up to the order of additions.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// The same dots in tensor memory.
// RUN: rm -rf %t.blackwell && mkdir %t.blackwell
// RUN: bash %S/Inputs/on-blackwell.sh %S %t.blackwell "%tcc -O1 --cpu-level=2 -arch=compute_100a" %seed scaled-dots

#include "support/check.h"
#include <bit>

using tt::mx;

template <mx F> constexpr int per_byte = F == mx::e2m1 ? 2 : 1;
// The number of neighbours that share a scale. Scales for 16 are of type e4m3, those for 32 are powers of two.
template <int Group> using scale_of = std::conditional_t<Group == 16, tt::float8_e4m3fn, uint8_t>;

template <mx A, mx B, int Group, int M, int N, int K, bool ScaledB>
__tile_global__ void multiply(const uint8_t *a, const scale_of<Group> *a_scale, const uint8_t *b, const scale_of<Group> *b_scale,
                              float *out, int depth) {
  auto m = tt::program_id(0) * M + tt::arange<M>();
  auto n = tt::program_id(1) * N + tt::arange<N>();
  auto s = tt::arange<K / Group>().row();
  auto ka = tt::arange<K / per_byte<A>>();
  auto kb = tt::arange<K / per_byte<B>>();
  auto acc = tt::zeros<float, M, N>();
  for (int k = 0; k < depth; k += K) {
    auto x = tt::load(a + m.col() * (depth / per_byte<A>) + (k / per_byte<A> + ka.row()));
    auto y = tt::load(b + n.row() * (depth / per_byte<B>) + (k / per_byte<B> + kb.col()));
    auto x_scale = tt::load(a_scale + m.col() * (depth / Group) + (k / Group + s));
    if constexpr (ScaledB)
      acc = tt::dot_scaled<A, B>(x, x_scale, y, tt::load(b_scale + n.col() * (depth / Group) + (k / Group + s)), acc);
    else
      acc = tt::dot_scaled<A, B>(x, x_scale, y, tt::no_scale, acc);
  }
  int columns = tt::num_programs(1) * N;
  tt::store(out + m.col() * columns + n.row(), acc);
}

double decode(int sign, int exponent, int significand, int bits, int bias) {
  double value = exponent ? std::ldexp(1.0 + std::ldexp(significand, -bits), exponent - bias)
                          : std::ldexp(significand, 1 - bias - bits);
  return sign ? -value : value;
}
double e4m3(int byte) { return decode(byte >> 7, byte >> 3 & 15, byte & 7, 3, 7); }
template <mx F> double element(const e2e::buffer<uint8_t> &x, int line, int k, int depth) {
  int byte = x[line * (depth / per_byte<F>) + k / per_byte<F>];
  if (F == mx::e2m1)
    byte = k % 2 ? byte >> 4 : byte & 15;
  return F == mx::e2m1   ? decode(byte >> 3, byte >> 1 & 3, byte & 1, 1, 1)
         : F == mx::e4m3 ? e4m3(byte)
                         : decode(byte >> 7, byte >> 2 & 31, byte & 3, 2, 15);
}
template <mx F> uint8_t random_element(int) { // of 8-bit floats, numbers whose products are exact in float
  if (F == mx::e2m1)
    return uint8_t(e2e::between(0, 255));
  return uint8_t(e2e::between(0, 1) << 7 | (F == mx::e4m3 ? e2e::between(0x28, 0x50) : e2e::between(0x30, 0x4c)));
}
template <int Group> scale_of<Group> random_scale(int) {
  if constexpr (Group == 16)
    return std::bit_cast<tt::float8_e4m3fn>(uint8_t(e2e::between(0x28, 0x48)));
  else
    return uint8_t(e2e::between(124, 130));
}
double value_of(uint8_t scale) { return std::ldexp(1.0, scale - 127); }
double value_of(tt::float8_e4m3fn scale) { return e4m3(std::bit_cast<uint8_t>(scale)); }

template <mx A, mx B, int Group = 32, int M = 128, int N = 64, int K = 128, bool ScaledB = true> void check(int depth) {
  e2e::context("formats %d and %d, groups of %d, tiles of %dx%dx%d, depth %d", int(A), int(B), Group, M, N, K, depth);
  constexpr int rows = 2 * M, columns = N;
  e2e::buffer<uint8_t> a(rows * depth / per_byte<A>, random_element<A>), b(columns * depth / per_byte<B>, random_element<B>);
  e2e::buffer<scale_of<Group>> a_scale(rows * depth / Group, random_scale<Group>), b_scale(columns * depth / Group, random_scale<Group>);
  e2e::buffer<float> out(rows * columns);
  multiply<A, B, Group, M, N, K, ScaledB><<<dim3(rows / M, columns / N)>>>(a.data(), a_scale.data(), b.data(), b_scale.data(), out.data(), depth);
  out.expect_if([&](int i, float got) {
    double sum = 0, size = 0;
    int row = i / columns, column = i % columns;
    for (int k = 0; k < depth; ++k) {
      double term = element<A>(a, row, k, depth) * element<B>(b, column, k, depth) * value_of(a_scale[row * (depth / Group) + k / Group]);
      if (ScaledB)
        term *= value_of(b_scale[column * (depth / Group) + k / Group]);
      sum += term;
      size += std::fabs(term);
    }
    return std::fabs(got - sum) <= size * 0x1p-16;
  });
}

int main() {
  return e2e::run("scaled_products", [] {
    check<mx::e4m3, mx::e4m3>(384);
    check<mx::e5m2, mx::e4m3>(128);
    check<mx::e2m1, mx::e2m1>(256);
    check<mx::e2m1, mx::e2m1, 32, 128, 32, 256>(768);
    check<mx::e2m1, mx::e2m1, 16, 128, 64, 64>(256);
    check<mx::e2m1, mx::e2m1, 16>(384);
    check<mx::e4m3, mx::e2m1>(256);
    check<mx::e2m1, mx::e5m2>(256);
    check<mx::e4m3, mx::e5m2, 32, 128, 64, 128, false>(256);
    check<mx::e4m3, mx::e4m3, 32, 256, 64, 128>(256);
    // Not in tensor memory.
    check<mx::e4m3, mx::e4m3, 32, 64, 32, 64>(128);
  });
}
