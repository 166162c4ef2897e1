//===- Launch.cpp - launches --------------------------------------------------------------------------------------===//
//
// A launch runs its kernel to completion. Errors of a kernel are reported as a GPU reports them: by later calls.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Facts.h"
#include "State.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <unistd.h>
#include <vector>

using namespace tilecc::cuda;

/// Returns true for an error that a GPU would report only after the launch, which itself succeeds.
static bool isWrongdoing(int error) {
  switch (error) {
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED: return true;
  default: return false;
  }
}

/// Makes the program exit with an error if it has not asked for that of a kernel: it would end as if the kernel were
/// right.
static void failAtExit() {
  static const int registered = on_exit(
      [](int status, void *) {
        if (status || state().isReported)
          return;
        std::fflush(nullptr);
        std::fputs("emulated CUDA: a kernel of this program failed, which the program has not noticed\n", stderr);
        _exit(EXIT_FAILURE);
      },
      nullptr);
  (void)registered;
}

static CUresult launchNow(Kernel *kernel, const LaunchShape &shape, void *const *args) {
  int error = kernel->launch(shape, args);
  constexpr int invalidConfiguration = 9; // the runtime's number; the driver has none for impossible sizes
  if (error == invalidConfiguration)
    error = CUDA_ERROR_INVALID_VALUE;
  if (!isWrongdoing(error))
    return keep(error);
  failAtExit();
  state().isReported = false;
  return CUDA_SUCCESS;
}

Work tilecc::cuda::launchLater(Kernel *kernel, const LaunchShape &shape, void *const *args) {
  std::vector<std::string> values; // the bytes of each argument
  while (size_t size = kernel->paramSize(values.size()))
    values.emplace_back(static_cast<const char *>(args[values.size()]), size);
  return [=] {
    std::vector<void *> pointers;
    for (const std::string &value : values)
      pointers.push_back(const_cast<char *>(value.data()));
    return launchNow(kernel, shape, pointers.data());
  };
}

/// Returns true if more blocks must run at the same time than the device can hold.
static bool isTooLarge(Kernel *kernel, const LaunchShape &shape) {
  const auto &[grid, block, cluster, shared, isCooperative] = shape;
  int blocks = 0;
  if (isCooperative)
    cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<CUfunction>(kernel),
                                                static_cast<int>(block[0] * block[1] * block[2]), shared);
  return isCooperative && uint64_t(grid[0]) * grid[1] * grid[2] > uint64_t(blocks) * facts::multiprocessors;
}

static CUresult launch(CUfunction function, const LaunchShape &shape, void **args, void **extra, CUstream stream) {
  if (CUresult error = state().kernelError)
    return error;
  auto *kernel = reinterpret_cast<Kernel *>(function);
  if (!kernel)
    return CUDA_ERROR_INVALID_HANDLE;
  if (extra && *extra)
    return failMissing("a launch with a buffer of packed arguments");
  if (isTooLarge(kernel, shape))
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  return isCapturing(stream) ? submit(stream, launchLater(kernel, shape, args)) : launchNow(kernel, shape, args);
}

DRIVER cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **args, void **extra) {
  return launch(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, {1, 1, 1}, shared}, args, extra, stream);
}
DRIVER cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                                 unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **args) {
  LaunchShape shape = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, {1, 1, 1}, shared, /*isCooperative=*/true};
  return launch(function, shape, args, /*extra=*/nullptr, stream);
}
DRIVER cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **args, void **extra) {
  LaunchShape shape = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                       {config->blockDimX, config->blockDimY, config->blockDimZ},
                       {1, 1, 1},
                       config->sharedMemBytes};
  for (const CUlaunchAttribute &attribute : std::span(config->attrs, config->numAttrs)) {
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto &size = attribute.value.clusterDim;
      std::copy_n(std::initializer_list<uint32_t>{size.x, size.y, size.z}.begin(), 3, shape.cluster);
    }
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      shape.isCooperative = attribute.value.cooperative;
  }
  return launch(function, shape, args, extra, config->hStream);
}
DRIVER cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return submit(stream, [=] {
    function(data);
    return CUDA_SUCCESS;
  });
}
