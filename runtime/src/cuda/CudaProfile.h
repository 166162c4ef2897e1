//===-- CudaProfile.h - launches on GPUs that record times ------------------------------------------------------===//
//
// When a launch is captured, or added to a graph, it cannot be given a buffer for its records, because the graph may be
// launched at any time and from any stream. So the runtime only notes which kernels in graphs record, and gives a
// buffer to all of them at the launch of any graph.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAPROFILE_H
#define TILECC_RUNTIME_CUDAPROFILE_H

#include "cuda/CudaModule.h"

namespace tilecc::rt {

// Notes the kernel of a launch that is captured or becomes a node.
void noteGraphedKernel(Kernel &kernel, const CudaLaunch &launch);
// Forgets the kernels of a module that is unloaded.
void forgetGraphedKernels(const Module &module);

// Launches a graph in the current context, and records its kernels.
ttError_t launchGraph(ttGraphExec_t exec, ttStream_t stream);

// Returns the memory functions for the current context.
const ProfileMemory &cudaProfileMemory();
// Sets *isCaptured to true if a launch in the stream would be captured.
ttError_t isCaptured(ttStream_t stream, bool *isCaptured);

// Calls launchNow(), and records the launch if it should be recorded.
template <class Launch>
ttError_t launchProfiled(Kernel &kernel, const CudaLaunch &launch, ttStream_t stream, Launch launchNow) {
  bool captured;
  if (ttError_t error = isCaptured(stream, &captured))
    return error;
  if (captured)
    noteGraphedKernel(kernel, launch);
  if (captured || !wantsProfile(kernel))
    return launchNow();
  ProfileGuard guard;
  ProfiledLaunch profile(cudaProfileMemory(), kernel, launch.profile, countRecordingWarps(launch.grid, launch.threads));
  ttError_t error = launchNow();
  profile.finish();
  return error;
}

} // namespace tilecc::rt
#endif
