//===-- Peers.h - the other copies of the runtime in this process ----------------------------------------------===//
//
// Every program and shared library that links the static runtime has a copy of its own, which knows the kernels of that
// object file and shows no symbols. But tt::launch in a program is the program's copy, and the kernel may be a
// library's. So a copy that does not know a kernel looks for the copy that does, its peer, and passes the call on. The
// peer does the work, because it owns the kernel's code in each context and unloads it when its library goes; but it
// does so with the caller's choice of device, and what it has to say goes into the caller's record of errors.
//
// Finding. Each copy marks the file it is linked into with an ELF note, owner "TileCC", type TILECC_ABI_VERSION, whose
// contents is the distance to the copy's Peer. A search walks the loader's list of files (dl_iterate_phdr) and in each
// peer the list of registered modules. Meanwhile other threads register kernels, load libraries and close them. It is
// safe, without a lock of the peer's (a thread that forks may hold that) or a call into it, for these reasons:
//
//   - The loader unmaps no file while its list is being walked. Hence the search is over when the walk is.
//   - It lists a file before it has relocated it, and until after its destructors have run. So nothing that needs a
//     relocation is read before there is a module, and a module is there from constructor to destructor only.
//   - A module that is unregistered is taken off the list and freed when `readers` has been zero.
//
// Results are cached, because a walk costs microseconds where hundreds of libraries are loaded. The loader counts the
// files it has unloaded; the cache is dropped when that number changes, so no result outlives its library.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PEERS_H
#define TILECC_RUNTIME_PEERS_H

#include "Registry.h"

namespace tilecc::rt {

struct LastError;

// What belongs to a thread in one copy of the runtime.
struct ThreadState {
  int device;       // the choice that ttSetDevice made, as in Device.h
  LastError *error; // where failures are recorded; not owned
};

// What a copy shows the others, which may be of another build: the layout is part of the ABI's version.
struct Peer {
  std::atomic<Module *> modules;  // registered, the latest first; owned by this copy, changed under its registry's lock
  std::atomic<uint32_t> readers;  // searches of other copies that are in `modules`
  // The rest may be used while one of the peer's kernels may.
  ThreadState (*exchangeState)(ThreadState state); // of the calling thread; returns what it was
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

// This copy's.
extern Peer thisCopy asm("__tilecc_peer"); // the note refers to it

// Waits until no search of another copy can still see a module that was taken off the list before.
void waitForReaders();

// The copy that knows a kernel which this one does not; else null, and if a copy was found that cannot be asked,
// *otherVersion is its version of the ABI. Any thread.
const Peer *findPeer(const void *stub, uint32_t *otherVersion);

} // namespace tilecc::rt
#endif
