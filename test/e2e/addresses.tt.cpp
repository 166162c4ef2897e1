// Tests conversions between pointers and integers, which Triton's users write as .to(tl.pointer_type(...)).
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t

#include "support/check.h"
#include <bit>
#include <complex>

constexpr int block = 32, rows = 4;

// Addresses of rows as integers, and the elements there, through tiles and scalar pointers.
__tile_global__ void sums(const int64_t *addresses, float *out) {
  auto i = tt::arange<rows>();
  auto p = tt::load(addresses + i).to<const float *>();
  auto sum = tt::zeros<float, rows>();
  for (int k = 0; k < block; ++k)
    sum += tt::load(p++);
  tt::store(out + i, sum);
  tt::store(out + rows, tt::sum(tt::load(tt::cast<const float *>(addresses[2]) + tt::arange<block>())));
}

// The same memory as elements of another type; x[tt::all, tt::newaxis] as in Triton.
__tile_global__ void bits(const float *x, int *out, int64_t *distance) {
  auto i = tt::arange<8>()[tt::all, tt::newaxis] * 4 + tt::arange<4>()[tt::newaxis, tt::all];
  tt::store(out + i, tt::load(tt::cast<const int *>(x + i)));
  tt::store(distance + i, (x + i).to<int64_t>() - tt::cast<int64_t>(x));
}

// Complex numbers, which C++ multiplies by a library function unless an option prevents it.
__tile_global__ void squares(const float *x, float *out, int n) {
  int i = tt::program_id<0>();
  std::complex<float> z(x[i], x[i + n]);
  z *= z;
  out[i] = z.real();
  out[i + n] = z.imag();
}

int main() {
  return e2e::run("addresses", [] {
    e2e::buffer<float> x(rows * block, e2e::random<float>), out(rows + 1);
    e2e::buffer<int64_t> addresses(rows, [&](int i) { return reinterpret_cast<int64_t>(x.data() + i * block); });
    sums<<<1>>>(addresses.data(), out.data());
    out.expect({.absolute = 1e-4}, [&](int r) {
      double sum = 0;
      for (int i = 0; i < block; ++i)
        sum += x[(r < rows ? r : 2) * block + i];
      return sum;
    });

    e2e::buffer<int> as_int(32);
    e2e::buffer<int64_t> distance(32);
    bits<<<1>>>(x.data(), as_int.data(), distance.data());
    as_int.expect([&](int i) { return std::bit_cast<int>(x[i]); });
    distance.expect([](int i) { return int64_t(4 * i); });

    e2e::buffer<float> product(2 * block);
    squares<<<block>>>(x.data(), product.data(), block);
    product.expect({.absolute = 1e-4}, [&](int i) {
      std::complex<double> z(x[i % block], x[i % block + block]);
      return i < block ? (z * z).real() : (z * z).imag();
    });
  });
}
