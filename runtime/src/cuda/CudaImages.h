//===-- CudaImages.h - an object's code in the contexts of a driver ---------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAIMAGES_H
#define TILECC_RUNTIME_CUDAIMAGES_H

#include "cuda/CudaTypes.h"
#include "KernelRegistry.h"

namespace tilecc::rt {

// An object's code in one context. An object's slot holds a list of them.
struct CudaModule {
  CudaModule *next;
  CUcontext context;             // not owned; may have been destroyed, see contextId
  unsigned long long contextId;  // never reused by the driver
  CUmodule module;               // owned; also by the context
  int image;                     // index of the loaded image
};

// Returns the code of a kernel's object in the current context; loads it on first use. Under the module's lock.
ttError_t loadCudaImage(const Kernel &kernel, unsigned long long contextId, const CudaModule **result);

// Unloads an object's code from all contexts.
void unloadCudaImages(Module &module);

} // namespace tilecc::rt
#endif
