//===-- CudaModule.h - kernels on NVIDIA GPUs ------------------------------------------------------------------===//
//
// Code is loaded at the first launch of a kernel in a context. It is stored together with the id of the context, which
// the driver never reuses, so contexts may be created and destroyed at any time. A launch of a loaded kernel takes no
// lock: it asks the driver for the id of the current context, searches the kernel's list, which nearly always has one
// element, and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAMODULE_H
#define TILECC_RUNTIME_CUDAMODULE_H

#include "cuda/CudaTypes.h"
#include "Profile.h"

namespace tilecc::rt {

// A launch, as the driver needs it.
struct CudaLaunch {
  ttFunction_t function;
  ttDim3 grid; // the grid of blocks
  unsigned threads, sharedBytes;
  const CUlaunchAttribute *attributes; // not owned
  unsigned attributeCount;
  ProfileVariables profile; // the variables through which the code records times, or null
};

// Loads the kernel if necessary, and calls use(context, launch, args) with the launch parameters for the current
// context. `args` are the caller's arguments, followed by those that the runtime adds.
ttError_t withCudaLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args,
                         ttError_t (*use)(void *context, const CudaLaunch &launch, void **args), void *context);

// Returns the kernel one of whose variants is this function in the current context, or null. Sets *parts to the number
// of programs that do the work of one program of the grid.
Kernel *findCudaKernel(ttFunction_t function, unsigned *parts);

// These functions implement the functions of DeviceKind with these names. Thread-safe.
ttError_t launchOnCuda(Kernel &kernel, const ttLaunchConfig &config, void **args);
ttError_t variantOnCuda(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant);
ttError_t activeOnCuda(Kernel &kernel, int *programs);
ttError_t preloadOnCuda(Kernel &kernel);
ttError_t cudaFunction(Kernel &kernel, ttFunction_t *function);
ttError_t cudaAttributes(Kernel &kernel, ttFuncAttributes &attributes);

// Implements DeviceKind::unload, for all contexts.
void unloadFromCuda(Module &module);

} // namespace tilecc::rt
#endif
