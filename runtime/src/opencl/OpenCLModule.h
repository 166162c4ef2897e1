//===-- OpenCLModule.h - loads and launches code on an OpenCL device ----------------------------------------------===//
//
// The OpenCL kind of device runs SPIR-V images.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_OPENCLMODULE_H
#define TILECC_RUNTIME_OPENCLMODULE_H

#include "HostMemory.h"
#include "KernelRegistry.h"

namespace tilecc::rt {

// These functions implement the functions of DeviceKind and HostPrimitives with these names.
ttError_t launchOnOpenCL(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args);
ttError_t preloadOnOpenCL(Kernel &kernel);
ttError_t openclAttributes(Kernel &kernel, ttFuncAttributes &attributes);
void unloadFromOpenCL(Module &module);

} // namespace tilecc::rt
#endif
