// Tests every way to launch: grids and streams where CUDA has them, tt::launch, streams, events and copies.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 -g -fsanitize=address %s -o %t.asan && env TILECC_DEVICE=cpu %t.asan
// RUN: %emulate %t

#include "support/check.h"

constexpr int block = 64;

__tile_global__ void add(int *x, int n, int amount) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto v = tt::load(x + i, i < n);
  tt::debug_barrier(); // with fewer elements than threads, several threads load each element, and one stores it
  tt::store(x + i, v + amount, i < n);
}
template <class T> __tile_global__ void multiply(T *x, T factor) {
  T before = *x;
  tt::debug_barrier();
  *x = before * factor;
}

static int converted_once = 0;
struct converts {
  operator int() const { return ++converted_once; }
};

int main() {
  return e2e::run("launch-forms", [] {
    const int n = 3 * block + 5, grid = tt::cdiv(n, block);
    e2e::buffer<int> x(n, e2e::random<int8_t>);
    tt::stream stream, other;
    ttStream_t handle = stream;

    add<<<grid>>>(x.data(), n, 1);
    add<<<unsigned(grid)>>>(x.data(), n, 1);
    add<<<size_t(grid)>>>(x.data(), n, 1);
    add<<<dim3(grid)>>>(x.data(), n, 1);
    add<<<dim3{grid, tt::cdiv(grid, 1000)}>>>(x.data(), n, 1);
    e2e::synchronize();
    add<<<grid, stream>>>(x.data(), n, 1);
    add<<<grid, handle>>>(x.data(), n, 1);
    add<<<dim3(grid), stream>>>(x.data(), n, 1);
    add<<<grid, 1, 0, stream>>>(x.data(), n, 1);
    add<<<dim3(grid), dim3(1), 0, handle>>>(x.data(), n, 1);
    tt::launch(add, grid, stream, x.data(), n, 1);
    tt::launch(add, dim3(grid), handle, x.data(), n, 1);
    stream.synchronize();
    add<<<grid, 1>>>(x.data(), n, 1);
    add<<<grid, 1, 0>>>(x.data(), n, 1);
    tt::launch(add, ttDim3{unsigned(grid)}, nullptr, x.data(), n, 1);
    auto kernel = &add; // a kernel is a function and has an address
    kernel<<<grid>>>(x.data(), n, 1);
    add<<<grid>>>(x.data(), n, converts()); // arguments are evaluated once
    x.expect([&](int i) { return x[i] + 17; });
    E2E_EXPECT(converted_once == 1);

    e2e::context("a template's kernel");
    e2e::buffer<double> y(1, e2e::random<double>);
    multiply<<<1>>>(y.data(), 3.0);
    multiply<double><<<1>>>(y.data(), 2);
    tt::launch(multiply<double>, 1, nullptr, y.data(), 0.5);
    y.expect(e2e::tolerance{2}, [&](int) { return y[0] * 3; });

    e2e::context("an empty grid");
    add<<<0>>>(x.data(), n, 1000);
    add<<<dim3(1, 0, 1)>>>(x.data(), n, 1000);
    x.expect([&](int i) { return x[i] + 17; });

    // Work in one stream before work in another, by an event; then copies in a stream.
    e2e::context("streams and events");
    e2e::buffer<int> z(n, [](int) { return 1; });
    tt::event start, between;
    start.record(stream);
    for (int i = 0; i < 10; ++i)
      add<<<grid, stream>>>(z.data(), n, i);
    between.record(stream);
    other.wait(between);
    std::vector<int> early(n);
    tt::check(ttMemcpyAsync(early.data(), z.data(), n * sizeof(int), ttMemcpyDeviceToHost, other));
    add<<<grid, other>>>(z.data(), n, 100);
    other.synchronize();
    E2E_EXPECT(ttEventQuery(between) == ttSuccess);
    E2E_EXPECT(between.since(start) >= 0);
    z.expect([](int) { return 146; });
    bool right = true;
    for (int v : early)
      right &= v == 46;
    E2E_EXPECT(right);

    e2e::context("errors");
    add<<<dim3(1, 70000, 1)>>>(x.data(), n, 1);
    E2E_EXPECT(ttGetLastError() == ttErrorInvalidConfiguration);
    E2E_EXPECT(std::strstr(ttGetLastErrorMessage(), "70000"));
    E2E_EXPECT(ttGetLastError() == ttSuccess);
    // Numbers that do not fit 32 bits are an error, not another grid.
    for (long long programs : {(1ll << 32) + 5, -1ll, -(1ll << 32) + 5}) {
      add<<<programs>>>(x.data(), n, 1);
      E2E_EXPECT(ttGetLastError() == ttErrorInvalidConfiguration);
    }
    bool thrown = false;
    try {
      tt::launch(add, dim3(1, 1, 65536), nullptr, x.data(), n, 1);
    } catch (const tt::error &error) {
      thrown = error.code() == ttErrorInvalidConfiguration;
    }
    E2E_EXPECT(thrown);
    x.expect([&](int i) { return x[i] + 17; });
  });
}
