//===-- KernelRegistry.h - the kernels of this process ---------------------------------------------------------===//
//
// Objects register their descriptors in constructors, in any order, and before any other code of the runtime has run.
// Registration only appends the descriptor to a list. The first launch that does not find its kernel in the table then
// indexes the new entries of the list. Two objects may contain the same kernel (a template in a header). The first one
// is used; the others stand by until it is unregistered.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_KERNELREGISTRY_H
#define TILECC_RUNTIME_KERNELREGISTRY_H

#include "DeviceKinds.h"
#include "Support.h"

namespace tilecc::rt {

struct Module;

// One kernel of a registered object.
struct Kernel {
  const tilecc_kernel *abi; // owned by the object
  Module *module;           // owns this
  Kernel *standby;          // a kernel with the same stub in another object, or null; under the registry's lock
  // What each kind of device has loaded for the kernel. It is owned by the kind, and any thread may read it. It is null
  // at first, and is changed under the module's lock.
  std::atomic<void *> loaded[deviceSlotCount];
  std::atomic<uint32_t> profiledLaunches; // how many launches of it have recorded times (Profile.h)
};

// One registered object. Other copies of the runtime read the first two members (Peers.h).
struct Module {
  const tilecc_module *abi; // owned by the object
  std::atomic<Module *> next; // on the registry's list; changed under its lock
  bool indexed; // its kernels are in the table; under the registry's lock
  Kernel *kernels; // [abi->kernel_count], owned, null until indexed
  Mutex loading; // held while code of this module is loaded into a context
  void *loaded[deviceSlotCount]; // what each kind has loaded for the object; under `loading`
};

// Returns the kernel of a host function, or null if this copy of the runtime has none. The kernel lives until its
// object is unregistered, which must not happen while it is used: a library must not be closed (dlclose) while its
// kernels are launched. Thread-safe. Takes no lock for a stub that has been looked up before.
Kernel *findKernel(const void *stub);

// Returns the descriptor of the object that contains a kernel, and sets *description to that of the kernel. Returns
// null if this copy of the runtime does not have the kernel.
const tilecc_module *describeKernel(const void *stub, const tilecc_kernel **description);

// Records why findKernel() failed. otherVersion is the ABI version of an incompatible copy that has the kernel, or 0.
ttError_t failNoKernel(const void *stub, uint32_t otherVersion);

// Returns true if an address is in the main program's file, which stays loaded until the process ends.
bool isInMainProgram(const void *address);

// Calls `f` for every registered kernel, under the registry's lock, so `f` must not register kernels. Returns the last
// failure.
ttError_t forEachKernel(ttError_t (*f)(Kernel &kernel));

// Returns the first registered kernel for which `is` returns true, or null. Holds the registry's lock.
Kernel *findKernelThat(bool (*is)(Kernel &kernel, void *context), void *context);

// Returns the newest architecture for which a registered object has PTX (90 for compute_90), or 0.
unsigned newestPtxArch();

} // namespace tilecc::rt
#endif
