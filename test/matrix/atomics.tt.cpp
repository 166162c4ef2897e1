// Atomic accesses of every kind and element type: several programs and several elements of a tile change the same
// locations; results; masks, weaker orders, and scalar pointers.
// RUN: %matrix %s -o %t
// RUN: grep '^atomics ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

using matrix::is_integer;
template <class T> constexpr bool is_wide = sizeof(T) >= 4;
template <class T> constexpr bool adds = is_wide<T> || !is_integer<T>;

// Rows of memory that the programs change, places each.
enum operation { add, add_relaxed, add_old, maximum, minimum, exchange, bits_and, bits_or, bits_xor, swap, single, operations };
constexpr const char *names[] = {"atomic-add",  "atomic-add-relaxed", "atomic-add-old", "atomic-max", "atomic-min", "atomic-xchg",
                                 "atomic-and", "atomic-or",          "atomic-xor",     "atomic-cas", "atomic-add-scalar"};
template <class T> constexpr bool is_for(int k) {
  if (k == add || k == add_relaxed || k == add_old || k == single)
    return adds<T>;
  if (k == swap)
    return true;
  return is_wide<T> && (is_integer<T> || k == maximum || k == minimum || k == exchange);
}
constexpr int places = 16;

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void atomics(const T *x, const int *where, T *memory, T *old, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, T(0));
  auto at = tt::load(where + i, mask, 0);
  auto row = [&](int k) { return memory + k * places * B + at; };
  if constexpr (adds<T>) {
    tt::atomic_add(row(add), v, mask);
    tt::atomic_add(row(add_relaxed), v, mask, tt::sem::relaxed);
    // Every element has a location of its own, so the old value is known.
    auto own = memory + add_old * places * B + i;
    tt::store(old + i, tt::atomic_add(own, v, mask), mask);
    tt::atomic_add(memory + single * places * B, x[tt::program_id(0)]);
  }
  if constexpr (is_wide<T>) {
    tt::atomic_max(row(maximum), v, mask);
    tt::atomic_min(row(minimum), v, mask);
    tt::store(old + exchange * places * B + i, tt::atomic_xchg(memory + exchange * places * B + i, v, mask), mask);
    if constexpr (is_integer<T>) {
      tt::atomic_and(row(bits_and), v, mask);
      tt::atomic_or(row(bits_or), v, mask);
      tt::atomic_xor(row(bits_xor), v, mask);
    }
  }
  // All elements of the tile are in memory, because atomic_cas has no mask.
  auto expected = tt::load(x + i, mask, T(1));
  tt::store(old + swap * places * B + i, tt::atomic_cas(memory + swap * places * B + i, expected, T(3)));
}

template <class T> T small(int) { return T(double(matrix::between(is_integer<T> && std::is_unsigned_v<T> ? 0 : -2, 2))); }

template <class T>
void launch(int block, int warps, int n, int skew, void (*atomics)(const T *, const int *, T *, T *, int)) {
  std::vector<const char *> listed;
  for (int k = 0; k < operations; ++k)
    if (is_for<T>(k))
      listed.push_back(names[k]);
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps,
                      "n" + std::to_string(n) + (skew ? "+" + std::to_string(skew) : std::string()));
  if (!cases.of(listed.data(), listed.size()))
    return;
  const int programs = tt::cdiv(n, block), pitch = places * block;
  matrix::buffer<T> x(n, small<T>, skew);
  matrix::buffer<int> where(n, [](int) { return int(matrix::random_bits() % places); }, skew);
  matrix::results<T> memory(operations, pitch, skew), old(operations, pitch, skew);
  for (int i = 0; i < operations * pitch; ++i)
    memory.set(i, small<T>(0));
  memory.upload();
  atomics<<<programs>>>(x.data(), where.data(), memory.data(), old.data(), n);

  // In double: exact, and of integers modulo what they hold.
  auto as_value = [](double v) {
    if constexpr (is_integer<T>)
      return T(int64_t(v));
    else
      return matrix::approximately{v, 0};
  };
  auto gathered = [&](int k, int place) {
    double result = double(memory[k * pitch + place]);
    int64_t bits = int64_t(result);
    for (int i = 0; i < n; ++i) {
      if (where[i] != place)
        continue;
      double v = double(x[i]);
      switch (k) {
      case add:
      case add_relaxed: result += v; break;
      case maximum: result = std::fmax(result, v); break;
      case minimum: result = std::fmin(result, v); break;
      case bits_and: bits &= int64_t(v); break;
      case bits_or: bits |= int64_t(v); break;
      default: bits ^= int64_t(v); break;
      }
    }
    return k == bits_and || k == bits_or || k == bits_xor ? double(bits) : result;
  };
  for (int k : {add, add_relaxed, maximum, minimum, bits_and, bits_or, bits_xor})
    if (is_for<T>(k))
      cases.check(names[k], memory, k, pitch, [&](int i) { return as_value(i < places ? gathered(k, i) : double(memory[k * pitch + i])); });
  if (is_for<T>(add_old))
    cases.check(names[add_old], memory, add_old, n, [&](int i) { return as_value(double(memory[add_old * pitch + i]) + double(x[i])); });
  if (is_for<T>(exchange))
    cases.check(names[exchange], old, exchange, n, [&](int i) { return memory[exchange * pitch + i]; });
  cases.check(names[swap], memory, swap, size_t(programs) * block, [&](int i) {
    T was = memory[swap * pitch + i], expected = i < n ? x[i] : T(1);
    return std::memcmp(&was, &expected, sizeof was) == 0 ? T(3) : was;
  });
  if (!is_for<T>(single))
    return;
  cases.check(names[single], memory, single, 1, [&](int) {
    double sum = double(memory[single * pitch]);
    for (int p = 0; p < programs; ++p)
      sum += double(x[p]);
    return as_value(sum);
  });
}

matrix::family family("atomics", [] {
  matrix::for_each<matrix::types<int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, tt::float16, tt::bfloat16, float, double>>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (int n : {block, 2 * block, 3 * block - block / 2})
      launch<T>(block, W, n, n == block ? 0 : 1 + I % 15, atomics<T, block, W>);
  });
});

} // namespace
