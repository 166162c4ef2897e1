// Matrix multiplications whose loop loads tiles ahead, with 1 to 5 stages and every number of warps: no iteration, one,
// and more than there are stages; ragged last iterations; two dots in one loop; nested loops; addresses that are
// loaded.
// RUN: %matrix %s -o %t
// RUN: grep '^pipelines ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

template <class T>
using accumulator = std::conditional_t<std::is_integral_v<T>, int, std::conditional_t<std::is_same_v<T, double>, double, float>>;

enum operation { rounds, ragged, twice, nested, picked, operations };
constexpr const char *names[] = {"dot-loop", "dot-loop-ragged", "dot-loop-two", "dot-loop-nested", "dot-loop-indexed"};

// a has M rows of k elements, b has k rows of N; order says which rows of b, and columns of a, come in its place.
template <class T, int M, int N, int K, int STAGES, int W>
[[tt::num_warps(W), tt::num_stages(STAGES)]] __tile_global__ void pipelines(const T *a, const T *b, const int *order,
                                                                            accumulator<T> *out, int k) {
  using D = accumulator<T>;
  auto i = tt::arange<M>()(tt::all, tt::newaxis);
  auto j = tt::arange<N>()(tt::newaxis, tt::all);
  auto down = tt::arange<K>()(tt::all, tt::newaxis);
  auto right = tt::arange<K>()(tt::newaxis, tt::all);
  auto put = [&](int row, auto value) { tt::store(out + row * (M * N) + i * N + j, value); };
  const auto zero = tt::zeros<D, M, N>();
  constexpr tt::precision exact = tt::precision::ieee;
  int whole = k / K * K;

  auto sum = zero;
  auto pa = a + i * k + right;
  auto pb = b + down * N + j;
  for (int at = 0; at < whole; at += K) {
    sum = tt::dot<exact>(tt::load(pa), tt::load(pb), sum);
    pa += K;
    pb += K * N;
  }
  put(rounds, sum);

  sum = zero;
  for (int at = 0; at < k; at += K) {
    auto x = tt::load(a + i * k + right + at, right + at < k, T(0));
    auto y = tt::load(b + (down + at) * N + j, down + at < k, T(0));
    sum = tt::dot<exact>(x, y, sum);
  }
  put(ragged, sum);

  sum = zero;
  auto other = zero;
  for (int at = 0; at < whole; at += K) {
    auto x = tt::load(a + i * k + right + at);
    auto y = tt::load(b + (down + at) * N + j);
    sum = tt::dot<exact>(x, y, sum);
    other = tt::dot<exact>(x, y, other + D(1));
  }
  put(twice, sum - other);

  sum = zero;
  for (int begin = 0; begin < whole; begin += 2 * K) {
    auto part = zero;
    for (int at = begin; at < begin + 2 * K && at < whole; at += K)
      part = tt::dot<exact>(tt::load(a + i * k + right + at), tt::load(b + (down + at) * N + j), part);
    sum += part;
  }
  put(nested, sum);

  sum = zero;
  for (int at = 0; at < whole; at += K) {
    auto x = tt::load(a + i * k + tt::load(order + right + at));
    auto y = tt::load(b + tt::load(order + down + at) * N + j);
    sum = tt::dot<exact>(x, y, sum);
  }
  put(picked, sum);
}

template <class T>
void launch(int M, int N, int K, int stages, int warps, int k, int skew,
            void (*pipelines)(const T *, const T *, const int *, accumulator<T> *, int)) {
  using D = accumulator<T>;
  matrix::cases cases(matrix::name_of<T>,
                      std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K) + "s" + std::to_string(stages), warps,
                      "k" + std::to_string(k) + (skew ? "+" + std::to_string(skew) : ""));
  if (!cases.of(names, operations))
    return;
  auto small = [](int) { return T(double(matrix::between(-3, 3))); }; // products and sums are exact
  matrix::buffer<T> a(M * k + 1, small, skew), b(k * N + 1, small, skew);
  matrix::buffer<int> order(k + 1, [&](int) { return k ? int(matrix::between(0, k - 1)) : 0; }, skew);
  matrix::results<D> out(operations, M * N, skew);
  pipelines<<<1>>>(a.data(), b.data(), order.data(), out.data(), k);
  const int whole = k / K * K;
  for (int op = 0; op < operations; ++op)
    cases.check(names[op], out, op, M * N, [&](int place) {
      int i = place / N, j = place % N;
      double sum = 0;
      for (int at = 0; at < (op == ragged ? k : whole); ++at) {
        int from = op == picked ? order[at] : at;
        sum += double(a[i * k + from]) * double(b[from * N + j]);
      }
      if (op == twice)
        sum = -whole / K;
      if constexpr (std::is_integral_v<T>)
        return D(sum);
      else
        return matrix::approximately{sum, 0};
    });
}

template <class T, int W, int I, int M, int N, int K> void forms_of() {
  constexpr int stages = 1 + I % 5;
  for (int k : {0, K, 2 * K, 3 * K + 5, 7 * K})
    launch<T>(M, N, K, stages, W, k, k == 2 * K ? 8 : k == 7 * K ? 1 + I % 15 : 0, pipelines<T, M, N, K, stages, W>);
}

matrix::family family("pipelines", [] {
  matrix::for_each<matrix::types<int8_t, tt::float16, tt::bfloat16, float, double>>([]<class T, int W, int I>() {
    if constexpr (I % 3 == 0)
      forms_of<T, W, I, 16, 16, 32>();
    else if constexpr (I % 3 == 1)
      forms_of<T, W, I, 32, 64, 32>();
    else
      forms_of<T, W, I, sizeof(T) == 8 ? 32 : 64, 16, 32>(); // in 5 stages they fit into 99 KiB, which is all that some GPUs have
  });
});

} // namespace
