// sum, max, min and reductions with the user's function, of tiles of one, two and three dimensions, along every axis and of
// everything.
// RUN: %matrix %s -o %t
// RUN: grep '^reductions ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

using matrix::is_integer;

enum operation { sum, max, min, first, second, operations };
template <class T>
constexpr const char *names[] = {"sum", "max", "min", is_integer<T> ? "reduce-xor" : "reduce-farthest",
                                 is_integer<T> ? "reduce-and" : "reduce-product"};

// The types of results: integers narrower than int are added as int, and the extremes of narrow types come in 32 bits.
template <class T>
using sum_type = std::conditional_t<is_integer<T> && sizeof(T) < 4,
                                    std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, unsigned, int>, T>;
template <class T>
using extreme_type = std::conditional_t<sizeof(T) >= 4, T, std::conditional_t<is_integer<T>, int, float>>;

// Functions of the user. Of integers, bits; of numbers, with a branch, the one that is farther from zero, and of two at the
// same distance the positive one.
struct bits_xor {
  template <class T> constexpr T operator()(T a, T b) const { return a ^ b; }
};
struct bits_and {
  template <class T> constexpr T operator()(T a, T b) const { return a & b; }
};
struct farthest {
  template <class T> __tile__ T operator()(T a, T b) const {
    T x = tt::abs(a), y = tt::abs(b);
    if (x > y)
      return a;
    if (x < y)
      return b;
    return a > b ? a : b;
  }
};
struct product {
  template <class T> __tile__ T operator()(T a, T b) const { return a * b; }
};
template <class T> using first_function = std::conditional_t<is_integer<T>, bits_xor, farthest>;
template <class T> using second_function = std::conditional_t<is_integer<T>, bits_and, product>;

//===-- kernels ---------------------------------------------------------------------------------------------------===//

// Offsets of a tile's elements, in rows.
template <int A> __tile__ auto offsets(tt::shape<A>) { return tt::arange<A>(); }
template <int A, int B> __tile__ auto offsets(tt::shape<A, B>) {
  return tt::arange<A>()(tt::all, tt::newaxis) * B + tt::arange<B>()(tt::newaxis, tt::all);
}
template <int A, int B, int C> __tile__ auto offsets(tt::shape<A, B, C>) {
  return tt::arange<A>()(tt::all, tt::newaxis, tt::newaxis) * (B * C) +
         tt::arange<B>()(tt::newaxis, tt::all, tt::newaxis) * C + tt::arange<C>()(tt::newaxis, tt::newaxis, tt::all);
}
// The same with the first dimension contiguous.
template <int A> __tile__ auto transposed_offsets(tt::shape<A>) { return tt::arange<A>(); }
template <int A, int B> __tile__ auto transposed_offsets(tt::shape<A, B>) {
  return tt::arange<A>()(tt::all, tt::newaxis) + tt::arange<B>()(tt::newaxis, tt::all) * A;
}
template <int A, int B, int C> __tile__ auto transposed_offsets(tt::shape<A, B, C>) {
  return tt::arange<A>()(tt::all, tt::newaxis, tt::newaxis) + tt::arange<B>()(tt::newaxis, tt::all, tt::newaxis) * A +
         tt::arange<C>()(tt::newaxis, tt::newaxis, tt::all) * (A * B);
}
// Stores a tile in rows, or a single value.
template <class P, class T, int... Dims> __tile__ void put(P *out, tt::tile<T, Dims...> x) {
  tt::store(out + offsets(tt::shape<Dims...>()), x);
}
template <class P, class T> __tile__ void put(P *out, T x) { tt::store(out, x); }

// Program p reduces tile p of x. Results are in rows of a tile's size: one of sums for each axis and one for everything, two
// of extremes and two of the user's functions.
template <class T, class S, bool Transposed, int W>
[[tt::num_warps(W)]] __tile_global__ void reductions(const T *x, sum_type<T> *sums, extreme_type<T> *extremes, T *own) {
  constexpr int size = S::size, all = S::rank, rows = all + 1;
  int p = tt::program_id(0);
  auto v = [&] {
    if constexpr (Transposed)
      return tt::load(x + p * size + transposed_offsets(S()));
    else
      return tt::load(x + p * size + offsets(S()));
  }();
  auto along = [&]<int Axis>() {
    put(sums + (p * rows + Axis) * size, tt::sum<Axis>(v));
    put(extremes + (p * rows + Axis) * 2 * size, tt::max<Axis>(v));
    put(extremes + (p * rows + Axis) * 2 * size + size, tt::min<Axis>(v));
    put(own + (p * rows + Axis) * 2 * size, tt::reduce<Axis>(v, first_function<T>()));
    put(own + (p * rows + Axis) * 2 * size + size, tt::reduce<Axis>(v, second_function<T>()));
  };
  along.template operator()<0>();
  if constexpr (S::rank > 1)
    along.template operator()<1>();
  if constexpr (S::rank > 2)
    along.template operator()<2>();
  put(sums + (p * rows + all) * size, tt::sum(v));
  put(extremes + (p * rows + all) * 2 * size, tt::max(v));
  put(extremes + (p * rows + all) * 2 * size + size, tt::min(v));
  put(own + (p * rows + all) * 2 * size, tt::reduce(v, first_function<T>()));
  put(own + (p * rows + all) * 2 * size + size, tt::reduce(v, second_function<T>()));
}

//===-- references ------------------------------------------------------------------------------------------------===//

// Each operation has inputs of its own kind, and therefore a program of its own. Sums of 16-bit numbers are rounded at
// each step, in an order that the target chooses, so their inputs are integers so small that every sum is exact. float
// and double have random numbers around 1, and a bound for rounding errors. Extremes have any input, including NaNs.
// The "farthest" function has no NaN, because it would not be associative. Products are of powers of two, so they are
// exact, too.
//   Sums of 16-bit numbers are rounded at each step, in an order of the target's choice: their inputs are integers so small
//   that every sum is exact. float and double have any numbers around 1, and a bound on what rounding may do.
//   Extremes have anything, NaNs too. The farthest of numbers has no NaN: the function would not be associative.
//   Products are of powers of two, so that they are exact, too.
template <class T> T input(int operation, int count) {
  if constexpr (is_integer<T>) {
    T v = matrix::any<T>();
    return operation == second ? T(v | matrix::any<T>() | matrix::any<T>()) : v;
  } else {
    auto sign = [] { return matrix::random_bits() & 1 ? 1.0 : -1.0; };
    switch (operation) {
    case sum:
      if (sizeof(T) > 2)
        return T(matrix::uniform(-4, 4));
      return T(double(matrix::between(-1, 1)) * (count <= 1 << (e2e::float_format<T>::digits - 2) ? 2 : 1));
    case first: return T(matrix::random_bits() & 1 ? matrix::uniform(-4, 4) : double(matrix::between(-8, 8)));
    case second: return T(sign() * (matrix::random_bits() % 64 ? 1 : matrix::random_bits() & 1 ? 2 : 0.5));
    default: return matrix::any<T>();
    }
  }
}

// One line of a tile: `count` elements from `start` on, `stride` apart.
struct line {
  int start, count, stride;
};

template <class T> auto integer_reference(const matrix::buffer<T> &x, line l, int operation) {
  using W = e2e::wrapping<sum_type<T>>;
  sum_type<T> result = x[l.start];
  for (int i = 1; i < l.count; ++i) {
    T v = x[l.start + i * l.stride];
    switch (operation) {
    case sum: result = (W{result} + W{v}).value; break;
    case max: result = v > result ? v : result; break;
    case min: result = v < result ? v : result; break;
    case first: result = result ^ v; break;
    default: result = result & v; break;
    }
  }
  return result;
}

template <class T> matrix::approximately float_reference(const matrix::buffer<T> &x, line l, int operation) {
  double result = double(x[l.start]), magnitude = std::fabs(result);
  for (int i = 1; i < l.count; ++i) {
    double v = double(x[l.start + i * l.stride]);
    magnitude += std::fabs(v);
    switch (operation) {
    case sum: result += v; break;
    case max: result = std::fmax(result, v); break; // NaNs lose
    case min: result = std::fmin(result, v); break;
    case first:
      if (std::fabs(v) > std::fabs(result) || (std::fabs(v) == std::fabs(result) && v > result))
        result = v;
      break;
    default: result *= v; break;
    }
  }
  // Each of count - 1 additions is off by half a unit of its result, which magnitude bounds.
  double unit = std::ldexp(1.0, -e2e::float_format<T>::digits);
  return {result, 0, operation == sum && sizeof(T) > 2 ? (l.count - 1) * unit * magnitude : 0};
}

template <class T>
void launch(const std::vector<int> &dims, bool transposed, int warps, int skew,
            void (*reductions)(const T *, sum_type<T> *, extreme_type<T> *, T *)) {
  const int rank = int(dims.size());
  int size = 1;
  std::string shape;
  std::vector<int> strides(rank);
  for (int d = 0; d < rank; ++d)
    shape += (d ? "x" : "") + std::to_string(dims[d]);
  for (int step = 0; step < rank; ++step) {
    int d = transposed ? step : rank - 1 - step;
    strides[d] = size;
    size *= dims[d];
  }
  std::vector<std::string> owned;
  std::vector<const char *> listed;
  for (int axis = 0; axis <= rank; ++axis)
    for (const char *name : names<T>)
      owned.push_back(std::string(name) + (axis < rank ? "-axis" + std::to_string(axis) : "-all"));
  for (const std::string &name : owned)
    listed.push_back(name.c_str());
  matrix::cases cases(matrix::name_of<T>, shape, warps,
                      (transposed ? "columns" : "rows") + (skew ? "+" + std::to_string(skew) : std::string()));
  if (!cases.of(listed.data(), listed.size()))
    return;

  const int rows = rank + 1;
  matrix::buffer<T> x(operations * size, [&](int i) { return input<T>(i / size, size); }, skew);
  matrix::results<sum_type<T>> sums(operations * rows, size, skew);
  matrix::results<extreme_type<T>> extremes(operations * rows * 2, size, skew);
  matrix::results<T> own(operations * rows * 2, size, skew);
  reductions<<<int(operations)>>>(x.data(), sums.data(), extremes.data(), own.data());

  for (int axis = 0; axis <= rank; ++axis)
    for (int k = 0; k < operations; ++k) {
      auto check = [&]<class R>(matrix::results<R> &out, int row) {
        int count = axis == rank ? 1 : size / dims[axis];
        auto line_of = [&](int i) {
          line l{k * size, size, 1};
          if (axis == rank)
            return l;
          l.count = dims[axis];
          l.stride = strides[axis];
          for (int d = rank - 1; d >= 0; --d)
            if (d != axis) {
              l.start += i % dims[d] * strides[d];
              i /= dims[d];
            }
          return l;
        };
        const char *name = listed[axis * operations + k];
        if constexpr (is_integer<T>)
          cases.check(name, out, row, count, [&](int i) { return R(integer_reference(x, line_of(i), k)); });
        else
          cases.check(name, out, row, count, [&](int i) { return float_reference(x, line_of(i), k); });
      };
      if (k == sum)
        check(sums, k * rows + axis);
      else if (k == max || k == min)
        check(extremes, (k * rows + axis) * 2 + (k == min));
      else
        check(own, (k * rows + axis) * 2 + (k == second));
    }
}

template <class T, int W, int I, int... Dims> void forms_of(tt::shape<Dims...>) {
  constexpr bool transposed = sizeof...(Dims) > 1 && (I / 7) % 2;
  for (int skew : {0, 1 + I % 15})
    launch<T>({Dims...}, transposed, W, skew, reductions<T, tt::shape<Dims...>, transposed, W>);
}

matrix::family family("reductions", [] {
  matrix::for_each<matrix::all_types>([]<class T, int W, int I>() {
    if constexpr (I % 7 == 0)
      forms_of<T, W, I>(tt::shape<128 * W>());
    else if constexpr (I % 7 == 1)
      forms_of<T, W, I>(tt::shape<16, 4 * W>());
    else if constexpr (I % 7 == 2)
      forms_of<T, W, I>(tt::shape<2, 8, 4 * W>());
    else if constexpr (I % 7 == 3)
      forms_of<T, W, I>(tt::shape<1>());
    else if constexpr (I % 7 == 4)
      forms_of<T, W, I>(tt::shape<32 * W, 2>());
    else if constexpr (I % 7 == 5)
      forms_of<T, W, I>(tt::shape<16>());
    else
      forms_of<T, W, I>(tt::shape<4, 32 * W>());
  });
});

} // namespace
