// Tests shapes: new dimensions, broadcasting by NumPy's rules, scalars.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

template <class Shape, class T, int... Dims> __tile__ auto shaped(tt::tile<T, Dims...> x) {
  static_assert(std::is_same_v<tt::shape<Dims...>, Shape>);
  return x;
}

template <int M, int N> __tile_global__ void broadcasting(const int *row, const int *column, const int *one, int *out) {
  auto r = tt::arange<M>();
  auto c = tt::arange<N>();
  auto at = shaped<tt::shape<M, N>>(r(tt::all, tt::newaxis) * N + c(tt::newaxis, tt::all));
  auto x = tt::load(row + c);
  auto y = tt::load(column + r);
  int k = 0;
  auto put = [&](auto v) { tt::store(out + k++ * (M * N) + at, v); };
  put(shaped<tt::shape<M, N>>(x + y(tt::all, tt::newaxis)));              // a row beside a column
  put(shaped<tt::shape<M, N>>(y(tt::all, tt::newaxis) - x));              // and the other way round
  put(tt::expand_dims<1>(y) * tt::expand_dims<0>(x));                     // by name
  put(tt::expand_dims<-1>(y) + tt::expand_dims<0>(x));
  put(shaped<tt::shape<M, N>>(tt::broadcast_to<M, N>(x)));                // explicitly
  put(tt::broadcast_to<M, N>(y(tt::all, tt::newaxis)));
  put(tt::broadcast_to<M, N>(tt::load(one)));
  put(x);                                                                 // by the store
  put(tt::load(one));
  put(tt::where(x > 0, y(tt::all, tt::newaxis), 7));                      // through three operands
  put(tt::zeros<int>(tt::shape<M, N>{}) + tt::full<int, M, 1>(3));
  put(tt::full<int>(tt::shape<N>{}, tt::load(one)));
  // Three dimensions, reduced to two.
  auto layer = tt::arange<2>()(tt::all, tt::newaxis, tt::newaxis);
  auto cube = shaped<tt::shape<2, M, N>>(layer + at(tt::newaxis, tt::all, tt::all));
  put(shaped<tt::shape<M, N>>(tt::sum<0>(cube)));
  put(tt::arange<5, 5 + N>());
}
constexpr int results = 14;

template <int M, int N> void check_broadcasting() {
  e2e::context("%d x %d", M, N);
  auto small = [](int) { return int(e2e::between(-100, 100)); };
  e2e::buffer<int> row(N, small), column(M, small), one(1, small), out(results * M * N);
  broadcasting<M, N><<<1>>>(row.data(), column.data(), one.data(), out.data());
  out.expect([&](int i) {
    int k = i / (M * N), at = i % (M * N), x = row[at % N], y = column[at / N];
    const int wanted[results] = {x + y, y - x, x * y, x + y, x, y, one[0], x, one[0], x > 0 ? y : 7, 3, one[0],
                                 2 * at + 1, 5 + at % N};
    return wanted[k];
  });
}

int main() {
  return e2e::run("shapes", [] {
    check_broadcasting<1, 1>();
    check_broadcasting<1, 32>();
    check_broadcasting<32, 1>();
    check_broadcasting<4, 8>();
    check_broadcasting<64, 32>();
  });
}
