//===-- RuntimeOnGpu.cpp - the runtime with a real driver and GPU ----------------------------------------------===//
//
// Tests that need a real driver: that loading, contexts, capture and exit work with NVIDIA's driver as the runtime
// assumes, and the cost of a launch compared with cuLaunchKernel. The kernels are PTX written by hand, so no compiler
// is needed; the test is part of the gpu-bundle. It exits with 0 if everything passed, and with 77 and the reason if
// there is no GPU.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <tilecc/abi.h>
#include <tilecc/runtime.h>

#include <chrono>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

//===-- Kernels ------------------------------------------------------------------------------------------------------===//

// out[i] = x[i] + y[i] + bias for i < n, 128 elements a program; the variant for aligned arguments has bias 0.5, so that
// the result tells which one ran.
#define ADD(name, bias)                                                                                                \
  ".visible .entry " name "(.param .u64 px, .param .u64 py, .param .u64 po, .param .u32 pn)\n"                         \
  "{ .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<8>; .reg .f32 %f<4>;\n"                                              \
  "ld.param.u64 %d1, [px]; ld.param.u64 %d2, [py]; ld.param.u64 %d3, [po]; ld.param.u32 %r1, [pn];\n"                  \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r2, 128, %r3;\n"                                       \
  "setp.ge.s32 %p, %r4, %r1; @%p ret;\n"                                                                               \
  "mul.wide.u32 %d4, %r4, 4; add.u64 %d5, %d1, %d4; add.u64 %d6, %d2, %d4; add.u64 %d7, %d3, %d4;\n"                   \
  "ld.global.f32 %f1, [%d5]; ld.global.f32 %f2, [%d6]; add.f32 %f3, %f1, %f2; add.f32 %f3, %f3, " bias ";\n"           \
  "st.global.f32 [%d7], %f3; ret; }\n"

static const char addPtx[] = ".version 7.0\n.target sm_80\n.address_size 64\n" ADD("add", "0f00000000")
    ADD("add_16", "0f3F000000");

// Writes its program's number through the last word of 100 KiB of shared memory.
static const char sharedPtx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 memory[];\n"
    ".visible .entry shared(.param .u64 po)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [po]; mov.u32 %r1, %ctaid.x; st.shared.u32 [memory+102396], %r1; ld.shared.u32 %r2, [memory+102396];\n"
    "mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r2; ret; }\n";

// Every block of a cluster adds one at the cluster's number.
static const char clusterPtx[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry cluster(.param .u64 po)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [po]; mov.u32 %r1, %clusterid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;\n"
    "red.global.add.u32 [%d3], 1; ret; }\n";

static const char brokenPtx[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry broken() { no such thing; }\n";

// Only their addresses matter, and that they differ.
static volatile int called;
void add(const float *, const float *, float *, int) { called = 1; }
void sharedKernel(int *) { called = 2; }
void clusterKernel(int *) { called = 3; }
void brokenKernel() { called = 4; }
void cold(const float *, const float *, float *, int) { called = 5; }

#define STUB(kernel) reinterpret_cast<const void *>(kernel)
static const tilecc_param addParams[] = {{8, 0, 8, 0}, {8, 8, 8, 0}, {8, 16, 8, 0}, {4, 24, 4, 1}};
static const tilecc_gpu_entry plain[] = {{128, 0, 1, 0}}, big[] = {{32, 102400, 1, 0}}, clusterOf4[] = {{1, 0, 4, 0}};
static const tilecc_variant addVariants[] = {
    {TILECC_POINTERS_DIVISIBLE_BY_16 | TILECC_INTEGERS_DIVISIBLE_BY_16, 0, "add_16", plain}, {0, 0, "add", plain}};
static const tilecc_variant sharedVariants[] = {{0, 0, "shared", big}}, clusterVariants[] = {{0, 0, "cluster", clusterOf4}},
                            brokenVariants[] = {{0, 0, "broken", plain}};
static const tilecc_kernel addKernels[] = {{STUB(add), "add", "add", addParams, addVariants, nullptr, 4, 2, 0, 0}};
static const tilecc_kernel coldKernels[] = {{STUB(cold), "cold", "cold", addParams, addVariants, nullptr, 4, 2, 0, 0}};
static const tilecc_kernel sharedKernels[] = {
    {STUB(sharedKernel), "shared", "shared", addParams, sharedVariants, nullptr, 1, 1, 0, 0}};
static const tilecc_kernel clusterKernels[] = {
    {STUB(clusterKernel), "cluster", "cluster", addParams, clusterVariants, nullptr, 1, 1, 0, 0}};
static const tilecc_kernel brokenKernels[] = {
    {STUB(brokenKernel), "broken", "broken", addParams, brokenVariants, nullptr, 0, 1, 0, 0}};
static const tilecc_image addImage[] = {{TILECC_IMAGE_PTX, 80, addPtx, sizeof(addPtx) - 1}},
                          sharedImage[] = {{TILECC_IMAGE_PTX, 80, sharedPtx, sizeof(sharedPtx) - 1}},
                          clusterImage[] = {{TILECC_IMAGE_PTX, 90, clusterPtx, sizeof(clusterPtx) - 1}},
                          brokenImage[] = {{TILECC_IMAGE_PTX, 80, brokenPtx, sizeof(brokenPtx) - 1}};
static const tilecc_module modules[] = {{TILECC_ABI_VERSION, 1, 1, 0, addKernels, addImage, nullptr, 0, "add.tt.cpp"},
                                        {TILECC_ABI_VERSION, 1, 1, 0, coldKernels, addImage, nullptr, 0, "cold.tt.cpp"},
                                        {TILECC_ABI_VERSION, 1, 1, 0, sharedKernels, sharedImage, nullptr, 0, "shared.tt.cpp"},
                                        {TILECC_ABI_VERSION, 1, 1, 0, clusterKernels, clusterImage, nullptr, 0, "cluster.tt.cpp"},
                                        {TILECC_ABI_VERSION, 1, 1, 0, brokenKernels, brokenImage, nullptr, 0, "broken.tt.cpp"}};
__attribute__((constructor)) static void registerModules() {
  for (const tilecc_module &module : modules)
    __tilecc_register(&module);
}
__attribute__((destructor)) static void unregisterModules() {
  for (const tilecc_module &module : modules)
    __tilecc_unregister(&module);
}

//===-- The checks ---------------------------------------------------------------------------------------------------===//

static int passed, failed;
static const char *lastCheck = "start";
static void check(bool condition, const char *what) {
  ++(condition ? passed : failed);
  if (!condition)
    printf("FAILED: %s (%s: %s)\n", what, ttGetErrorName(ttGetLastError()), ttGetLastErrorMessage());
  lastCheck = what;
}

// An exception ends a group of checks, not the program.
static void run(void (*group)()) {
  try {
    group();
  } catch (const tt::error &error) {
    ++failed;
    printf("FAILED: after the check '%s': %s: %s\n", lastCheck, ttGetErrorName(error.code()), error.what());
  }
}

template <class F> static F *driver(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<F *>(dlsym(library, name));
}

// Adds on the current device and compares; `offset` floats off the aligned start.
static bool adds(int n, int offset, ttStream_t stream, float bias, void (*kernel)(const float *, const float *, float *, int))
try {
  std::vector<float> x(n + offset), y(n + offset), out(n + offset, -1);
  for (int i = 0; i < n + offset; ++i)
    x[i] = i % 1000, y[i] = 2 * (i % 777);
  tt::device_buffer<float> dx(x.data(), x.size()), dy(y.data(), y.size()), dout(out.data(), out.size());
  tt::launch(kernel, (n + 127) / 128, stream, dx.data() + offset, dy.data() + offset, dout.data() + offset, n);
  tt::check(ttStreamSynchronize(stream));
  dout.copy_to(out.data());
  for (int i = 0; i < n + offset; ++i)
    if (out[i] != (i < offset ? -1 : x[i] + y[i] + bias))
      return false;
  return true;
} catch (const tt::error &error) {
  printf("adding %d numbers: %s: %s\n", n, ttGetErrorName(error.code()), error.what());
  return false;
}

static void checkLaunches() {
  for (int n : {1, 127, 129, 1000003})
    check(adds(n, 0, nullptr, 0, add), "add, ragged");
  check(adds(1 << 20, 0, nullptr, 0.5f, add), "add, aligned: the variant for it");
  check(adds(1 << 20, 1, nullptr, 0, add), "add, unaligned");
  tt::stream stream;
  check(adds(4096, 0, stream, 0.5f, add), "add, in a stream");
  check(adds(4096, 0, ttStreamLegacy, 0.5f, add) && adds(4096, 0, ttStreamPerThread, 0.5f, add), "add, in CUDA's streams");
  bool inThread = false;
  std::thread([&] { inThread = adds(4096, 0, nullptr, 0.5f, add); }).join();
  check(inThread, "add, in another thread");

  std::vector<int> numbers(1000, -1);
  tt::device_buffer<int> out(numbers.data(), numbers.size());
  tt::launch(sharedKernel, 1000, nullptr, out.data());
  out.copy_to(numbers.data());
  bool right = true;
  for (int i = 0; i < 1000; ++i)
    right &= numbers[i] == i;
  check(right, "100 KiB of shared memory");
}

static void checkClusters() {
  std::vector<int> numbers(1000, 0);
  tt::device_buffer<int> out(numbers.data(), numbers.size());
  tt::launch(clusterKernel, 1000, nullptr, out.data());
  out.copy_to(numbers.data());
  bool right = true;
  for (int number : numbers)
    right &= number == 4;
  check(right, "1000 programs of clusters of 4 blocks");
}

static void checkErrors() {
  check(ttLaunchKernel(STUB(brokenKernel), ttDim3{1}, nullptr, nullptr) == ttErrorInvalidPtx, "PTX that does not compile");
  printf("as it should, a broken kernel says: %s\n", ttGetLastErrorMessage());
  ttGetLastError();
  void *pointer;
  check(ttMalloc(&pointer, size_t(1) << 50) == ttErrorMemoryAllocation, "too much memory");
  ttGetLastError();
}

static void checkCapture() {
  // A kernel that was never launched, in the strictest mode.
  tt::device_buffer<float> data(256);
  data.set_bytes(0);
  tt::stream stream;
  void *graph = nullptr, *executable = nullptr;
  check(driver<int(ttStream_t, int)>("cuStreamBeginCapture_v2")(stream, 0) == 0, "begin a capture");
  tt::launch(cold, 2, stream, data.data(), data.data(), data.data(), 256);
  check(driver<int(ttStream_t, void **)>("cuStreamEndCapture")(stream, &graph) == 0, "a first launch within a capture");
  check(driver<int(void **, void *, unsigned long long)>("cuGraphInstantiateWithFlags")(&executable, graph, 0) == 0 &&
            driver<int(void *, ttStream_t)>("cuGraphLaunch")(executable, stream) == 0,
        "launch the graph");
  stream.synchronize();
  std::vector<float> host(256);
  data.copy_to(host.data());
  check(host[0] == 0.5f && host[255] == 0.5f, "the graph ran the kernel");
}

static void checkContexts() {
  void *context = nullptr, *popped;
  check(driver<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, 0) == 0, "create a context");
  check(adds(5000, 0, nullptr, 0, add), "launch in the created context");
  check(driver<int(void **)>("cuCtxPopCurrent_v2")(&popped) == 0 && popped == context, "no other context was made current");
  check(driver<int(void *)>("cuCtxDestroy_v2")(context) == 0, "destroy it");
  check(adds(5000, 0, nullptr, 0, add), "launch in the primary context again");
  check(driver<int(int)>("cuDevicePrimaryCtxReset_v2")(0) == 0, "reset the primary context");
  check(adds(5000, 0, nullptr, 0, add), "launch after the reset");
}

static void checkFork() {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    void *pointer;
    _exit(ttMalloc(&pointer, 64) == ttErrorInitializationError ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  check(status == 0, "an error in a forked child");
}

// Nanoseconds for one call, the best of some rounds, each short enough for the launch queue.
template <class F> static double timeOf(F f) {
  double best = 1e9;
  for (int round = 0; round < 200; ++round) {
    ttDeviceSynchronize();
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i)
      f();
    double time = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / 200;
    best = time < best ? time : best;
  }
  return best;
}

static void checkLaunchCost() {
  tt::device_buffer<float> data(128);
  const float *x = data.data();
  float *out = data.data();
  int n = 0;
  tt::stream stream;
  ttFunction_t function;
  tt::check(ttGetFunction(&function, STUB(add)));
  void *args[] = {&x, &x, &out, &n};
  auto *launch = driver<int(ttFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, ttStream_t,
                            void **, void **)>("cuLaunchKernel");
  double direct = timeOf([&] { launch(function, 1, 1, 1, 128, 1, 1, 0, stream, args, nullptr); });
  double ours = timeOf([&] { tt::launch(add, 1, stream, x, x, out, n); });
  printf("launch: cuLaunchKernel %.0f ns, tt::launch %.0f ns\n", direct, ours);
  check(ours - direct < 500, "a launch costs at most 0.5 us over cuLaunchKernel");
}

static void *leftForExit;
static void freeAtExit() {
  if (ttFree(leftForExit) != ttSuccess) {
    printf("FAILED: ttFree at exit: %s\n", ttGetLastErrorMessage());
    fflush(stdout);
    _exit(1);
  }
}

int main() {
  atexit(freeAtExit); // before the driver's own handler is registered, so it runs after it
  ttDeviceProp properties;
  tt::check(ttGetDeviceProperties(&properties, 0));
  if (properties.kind != ttDeviceKindCuda) {
    printf("SKIPPED: there is no GPU\n");
    return 77;
  }
  printf("%s, sm_%d, %d multiprocessors\n", properties.name, properties.arch, properties.multiProcessorCount);
  run(checkLaunches);
  if (properties.arch >= 90)
    run(checkClusters);
  run(checkErrors);
  run(checkCapture);
  run(checkFork);
  run(checkLaunchCost);
  run(checkContexts);
  check(ttMalloc(&leftForExit, 64) == ttSuccess, "memory to be freed at exit");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
