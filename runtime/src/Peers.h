//===-- Peers.h - the other copies of the runtime in this process ----------------------------------------------===//
//
// Every program and every shared library that links the static runtime has a copy of the runtime of its own. A copy
// knows the kernels of its own object file, and exports no symbols. But tt::launch in a program uses the program's
// copy, and the kernel may be in a library. So a copy that does not know a kernel searches for the copy that does, its
// peer, and forwards the call to it. The peer does the work, because it owns the kernel's code in each context, and
// unloads this code when its library is closed. It uses the caller's choice of device, and records errors for the
// caller.
//
// How the search works: each copy marks its file with an ELF note (owner "TileCC", type TILECC_ABI_VERSION), which
// contains the distance from the note to the copy's Peer. A search walks the loader's list of files (dl_iterate_phdr),
// and in each peer the list of registered modules. Meanwhile, other threads may register kernels, and load and close
// libraries. The search takes no lock of the peer (which a forking thread may hold), and calls no function in it. It is
// safe for these reasons:
//
//   - The loader unmaps no file while its list is being walked, and the search ends with the walk.
//   - The loader lists a file before relocating it and until after its destructors have run. So nothing that needs a
//     relocation is read before there is a module, and modules exist only between constructor and destructor.
//   - A module that is unregistered is removed from the list, and freed only after `readers` has been zero.
//
// Results are cached, because a walk takes microseconds if hundreds of libraries are loaded. The loader counts the
// files that it has unloaded; when this number changes, the cache is dropped, so no result outlives its library.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PEERS_H
#define TILECC_RUNTIME_PEERS_H

#include "KernelRegistry.h"

namespace tilecc::rt {

struct LastError;

// The state of a thread in one copy of the runtime.
struct ThreadState {
  int device; // the device chosen with ttSetDevice, as in Device.h
  LastError *error; // where failures are recorded; not owned
};

// What a copy of the runtime shows to other copies. These may come from another build, so the layout is part of the ABI
// version.
struct Peer {
  std::atomic<Module *> modules; // registered, latest first; owned by this copy, changed under its registry's lock
  std::atomic<uint32_t> readers; // number of searches by other copies that are reading `modules`
  // The members below may be used only while one of the peer's kernels may be used.
  ThreadState (*exchangeState)(ThreadState state); // of the calling thread; returns the previous state
  ttError_t (*launchKernel)(const ttLaunchConfig *config, const void *kernel, void **args);
  ttError_t (*activePrograms)(int *programs, const void *kernel);
  ttError_t (*addKernelNode)(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                             const ttKernelNodeParams *params);
  ttError_t (*setKernelNode)(ttGraphExec_t exec, ttGraphNode_t node, const ttKernelNodeParams *params);
  ttError_t (*preload)(const void *kernel);
  ttError_t (*getFunction)(ttFunction_t *function, const void *kernel);
  ttError_t (*funcGetAttributes)(ttFuncAttributes *attributes, const void *kernel);
  const tilecc_module *(*describe)(const void *kernel, const tilecc_kernel **description);
};

// The Peer of this copy.
extern Peer thisCopy asm("__tilecc_peer"); // the note refers to it

// Waits until no search of another copy can still see a module that has been removed from the list.
void waitForReaders();

// Returns the kinds of images in the objects of all copies, as bits 1 << TILECC_IMAGE_*. Bit 0 is set if there is any
// object. Thread-safe.
unsigned registeredImages();

// Returns the copy that knows a kernel that this copy does not know, or null. If that copy is incompatible, returns
// null and sets *otherVersion to its ABI version. Thread-safe.
const Peer *findPeer(const void *stub, uint32_t *otherVersion);

} // namespace tilecc::rt
#endif
