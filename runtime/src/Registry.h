//===-- Registry.h - the kernels of this process ---------------------------------------------------------------===//
//
// Objects register their descriptors from constructors, in any order and before anything of ours ran; all that happens
// then is that the descriptor goes on a list. The first launch that misses in the table of kernels indexes what is new
// on the list. Two objects may bring the same kernel (a template in a header): the first one serves, the others stand
// by until it is unregistered.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_REGISTRY_H
#define TILECC_RUNTIME_REGISTRY_H

#include "DeviceKinds.h"
#include "Support.h"

namespace tilecc::rt {

struct Module;

// One kernel of a registered object.
struct Kernel {
  const tilecc_kernel *abi; // the object's
  Module *module;           // the owner of this
  Kernel *standby;          // another object's kernel of the same stub, or null; under the registry's lock
  // What each kind of device has made of it: the kind's own, owned, and read by any thread. Null until then; changed
  // under the module's lock.
  std::atomic<void *> loaded[deviceKindCount];
};

// One registered object. Other copies of the runtime read the first two, see Peers.h.
struct Module {
  const tilecc_module *abi;   // the object's
  std::atomic<Module *> next; // on the registry's list; changed under its lock
  bool indexed;             // its kernels are in the table; under the registry's lock
  Kernel *kernels;          // [abi->kernel_count], owned, null until indexed
  Mutex loading;            // held while code of this module is loaded into a context
  void *loaded[deviceKindCount]; // likewise of the object; under `loading`
};

// The kernel of a host function, or null if this copy of the runtime has none. It lives until its object is
// unregistered, which must not happen while it is used (a library's kernels cannot be launched while it is dlclosed).
// Any thread; takes no lock for a stub it has seen.
Kernel *findKernel(const void *stub);

// The tables that an object brought of a kernel: its own and the object's; null if this copy of the runtime has none.
const tilecc_module *describeKernel(const void *stub, const tilecc_kernel **description);

// Records why findKernel did not find it. otherVersion is the version of tables that somebody else could not read, or
// 0.
ttError_t failNoKernel(const void *stub, uint32_t otherVersion);

// Whether an address is in the main program's image: what is there goes when the process does.
bool isInMainProgram(const void *address);

// Calls f for every registered kernel, under the registry's lock: f may not register. Returns the last failure.
ttError_t forEachKernel(ttError_t (*f)(Kernel &kernel));

// The first registered kernel that `is` says yes to, under the registry's lock; null if there is none.
Kernel *findKernelThat(bool (*is)(Kernel &kernel, void *context), void *context);

// The newest architecture that a registered object has PTX for (90 for compute_90), 0 if there is none.
unsigned newestPtxArch();

} // namespace tilecc::rt
#endif
