// Loops whose iterations load, by 1 to 5 stages: sums, loads whose addresses are loaded, values carried from one iteration to the
// next or over two, nested loops, branches, loops that end early, stores in each iteration. No iteration, one, and up to
// more than there are stages.
// RUN: %matrix %s -o %t
// RUN: grep '^loops ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

enum operation { sum, chase, indexed, carried, two_back, nested, branch, early_end, each_stored, backwards, operations };
constexpr const char *names[] = {"loop-sum",    "loop-chase",  "loop-indexed",   "loop-carried", "loop-two-back",
                                 "loop-nested", "loop-branch", "loop-early-end", "loop-store",   "loop-backwards"};
constexpr int max_trips = 9;

// x and the tables have `trips` lines of B elements, of which n are there.
template <class T, int B, int STAGES, int W>
[[tt::num_warps(W), tt::num_stages(STAGES)]] __tile_global__ void loops(const T *x, const int *next, const bool *ends,
                                                                        T *out, int n, int trips, int inner) {
  auto i = tt::arange<B>();
  auto mask = i < n;
  auto line = [&](int t) { return tt::load(x + t * B + i, mask, T(0)); };
  auto put = [&](int k, auto value) { tt::store(out + k * (max_trips + 1) * B + i, value, mask); };
  const auto zero = tt::zeros<T, B>();

  auto total = zero;
  for (int t = 0; t < trips; ++t)
    total += line(t);
  put(sum, total);

  auto at = tt::load(next + i, mask, 0); // of a line
  for (int t = 1; t < trips; ++t)
    at = tt::load(next + t * B + at, mask, 0);
  put(chase, tt::load(x + at, mask, T(0)));

  total = zero;
  for (int t = 0; t < trips; ++t)
    total += tt::load(x + t * B + tt::load(next + t * B + i, mask, 0), mask, T(0));
  put(indexed, total);

  total = zero;
  auto previous = zero;
  for (int t = 0; t < trips; ++t) {
    auto v = line(t);
    total += v - previous * T(2);
    previous = v;
  }
  put(carried, total);

  total = zero;
  auto last = zero, before_last = zero;
  for (int t = 0; t < trips; ++t) {
    total = total * T(2) + before_last;
    before_last = last;
    last = line(t);
  }
  put(two_back, total + last + before_last);

  total = zero;
  for (int t = 0; t < trips; ++t) {
    auto part = zero;
    for (int u = 0; u < inner; ++u)
      part += tt::load(x + (t * B + u) + i * 0, mask, T(0)) + line(t);
    total += part;
  }
  put(nested, total);

  total = zero;
  for (int t = 0; t < trips; ++t) {
    auto v = line(t);
    if (t % 3 == 1)
      total -= v;
    else
      total += v;
  }
  put(branch, total);

  total = zero;
  for (int t = 0; t < trips; ++t) {
    total += line(t);
    if (ends[t])
      break;
  }
  put(early_end, total);

  for (int t = 0; t < trips; ++t)
    tt::store(out + (each_stored * (max_trips + 1) + t) * B + i, line(t), mask);

  total = zero;
  for (int t = trips - 1; t >= 0; t -= 2)
    total += line(t);
  put(backwards, total);
}

template <class T> T small(int) { return T(matrix::between(std::is_unsigned_v<T> ? 0 : -2, 2)); } // sums are exact

template <class T>
void launch(int block, int stages, int warps, int n, int trips, int skew,
            void (*loops)(const T *, const int *, const bool *, T *, int, int, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block) + "s" + std::to_string(stages), warps,
                      "n" + std::to_string(n) + "t" + std::to_string(trips) + (skew ? "+" + std::to_string(skew) : ""));
  if (!cases.of(names, operations))
    return;
  matrix::buffer<T> x(trips * block, small<T>, skew);
  matrix::buffer<int> next(std::max(trips, 1) * block, [&](int) { return n ? int(matrix::between(0, n - 1)) : 0; }, skew);
  matrix::buffer<bool> ends(trips, [](int) { return matrix::random_bits() % 6 == 0; });
  matrix::results<T> out(operations, size_t(max_trips + 1) * block, skew);
  const int inner = std::min(block, 3);
  // A pointer chase ends in x, which must have an element.
  matrix::buffer<T> something(block, small<T>, skew);
  loops<<<1>>>(trips ? x.data() : something.data(), next.data(), ends.data(), out.data(), n, trips, inner);

  // In double, exact: only two-back grows, by a factor of two in each iteration.
  auto line = [&](int t, int i) { return double(x[t * block + i]); };
  auto reference = [&](int k, int i) {
    double total = 0, last = 0, before_last = 0;
    int at = next[i];
    if (k == chase) {
      for (int t = 1; t < trips; ++t)
        at = next[t * block + at];
      return double(trips ? x[at] : something[at]);
    }
    for (int step = 0; step < trips; ++step) {
      int t = step;
      switch (k) {
      case sum: total += line(t, i); break;
      case indexed: total += line(t, next[t * block + i]); break;
      case carried:
        total += line(t, i) - 2 * last;
        last = line(t, i);
        break;
      case two_back:
        total = total * 2 + before_last;
        before_last = last;
        last = line(t, i);
        break;
      case nested:
        for (int u = 0; u < inner; ++u)
          total += line(t, u) + line(t, i);
        break;
      case branch: total += t % 3 == 1 ? -line(t, i) : line(t, i); break;
      case early_end:
        total += line(t, i);
        if (ends[t])
          return total;
        break;
      default: total += (trips - 1 - t) % 2 == 0 ? line(t, i) : 0; break;
      }
    }
    return k == two_back ? total + last + before_last : total;
  };
  for (int k = 0; k < operations; ++k) {
    if (k != each_stored) {
      cases.check(names[k], out, k, n, [&](int i) { return T(int64_t(reference(k, i))); });
      continue;
    }
    cases.check(names[k], out, k, size_t(trips) * block, [&](int i) {
      return i % block < n ? std::optional(x[i]) : std::nullopt;
    });
  }
}

matrix::family family("loops", [] {
  matrix::for_each<matrix::types<int8_t, uint16_t, int32_t, int64_t, tt::float16, tt::bfloat16, float, double>>(
      []<class T, int W, int I>() {
        constexpr int block = matrix::length<W, I / 2 + 1>, stages = 1 + I % 5;
        for (int trips : {0, 1, 2, 3, 5, max_trips})
          launch<T>(block, stages, W, trips == 3 ? block : block - block / 3, trips, trips == 5 ? 1 + I % 15 : 0,
                    loops<T, block, stages, W>);
      });
});

} // namespace
