// Parts of tiles: extract, insert, row, column, last. Order with positions: argsort, sort_by_key, topk with indices. Scans that
// leave the element out, running extremes, and reductions under a mask: sums, extremes, bits, mean and variance.
// RUN: %matrix %s -o %t
// RUN: grep '^parts ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: env TILECC_EMU_CHECKS=memory,races %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

#include <algorithm>
#include <numeric>

namespace {

using matrix::is_integer;

template <int M, int N> __tile__ auto offsets() { return tt::arange<M>().col() * N + tt::arange<N>().row(); }

//===-- parts -----------------------------------------------------------------------------------------------------===//

enum part { row, column, last, extract, extract_slice, insert, insert_slice, parts };
constexpr const char *part_names[] = {"row", "column", "last", "extract", "extract-slice", "insert", "insert-slice"};

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void take_parts(const T *x, const T *y, T *out, int r, int c) {
  constexpr int pitch = M * N;
  auto v = tt::load(x + offsets<M, N>()), w = tt::load(y + offsets<M, N>());
  auto i = tt::arange<M>();
  auto j = tt::arange<N>();
  tt::store(out + row * pitch + j, tt::row(v, r));
  tt::store(out + column * pitch + i, tt::column(v, c));
  tt::store(out + last * pitch + i, tt::last(v));
  tt::store(out + extract * pitch, tt::extract<0>(tt::extract<0>(v, r), c));
  tt::store(out + extract_slice * pitch + offsets<M, N / 2>(), tt::extract<1, N / 2>(v, c / 2));
  tt::store(out + insert * pitch + offsets<M, N>(), tt::insert<1>(tt::insert<0>(v, r, tt::row(w, 0)), c, tt::column(w, 0)));
  tt::store(out + insert_slice * pitch + offsets<M, N>(), tt::insert<1>(v, c, tt::extract<1, N / 2>(w, 0)));
}

template <class T>
void launch_parts(int M, int N, int warps, int skew, void (*kernel)(const T *, const T *, T *, int, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, "+" + std::to_string(skew));
  if (!cases.of(part_names, parts))
    return;
  using U = matrix::bits_of<T>;
  const int size = M * N, half = N / 2, r = matrix::between(0, M - 1), c = matrix::between(0, N - 1);
  matrix::buffer<U> x(size, matrix::any_bits<T>, skew), y(size, matrix::any_bits<T>, skew);
  matrix::results<U> out(parts, size, skew);
  kernel<<<1>>>(matrix::as<T>(x), matrix::as<T>(y), matrix::as<T>(out), r, c);
  cases.check(part_names[row], out, row, N, [&](int i) { return x[r * N + i]; });
  cases.check(part_names[column], out, column, M, [&](int i) { return x[i * N + c]; });
  cases.check(part_names[last], out, last, M, [&](int i) { return x[i * N + N - 1]; });
  cases.check(part_names[extract], out, extract, 1, [&](int) { return x[r * N + c]; });
  cases.check(part_names[extract_slice], out, extract_slice, M * half, [&](int i) { return x[i / half * N + c / 2 + i % half]; });
  cases.check(part_names[insert], out, insert, size, [&](int i) {
    return i % N == c ? y[i / N * N] : i / N == r ? y[i % N] : x[i];
  });
  cases.check(part_names[insert_slice], out, insert_slice, size, [&](int i) {
    int k = i % N - c;
    return k >= 0 && k < half ? y[i / N * N + k] : x[i];
  });
}

//===-- order -----------------------------------------------------------------------------------------------------===//

enum ordered { ascending, descending, keyed, largest, keys, tops, ordereds };
constexpr const char *order_names[] = {"argsort",      "argsort-descending", "sort-by-key",
                                       "topk-indices", "sort-by-key-keys",   "topk-indices-values"};

template <class T, int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void order(const T *x, int *out, T *values) {
  constexpr int pitch = M * N, few = N / 4 > 1 ? N / 4 : 1;
  auto v = tt::load(x + offsets<M, N>());
  tt::store(out + ascending * pitch + offsets<M, N>(), tt::argsort(v));
  tt::store(out + descending * pitch + offsets<M, N>(), tt::argsort<1, true>(v));
  auto [keys, positions] = tt::sort_by_key<0>(v, offsets<M, N>());
  tt::store(values + offsets<M, N>(), keys);
  tt::store(out + keyed * pitch + offsets<M, N>(), positions);
  auto [top, at] = tt::topk<few>(v, tt::return_indices);
  tt::store(values + pitch + offsets<M, few>(), top);
  tt::store(out + largest * pitch + offsets<M, few>(), at);
}

template <class T> void launch_order(int M, int N, int warps, int skew, void (*order)(const T *, int *, T *)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, "+" + std::to_string(skew));
  if (!cases.of(order_names, ordereds))
    return;
  const int size = M * N, few = std::max(N / 4, 1);
  matrix::buffer<T> x(size, [](int) {
    if constexpr (is_integer<T>)
      return matrix::random_bits() & 1 ? matrix::any<T>() : T(matrix::random_bits() % 4);
    else
      return matrix::random_bits() & 1 ? matrix::any<T>() : T(double(matrix::between(1, 4)));
  }, skew);
  matrix::results<int> out(keys, size, skew);
  matrix::results<T> values(2, size, skew);
  order<<<1>>>(x.data(), out.data(), values.data());
  // NaNs are larger than all numbers, and -0 comes before 0.
  auto before = [](T a, T b) {
    if constexpr (is_integer<T>)
      return a < b;
    else if (a != a || b != b)
      return a == a && b != b;
    else
      return a < b || (a == b && std::signbit(double(a)) && !std::signbit(double(b)));
  };
  // The position of the k-th of a line that begins at `start`.
  auto find = [&](int start, int count, int stride, int k, bool descends) {
    std::vector<int> positions(count);
    std::iota(positions.begin(), positions.end(), 0);
    std::sort(positions.begin(), positions.end(), [&](int a, int b) { // equal ones keep their order
      T left = x[start + a * stride], right = x[start + b * stride];
      bool first = descends ? before(right, left) : before(left, right);
      bool second = descends ? before(left, right) : before(right, left);
      return first || (!second && a < b);
    });
    return positions[k];
  };
  cases.check(order_names[ascending], out, ascending, size, [&](int i) { return find(i / N * N, N, 1, i % N, false); });
  cases.check(order_names[descending], out, descending, size, [&](int i) { return find(i / N * N, N, 1, i % N, true); });
  cases.check(order_names[keyed], out, keyed, size, [&](int i) { return find(i % N, M, N, i / N, false) * N + i % N; });
  cases.check(order_names[largest], out, largest, M * few, [&](int i) { return find(i / few * N, N, 1, i % few, true); });
  auto value = [&](int i) {
    if constexpr (is_integer<T>)
      return T(x[i]);
    else
      return matrix::approximately{double(x[i]), 0};
  };
  cases.check(order_names[keys], values, 0, size, [&](int i) { return value(find(i % N, M, N, i / N, false) * N + i % N); });
  cases.check(order_names[tops], values, 1, M * few, [&](int i) {
    return value(i / few * N + find(i / few * N, N, 1, i % few, true));
  });
}

//===-- scans and reductions --------------------------------------------------------------------------------------===//

enum operation { cumsum_exclusive, running_max, running_min, max_exclusive, min_exclusive, masked_max, masked_min, masked_argmax, masked_argmin, masked_sum,
                 means, masked_means, variances, masked_and, all_and, operations };
constexpr const char *names[] = {"cumsum-exclusive", "cummax", "cummin", "cummax-exclusive", "cummin-exclusive-reverse",
                                 "max-masked", "min-masked", "argmax-masked", "argmin-masked", "sum-masked", "mean", "mean-masked", "var", "reduce-and-masked",
                                 "reduce-and"};
template <class T> constexpr bool is_for(int k) { return is_integer<T> || (k != masked_and && k != all_and); }

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void combine(const T *x, const int *mask, double *out) {
  constexpr int pitch = M * N;
  auto v = tt::load(x + offsets<M, N>());
  auto m = tt::load(mask + offsets<M, N>()) != 0;
  auto i = tt::arange<M>();
  auto put = [&](int k, auto result) { tt::store(out + k * pitch + offsets<M, N>(), result); };
  auto put_line = [&](int k, auto result) { tt::store(out + k * pitch + i, result); };
  put(cumsum_exclusive, tt::cumsum<1>(v, tt::exclusive));
  put(running_max, tt::cummax<1>(v));
  put(running_min, tt::cummin<1>(v));
  put(max_exclusive, tt::cummax<1>(v, tt::exclusive));
  put(min_exclusive, tt::cummin<1>(v, tt::exclusive, tt::reverse));
  put_line(masked_max, tt::max<1>(v, m));
  put_line(masked_min, tt::min<1>(v, m));
  put_line(masked_argmax, tt::argmax<1>(v, m));
  put_line(masked_argmin, tt::min<1>(v, m, tt::return_indices).second);
  put_line(masked_sum, tt::sum<1>(v, m));
  put_line(means, tt::mean<1>(v));
  put_line(masked_means, tt::mean<1>(v, m));
  put_line(variances, tt::var<1>(v));
  if constexpr (is_integer<T>) {
    put_line(masked_and, tt::reduce_and<1>(v, m));
    put_line(all_and, tt::reduce_and<1>(v));
  }
}

template <class T> void launch_combine(int M, int N, int warps, int skew, void (*combine)(const T *, const int *, double *)) {
  std::vector<const char *> wanted;
  for (int k = 0; k < operations; ++k)
    if (is_for<T>(k))
      wanted.push_back(names[k]);
  matrix::cases cases(matrix::name_of<T>, std::to_string(M) + "x" + std::to_string(N), warps, "+" + std::to_string(skew));
  if (!cases.of(wanted.data(), wanted.size()))
    return;
  const int size = M * N;
  // Small numbers: sums are exact in every type.
  matrix::buffer<T> x(size, [](int) {
    return T(double(matrix::between(std::is_unsigned_v<T> ? 0 : -1, std::is_same_v<T, bool> ? 1 : 2)));
  }, skew);
  matrix::buffer<int> mask(size, [](int) { return int(matrix::random_bits() % 3 != 0); }, skew);
  matrix::results<double> out(operations, size, skew);
  combine<<<1>>>(x.data(), mask.data(), out.data());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // The device's value, of type T, as double.
  auto lowest = [] { return is_integer<T> ? double(std::numeric_limits<T>::min()) : -infinity; };
  auto highest = [] { return is_integer<T> ? double(std::numeric_limits<T>::max()) : infinity; };
  auto exactly = [](double value) { return matrix::approximately{value, 0}; };
  auto scan = [&](int from, int to, double start, auto step) {
    for (int i = from; i < to; ++i)
      start = step(start, double(x[i]));
    return exactly(start);
  };
  auto add = [](double a, double b) { return a + b; };
  auto larger = [](double a, double b) { return std::max(a, b); };
  auto smaller = [](double a, double b) { return std::min(a, b); };
  auto start_of = [&](int i) { return i / N * N; };
  cases.check(names[cumsum_exclusive], out, cumsum_exclusive, size, [&](int i) { return scan(start_of(i), i, 0, add); });
  cases.check(names[running_max], out, running_max, size, [&](int i) { return scan(start_of(i), i + 1, lowest(), larger); });
  cases.check(names[running_min], out, running_min, size, [&](int i) { return scan(start_of(i), i + 1, highest(), smaller); });
  cases.check(names[max_exclusive], out, max_exclusive, size, [&](int i) { return scan(start_of(i), i, lowest(), larger); });
  cases.check(names[min_exclusive], out, min_exclusive, size, [&](int i) {
    return scan(i + 1, start_of(i) + N, highest(), smaller);
  });
  auto line = [&](int r, bool isMasked, double start, auto step) {
    for (int i = r * N; i < (r + 1) * N; ++i)
      if (!isMasked || mask[i])
        start = step(start, double(x[i]));
    return start;
  };
  auto count = [&](int r) {
    double ones = 0;
    for (int i = r * N; i < (r + 1) * N; ++i)
      ones += mask[i];
    return ones;
  };
  cases.check(names[masked_max], out, masked_max, M, [&](int r) { return exactly(line(r, true, lowest(), larger)); });
  cases.check(names[masked_min], out, masked_min, M, [&](int r) { return exactly(line(r, true, highest(), smaller)); });
  // The first of the elements where the mask is true that has this value.
  auto position = [&](int r, double value) {
    for (int i = 0; i < N; ++i)
      if (mask[r * N + i] && double(x[r * N + i]) == value)
        return exactly(i);
    return exactly(std::numeric_limits<int>::max());
  };
  cases.check(names[masked_argmax], out, masked_argmax, M,
              [&](int r) { return position(r, line(r, true, lowest(), larger)); });
  cases.check(names[masked_argmin], out, masked_argmin, M,
              [&](int r) { return position(r, line(r, true, highest(), smaller)); });
  cases.check(names[masked_sum], out, masked_sum, M, [&](int r) { return exactly(line(r, true, 0, add)); });
  // Results of T are rounded to it; those of integers are float.
  auto rounded = [](double value) {
    if constexpr (is_integer<T>)
      return matrix::approximately{value, 0, 2e-6 * std::fabs(value) + 1e-6};
    else
      return matrix::approximately{value, 0, std::ldexp(std::fabs(value) + 1e-3, sizeof(T) == 8 ? -48 : sizeof(T) == 4 ? -21 : -7)};
  };
  cases.check(names[means], out, means, M, [&](int r) { return rounded(line(r, false, 0, add) / N); });
  cases.check(names[masked_means], out, masked_means, M, [&](int r) { return rounded(line(r, true, 0, add) / count(r)); });
  cases.check(names[variances], out, variances, M, [&](int r) {
    double mean = line(r, false, 0, add) / N;
    return rounded(line(r, false, 0, [&](double a, double b) { return a + (b - mean) * (b - mean); }) / N);
  });
  if constexpr (is_integer<T>) {
    auto all_of = [&](int r, bool isMasked) {
      T bits = T(-1);
      for (int i = r * N; i < (r + 1) * N; ++i)
        bits = !isMasked || mask[i] ? T(bits & x[i]) : bits;
      return exactly(double(bits));
    };
    cases.check(names[masked_and], out, masked_and, M, [&](int r) { return all_of(r, true); });
    cases.check(names[all_and], out, all_and, M, [&](int r) { return all_of(r, false); });
  }
}

template <class T, int W, int I, int M, int N> void forms_of() {
  launch_parts<T>(M, N, W, I % 16, take_parts<T, M, N, W>);
  if constexpr (!matrix::is_float8<T>) {
    constexpr int rows = M > 16 ? 16 : M, columns = N > 32 ? 32 : N;
    launch_order<T>(rows, columns, W, I % 16, order<T, rows, columns, W>);
    launch_combine<T>(rows, columns, W, I % 16, combine<T, rows, columns, W>);
  }
}

matrix::family family("parts", [] {
  matrix::for_each<matrix::with_float8>([]<class T, int W, int I>() {
    if constexpr (I % 3 == 0)
      forms_of<T, W, I, 2, 16 * W>();
    else if constexpr (I % 3 == 1)
      forms_of<T, W, I, 16, 8>();
    else
      forms_of<T, W, I, 4 * W, 2>();
  });
});

} // namespace
