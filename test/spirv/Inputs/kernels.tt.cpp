// Features for which code for OpenCL devices differs from PTX: sub-groups, barriers, atomic accesses, types that OpenCL
// does not have, parameters. The kernels run on every device.
#include "e2e/support/check.h"

#include <algorithm>
#include <climits>

// Reductions and scans by shuffles and shared memory, and exp2.
template <int N> __tile_global__ void softmax(const float *x, float *out, int columns) {
  auto column = tt::arange<N>();
  auto mask = column < columns;
  int row = tt::program_id(0);
  auto v = tt::load(x + row * columns + column, mask, -INFINITY);
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + row * columns + column, e / tt::sum(e), mask);
}

__tile_global__ void scan(const int *x, int *out) {
  auto i = tt::arange<256>();
  tt::store(out + i, tt::cumsum<0>(tt::load(x + i)));
}

__tile_global__ void order(const int *x, int *out) {
  auto i = tt::arange<64>();
  tt::store(out + i, tt::sort<0>(tt::load(x + i)));
}

// Dots with every operand type.
template <class T, int M, int N, int K> [[tt::num_warps(2)]] __tile_global__ void product(const T *a, const T *b, float *out) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto x = tt::load(a + m(tt::all, tt::newaxis) * K + k(tt::newaxis, tt::all));
  auto y = tt::load(b + k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all));
  tt::store(out + m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all),
            tt::dot<float, tt::precision::ieee>(x, y));
}

// bf16 is i16 in memory: arithmetic, comparisons, selection, constants, a conversion from f64 that is rounded once.
__tile_global__ void brain(const tt::bfloat16 *x, const tt::bfloat16 *y, const double *d, tt::bfloat16 *out,
                           tt::bfloat16 *rounded) {
  auto i = tt::arange<256>();
  auto a = tt::load(x + i), b = tt::load(y + i);
  tt::store(out + i, tt::where(a < b, a * b + tt::bfloat16(1.5f), a - b));
  tt::store(rounded + i, tt::load(d + i).to<tt::bfloat16>());
}

__tile_global__ void greater(const float *x, const float *y, float *out) {
  auto i = tt::arange<64>();
  auto a = tt::load(x + i), b = tt::load(y + i);
  tt::store(out + i, tt::maximum<tt::propagate_nan::all>(a, b));
  tt::store(out + 64 + i, tt::minimum(a, b));
}

template <class T> __tile_global__ void add_up(const T *x, T *sums, int n) {
  auto i = tt::program_id(0) * 128 + tt::arange<128>();
  tt::atomic_add(sums + i % 5, tt::load(x + i, i < n, T(0.0f)), i < n);
}

__tile_global__ void extremes(const int *x, int *most, unsigned *least, int *swapped) {
  auto i = tt::program_id(0) * 128 + tt::arange<128>();
  auto v = tt::load(x + i);
  tt::atomic_max(most + i % 2, v);
  tt::atomic_min(least + i % 2, tt::bitcast<unsigned>(v));
  tt::atomic_cas(swapped + i, i * 0, i);
}

// Bools, structs and pointers to pointers as parameters; a grid of three dimensions.
struct affine {
  float scale;
  short shift;
  float operator()(float x) const { return x * scale + shift; }
};
__tile_global__ void parameters(bool negate, affine f, const float *const *rows, float *out) {
  auto i = tt::arange<64>();
  int program = (tt::program_id(2) * tt::num_programs(1) + tt::program_id(1)) * tt::num_programs(0) + tt::program_id(0);
  auto v = tt::load(rows[program] + i) * f.scale + float(f.shift);
  tt::store(out + program * 64 + i, negate ? -v : v);
}

template <class T> void check_product() {
  constexpr int M = 16, N = 16, K = 16;
  e2e::context("products of %s", e2e::name_of<T>);
  e2e::buffer<T> a(M * K, e2e::random<T>), b(K * N, e2e::random<T>);
  e2e::buffer<float> out(M * N);
  product<T, M, N, K><<<1>>>(a.data(), b.data(), out.data());
  out.expect_if([&](int at, float got) {
    double sum = 0, size = 0;
    for (int k = 0; k < K; ++k) {
      double p = double(float(a[at / N * K + k])) * double(float(b[k * N + at % N]));
      sum += p;
      size += std::fabs(p);
    }
    return std::fabs(got - sum) <= size * 1e-6;
  });
}

template <class T> void check_sums(double tolerance) {
  e2e::context("sums of %s", e2e::name_of<T>);
  constexpr int n = 777;
  e2e::buffer<T> x(n, [](int) { return T(float(e2e::between(-3, 3))); }), sums(5, [](int) { return T(0.0f); });
  add_up<T><<<tt::cdiv(n, 128)>>>(x.data(), sums.data(), n);
  sums.expect_if([&](int at, T got) {
    double sum = 0;
    for (int i = at; i < n; i += 5)
      sum += double(float(x[i]));
    return std::fabs(double(float(got)) - sum) <= tolerance;
  });
}

int main() {
  return e2e::run("spirv", [] {
    for (int columns : {1, 31, 200, 256}) {
      e2e::context("softmax of %d columns", columns);
      e2e::buffer<float> x(7 * columns, e2e::random<float>), out(7 * columns);
      softmax<256><<<7>>>(x.data(), out.data(), columns);
      out.expect_if([&](int at, float got) {
        double sum = 0;
        for (int i = 0; i < columns; ++i)
          sum += std::exp(double(x[at / columns * columns + i]));
        return std::fabs(got - std::exp(double(x[at])) / sum) < 1e-6;
      });
    }
    e2e::context("scan");
    e2e::buffer<int> x(256, [](int) { return int(e2e::between(-100, 100)); }), scanned(256), sorted(64);
    scan<<<1>>>(x.data(), scanned.data());
    int before = 0;
    scanned.expect([&](int i) { return i == 0 ? before = x[0] : before += x[i]; });
    e2e::context("sort");
    order<<<1>>>(x.data(), sorted.data());
    std::vector<int> values;
    for (int i = 0; i < 64; ++i)
      values.push_back(x[i]);
    std::sort(values.begin(), values.end());
    sorted.expect([&](int i) { return values[i]; });

    check_product<float>();
    check_product<tt::float16>();
    check_product<tt::bfloat16>();

    e2e::context("bf16");
    e2e::buffer<tt::bfloat16> a(256, e2e::random<tt::bfloat16>), b(256, e2e::random<tt::bfloat16>), c(256), rounded(256);
    // Halfway between two neighbours, except for digits that f32 does not have.
    e2e::buffer<double> d(256, [](int i) { return (i % 2 ? 1 : -1) * (1 + 0x1p-8 + (i % 3 - 1) * 0x1p-40) * std::exp2(i % 60); });
    brain<<<1>>>(a.data(), b.data(), d.data(), c.data(), rounded.data());
    c.expect_if([&](int i, tt::bfloat16 got) {
      float p = float(a[i]), q = float(b[i]);
      double wanted = p < q ? double(p) * q + 1.5 : double(p) - q;
      return std::fabs(float(got) - wanted) <= 2.1 * e2e::ulp<tt::bfloat16>(p < q ? std::max(4.0, std::fabs(wanted)) : wanted);
    });
    rounded.expect_if([&](int i, tt::bfloat16 got) {
      double up = (i % 2 ? 1 : -1) * (1 + 0x1p-7) * std::exp2(i % 60), down = (i % 2 ? 1 : -1) * std::exp2(i % 60);
      return double(float(got)) == (i % 3 == 2 ? up : down); // and halfway to even
    });

    e2e::context("NaNs");
    auto some_nans = [](int i) { return i % 3 == 0 ? NAN : e2e::random<float>(); };
    e2e::buffer<float> p(64, some_nans), q(64, [&](int i) { return some_nans(i / 2); }), both(128);
    greater<<<1>>>(p.data(), q.data(), both.data());
    both.expect([&](int i) {
      float x = p[i % 64], y = q[i % 64];
      return i >= 64 ? std::fmin(x, y) : std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y);
    });

    check_sums<float>(0);
    check_sums<double>(0);
    check_sums<tt::float16>(0);
    check_sums<tt::bfloat16>(2);

    e2e::context("extremes");
    e2e::buffer<int> values32(512, e2e::random<int>), most(2, [](int) { return INT_MIN; }), swapped(512, [](int i) { return i % 3 ? 0 : -1; });
    e2e::buffer<unsigned> least(2, [](int) { return ~0u; });
    extremes<<<4>>>(values32.data(), most.data(), least.data(), swapped.data());
    auto over = [&](int at, auto start, auto better) {
      for (int i = at; i < 512; i += 2)
        start = better(start, decltype(start)(values32[i])) ? start : decltype(start)(values32[i]);
      return start;
    };
    most.expect([&](int at) { return over(at, INT_MIN, [](int x, int y) { return x >= y; }); });
    least.expect([&](int at) { return over(at, ~0u, [](unsigned x, unsigned y) { return x <= y; }); });
    swapped.expect([&](int i) { return i % 3 ? i : -1; });

    e2e::context("parameters");
    e2e::buffer<float> row(12 * 64, e2e::random<float>), out(12 * 64);
    e2e::buffer<const float *> rows(12, [&](int i) { return row.data() + 64 * i; });
    for (bool negate : {false, true}) {
      parameters<<<dim3{3, 2, 2}>>>(negate, affine{2.0f, -7}, rows.data(), out.data());
      out.expect([&](int i) { return (negate ? -1.0f : 1.0f) * (row[i] * 2.0f - 7); });
    }
  });
}
