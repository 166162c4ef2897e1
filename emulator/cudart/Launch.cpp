//===- Launch.cpp - launches, streams, events ---------------------------------------------------------------------------===//
//
// A launch runs its kernel to the end. Streams and events are handles with nothing behind them, but for events' times.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Graphs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace tilecc::cudart;

//===--- launches ---------------------------------------------------------------------------------------------------===//

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

/// Blocks side by side, on threads of the launch.
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

static cudaError_t launchNow(tilecc_emu_kernel *kernel, dim3 grid, dim3 block, dim3 cluster, void *const *args,
                             size_t shared) {
  tilecc_emu_launch_config config = {{grid.x, grid.y, grid.z},          {block.x, block.y, block.z},
                                     {cluster.x, cluster.y, cluster.z}, static_cast<uint32_t>(shared), runParallel};
  int error = tilecc_emu_launch(kernel, &config, args, nullptr);
  // Sizes that no launch can have are invalid values to CUDA's runtime (measured: 13.0).
  return keep(error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error);
}

Work tilecc::cudart::launchLater(const void *function, dim3 grid, dim3 block, dim3 cluster, void **args,
                                 size_t shared) {
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
    return launchNow(kernel, grid, block, cluster, pointers.data(), shared);
  };
}

static cudaError_t launch(const void *function, dim3 grid, dim3 block, dim3 cluster, void **args, size_t shared,
                          cudaStream_t stream) {
  if (isCapturing(stream)) {
    Work work = launchLater(function, grid, block, cluster, args, shared);
    return work ? submit(stream, std::move(work)) : cudaPeekAtLastError();
  }
  tilecc_emu_kernel *kernel = kernelOf(function);
  return kernel ? launchNow(kernel, grid, block, cluster, args, shared) : cudaPeekAtLastError();
}

CUDART cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  return launch(function, grid, block, dim3(1), args, shared, stream);
}
CUDART cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                         cudaStream_t stream) {
  return launch(function, grid, block, dim3(1), args, shared, stream);
}
// nvcc 13's stubs ask for a kernel first. It has the host's symbol for a name here, too.
CUDART cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}
CUDART cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream) {
  return launch(kernel, grid, block, dim3(1), args, shared, stream);
}
CUDART cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
  dim3 cluster(1);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      cluster =
          dim3(config->attrs[i].val.clusterDim.x, config->attrs[i].val.clusterDim.y, config->attrs[i].val.clusterDim.z);
  return launch(function, config->gridDim, config->blockDim, cluster, args, config->dynamicSmemBytes, config->stream);
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

//===--- streams and events -----------------------------------------------------------------------------------------===//

static cudaError_t synchronize() {
  tilecc_emu_device *emulator = device();
  return emulator ? keep(tilecc_emu_synchronize(emulator)) : cudaPeekAtLastError();
}

CUDART cudaError_t cudaDeviceSynchronize() { return synchronize(); }
CUDART cudaError_t cudaStreamSynchronize(cudaStream_t) { return synchronize(); }
CUDART cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t) { return synchronize(); }
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
CUDART cudaError_t cudaEventSynchronize(cudaEvent_t) { return synchronize(); }
CUDART cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
  *ms = std::chrono::duration<float, std::milli>(*reinterpret_cast<Clock::time_point *>(to) -
                                                 *reinterpret_cast<Clock::time_point *>(from))
            .count();
  return cudaSuccess;
}
