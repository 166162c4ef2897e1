// Tests C++'s control flow in kernels: every kind of loop and branch, nested, left early, with tiles live across them.
// The kernels are templates over the element. The host runs the same code with one number at a time.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O0 -g %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// Each function takes the loaded value, a tile or (in the reference) a number, and returns the value to store. `p` and
// `n` are the program's number and a parameter. Arithmetic is on small integers modulo 1009.
constexpr int modulus = 1009;

struct for_loops {
  template <class V> static constexpr V call(V v, int p, int n) {
    V sum = v * 0;
    for (int i = 0; i < n; ++i)
      sum = (sum + v * i) % modulus;
    for (int i = n; i > 0; i -= 2)
      sum = (sum * 3 + i) % modulus;
    for (unsigned i = 1; i <= unsigned(p); i *= 2)
      sum = sum + int(i);
    for (long i = p; i != 0; --i)
      sum = (sum + v) % modulus;
    for (int i = 0; i < n; i += p + 1) // the step is computed, and the variable is used after the loop
      sum = sum + i;
    int last;
    for (last = 0; last * last <= n; ++last) {
    }
    return sum * last;
  }
};

struct while_loops {
  template <class V> static constexpr V call(V v, int p, int n) {
    V x = v;
    int steps = 0, k = n;
    while (k != 1 && steps < 40) { // Collatz: the number of rounds depends on data
      k = k % 2 ? 3 * k + 1 : k / 2;
      x = (x * 2 + k) % modulus;
      ++steps;
    }
    do {
      x = x + steps;
      --steps;
    } while (steps > p);
    while (p--)
      x = x + 1;
    return x;
  }
};

struct breaks {
  template <class V> static constexpr V call(V v, int p, int n) {
    V x = v;
    for (int i = 0;; ++i) {
      if (i >= n)
        break;
      if (i % 3 == p % 3)
        continue;
      for (int j = 0; j < 10; ++j) {
        if (j == i)
          break;
        if (j == p)
          continue;
        x = (x * 2 + j) % modulus;
      }
      x = x + i;
    }
    return x;
  }
};

struct switches {
  template <class V> static constexpr V call(V v, int p, int n) {
    V x = v;
    for (int i = 0; i < n; ++i) {
      switch ((i + p) % 6) {
      case 0: x = x + 1; break;
      case 1: x = x * 2; [[fallthrough]];
      case 2: x = x - 3; break;
      case 4:
        if (i > 5)
          break;
        x = x + 7;
        break;
      default: x = x + i; continue;
      }
      x = x % modulus;
    }
    return x;
  }
};

struct returns {
  template <class V> static constexpr V call(V v, int p, int n) {
    if (p == 0)
      return v;
    V x = v;
    for (int i = 0; i < n; ++i) {
      if (i == 3 * p)
        return x * 2;
      for (int j = 0; j < i; ++j) {
        if (j * i > 40 + p)
          return x - j;
        x = (x + j) % modulus;
      }
    }
    if (p % 2)
      x = x + 5;
    else if (p == 2 || n > 7)
      return x - 5;
    return x;
  }
};

// Tiles that are assigned only on some paths, structs of tiles, and lambdas that change their captures.
struct values {
  template <class V> struct state {
    V sum, last;
    int count = 0;
    constexpr void add(V v) {
      sum = (sum + v) % modulus;
      last = v;
      ++count;
    }
  };
  template <class V> static constexpr V call(V v, int p, int n) {
    state<V> s{v, v};
    V chosen;
    if (p % 2)
      chosen = v + 1;
    else
      chosen = v - 1;
    auto twice = [&](V w) {
      s.add(w);
      s.add(w + chosen);
    };
    for (int i = 0; i < n; ++i) {
      twice(v + i);
      state<V> old = s;
      if (i % 4 == 3) {
        s = state<V>{old.last, old.sum, old.count};
        V t = chosen;
        chosen = s.last;
        s.last = t;
      }
    }
    return s.sum + s.last + chosen * (p & 1 ? s.count : -s.count);
  }
};

constexpr int block = 64;

template <class F> __tile_global__ void apply(const int *x, int *out, int n, int size) {
  int p = tt::program_id(0);
  auto i = p * block + tt::arange<block>();
  tt::store(out + i, F::call(tt::load(x + i, i < size, 0), p, n), i < size);
}

template <class F> void check(const char *name) {
  for (int n : {0, 1, 2, 7, 12, 30})
    for (int size : {1, block + 1, 5 * block - 1}) {
      e2e::context("%s, n = %d, %d elements", name, n, size);
      e2e::buffer<int> x(size, [](int) { return int(e2e::between(0, 1000)); }), out(size);
      apply<F><<<tt::cdiv(size, block)>>>(x.data(), out.data(), n, size);
      out.expect([&](int i) { return F::call(x[i], i / block, n); });
    }
}

int main() {
  return e2e::run("control-flow", [] {
    check<for_loops>("for");
    check<while_loops>("while");
    check<breaks>("break and continue");
    check<switches>("switch");
    check<returns>("return");
    check<values>("values");
  });
}
