// Operations along an axis, along each axis of tiles of three dimensions and of one: scans, argmax and argmin, sort and
// topk, flip, gather and cat.
// RUN: %matrix %s -o %t
// RUN: grep '^axes ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

#include <algorithm>

namespace {

using matrix::is_integer, matrix::last_of;
template <class T> using sum_type = matrix::running_sum<T>;

enum sum { sums, reverse_sums, all_sums };
enum place { argmax, argmin, places };
enum same { last, reverse_last, sorted, descending, largest, flipped, gathered, joined, sames };
constexpr const char *names[] = {"cumsum", "cumsum-reverse",  "argmax", "argmin", "scan-last", "scan-last-reverse",
                                 "sort",   "sort-descending", "topk",   "flip",   "gather",    "cat"};
constexpr int first_place = all_sums, first_same = first_place + int(places);

//===-- kernels ---------------------------------------------------------------------------------------------------===//

template <int A> __tile__ auto offsets(tt::shape<A>) { return tt::arange<A>(); }
template <int A, int B> __tile__ auto offsets(tt::shape<A, B>) {
  return tt::arange<A>()(tt::all, tt::newaxis) * B + tt::arange<B>()(tt::newaxis, tt::all);
}
template <int A, int B, int C> __tile__ auto offsets(tt::shape<A, B, C>) {
  return offsets(tt::shape<A, B>())(tt::all, tt::all, tt::newaxis) * C + tt::arange<C>()(tt::newaxis, tt::newaxis, tt::all);
}
// Stores a tile in rows, or a single value.
template <class P, class T, int... Dims> __tile__ void put(P *out, tt::tile<T, Dims...> x) {
  tt::store(out + offsets(tt::shape<Dims...>()), x);
}
template <class P, class T> __tile__ void put(P *out, T x) { tt::store(out, x); }

template <class T, class S, int Axis, int Size, int W>
[[tt::num_warps(W)]] __tile_global__ void axes(const T *x, const T *y, const int *order, sum_type<T> *sum, int *place, T *own) {
  constexpr int pitch = 2 * S::size;
  auto v = tt::load(x + offsets(S())), w = tt::load(y + offsets(S()));
  put(sum + sums * pitch, tt::cumsum<Axis>(v));
  put(sum + reverse_sums * pitch, tt::cumsum<Axis>(v, tt::reverse));
  put(place + argmax * pitch, tt::argmax<Axis>(v));
  put(place + argmin * pitch, tt::argmin<Axis>(v));
  put(own + last * pitch, tt::associative_scan<Axis>(v, last_of()));
  put(own + reverse_last * pitch, tt::associative_scan<Axis>(v, last_of(), tt::reverse));
  put(own + sorted * pitch, tt::sort<Axis>(v));
  put(own + descending * pitch, tt::sort<Axis, true>(v));
  put(own + largest * pitch, tt::topk<Size / 2, Axis>(v));
  put(own + flipped * pitch, tt::flip<Axis>(v));
  put(own + gathered * pitch, tt::gather<Axis>(v, tt::load(order + offsets(S())) % Size));
  put(own + joined * pitch, tt::cat<Axis>(v, w));
}

//===-- references ------------------------------------------------------------------------------------------------===//

// Sums are exact, and ties are many.
template <class T> T input(int) {
  if (matrix::random_bits() % 3 == 0)
    return T(0);
  if constexpr (is_integer<T>)
    return matrix::random_bits() & 1 ? matrix::any<T>() : T(matrix::random_bits() % 4);
  else
    return T(double(matrix::between(-2, 2)));
}

// Where the element `i` of a tile is in the tile `x` of `count` elements along the axis, of which `inner` follow it: at `place`
// of the line that begins at `start`.
struct position {
  int start, place;
  position(int i, int along, int count, int inner)
      : start(i / (along * inner) * (count * inner) + i % inner), place(i / inner % along) {}
};

template <class T>
void launch(const std::vector<int> &dims, int axis, int warps, int skew,
            void (*axes)(const T *, const T *, const int *, sum_type<T> *, int *, T *)) {
  std::string shape;
  int size = 1, inner = 1;
  for (int d = 0; d < int(dims.size()); ++d) {
    shape += (d ? "x" : "") + std::to_string(dims[d]);
    size *= dims[d];
    inner *= d > axis ? dims[d] : 1;
  }
  matrix::cases cases(matrix::name_of<T>, shape, warps,
                      "axis" + std::to_string(axis) + (skew ? "+" + std::to_string(skew) : std::string()));
  if (!cases.of(names, std::size(names)))
    return;
  const int count = dims[axis];
  matrix::buffer<T> x(size, input<T>, skew), y(size, input<T>, skew);
  matrix::buffer<int> order(size, [](int) { return int(matrix::random_bits() & 0xffffff); }, skew);
  matrix::results<sum_type<T>> sum(all_sums, 2 * size, skew);
  matrix::results<int> place(places, 2 * size, skew);
  matrix::results<T> own(sames, 2 * size, skew);
  axes<<<1>>>(x.data(), y.data(), order.data(), sum.data(), place.data(), own.data());

  auto value = [](T v) {
    if constexpr (is_integer<T>)
      return v;
    else
      return matrix::approximately{double(v), 0};
  };
  auto at = [&](position p, int k) { return x[p.start + k * inner]; };
  for (int k = 0; k < all_sums; ++k)
    cases.check(names[k], sum, k, size, [&](int i) {
      position p(i, count, count, inner);
      std::conditional_t<is_integer<T>, e2e::wrapping<sum_type<T>>, double> total{};
      for (int j = k == reverse_sums ? p.place : 0; j <= (k == reverse_sums ? count - 1 : p.place); ++j)
        if constexpr (is_integer<T>)
          total = total + e2e::wrapping<sum_type<T>>{sum_type<T>(at(p, j))};
        else
          total += double(at(p, j));
      if constexpr (is_integer<T>)
        return total.value;
      else
        return matrix::approximately{total, 0};
    });
  for (int k = 0; k < places; ++k)
    cases.check(names[first_place + k], place, k, size / count, [&](int i) {
      position p(i, 1, count, inner);
      int best = 0;
      for (int j = 1; j < count; ++j)
        if (k == argmin ? at(p, j) < at(p, best) : at(p, j) > at(p, best))
          best = j;
      return best;
    });
  auto check = [&](same k, int along, auto reference) {
    cases.check(names[first_same + k], own, k, size / count * along, [&](int i) {
      position p(i, along, count, inner);
      return value(reference(p, i));
    });
  };
  auto last_in = [&](position p, int from, int to, int step) {
    T result = at(p, from);
    for (int j = from; j != to; j += step)
      if (T v = at(p, j + step); v != T(0))
        result = v;
    return result;
  };
  auto ordered = [&](position p, int k) -> T {
    std::vector<T> line;
    for (int j = 0; j < count; ++j)
      line.push_back(at(p, j));
    std::sort(line.begin(), line.end());
    return line[k];
  };
  check(last, count, [&](position p, int) { return last_in(p, 0, p.place, 1); });
  check(reverse_last, count, [&](position p, int) { return last_in(p, count - 1, p.place, -1); });
  check(sorted, count, [&](position p, int) { return ordered(p, p.place); });
  check(descending, count, [&](position p, int) { return ordered(p, count - 1 - p.place); });
  check(largest, count / 2, [&](position p, int) { return ordered(p, count - 1 - p.place); });
  check(flipped, count, [&](position p, int) { return at(p, count - 1 - p.place); });
  check(gathered, count, [&](position p, int i) { return at(p, order[i] % count); });
  check(joined, 2 * count,
        [&](position p, int) { return p.place < count ? at(p, p.place) : y[p.start + (p.place - count) * inner]; });
}

template <class T, int W, int I, int Axis, int... Dims> void forms_of(tt::shape<Dims...>) {
  constexpr int sizes[] = {Dims...};
  for (int skew : {0, 1 + I % 15})
    launch<T>({Dims...}, Axis, W, skew, axes<T, tt::shape<Dims...>, Axis, sizes[Axis], W>);
}

// Each type has each axis with one of its numbers of warps, and one of three shapes.
matrix::family family("axes", [] {
  matrix::for_each<matrix::all_types>([]<class T, int W, int I>() {
    if constexpr (I / 3 % 3 == 0)
      forms_of<T, W, I, I % 3>(tt::shape<4, 8, 2 * W>());
    else if constexpr (I / 3 % 3 == 1)
      forms_of<T, W, I, I % 3>(tt::shape<4 * W, 2, 8>());
    else
      forms_of<T, W, I, I % 3>(tt::shape<2, 8 * W, 4>());
    if constexpr (I % 3 == 0)
      forms_of<T, W, I, 0>(tt::shape<32 * W>());
  });
});

} // namespace
