//===-- CudaProfile.cpp - launches on GPUs that record times ----------------------------------------------------===//
#include "cuda/CudaProfile.h"
#include "Array.h"
#include "cuda/CudaDevice.h"
#include "Error.h"

using namespace tilecc::rt;

static constexpr ProfileMemory profileMemory = {
    .allocate = [](void **pointer, size_t bytes) -> ttError_t {
      CUdeviceptr address;
      CUDA_TRY(cuMemAlloc, &address, bytes);
      *pointer = reinterpret_cast<void *>(address);
      return ttSuccess;
    },
    .free = [](void *pointer) -> ttError_t {
      CUDA_TRY(cuMemFree, reinterpret_cast<CUdeviceptr>(pointer));
      return ttSuccess;
    },
    .copy = [](void *to, const void *from, size_t bytes) -> ttError_t {
      CUDA_TRY(cuMemcpy, reinterpret_cast<CUdeviceptr>(to), reinterpret_cast<CUdeviceptr>(from), bytes);
      return ttSuccess;
    },
    .synchronize = []() -> ttError_t {
      CUDA_TRY(cuCtxSynchronize);
      return ttSuccess;
    },
};

const ProfileMemory &tilecc::rt::cudaProfileMemory() { return profileMemory; }

ttError_t tilecc::rt::isCaptured(ttStream_t stream, bool *isCaptured) {
  int capturing;
  CUDA_TRY(cuStreamIsCapturing, stream, &capturing);
  *isCaptured = capturing != 0;
  return ttSuccess;
}

namespace {
struct GraphedKernel {
  Kernel *kernel;
  ProfileVariables variables;
  unsigned long long contextId;
  uint64_t warps; // of all its nodes
};
} // namespace

static constinit Array<GraphedKernel> graphed = {}; // needs a ProfileGuard

void tilecc::rt::noteGraphedKernel(Kernel &kernel, const CudaLaunch &launch) {
  unsigned long long contextId;
  if (ensureContext(&contextId))
    return;
  const uint64_t warps = countRecordingWarps(launch.grid, launch.threads);
  ProfileGuard guard;
  for (GraphedKernel &known : graphed)
    if (known.variables.profile == launch.profile.profile && known.contextId == contextId) {
      known.warps += warps;
      return;
    }
  graphed.append({&kernel, launch.profile, contextId, warps}); // without memory, it is not recorded
}

void tilecc::rt::forgetGraphedKernels(const Module &module) {
  ProfileGuard guard;
  size_t kept = 0;
  for (const GraphedKernel &known : graphed)
    if (known.kernel < module.kernels || known.kernel >= module.kernels + module.abi->kernel_count)
      graphed[kept++] = known;
  graphed.size = kept;
}

// Gives buffers to the kernels from number `next` on, and launches the graph.
static ttError_t launchRecorded(size_t next, unsigned long long contextId, ttGraphExec_t exec, ttStream_t stream) {
  for (; next < graphed.size; ++next) {
    const GraphedKernel &known = graphed[next];
    if (known.contextId != contextId || !wantsProfile(*known.kernel))
      continue;
    ProfiledLaunch profile(profileMemory, *known.kernel, known.variables, known.warps);
    ttError_t error = launchRecorded(next + 1, contextId, exec, stream);
    profile.finish();
    return error;
  }
  CUDA_TRY(cuGraphLaunch, exec, stream);
  return ttSuccess;
}

ttError_t tilecc::rt::launchGraph(ttGraphExec_t exec, ttStream_t stream) {
  unsigned long long contextId;
  if (ttError_t error = ensureContext(&contextId))
    return error;
  bool captured = true;
  if (graphed.size) // only with TILECC_PROFILE
    if (ttError_t error = isCaptured(stream, &captured))
      return error;
  if (!captured) {
    ProfileGuard guard;
    return launchRecorded(0, contextId, exec, stream);
  }
  CUDA_TRY(cuGraphLaunch, exec, stream);
  return ttSuccess;
}
