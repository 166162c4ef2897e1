//===-- CudaModule.h - kernels on NVIDIA GPUs ------------------------------------------------------------------===//
//
// Code is loaded at a kernel's first launch in a context and kept with the context's id, which the driver never gives
// twice, so that contexts may come and go. A launch whose kernel is loaded takes no lock: it asks the driver for the id
// of the current context, looks for it in the kernel's list (of one element nearly always), and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAMODULE_H
#define TILECC_RUNTIME_CUDAMODULE_H

#include "Registry.h"

namespace tilecc::rt {

// DeviceKind's functions of these names; any thread.
ttError_t launchOnCuda(Kernel &kernel, ttDim3 grid, void **args, ttStream_t stream);
ttError_t preloadOnCuda(Kernel &kernel);
ttError_t cudaFunction(Kernel &kernel, ttFunction_t *function);
ttError_t cudaAttributes(Kernel &kernel, ttFuncAttributes &attributes);

// DeviceKind's unload: from every context.
void unloadFromCuda(Module &module);

} // namespace tilecc::rt
#endif
