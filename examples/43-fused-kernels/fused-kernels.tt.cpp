// 43: kernels that call kernels. Four kernels, each useful on its own, process the same elements. A fifth kernel calls
// all of them. Intermediate results stay in registers, so it accesses memory 3 times instead of 9. The results are the
// same, bit by bit.
//
//   tcc -O2 fused-kernels.tt.cpp -o fused-kernels && ./fused-kernels

#include "../support/report.h"
#include <chrono>
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void bias(const float *x, const float *b, float *y, int n, int columns) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(y + i, tt::load(x + i, i < n) + tt::load(b + i % columns, i < n), i < n);
}

template <int BLOCK> __tile_global__ void gelu(const float *x, float *y, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto v = tt::load(x + i, i < n);
  tt::store(y + i, 0.5f * v * (1.0f + tt::erf(v * 0.70710678f)), i < n);
}

template <int BLOCK> __tile_global__ void dropout(const float *x, float *y, int n, float p, int seed) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(y + i, tt::where(tt::rand(seed, i) > p, tt::load(x + i, i < n) / (1 - p), 0.0f), i < n);
}

template <int BLOCK> __tile_global__ void residual(const float *x, const float *z, float *y, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(y + i, tt::load(x + i, i < n) + tt::load(z + i, i < n), i < n);
}

// Nothing is written through parameters marked as temporary, so they need no memory.
template <int BLOCK>
__tile_global__ void layer(const float *x, const float *b, const float *z, float *t [[tt::temporary]],
                           float *u [[tt::temporary]], float *v [[tt::temporary]], float *y, int n, int columns, float p,
                           int seed) {
  tt::call<bias<BLOCK>>(x, b, t, n, columns);
  tt::call<gelu<BLOCK>>(t, u, n);
  tt::call<dropout<BLOCK>>(u, v, n, p, seed);
  tt::call<residual<BLOCK>>(v, z, y, n);
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1 << 24), columns = 1000, seed = 42;
  const float p = 0.25f;
  auto x = example::random_floats(n), b = example::random_floats(columns), z = example::random_floats(n);
  tt::device_buffer<float> dx(x.data(), n), db(b.data(), columns), dz(z.data(), n), t(n), u(n), v(n), apart(n), fused(n);
  constexpr int block = 1024;
  const int grid = tt::cdiv(n, block);

  double apart_ms = example::median_ms([&] {
    bias<block><<<grid>>>(dx.data(), db.data(), t.data(), n, columns);
    gelu<block><<<grid>>>(t.data(), u.data(), n);
    dropout<block><<<grid>>>(u.data(), v.data(), n, p, seed);
    residual<block><<<grid>>>(v.data(), dz.data(), apart.data(), n);
    tt::check(ttGetLastError());
  });
  double fused_ms = example::median_ms([&] {
    layer<block><<<grid>>>(dx.data(), db.data(), dz.data(), nullptr, nullptr, nullptr, fused.data(), n, columns, p, seed);
    tt::check(ttGetLastError());
  });

  auto one = example::poisoned(n), four = example::poisoned(n);
  fused.copy_to(one.data());
  apart.copy_to(four.data());
  double error = one == four ? 0 : 1;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) {
    double a = double(x[i]) + b[i % columns], g = 0.5 * a * (1 + std::erf(a * 0.70710678)), kept = g / (1 - p);
    bool is_dropped = one[i] == z[i];
    error = std::max(error, std::fabs(one[i] - (is_dropped ? z[i] : kept + z[i])));
  }
  std::chrono::duration<double, std::milli> plain = std::chrono::steady_clock::now() - start;
  std::printf("four kernels take %.3f ms, one %.3f ms: %.2f times less, with %s bits\n", apart_ms, fused_ms,
              apart_ms / fused_ms, one == four ? "the same" : "OTHER");
  return example::report("layer", error, 1e-5, fused_ms, plain.count(), 12.0 * n, "GB/s");
}
