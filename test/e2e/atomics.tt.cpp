// Tests every kind of atomic access to every supported element type: tiles and scalar pointers, masks, results.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// All programs add to the same N elements, and one more to a counter.
template <class T, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void sums(T *total, T *counter, const T *x, int n) {
  auto i = tt::arange<N>();
  tt::atomic_add(total + i, tt::load(x + tt::program_id(0) * N + i, i < n, T(0)), i < n, tt::sem::relaxed);
  tt::atomic_add(counter, T(1));
}

// Each element has its own location, so the result is the initial value.
template <class T, int N, int W> [[tt::num_warps(W)]] __tile_global__ void exchanges(T *memory, T *returned, const T *x, int n) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + i);
  tt::store(returned + i, tt::atomic_xchg(memory + i, v, i < n), i < n);
  auto old = tt::atomic_add(memory + N + i, v, tt::sem::release, tt::scope::sys);
  tt::store(returned + N + i, old);
  // Both forms of max and min through a scalar pointer: every thread gets the result.
  T first = tt::atomic_max(memory + 2 * N, tt::load(x), tt::scope::cta);
  T second = tt::atomic_min(memory + 2 * N + 1, tt::load(x + 1), true, tt::sem::acquire);
  tt::store(returned + 2 * N + i, tt::where(i % 2 == 0, tt::full<T, N>(first), tt::full<T, N>(second)));
}

template <class T, int N, int W> [[tt::num_warps(W)]] __tile_global__ void extremes(T *largest, T *smallest, const T *x) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + tt::program_id(0) * N + i);
  tt::atomic_max(largest + i % 8, v);
  tt::atomic_min(smallest + i % 8, v, i != 3);
}

template <class T, int N, int W> [[tt::num_warps(W)]] __tile_global__ void bits(T *memory, const T *x) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + tt::program_id(0) * N + i);
  tt::atomic_and(memory + i % 4, v);
  tt::atomic_or(memory + 4 + i % 4, v);
  tt::atomic_xor(memory + 8 + i % 4, v);
}

// Compare and swap: of a tile, where the old value is even; of one element, as a lock that programs take one after the
// other.
template <class T, int N, int W> [[tt::num_warps(W)]] __tile_global__ void swaps(T *memory, T *returned, const T *expected, const T *x) {
  auto i = tt::arange<N>();
  tt::store(returned + i, tt::atomic_cas(memory + i, tt::load(expected + i), tt::load(x + i)));
}
template <int W> [[tt::num_warps(W)]] __tile_global__ void locked(int *lock, int *value) {
  while (tt::atomic_cas(lock, 0, 1) == 1) {
  }
  int v = tt::load(value, tt::volatile_access);
  tt::debug_barrier(); // before any thread stores to memory that others load
  tt::store(value, v + 1);
  tt::atomic_xchg(lock, 0);
}

template <class T> T small(int) { return T(e2e::between(std::is_unsigned_v<T> ? 0 : -3, 3)); }

template <class T, int N, int W> void check_sums() {
  e2e::context("sums of %s, %d, %d warps", e2e::name_of<T>, N, W);
  const int programs = 7, n = N - N / 4;
  e2e::buffer<T> x(programs * N, small<T>), total(N, small<T>), counter(1, [](int) { return T(3); });
  sums<T, N, W><<<programs>>>(total.data(), counter.data(), x.data(), n);
  total.expect([&](int i) {
    double sum = double(total[i]);
    for (int p = 0; p < programs && i < n; ++p)
      sum += double(x[p * N + i]);
    return T(int64_t(sum));
  });
  counter.expect([&](int) { return T(3 + programs); });
}

template <class T, int N, int W> void check_exchanges() {
  e2e::context("exchanges of %s, %d, %d warps", e2e::name_of<T>, N, W);
  const int n = N - 1;
  e2e::buffer<T> x(N, small<T>), memory(2 * N + 2, small<T>), returned(3 * N);
  exchanges<T, N, W><<<1>>>(memory.data(), returned.data(), x.data(), n);
  memory.expect([&](int i) {
    if (i < N)
      return i < n ? x[i] : memory[i];
    if (i < 2 * N)
      return T(memory[i] + x[i - N]);
    if (i == 2 * N)
      return x[0] > memory[i] ? x[0] : memory[i];
    return x[1] < memory[i] ? x[1] : memory[i];
  });
  returned.expect([&](int i) {
    if (i < 2 * N)
      return i < n || i >= N ? memory[i] : returned[i];
    return memory[i % 2 == 0 ? 2 * N : 2 * N + 1];
  });
}

template <class T, int N, int W> void check_extremes() {
  e2e::context("extremes of %s, %d, %d warps", e2e::name_of<T>, N, W);
  const int programs = 3;
  e2e::buffer<T> x(programs * N, e2e::random<T>), largest(8, e2e::random<T>), smallest(8, e2e::random<T>);
  extremes<T, N, W><<<programs>>>(largest.data(), smallest.data(), x.data());
  largest.expect([&](int i) {
    T best = largest[i];
    for (int k = 0; k < programs * N; ++k)
      best = k % N % 8 == i && x[k] > best ? x[k] : best;
    return best;
  });
  smallest.expect([&](int i) {
    T best = smallest[i];
    for (int k = 0; k < programs * N; ++k)
      best = k % N % 8 == i && k % N != 3 && x[k] < best ? x[k] : best;
    return best;
  });
}

template <class T, int N, int W> void check_bits() {
  e2e::context("bits of %s, %d, %d warps", e2e::name_of<T>, N, W);
  const int programs = 2;
  e2e::buffer<T> x(programs * N, e2e::random<T>), memory(12, e2e::random<T>);
  bits<T, N, W><<<programs>>>(memory.data(), x.data());
  memory.expect([&](int i) {
    T value = memory[i];
    for (int k = i % 4; k < programs * N; k += 4)
      value = i < 4 ? value & x[k] : i < 8 ? value | x[k] : value ^ x[k];
    return value;
  });
}

template <class T, int N, int W> void check_swaps() {
  e2e::context("swaps of %s, %d, %d warps", e2e::name_of<T>, N, W);
  e2e::buffer<T> x(N, e2e::random<T>), memory(N, small<T>), returned(N), expected(N);
  for (int i = 0; i < N; ++i)
    expected.set(i, i % 3 ? memory[i] : T(memory[i] + T(1)));
  expected.upload();
  swaps<T, N, W><<<1>>>(memory.data(), returned.data(), expected.data(), x.data());
  memory.expect([&](int i) { return i % 3 ? x[i] : memory[i]; });
  returned.expect([&](int i) { return memory[i]; });
}

template <int W> void check_lock() {
  e2e::context("a lock, %d warps", W);
  e2e::buffer<int> lock(1, [](int) { return 0; }), value(1, [](int) { return 5; });
  locked<W><<<20>>>(lock.data(), value.data());
  value.expect([](int) { return 25; });
  lock.expect([](int) { return 0; });
}

int main() {
  return e2e::run("atomics", [] {
    check_sums<int32_t, 64, 4>();
    check_sums<uint32_t, 512, 4>();
    check_sums<int64_t, 32, 1>();
    check_sums<uint64_t, 256, 8>();
    check_sums<tt::float16, 64, 4>();
    check_sums<tt::bfloat16, 128, 1>();
    check_sums<float, 256, 4>();
    check_sums<double, 8, 8>();
    check_exchanges<int32_t, 64, 4>();
    check_exchanges<uint32_t, 16, 1>();
    check_exchanges<int64_t, 256, 4>();
    check_exchanges<uint64_t, 32, 8>();
    check_exchanges<float, 128, 4>();
    check_exchanges<double, 4, 1>();
    check_extremes<int32_t, 64, 4>();
    check_extremes<uint32_t, 256, 1>();
    check_extremes<int64_t, 128, 8>();
    check_extremes<uint64_t, 16, 4>();
    check_extremes<float, 128, 4>();
    check_extremes<double, 32, 1>();
    check_bits<int32_t, 64, 4>();
    check_bits<uint32_t, 128, 1>();
    check_bits<int64_t, 16, 8>();
    check_bits<uint64_t, 256, 4>();
    check_swaps<int16_t, 64, 4>();
    check_swaps<uint16_t, 8, 1>();
    check_swaps<tt::float16, 32, 4>();
    check_swaps<int32_t, 256, 4>();
    check_swaps<uint64_t, 16, 8>();
    check_swaps<float, 64, 1>();
    check_swaps<double, 128, 4>();
    check_lock<1>();
    check_lock<4>();
  });
}
