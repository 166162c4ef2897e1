//===- Launch.cpp - launches, streams, events ---------------------------------------------------------------------===//
//
// A launch runs its kernel to completion. Streams and events are only handles, except that events have times.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Graphs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <unistd.h>

using namespace tilecc::cudart;

//===--- launches -------------------------------------------------------------------------------------------------===//

namespace {
struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
} // namespace

static thread_local std::vector<Configuration> configurations;

CUDART unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

CUDART cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (configurations.empty())
    return keep(cudaErrorMissingConfiguration);
  const Configuration &top = configurations.back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  configurations.pop_back();
  return cudaSuccess;
}

/// Runs blocks in parallel on threads of the launch.
static void runParallel(uint64_t count, void (*body)(void *, uint64_t), void *context) {
  std::atomic<uint64_t> next = 0;
  auto work = [&] {
    for (uint64_t i; (i = next++) < count;)
      body(context, i);
  };
  std::vector<std::thread> others(std::min<uint64_t>(count, std::max(1u, std::thread::hardware_concurrency())) - 1);
  for (std::thread &other : others)
    other = std::thread(work);
  work();
  for (std::thread &other : others)
    other.join();
}

static cudaError_t launchNow(tilecc_emu_kernel *kernel, const LaunchShape &shape, void *const *args) {
  const auto &[grid, block, shared, cluster, isCooperative] = shape;
  tilecc_emu_launch_config config = {{grid.x, grid.y, grid.z},
                                     {block.x, block.y, block.z},
                                     {cluster.x, cluster.y, cluster.z},
                                     static_cast<uint32_t>(shared),
                                     runParallel,
                                     isCooperative,
                                     /*devices_along_z=*/0};
  int error = tilecc_emu_launch(kernel, &config, args, nullptr);
  // CUDA's runtime reports impossible sizes as invalid values (measured with 13.0).
  return keep(error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error);
}

Work tilecc::cudart::launchLater(const void *function, const LaunchShape &shape, void **args) {
  tilecc_emu_kernel *kernel = kernelOf(function);
  if (!kernel)
    return {};
  std::vector<std::string> values; // the bytes of each argument
  while (size_t size = tilecc_emu_param_size(kernel, values.size()))
    values.emplace_back(static_cast<const char *>(args[values.size()]), size);
  return [=] {
    std::vector<void *> pointers;
    for (const std::string &value : values)
      pointers.push_back(const_cast<char *>(value.data()));
    return launchNow(kernel, shape, pointers.data());
  };
}

/// Returns true if more blocks must run at the same time than the device can hold.
static bool isTooLarge(const void *function, const LaunchShape &shape) {
  const auto &[grid, block, shared, cluster, isCooperative] = shape;
  if (!isCooperative)
    return false;
  int blocks = 0, multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, static_cast<int>(block.x * block.y * block.z),
                                                shared);
  return uint64_t(grid.x) * grid.y * grid.z > uint64_t(blocks) * multiprocessors;
}

/// Makes the program exit with an error: a program that does not check errors would end as if its kernels had run.
static void noteLostLaunch() {
  static const int registered = on_exit(
      [](int status, void *) {
        if (status)
          return;
        std::fflush(nullptr);
        std::fputs("emulated cudart: kernels of this program could not run, so its results are none\n", stderr);
        _exit(EXIT_FAILURE);
      },
      nullptr);
  (void)registered;
}

static cudaError_t launch(const void *function, const LaunchShape &shape, void **args, cudaStream_t stream) {
  if (cudaError_t error = state().kernelError)
    return keepPrinted(error);
  tilecc_emu_kernel *kernel = kernelOf(function);
  if (!kernel) {
    noteLostLaunch();
    return cudaPeekAtLastError();
  }
  if (isTooLarge(function, shape))
    return keep(cudaErrorCooperativeLaunchTooLarge);
  return isCapturing(stream) ? submit(stream, launchLater(function, shape, args)) : launchNow(kernel, shape, args);
}

CUDART cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  return launch(function, {grid, block, shared}, args, stream);
}
CUDART cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                               cudaStream_t stream) {
  return launch(function, {grid, block, shared, dim3(1), /*isCooperative=*/true}, args, stream);
}
// nvcc 13's stubs request a kernel first. Here, too, the host symbol identifies it.
CUDART cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}
CUDART cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream) {
  return launch(kernel, {grid, block, shared}, args, stream);
}
CUDART cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
  LaunchShape shape = {config->gridDim, config->blockDim, config->dynamicSmemBytes};
  for (const cudaLaunchAttribute &attribute : std::span(config->attrs, config->numAttrs)) {
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      shape.cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
    if (attribute.id == cudaLaunchAttributeCooperative)
      shape.isCooperative = attribute.val.cooperative;
  }
  return launch(function, shape, args, config->stream);
}
CUDART cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  return submit(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}
CUDART cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned) {
  return submit(stream, [=] {
    function(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}

//===--- streams and events ---------------------------------------------------------------------------------------===//

cudaError_t tilecc::cudart::synchronize() {
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaPeekAtLastError();
  if (cudaError_t error = state().kernelError)
    return keepPrinted(error);
  cudaError_t error = keep(tilecc_emu_synchronize(emulator));
  state().kernelError = error;
  return error;
}

CUDART cudaError_t cudaDeviceSynchronize() { return synchronize(); }
CUDART cudaError_t cudaStreamSynchronize(cudaStream_t) { return synchronize(); }
CUDART cudaError_t cudaStreamQuery(cudaStream_t) { return synchronize(); }
CUDART cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  waitInCapture(stream, event);
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = reinterpret_cast<cudaStream_t>(new char);
  return cudaSuccess;
}
CUDART cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) { return cudaStreamCreate(stream); }
CUDART cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
  return cudaStreamCreate(stream);
}
CUDART cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<char *>(stream);
  return cudaSuccess;
}

using Clock = std::chrono::steady_clock;

CUDART cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = reinterpret_cast<cudaEvent_t>(new Clock::time_point);
  return cudaSuccess;
}
CUDART cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }
CUDART cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Clock::time_point *>(event);
  return cudaSuccess;
}
CUDART cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!recordInCapture(event, stream))
    *reinterpret_cast<Clock::time_point *>(event) = Clock::now();
  return cudaSuccess;
}
CUDART cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
CUDART cudaError_t cudaEventSynchronize(cudaEvent_t) { return synchronize(); }
CUDART cudaError_t cudaEventQuery(cudaEvent_t) { return synchronize(); }
CUDART cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
  *ms = std::chrono::duration<float, std::milli>(*reinterpret_cast<Clock::time_point *>(to) -
                                                 *reinterpret_cast<Clock::time_point *>(from))
            .count();
  return cudaSuccess;
}
