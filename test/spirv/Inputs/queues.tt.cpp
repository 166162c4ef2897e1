// Streams of an OpenCL device: they overlap, and the legacy stream, events, graphs and host functions order their work.
#include <tilecc/host.h>
#include <tilecc/tt.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

static int failures = 0;
static void expect(bool holds, const char *what) {
  if (!holds) {
    std::printf("wrong: %s\n", what);
    ++failures;
  }
}
static void check(ttError_t error) {
  if (error) {
    std::printf("error: %s\n", ttGetLastErrorMessage());
    std::exit(1);
  }
}

// Waits until another kernel has set *flag, but not forever. Stores whether it has.
__tile_global__ void wait_for(int *flag, int *seen) {
  int value = 0;
  for (int i = 0; i < (1 << 26) && value == 0; ++i)
    value = tt::atomic_add(flag, 0);
  tt::store(seen, value);
}

__tile_global__ void set_flag(int *flag) { tt::atomic_add(flag, 1); }

// Takes a while. Each element counts the launches that were before.
__tile_global__ void slow(int *x, int steps) {
  auto i = tt::program_id(0) * 256 + tt::arange<256>();
  auto value = tt::load(x + i);
  auto sum = value * 0;
  for (int step = 0; step < steps; ++step)
    sum = sum * 3 + value;
  tt::store(x + i, value + 1 + (sum & 0));
}

__tile_global__ void twice(int *x) {
  auto i = tt::program_id(0) * 256 + tt::arange<256>();
  tt::store(x + i, tt::load(x + i) * 2);
}

static int calls = 0;
static void count(void *data) { calls = *static_cast<int *>(data); }

int main() {
  constexpr int n = 4096, steps = 20000;
  ttStream_t a, b, free;
  check(ttStreamCreate(&a));
  check(ttStreamCreate(&b));
  check(ttStreamCreateWithFlags(&free, ttStreamNonBlocking));
  int *flag, *seen, *x, *host;
  check(ttMalloc((void **)&flag, 4));
  check(ttMalloc((void **)&seen, 4));
  check(ttMalloc((void **)&x, n * 4));
  check(ttMallocHost((void **)&host, n * 4));

  // Overlap: the first kernel ends only if the second runs beside it.
  check(ttMemset(flag, 0, 4));
  check(ttPreload(reinterpret_cast<const void *>(&wait_for)));
  check(ttPreload(reinterpret_cast<const void *>(&set_flag)));
  wait_for<<<1, a>>>(flag, seen);
  set_flag<<<1, b>>>(flag);
  check(ttStreamSynchronize(a));
  int value = 0;
  check(ttMemcpy(&value, seen, 4, ttMemcpyDeviceToHost));
  expect(value == 1, "a kernel sees what a kernel of another stream stores meanwhile");

  // A stream is in order, and the legacy stream waits for it.
  check(ttMemset(x, 0, n * 4));
  for (int i = 0; i < 3; ++i)
    slow<<<n / 256, a>>>(x, steps);
  twice<<<n / 256, a>>>(x);
  check(ttMemcpy(&value, x + n - 1, 4, ttMemcpyDeviceToHost));
  expect(value == 6, "a copy in the legacy stream follows the work of other streams");
  // The legacy stream's work precedes later work of other streams.
  slow<<<n / 256>>>(x, steps);
  twice<<<n / 256, b>>>(x);
  check(ttDeviceSynchronize());
  check(ttMemcpy(host, x, n * 4, ttMemcpyDeviceToHost));
  expect(host[17] == 14, "work of a stream follows the legacy stream's");

  // Events order streams, and measure.
  ttEvent_t begin, end;
  check(ttEventCreate(&begin));
  check(ttEventCreate(&end));
  check(ttMemset(x, 0, n * 4));
  check(ttDeviceSynchronize());
  auto start = std::chrono::steady_clock::now();
  check(ttEventRecord(begin, a));
  for (int i = 0; i < 10; ++i)
    slow<<<n / 256, a>>>(x, steps);
  check(ttEventRecord(end, a));
  bool isEarly = ttEventQuery(end) == ttErrorNotReady && ttStreamQuery(a) == ttErrorNotReady;
  check(ttStreamWaitEvent(free, end, 0));
  twice<<<n / 256, free>>>(x);
  check(ttMemcpyAsync(host, x, n * 4, ttMemcpyDeviceToHost, free));
  check(ttStreamSynchronize(free));
  expect(host[n - 1] == 20, "a stream waits for an event of another one");
  expect(isEarly, "launches return before the work is done");
  expect(ttEventQuery(end) == ttSuccess && ttStreamQuery(a) == ttSuccess, "the event and the stream are done");
  float milliseconds = -1;
  check(ttEventElapsedTime(&milliseconds, begin, end));
  double elapsed = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  expect(milliseconds > 0 && milliseconds <= elapsed, "the time between events is that of the work");

  // A graph's nodes and a host function are in order in their stream.
  ttGraph_t graph;
  ttGraphExec_t exec;
  int marker = 7;
  check(ttStreamBeginCapture(a, ttStreamCaptureModeGlobal));
  slow<<<n / 256, a>>>(x, steps);
  twice<<<n / 256, a>>>(x);
  check(ttLaunchHostFunc(a, count, &marker));
  check(ttStreamEndCapture(a, &graph));
  check(ttGraphInstantiate(&exec, graph));
  check(ttMemsetAsync(x, 0, n * 4, b));
  check(ttEventRecord(end, b));
  check(ttStreamWaitEvent(a, end, 0));
  check(ttGraphLaunch(exec, a));
  check(ttGraphLaunch(exec, a));
  check(ttMemcpyAsync(host, x, n * 4, ttMemcpyDeviceToHost, a));
  check(ttStreamSynchronize(a));
  expect(host[5] == 6 && calls == 7, "launches of a graph are in order");

  check(ttGraphExecDestroy(exec));
  check(ttGraphDestroy(graph));
  slow<<<n / 256, b>>>(x, steps);
  check(ttFree(x)); // waits
  check(ttStreamDestroy(a));
  check(ttStreamDestroy(b));
  check(ttStreamDestroy(free));
  check(ttEventDestroy(begin));
  check(ttEventDestroy(end));
  if (!failures)
    std::puts("queues: right");
  return failures != 0;
}
