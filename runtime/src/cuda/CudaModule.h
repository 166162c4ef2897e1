//===-- CudaModule.h - kernels on NVIDIA GPUs ------------------------------------------------------------------===//
//
// Code is loaded at a kernel's first launch in a context and kept with the context's id, which the driver never gives
// twice, so that contexts may come and go. A launch whose kernel is loaded takes no lock: it asks the driver for the id
// of the current context, looks for it in the kernel's list (of one element nearly always), and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAMODULE_H
#define TILECC_RUNTIME_CUDAMODULE_H

#include "cuda/CudaTypes.h"
#include "Registry.h"

namespace tilecc::rt {

// A launch as the driver takes it.
struct CudaLaunch {
  ttFunction_t function;
  ttDim3 grid; // of blocks
  unsigned threads, sharedBytes;
  const CUlaunchAttribute *attributes; // not owned
  unsigned attributeCount;
};

// Loads the kernel if need be and calls use(context, launch, args) with what is to be launched in the current context;
// the arguments are the caller's and those that the runtime adds.
ttError_t withCudaLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args,
                         ttError_t (*use)(void *context, const CudaLaunch &launch, void **args), void *context);

// The kernel that a function of the current context is a variant of, and the blocks of its clusters; null if there is none.
Kernel *findCudaKernel(ttFunction_t function, unsigned *cluster);

// DeviceKind's functions of these names; any thread.
ttError_t launchOnCuda(Kernel &kernel, const ttLaunchConfig &config, void **args);
ttError_t activeOnCuda(Kernel &kernel, int *programs);
ttError_t preloadOnCuda(Kernel &kernel);
ttError_t cudaFunction(Kernel &kernel, ttFunction_t *function);
ttError_t cudaAttributes(Kernel &kernel, ttFuncAttributes &attributes);

// DeviceKind's unload: from every context.
void unloadFromCuda(Module &module);

} // namespace tilecc::rt
#endif
