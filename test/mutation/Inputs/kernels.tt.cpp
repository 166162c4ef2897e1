// One kernel for each way in which barriers and waits get into code: without-each.py removes each of them.
//
// Inputs are integers, so that every order of summing gives the same; each kernel runs in all of its variants, and loops go
// around often enough for the memory of one round to be written again in the next.
//
//   kernels [name]    all, or those of one name
#include "../../e2e/support/check.h"

#include <algorithm>

constexpr int B = 512, S = 64, Rounds = 3;

// Partial results of warps, in slots that the next reduction and the next iteration reuse.
__tile_global__ void reduce(const int *x, int *out, int rounds) {
  auto i = tt::arange<B>();
  for (int round = 0; round < rounds; ++round) {
    auto v = tt::load(x + round * B + i);
    auto rest = v - tt::max(v);
    tt::store(out + 2 * round, tt::sum(rest));
    tt::store(out + 2 * round + 1, tt::argmax<0>(v));
  }
}

void check_reduce(int skew) {
  e2e::buffer<int> x(Rounds * B, [](int) { return int(e2e::between(-1000, 1000)); }, skew), out(2 * Rounds);
  reduce<<<1>>>(x.data(), out.data(), Rounds);
  out.expect([&](int at) {
    int round = at / 2, best = 0, sum = 0;
    for (int i = 0; i < B; ++i)
      if (x[round * B + i] > x[round * B + best])
        best = i;
    for (int i = 0; i < B; ++i)
      sum += x[round * B + i] - x[round * B + best];
    return at % 2 ? best : sum;
  });
}

// Rows shared by warps: every warp reads what all of them have stored.
__tile_global__ void reduce_columns(const int *x, int *out) {
  auto m = tt::arange<32>()(tt::all, tt::newaxis);
  auto n = tt::arange<32>()(tt::newaxis, tt::all);
  auto v = tt::load(x + m * 32 + n);
  tt::store(out + m * 32 + n, v - tt::max<0>(v, tt::keep_dims) + tt::sum<1>(v, tt::keep_dims));
}

void check_reduce_columns(int skew) {
  e2e::buffer<int> x(1024, [](int) { return int(e2e::between(-1000, 1000)); }, skew), out(1024);
  reduce_columns<<<1>>>(x.data(), out.data());
  out.expect([&](int at) {
    int largest = x[at % 32], sum = 0;
    for (int k = 0; k < 32; ++k) {
      largest = std::max(largest, x[k * 32 + at % 32]);
      sum += x[at / 32 * 32 + k];
    }
    return x[at] - largest + sum;
  });
}

// Totals of warps and of chunks.
__tile_global__ void scan(const int *x, int *out, int rounds) {
  auto i = tt::arange<B>();
  for (int round = 0; round < rounds; ++round)
    tt::store(out + round * B + i, tt::cumsum<0>(tt::load(x + round * B + i)));
}

void check_scan(int skew) {
  e2e::buffer<int> x(Rounds * B, [](int) { return int(e2e::between(-1000, 1000)); }, skew), out(Rounds * B);
  scan<<<1>>>(x.data(), out.data(), Rounds);
  int sum = 0;
  out.expect([&](int at) { return sum = (at % B ? sum : 0) + x[at]; });
}

// Layout conversions through shared memory: rows in, columns out, in a loop.
__tile_global__ void transpose(const int *x, int *out, int rounds) {
  auto m = tt::arange<32>();
  auto rows = m(tt::all, tt::newaxis) * 32 + m(tt::newaxis, tt::all);
  for (int round = 0; round < rounds; ++round)
    tt::store(out + round * 1024 + rows, tt::trans(tt::load(x + round * 1024 + rows)));
}

void check_transpose(int skew) {
  e2e::buffer<int> x(Rounds * 1024, e2e::random<int>, skew), out(Rounds * 1024);
  transpose<<<1>>>(x.data(), out.data(), Rounds);
  out.expect([&](int at) { return x[at / 1024 * 1024 + at % 32 * 32 + at / 32 % 32]; });
}

__tile_global__ void gather(const int *x, const int *index, int *out, int rounds) {
  auto i = tt::arange<B>();
  for (int round = 0; round < rounds; ++round) {
    auto v = tt::load(x + round * B + i);
    tt::store(out + round * B + i, tt::gather<0>(tt::gather<0>(v, tt::load(index + i)), B - 1 - i));
  }
}

void check_gather(int skew) {
  e2e::buffer<int> x(Rounds * B, e2e::random<int>, skew), out(Rounds * B);
  e2e::buffer<int> index(B, [](int) { return int(e2e::between(0, B - 1)); }, skew);
  gather<<<1>>>(x.data(), index.data(), out.data(), Rounds);
  out.expect([&](int at) { return x[at / B * B + index[B - 1 - at % B]]; });
}

__tile_global__ void sort(const int *x, int *out) {
  auto i = tt::arange<B>();
  tt::store(out + i, tt::sort<0>(tt::load(x + i)));
}

void check_sort(int skew) {
  e2e::buffer<int> x(B, e2e::random<int>, skew), out(B);
  sort<<<1>>>(x.data(), out.data());
  std::vector<int> sorted(B);
  for (int i = 0; i < B; ++i)
    sorted[i] = x[i];
  std::sort(sorted.begin(), sorted.end());
  out.expect([&](int i) { return sorted[i]; });
}

__tile_global__ void histogram(const int *x, int *out, int rounds) {
  auto i = tt::arange<B>();
  auto bins = tt::arange<64>();
  for (int round = 0; round < rounds; ++round)
    tt::store(out + round * 64 + bins, tt::histogram<64>(tt::load(x + round * B + i)));
}

void check_histogram(int skew) {
  e2e::buffer<int> x(Rounds * B, [](int) { return int(e2e::between(0, 63)); }, skew), out(Rounds * 64);
  histogram<<<1>>>(x.data(), out.data(), Rounds);
  out.expect([&](int at) {
    int count = 0;
    for (int i = 0; i < B; ++i)
      count += x[at / 64 * B + i] == at % 64;
    return count;
  });
}

// Dots on matrix units, whose tiles come from asynchronous copies several iterations ahead, or from stores. They take
// so much memory that the layout conversion behind the loop reuses it; the copies for iterations that do not exist
// (zeros) must have completed there.
template <class T, int Stages, bool Indirect = false>
[[tt::num_stages(Stages)]] __tile_global__ void matmul(const T *a, const T *b, const int *order, float *c, int rounds) {
  auto m = tt::arange<S>();
  auto square = m(tt::all, tt::newaxis) * S + m(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, S, S>();
  for (int round = 0; round < rounds; ++round) {
    int tile = round;
    if constexpr (Indirect)
      tile = order[round];
    acc = tt::dot<tt::precision::ieee>(tt::load(a + tile * S * S + square), tt::load(b + round * S * S + square), acc);
  }
  tt::store(c + square, acc);
}

template <class T, int Stages, bool Indirect = false> void check_matmul(int skew) {
  constexpr int rounds = 4;
  auto small = [](int) { return T(e2e::between(-3, 3)); }; // sums are exact
  e2e::buffer<T> a(S * S * rounds, small, skew), b(S * S * rounds, small, skew);
  e2e::buffer<int> order(rounds, [](int i) { return Indirect ? (i * 3 + 1) % rounds : i; }, skew);
  e2e::buffer<float> c(S * S);
  matmul<T, Stages, Indirect><<<1>>>(a.data(), b.data(), order.data(), c.data(), rounds);
  c.expect([&](int at) {
    float sum = 0;
    for (int k = 0; k < S * rounds; ++k)
      sum += float(a[order[k / S] * S * S + at / S * S + k % S]) * float(b[k * S + at % S]);
    return sum;
  });
}

// Scalars and small tiles: several threads read what one of them writes, also through another pointer.
__tile_global__ void accumulate(int *x, const int *y, int rounds) {
  for (int round = 0; round < rounds; ++round)
    x[0] = y[0] * 3 + 1;
  auto i = tt::arange<8>();
  tt::store(x + 1 + i, tt::load(x + 1 + i) + x[0]);
}

void check_accumulate(int skew) {
  e2e::buffer<int> x(9, [](int) { return int(e2e::between(-1000, 1000)); }, skew);
  accumulate<<<1>>>(x.data(), x.data(), Rounds);
  int first = x[0];
  for (int round = 0; round < Rounds; ++round)
    first = first * 3 + 1;
  x.expect([&](int i) { return i ? x[i] + first : first; });
}

// All threads get the result of an atomic access. One that releases waits for the stores of all threads: the last
// program adds up everything.
__tile_global__ void last_one(const int *x, int *parts, int *counter, int *out) {
  auto i = tt::arange<B>();
  int p = tt::program_id(0);
  tt::store(parts + p * B + i, tt::load(x + p * B + i) * 2);
  if (tt::atomic_add(counter, 1) == tt::num_programs(0) - 1) {
    auto sum = tt::zeros<int, B>();
    for (int k = 0; k < tt::num_programs(0); ++k)
      sum += tt::load(parts + k * B + (B - 1 - i));
    tt::store(out + i, sum);
  }
}

void check_last_one(int skew) {
  e2e::buffer<int> x(Rounds * B, [](int) { return int(e2e::between(-1000, 1000)); }, skew), parts(Rounds * B, skew);
  e2e::buffer<int> counter(1, [](int) { return 0; }, skew), out(B, skew);
  last_one<<<Rounds>>>(x.data(), parts.data(), counter.data(), out.data());
  out.expect([&](int i) {
    int sum = 0;
    for (int k = 0; k < Rounds; ++k)
      sum += x[k * B + B - 1 - i] * 2;
    return sum;
  });
}

// A barrier in the source.
__tile_global__ void exchange(int *x) {
  auto i = tt::arange<B>();
  tt::store(x + B + i, tt::load(x + i));
  tt::debug_barrier();
  tt::store(x + i, tt::load(x + B + B - 1 - i));
}

void check_exchange(int skew) {
  e2e::buffer<int> x(2 * B, e2e::random<int>, skew);
  exchange<<<1>>>(x.data());
  x.expect([&](int i) { return i < B ? x[B - 1 - i] : x[i - B]; });
}

int main(int count, char **arguments) {
  return e2e::run("kernels", [&] {
    auto check = [&](const char *kernel, auto... bodies) {
      if (count < 2 || std::strcmp(arguments[1], kernel) == 0)
        for (int skew : {0, 1}) {
          e2e::context("%s, pointers %d elements off alignment", kernel, skew);
          (bodies(skew), ...);
        }
    };
    check("reduce", check_reduce);
    check("reduce_columns", check_reduce_columns);
    check("scan", check_scan);
    check("transpose", check_transpose);
    check("gather", check_gather);
    check("sort", check_sort);
    check("histogram", check_histogram);
    check("matmul", check_matmul<tt::float16, 1>, check_matmul<tt::float16, 2>, check_matmul<tt::float16, 3>,
          check_matmul<tt::float16, 3, true>, check_matmul<float, 3>);
    check("accumulate", check_accumulate);
    check("last_one", check_last_one);
    check("exchange", check_exchange);
  });
}
