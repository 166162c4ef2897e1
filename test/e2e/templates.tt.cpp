// Tests kernels in all forms of C++ functions: in namespaces, overloaded, templates of types, numbers, functions and
// shapes, explicitly instantiated, static, extern "C", with attributes that depend on template parameters.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 128;

namespace outer {
namespace inner {
__tile_global__ void set(int *x, int value) { tt::store(x + tt::arange<block>(), value); }
__tile_global__ void set(float *x, float value) { tt::store(x + tt::arange<block>(), value); }
} // namespace inner
inline namespace v1 {
static __tile_global__ void set_static(int *x) { tt::store(x + tt::arange<block>(), 11); }
} // namespace v1
} // namespace outer

namespace {
__tile_global__ void set_hidden(int *x) { tt::store(x + tt::arange<block>(), 12); }
} // namespace

extern "C" __tile_global__ void set_c(int *x) { tt::store(x + tt::arange<block>(), 13); }
[[tt::num_warps(8), tt::num_stages(2)]] __tile_global__ void set_by_eight(int *x) {
  tt::store(x + tt::arange<block>(), 15);
}
constexpr int warps_elsewhere = 2;
[[tt::num_warps(warps_elsewhere)]] __tile_global__ void set_by_two(int *x) { tt::store(x + tt::arange<block>(), 16); }

// The same result for every number of warps and stages.
template <class T, int Warps, int Stages>
[[tt::num_warps(Warps), tt::num_stages(Stages)]] __tile_global__ void total(const T *x, T *out) {
  auto i = tt::arange<block>();
  T sum = 0;
  for (int r = 0; r < 4; ++r)
    sum += tt::sum(tt::load(x + r * block + i));
  *out = sum;
}
template <class T, int Warps> [[tt::num_warps(Warps * 2)]] __tile_global__ void twice(const T *x, T *out) {
  auto i = tt::arange<block>();
  tt::store(out + i, tt::load(x + i) * T(2));
}
template __tile_global__ void twice<double, 2>(const double *, double *);

template <class F, class Shape = tt::shape<4, 32>> struct map_of;
template <class F, int M, int N> struct map_of<F, tt::shape<M, N>> {
  template <class T> static __tile__ void run(const T *x, T *out, F f) {
    auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>()(tt::newaxis, tt::all);
    tt::store(out + at, f(tt::load(x + at)));
  }
};
struct plus_one {
  template <class V> constexpr auto operator()(V v) const { return v + 1; }
};
struct plus {
  int amount;
  template <class V> constexpr auto operator()(V v) const { return v + amount; }
};
template <class F, class... Shape> __tile_global__ void map(const int *x, int *out, F f) {
  map_of<F, Shape...>::run(x, out, f);
}

// Sums any number of inputs.
template <class... T> __tile_global__ void sum_all(float *out, const T *...inputs) {
  auto i = tt::arange<block>();
  tt::store(out + i, (tt::load(inputs + i).template to<float>() + ...));
}

template <int Warps> void check_warps() {
  e2e::context("%d warps", Warps);
  e2e::buffer<int> x(4 * block, e2e::random<int8_t>), out(1);
  total<int, Warps, 1 + Warps % 3><<<1>>>(x.data(), out.data());
  out.expect([&](int) {
    int sum = 0;
    for (int i = 0; i < 4 * block; ++i)
      sum += x[i];
    return sum;
  });
}

int main() {
  return e2e::run("templates", [] {
    auto expect_set = [](int value, auto launch) {
      e2e::context("set to %d", value);
      e2e::buffer<int> x(block);
      launch(x.data());
      x.expect([&](int) { return value; });
    };
    expect_set(10, [](int *x) { outer::inner::set<<<1>>>(x, 10); });
    expect_set(11, [](int *x) { outer::set_static<<<1>>>(x); });
    expect_set(12, [](int *x) { set_hidden<<<1>>>(x); });
    expect_set(13, [](int *x) { set_c<<<1>>>(x); });
    expect_set(15, [](int *x) { set_by_eight<<<1>>>(x); });
    expect_set(16, [](int *x) { set_by_two<<<1>>>(x); });
    e2e::context("overloads");
    e2e::buffer<float> f(block);
    outer::inner::set<<<1>>>(f.data(), 1.5f);
    f.expect([](int) { return 1.5f; });

    check_warps<1>();
    check_warps<2>();
    check_warps<4>();
    check_warps<8>();
    check_warps<16>();

    e2e::context("explicitly instantiated");
    e2e::buffer<double> d(block, e2e::random<double>), doubled(block);
    twice<double, 2><<<1>>>(d.data(), doubled.data());
    doubled.expect([&](int i) { return d[i] * 2; });

    e2e::context("functions");
    e2e::buffer<int> x(block, e2e::random<int8_t>), y(block), z(block);
    map<<<1>>>(x.data(), y.data(), plus_one());
    y.expect([&](int i) { return x[i] + 1; });
    map<plus, tt::shape<64, 2>><<<1>>>(x.data(), z.data(), plus{77});
    z.expect([&](int i) { return x[i] + 77; });

    e2e::context("packs");
    e2e::buffer<int8_t> small(block, e2e::random<int8_t>);
    sum_all<<<1>>>(f.data(), x.data());
    f.expect([&](int i) { return float(x[i]); });
    sum_all<<<1>>>(f.data(), x.data(), small.data(), x.data());
    f.expect([&](int i) { return float(2 * x[i] + small[i]); });
  });
}
