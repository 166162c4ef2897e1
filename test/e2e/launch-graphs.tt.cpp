// Tests graphs (built, captured, changed, launched) and launches with attributes: the same on every device.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t

#include "support/check.h"

constexpr int block = 256, n = 3 * block + 5, grid = 4;

__tile_global__ void add(const int *x, const int *y, int *out, int count) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < count) + tt::load(y + i, i < count), i < count);
}

// Launched so that it may begin before the one in front has ended.
__tile_global__ void add_later(const int *x, const int *y, int *out, int count) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::grid_dependency_launch();
  tt::grid_dependency_wait();
  tt::store(out + i, tt::load(x + i, i < count) + tt::load(y + i, i < count), i < count);
}

// First launched in a capture.
template <int MODE> __tile_global__ void cold(int *x) { *x = MODE; }

__tile_global__ void meet(int *arrived) {
  tt::atomic_add(arrived, 1);
  while (tt::atomic_add(arrived, 0) < tt::num_programs(0)) {
  }
}

struct values {
  explicit values(int value) : memory(n) { set(value); }
  void set(int value) { memory.copy_from(std::vector<int>(n, value).data()); }
  bool are(int value) const {
    std::vector<int> host(n);
    memory.copy_to(host.data());
    return host == std::vector<int>(n, value);
  }
  operator int *() const { return memory.data(); }
  tt::device_buffer<int> memory;
};

int main() {
  return e2e::run("launch-graphs", [] {
    constexpr size_t bytes = n * sizeof(int);
    tt::stream stream, beside;
    values x(1), y(2), sum(0), copy(0), other(10);
    int calls = 0;
    auto count = [](void *data) { ++*static_cast<int *>(data); };

    e2e::context("built");
    tt::graph graph;
    ttGraphNode_t first = graph.add_kernel({}, add, grid, x, y, sum, n);
    ttGraphNode_t copied = graph.add_copy({first}, copy, sum, bytes);
    graph.add_kernel({first, copied}, add, grid, sum, copy, sum, n);
    graph.add_host({}, count, &calls);
    graph.add_set({graph.add_empty({copied})}, y, 0, bytes);
    tt::graph_exec exec = graph.instantiate();
    exec.upload(stream);
    exec.launch(stream);
    stream.synchronize();
    E2E_EXPECT(sum.are(6) && copy.are(3) && y.are(0) && calls == 1 && graph.node_count() == 6);

    e2e::context("changed");
    exec.set_kernel(first, add, grid, other, other, sum, n);
    exec.launch(stream);
    stream.synchronize();
    E2E_EXPECT(sum.are(40));
    exec.set_kernel(first, add, grid, other, other, sum, n - 1); // another variant
    sum.set(5);
    exec.launch(stream);
    stream.synchronize();
    std::vector<int> host(n);
    sum.memory.copy_to(host.data());
    E2E_EXPECT(host[n - 2] == 40 && host[n - 1] == 10);

    e2e::context("captured, with a stream beside");
    tt::event forked(ttEventDisableTiming), joined(ttEventDisableTiming);
    y.set(2);
    tt::graph captured = tt::graph::capture(stream, [&] {
      add<<<grid, stream>>>(x, y, sum, n);
      forked.record(stream);
      beside.wait(forked);
      add<<<grid, beside>>>(sum, y, copy, n);
      tt::check(ttMemcpyAsync(other, sum, bytes, ttMemcpyDeviceToDevice, stream));
      joined.record(beside);
      stream.wait(joined);
    });
    E2E_EXPECT(captured.node_count() == 3);
    exec = captured.instantiate();
    exec.launch(stream);
    stream.synchronize();
    E2E_EXPECT(sum.are(3) && copy.are(5) && other.are(3));

    e2e::context("updated");
    tt::graph_exec one = tt::graph::capture(stream, [&] { add<<<grid, stream>>>(x, x, sum, n); }).instantiate();
    one.update(tt::graph::capture(stream, [&] { add<<<grid, stream>>>(x, y, copy, n); }));
    one.launch(stream);
    stream.synchronize();
    E2E_EXPECT(copy.are(3));
    E2E_EXPECT(ttGraphExecUpdate(one, graph) == ttErrorGraphExecUpdateFailure);
    ttGetLastError();
    tt::graph twice;
    twice.add_graph({twice.add_graph({}, captured)}, captured);
    twice.instantiate().launch(stream);
    stream.synchronize();

    e2e::context("of cold kernels, in each mode");
    tt::device_buffer<int> modes(3);
    tt::graph::capture(
        stream, [&] { cold<10><<<1, stream>>>(modes.data()); }, ttStreamCaptureModeGlobal)
        .instantiate()
        .launch();
    tt::graph::capture(
        stream, [&] { cold<11><<<1, stream>>>(modes.data() + 1); }, ttStreamCaptureModeThreadLocal)
        .instantiate()
        .launch();
    tt::graph::capture(
        stream, [&] { cold<12><<<1, stream>>>(modes.data() + 2); }, ttStreamCaptureModeRelaxed)
        .instantiate()
        .launch();
    e2e::synchronize();
    modes.copy_to(host.data());
    E2E_EXPECT(host[0] == 10 && host[1] == 11 && host[2] == 12);

    e2e::context("lost");
    void *memory;
    ttGraph_t lost;
    tt::check(ttStreamBeginCapture(stream, ttStreamCaptureModeGlobal));
    E2E_EXPECT(ttMalloc(&memory, 64) == ttErrorStreamCaptureUnsupported);
    E2E_EXPECT(ttStreamEndCapture(stream, &lost) == ttErrorStreamCaptureInvalidated && !lost);
    ttGetLastError();

    e2e::context("dependent launches");
    auto chain = [&] {
      for (int i = 0; i < 10; ++i)
        tt::launch(add_later, tt::launch_config(grid, stream).programmatic(), i % 2 ? copy : sum, x, i % 2 ? sum : copy,
                   n);
    };
    sum.set(0);
    chain();
    stream.synchronize();
    E2E_EXPECT(sum.are(10));
    tt::graph_exec chained = tt::graph::capture(stream, chain).instantiate();
    chained.launch(stream);
    stream.synchronize();
    E2E_EXPECT(sum.are(20));

    e2e::context("cooperative launches");
    tt::device_buffer<int> arrived(1);
    arrived.set_bytes(0);
    int active;
    tt::check(ttOccupancyMaxActivePrograms(&active, reinterpret_cast<const void *>(meet)));
    E2E_EXPECT(active >= 1);
    int programs = std::min(active, 8);
    tt::launch(meet, tt::launch_config(programs, stream).cooperative().priority(0), arrived.data());
    stream.synchronize();
    arrived.copy_to(host.data());
    E2E_EXPECT(host[0] == programs);
    ttLaunchAttribute cooperative = {ttLaunchAttributeCooperative, 1};
    ttLaunchConfig config = {{1000000}, stream, &cooperative, 1};
    int *pointer = arrived.data();
    void *args[] = {&pointer};
    E2E_EXPECT(ttLaunchKernelEx(&config, reinterpret_cast<const void *>(meet), args) ==
               ttErrorCooperativeLaunchTooLarge);
    ttGetLastError();
  });
}
