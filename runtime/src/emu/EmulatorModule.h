//===-- EmulatorModule.h - kernels on the emulator -------------------------------------------------------------===//
//
// The code of an object is loaded at the first launch of one of its kernels. There is one device, so each kernel is
// loaded once. A launch of a loaded kernel takes no lock.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_EMULATORMODULE_H
#define TILECC_RUNTIME_EMULATORMODULE_H

#include "HostMemory.h"
#include "KernelRegistry.h"

namespace tilecc::rt {

// These functions implement the functions of DeviceKind with these names. Thread-safe.
ttError_t launchOnEmulator(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args);
ttError_t emulatorVariant(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant);
ttError_t preloadOnEmulator(Kernel &kernel);
ttError_t emulatorAttributes(Kernel &kernel, ttFuncAttributes &attributes);

// Implements DeviceKind::unload.
void unloadFromEmulator(Module &module);

} // namespace tilecc::rt
#endif
