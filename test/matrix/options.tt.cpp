// Options of memory accesses, which only affect caches: cache modifiers, eviction policies and volatile loads, with and
// without masks, for every element type.
// RUN: %matrix %s -o %t
// RUN: grep '^options ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

#include <algorithm>
namespace {

// Each row is loaded with one option and stored with another.
#define LOADS(F)                                                                                                       \
  F("load-ca", tt::cache::ca) F("load-cg", tt::cache::cg) F("load-cv", tt::cache::cv)                                  \
  F("load-evict-normal", tt::evict::normal) F("load-evict-first", tt::evict::first)                                    \
  F("load-evict-last", tt::evict::last) F("load-volatile", tt::volatile_access)
#define STORES(F)                                                                                                      \
  F("store-wb", tt::cache::wb) F("store-cg", tt::cache::cg) F("store-cs", tt::cache::cs) F("store-wt", tt::cache::wt)  \
  F("store-evict-normal", tt::evict::normal) F("store-evict-first", tt::evict::first)                                  \
  F("store-evict-last", tt::evict::last)
#define NAME(name, option) name,
constexpr const char *names[] = {LOADS(NAME) STORES(NAME)};
#undef NAME
constexpr int operations = std::size(names);

template <class T, int B, int W> [[tt::num_warps(W)]] __tile_global__ void options(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  constexpr int pitch = 4 * B;
  int row = 0;
#define PUT(name, option) tt::store(out + row++ * pitch + i, tt::load(x + i, mask, T(7), option), mask);
  LOADS(PUT)
#undef PUT
  auto v = tt::load(x + i, mask);
#define PUT(name, option) tt::store(out + row++ * pitch + i, v, mask, option);
  STORES(PUT)
#undef PUT
}

template <class T> void launch(int block, int warps, matrix::form form, void (*options)(const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of(names, operations))
    return;
  using U = matrix::bits_of<T>;
  matrix::buffer<U> x(form.n, matrix::any_bits<T>, form.skew);
  matrix::results<U> out(operations, 4 * block, form.skew);
  options<<<tt::cdiv(form.n, block)>>>(matrix::as<T>(x), matrix::as<T>(out), form.n);
  for (int k = 0; k < operations; ++k)
    cases.check(names[k], out, k, form.n, [&](int i) { return x[i]; });
}

matrix::family family("options", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    if constexpr (I % 3 == 0) { // one for each type: the option does not depend on the shape
      constexpr int block = std::min(32 * W * int(16 / sizeof(T)), 2048); // vectors of 16 bytes
      for (const matrix::form &form : matrix::forms(block, 3 * I))
        launch<T>(block, W, form, options<T, block, W>);
    }
  });
});

} // namespace
