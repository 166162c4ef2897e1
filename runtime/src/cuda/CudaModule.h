//===-- CudaModule.h - kernels on NVIDIA GPUs ------------------------------------------------------------------===//
//
// Code is loaded at a kernel's first launch in a context. It is kept with the context's id, which the driver never
// reuses, so that contexts may come and go. A launch of a loaded kernel takes no lock: it asks the driver for the id of
// the current context, searches the kernel's list, which nearly always has one element, and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAMODULE_H
#define TILECC_RUNTIME_CUDAMODULE_H

#include "cuda/CudaTypes.h"
#include "Profile.h"

namespace tilecc::rt {

// A launch in the driver's terms.
struct CudaLaunch {
  ttFunction_t function;
  ttDim3 grid; // of blocks
  unsigned threads, sharedBytes;
  const CUlaunchAttribute *attributes; // not owned
  unsigned attributeCount;
  ProfileVariables profile; // where the code finds the buffer for its records, or null
};

// Loads the kernel if necessary and calls use(context, launch, args) with the launch parameters for the current
// context. The arguments are the caller's, followed by those that the runtime adds.
ttError_t withCudaLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args,
                         ttError_t (*use)(void *context, const CudaLaunch &launch, void **args), void *context);

// Returns the kernel one of whose variants is this function in the current context, and how many programs run each
// program of the grid. Returns null if there is none.
Kernel *findCudaKernel(ttFunction_t function, unsigned *parts);

// These functions implement launch, variant, activePrograms, preload, function and attributes of DeviceKind. They are
// thread-safe.
ttError_t launchOnCuda(Kernel &kernel, const ttLaunchConfig &config, void **args);
ttError_t variantOnCuda(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant);
ttError_t activeOnCuda(Kernel &kernel, int *programs);
ttError_t preloadOnCuda(Kernel &kernel);
ttError_t cudaFunction(Kernel &kernel, ttFunction_t *function);
ttError_t cudaAttributes(Kernel &kernel, ttFuncAttributes &attributes);

// Implements DeviceKind::unload: unloads the code from all contexts.
void unloadFromCuda(Module &module);

} // namespace tilecc::rt
#endif
