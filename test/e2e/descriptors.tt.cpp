// Tests accesses through descriptors and block pointers: bounds, padding, gathered rows, atomic changes.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int M = 32, N = 16;

// out = x + 1 for a tensor of rows x columns with a row stride of `stride`, through descriptors that the kernel makes.
template <class T> __tile_global__ void copy_made(const T *x, T *out, int rows, int columns, int stride) {
  auto from = tt::make_tensor_descriptor<M, N>(x, {rows, columns}, {stride, 1});
  auto to = tt::make_tensor_descriptor<M, N>(out, {rows, columns}, {stride, 1});
  int i = tt::program_id(0) * M - M, j = tt::program_id(1) * N; // one block before the tensor, too
  to.store({i, j}, from.load({i, j}) + T(1));
}

// Bytes that are 8-bit floats: the same bits.
__tile_global__ void copy_float8(const tt::float8_e4m3fn *x, tt::float8_e4m3fn *out, int rows, int columns) {
  auto from = tt::make_tensor_descriptor<M, N>(x, {rows, columns}, {columns, 1});
  tt::make_tensor_descriptor<M, N>(out, {rows, columns}, {columns, 1}).store({0, 0}, from.load({0, 0}));
}

// The same by descriptors that the host makes.
template <class T>
__tile_global__ void copy_given(tt::tensor_descriptor<const T, M, N> from, tt::tensor_descriptor<T, M, N> to) {
  int i = tt::program_id(0) * M - M, j = tt::program_id(1) * N;
  to.store({i, j}, from.load({i, j}) + T(1));
}

// The same by block pointers, which a loop advances.
template <class T> __tile_global__ void copy_blocks(const T *x, T *out, int rows, int columns, int stride) {
  auto from = tt::make_block_ptr<M, N>(x, {rows, columns}, {stride, 1}, {tt::program_id(0) * M - M, 0});
  auto to = tt::make_block_ptr<M, N>(out, {rows, columns}, {stride, 1}, {tt::program_id(0) * M - M, 0});
  for (int j = 0; j < columns; j += N) {
    tt::store(to, tt::load(from, tt::boundary_check<0, 1>) + T(1), tt::boundary_check<0, 1>);
    from = tt::advance(from, {0, N});
    to = tt::advance(to, {0, N});
  }
}

// The elements of a block outside the tensor: the numbers of zeros and of NaNs.
__tile_global__ void padding(const float *x, int *counts, int rows, int columns) {
  auto zeros = tt::make_tensor_descriptor<M, N>(x, {rows, columns}, {columns, 1});
  auto nans = tt::make_tensor_descriptor<M, N>(x, {rows, columns}, {columns, 1}, tt::padding::nan);
  auto count = [](auto c) { return tt::sum(c.template to<int>()); };
  counts[0] = count(zeros.load({0, 0}) == 0.0f);
  auto y = nans.load({0, 0});
  counts[1] = count(y != y);
  auto p = tt::make_block_ptr<M, N>(x, {rows, columns}, {columns, 1}, {0, 0});
  auto z = tt::load(p, tt::boundary_check<0, 1>, tt::padding::nan);
  counts[2] = count(z != z);
}

// Gathers rows of x in the order of `order`, and scatters them to other rows of out.
__tile_global__ void gather_rows(const float *x, const int *order, float *gathered, float *scattered, int rows, int columns) {
  auto from = tt::make_tensor_descriptor<1, N>(x, {rows, columns}, {columns, 1});
  auto to = tt::make_tensor_descriptor<1, N>(scattered, {rows, columns}, {columns, 1});
  auto r = tt::arange<M>();
  auto places = tt::load(order + r);
  int column = tt::program_id(0) * N;
  auto block = from.gather(places, column);
  tt::store(gathered + r.col() * columns + column + tt::arange<N>().row(), block);
  to.scatter(block, places, column);
}

// Every program adds its number to all elements of a tensor, and takes part in a maximum.
__tile_global__ void change(float *sums, int *most, int rows, int columns) {
  auto s = tt::make_tensor_descriptor<M, N>(sums, {rows, columns}, {columns, 1});
  auto m = tt::make_tensor_descriptor<M, N>(most, {rows, columns}, {columns, 1});
  int p = tt::program_id(0);
  s.atomic_add({0, 0}, float(p));
  m.atomic_max({0, 0}, p + tt::zeros<int, M, N>());
}

template <class T> void copies(int rows, int columns, int stride) {
  e2e::buffer<T> x(rows * stride, e2e::random<T>);
  dim3 grid(tt::cdiv(rows, M) + 1, tt::cdiv(columns, N));
  auto check = [&](auto launch) {
    e2e::buffer<T> out(rows * stride);
    launch(out.data());
    out.expect_if([&](int i, T got) { return i % stride >= columns || got == T(x[i] + T(1)); });
  };
  check([&](T *out) { copy_made<T><<<grid>>>(x.data(), out, rows, columns, stride); });
  check([&](T *out) {
    copy_given<T><<<grid>>>({x.data(), {rows, columns}, {stride, 1}}, {out, {rows, columns}, {stride, 1}});
  });
  check([&](T *out) { copy_blocks<T><<<grid.x>>>(x.data(), out, rows, columns, stride); });
}

int main() {
  return e2e::run("descriptors", [] {
    copies<float>(32, 16, 16);
    copies<float>(70, 40, 48);
    copies<tt::float16>(33, 17, 24);
    copies<int8_t>(5, 3, 16);

    e2e::buffer<tt::float8_e4m3fn> bytes(24 * N, [](int i) { return tt::float8_e4m3fn(float(i % 15)); }), others(24 * N);
    copy_float8<<<1>>>(bytes.data(), others.data(), 24, N);
    others.expect([](int i) { return tt::float8_e4m3fn(float(i % 15)); });

    constexpr int rows = 20, columns = 12;
    e2e::buffer<float> x(rows * columns, [](int i) { return 1.0f + i; });
    e2e::buffer<int> counts(3);
    padding<<<1>>>(x.data(), counts.data(), rows, columns);
    counts.expect([](int) { return M * N - rows * columns; });

    e2e::buffer<float> y(M * 2 * N, e2e::random<float>), gathered(M * 2 * N), scattered(M * 2 * N);
    e2e::buffer<int> order(M, [](int i) { return (i * 5) % M; });
    gather_rows<<<2>>>(y.data(), order.data(), gathered.data(), scattered.data(), M, 2 * N);
    gathered.expect([&](int i) { return y[order[i / (2 * N)] * 2 * N + i % (2 * N)]; });
    scattered.expect([&](int i) { return y[i]; });

    e2e::buffer<float> sums(rows * columns, [](int) { return 0.5f; });
    e2e::buffer<int> most(rows * columns, [](int i) { return i % 9; });
    change<<<8>>>(sums.data(), most.data(), rows, columns);
    sums.expect([](int) { return 28.5f; });
    most.expect([](int i) { return i % 9 > 7 ? i % 9 : 7; });
  });
}
