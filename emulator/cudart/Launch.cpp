//===- Launch.cpp - launches, streams, events ---------------------------------------------------------------------===//

#include "State.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <unistd.h>
#include <vector>

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

static cudaError_t launch(const void *function, const Configuration &shape, std::span<CUlaunchAttribute> attributes,
                          void **args) {
  CUfunction kernel = kernelOf(function);
  if (!kernel) {
    noteLostLaunch();
    return cudaPeekAtLastError();
  }
  CUlaunchConfig config = {};
  config.gridDimX = shape.grid.x;
  config.gridDimY = shape.grid.y;
  config.gridDimZ = shape.grid.z;
  config.blockDimX = shape.block.x;
  config.blockDimY = shape.block.y;
  config.blockDimZ = shape.block.z;
  config.sharedMemBytes = static_cast<unsigned>(shape.shared);
  config.hStream = shape.stream;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  return keep(cuLaunchKernelEx(&config, kernel, args, /*extra=*/nullptr));
}

CUDART cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  return launch(function, {grid, block, shared, stream}, {}, args);
}
CUDART cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                               cudaStream_t stream) {
  CUlaunchAttribute cooperative = {};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  return launch(function, {grid, block, shared, stream}, {&cooperative, 1}, args);
}
// nvcc 13's stubs request a kernel first. Here, too, the host symbol identifies it.
CUDART cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}
CUDART cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
CUDART cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
  // The attributes of a launch have the driver's numbers and layout.
  static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
  auto *attributes = reinterpret_cast<CUlaunchAttribute *>(config->attrs);
  return launch(function, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
                {attributes, config->numAttrs}, args);
}
CUDART cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  return keep(cuLaunchHostFunc(stream, function, data));
}
CUDART cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                         unsigned flags) {
  return keep(cuStreamAddCallback(stream, reinterpret_cast<CUstreamCallback>(function), data, flags));
}

//===--- streams and events ---------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaDeviceSynchronize() { return keep(cuCtxSynchronize()); }
CUDART cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return keep(cuStreamSynchronize(stream)); }
CUDART cudaError_t cudaStreamQuery(cudaStream_t stream) { return keep(cuStreamQuery(stream)); }
CUDART cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return keep(cuStreamWaitEvent(stream, event, flags));
}
CUDART cudaError_t cudaStreamCreate(cudaStream_t *stream) { return keep(cuStreamCreate(stream, 0)); }
CUDART cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return keep(cuStreamCreate(stream, flags));
}
CUDART cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return keep(cuStreamCreateWithPriority(stream, flags, priority));
}
CUDART cudaError_t cudaStreamDestroy(cudaStream_t stream) { return keep(cuStreamDestroy(stream)); }

CUDART cudaError_t cudaEventCreate(cudaEvent_t *event) { return keep(cuEventCreate(event, 0)); }
CUDART cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return keep(cuEventCreate(event, flags));
}
CUDART cudaError_t cudaEventDestroy(cudaEvent_t event) { return keep(cuEventDestroy(event)); }
CUDART cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return keep(cuEventRecord(event, stream));
}
CUDART cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return keep(cuEventRecordWithFlags(event, stream, flags));
}
CUDART cudaError_t cudaEventSynchronize(cudaEvent_t event) { return keep(cuEventSynchronize(event)); }
CUDART cudaError_t cudaEventQuery(cudaEvent_t event) { return keep(cuEventQuery(event)); }
CUDART cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return keep(cuEventElapsedTime(milliseconds, from, to));
}
