// The generated kernels as plain C++: a tile is an array, an operation a loop.
#include <algorithm>

namespace tt {
template <class E, int N> struct tile {
  E v[N];
};
// Integers wrap in tiles.
#define OPERATOR(op)                                                                                                   \
  template <int N> tile<int, N> operator op(tile<int, N> a, tile<int, N> b) {                                          \
    for (int i = 0; i < N; ++i)                                                                                        \
      a.v[i] = int(unsigned(a.v[i]) op unsigned(b.v[i]));                                                              \
    return a;                                                                                                          \
  }
OPERATOR(+)
OPERATOR(-)
OPERATOR(*)
OPERATOR(^)
template <int N> tile<int, N> operator+(tile<int, N> a, int b) {
  for (int &e : a.v)
    e = int(unsigned(e) + unsigned(b));
  return a;
}
template <int N> struct range {};
template <int N> range<N> arange() { return {}; }
template <class E, int N> struct pointers {
  E *p;
};
template <class E, int N> pointers<E, N> operator+(E *p, range<N>) { return {p}; }
template <int N> tile<int, N> load(pointers<const int, N> p) {
  tile<int, N> r;
  std::copy(p.p, p.p + N, r.v);
  return r;
}
template <int N> void store(pointers<int, N> p, tile<int, N> t) { std::copy(t.v, t.v + N, p.p); }
template <int N> int sum(tile<int, N> t) {
  unsigned s = 0;
  for (int e : t.v)
    s += unsigned(e);
  return int(s);
}
inline int minimum(int a, int b) { return std::min(a, b); }
inline int maximum(int a, int b) { return std::max(a, b); }
} // namespace tt

#include "vocabulary.h"

namespace {
#define KERNEL void
#include "kernels.h"
} // namespace

using kernel = void (*)(const int *, int *, int, int);
#define NAME(k) k,
extern const kernel native_kernels[] = {
#include "names.h"
};
