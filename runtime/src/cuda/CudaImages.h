//===-- CudaImages.h - an object's code in the contexts of a driver ---------------------------------------------===//
//
// The code of an object is loaded once into each context that launches its kernels.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDAIMAGES_H
#define TILECC_RUNTIME_CUDAIMAGES_H

#include "cuda/CudaTypes.h"
#include "KernelRegistry.h"

namespace tilecc::rt {

// The code of an object in one context. The object's slot contains a list of these.
struct CudaModule {
  CudaModule *next;
  CUcontext context;             // not owned; may have been destroyed, see contextId
  unsigned long long contextId;  // never reused by the driver
  CUmodule module;               // owned; also by the context
  int image;                     // index of the loaded image
};

// Returns the code of a kernel's object in the current context, and loads it if this is the first use. Called under the
// module's lock.
ttError_t loadCudaImage(const Kernel &kernel, unsigned long long contextId, const CudaModule **result);

// Unloads the code of an object from all contexts.
void unloadCudaImages(Module &module);

} // namespace tilecc::rt
#endif
