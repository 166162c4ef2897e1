// Tests loops with dots in 1 to 5 stages and with 0 to 7 iterations: pointers that are advanced, addresses computed
// from the counter, nested loops, loads whose addresses are loaded, and values that are used after the loop.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int M = 32, N = 32, K = 16;

enum Form { pointers, indices, nested, indirect };

// C is the sum over iterations r of A_r B_r. Tile r of A is M x K, row-major, and the tiles lie side by side in rows of
// `stride`; tile r of B is K x N, and the tiles lie one below the other. `order` says which tiles are multiplied in
// Form::indirect.
template <Form form, int Stages>
[[tt::num_warps(4), tt::num_stages(Stages)]] __tile_global__ void sum_of_products(const tt::float16 *a,
                                                                                  const tt::float16 *b, float *c,
                                                                                  const int *order, int *moved,
                                                                                  int rounds, int stride, int last) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto pa = a + m(tt::all, tt::newaxis) * stride + k(tt::newaxis, tt::all);
  auto pb = b + k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, M, N>();
  int steps = 0;
  if constexpr (form == pointers) {
    // The last iteration has fewer than K columns.
    for (int r = 0; r < rounds; ++r) {
      auto inside = k < (r == rounds - 1 ? last : K);
      acc = tt::dot(tt::load(pa, inside(tt::newaxis, tt::all), 0), tt::load(pb), acc);
      pa += K;
      pb += K * N;
      steps += 3;
    }
  } else if constexpr (form == indices) {
    for (int first = 0; first < rounds * K; first += K) {
      auto inside = (first + k < (rounds - 1) * K + last)(tt::all, tt::newaxis);
      acc = tt::dot(tt::load(pa + first), tt::load(pb + first * N, inside, 0), acc);
      steps += 3;
    }
  } else if constexpr (form == nested) {
    for (int outer = 0; outer < rounds; ++outer) {
      auto qb = pb;
      for (int r = 0; r <= outer; ++r) {
        acc = tt::dot(tt::load(pa + r * K), tt::load(qb), acc);
        qb += K * N;
      }
      steps += 3;
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      int tile = order[r];
      acc = tt::dot(tt::load(pa + tile * K), tt::load(pb + r * K * N), acc);
      steps += 3;
    }
  }
  tt::store(c + m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all), acc);
  tt::store(moved, steps);
}

template <Form form, int Stages> void check(const char *name) {
  for (int rounds = 0; rounds <= 7; ++rounds) {
    e2e::context("%s, %d stages, %d rounds", name, Stages, rounds);
    int tiles = rounds + 1, stride = tiles * K + 8, last = form == pointers || form == indices ? 11 : K;
    auto small = [](int) { return tt::float16(e2e::between(-3, 3)); }; // sums are exact
    e2e::buffer<tt::float16> a(M * stride, small), b(tiles * K * N, small);
    e2e::buffer<int> order(tiles, [&](int i) { return (i * 5 + 3) % tiles; }), moved(1);
    e2e::buffer<float> c(M * N);
    sum_of_products<form, Stages>
        <<<1>>>(a.data(), b.data(), c.data(), order.data(), moved.data(), rounds, stride, last);
    moved.expect([&](int) { return rounds * 3; });
    c.expect([&](int i) {
      int m = i / N, n = i % N;
      double sum = 0;
      auto add = [&](int tileOfA, int tileOfB, int depth) {
        for (int k = 0; k < depth; ++k)
          sum += double(a[m * stride + tileOfA * K + k]) * double(b[(tileOfB * K + k) * N + n]);
      };
      for (int r = 0; r < rounds; ++r)
        if (form == nested)
          for (int inner = 0; inner <= r; ++inner)
            add(inner, inner, K);
        else
          add(form == indirect ? order[r] : r, r, r == rounds - 1 ? last : K);
      return float(sum);
    });
  }
}

template <int Stages> void check_all() {
  check<pointers, Stages>("moving pointers");
  check<indices, Stages>("computed addresses");
  check<nested, Stages>("nested loops");
  check<indirect, Stages>("loaded addresses");
}

int main() {
  return e2e::run("pipelined-loops", [] {
    check_all<1>();
    check_all<2>();
    check_all<3>();
    check_all<4>();
    check_all<5>();
  });
}
