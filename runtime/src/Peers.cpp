//===-- Peers.cpp ----------------------------------------------------------------------------------------------===//
//
// Finds the other copies of the runtime in the process, so that a kernel can be launched from any of them.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Peers.h"
#include "Device.h"
#include "Error.h"
#include "Fork.h"

#include <link.h>
#include <sched.h>
#include <string.h>

using namespace tilecc::rt;

static ThreadState exchangeState(ThreadState state) {
  return {exchangeChosenDevice(state.device), exchangeLastError(state.error)};
}

constinit Peer tilecc::rt::thisCopy = {
    .modules = nullptr,
    .readers = 0,
    .exchangeState = exchangeState,
    .launchKernel = ttLaunchKernelEx,
    .activePrograms = ttOccupancyMaxActivePrograms,
    .addKernelNode = ttGraphAddKernelNode,
    .setKernelNode = ttGraphExecKernelNodeSetParams,
    .preload = ttPreload,
    .getFunction = ttGetFunction,
    .funcGetAttributes = ttFuncGetAttributes,
    .describe = describeKernel,
};

// Linkers keep notes, and the data that they refer to, when they discard unused sections. Unlike an address, a distance
// needs no relocation at load time. It has 64 bits, because programs may have gigabytes of GPU code between notes and
// data.
#define TEXT(value) #value
#define NOTE_TYPE(version) TEXT(version)
asm(".pushsection .note.tilecc, \"a\", %note\n"
    ".balign 4\n"
    ".long 7, 8, " NOTE_TYPE(TILECC_ABI_VERSION) "\n"
                                                 ".asciz \"TileCC\"\n"
                                                 ".balign 4\n"
                                                 ".quad __tilecc_peer - .\n"
                                                 ".popsection\n");
static const char noteOwner[] = "TileCC";

namespace {

// Cached results: direct-mapped by the stub's address.
struct Found {
  const void *stub;
  const Peer *peer; // not owned
};
enum { cacheSize = 256 };

struct Search {
  const void *stub;
  const Peer *result;
  uint32_t otherVersion;
};

} // namespace

// Held during a search, so that no fork happens in the middle of one: the child would find a peer's `readers` that is
// never decremented. A search waits for nothing but the loader's list.
static constinit Mutex searchLock;
static constinit Found cache[cacheSize] = {}; // under the lock
static constinit unsigned long long cacheUnloads = 0; // the loader's count for which the cache is valid; under the lock

void tilecc::rt::lockPeersForFork() { searchLock.lock(); }
void tilecc::rt::unlockPeersAfterFork() { searchLock.unlock(); }

void tilecc::rt::waitForReaders() {
  while (thisCopy.readers.load())
    sched_yield();
}

// Returns the peer in a loaded file, or null.
static Peer *peerIn(const dl_phdr_info &file, uint32_t &otherVersion) {
  for (const ElfW(Phdr) *header = file.dlpi_phdr, *end = header + file.dlpi_phnum; header < end; ++header) {
    if (header->p_type != PT_NOTE)
      continue;
    const size_t align = header->p_align == 8 ? 8 : 4;
    auto padded = [align](size_t size) { return (size + align - 1) & -align; };
    auto *notes = reinterpret_cast<const char *>(file.dlpi_addr + header->p_vaddr);
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= header->p_memsz;) {
      ElfW(Nhdr) note;
      memcpy(&note, notes + at, sizeof(note));
      const char *owner = notes + at + sizeof(note);
      size_t contents = at + padded(sizeof(note) + note.n_namesz);
      at = contents + padded(note.n_descsz);
      if (note.n_namesz != sizeof(noteOwner) || memcmp(owner, noteOwner, sizeof(noteOwner)))
        continue;
      if (note.n_type != TILECC_ABI_VERSION) {
        otherVersion = note.n_type;
        return nullptr;
      }
      int64_t distance;
      memcpy(&distance, notes + contents, sizeof(distance));
      return reinterpret_cast<Peer *>(reinterpret_cast<uintptr_t>(notes + contents) + distance);
    }
  }
  return nullptr;
}

// Calls visit(object) for a peer's objects until it returns true. Returns true if it did.
template <class Visit> static bool visitModules(Peer &peer, Visit visit) {
  // The two operations are sequentially consistent: either waitForReaders() sees this reader, or this reader does not
  // see the module.
  peer.readers.fetch_add(1);
  bool found = false;
  for (Module *module = peer.modules.load(); module && !found; module = module->next.load())
    if (module->abi->abi_version == TILECC_ABI_VERSION)
      found = visit(*module->abi);
  peer.readers.fetch_sub(1);
  return found;
}

static bool knows(Peer &peer, const void *stub) {
  return visitModules(peer, [=](const tilecc_module &object) {
    for (uint32_t i = 0; i < object.kernel_count; ++i)
      if (object.kernels[i].stub == stub)
        return true;
    return false;
  });
}

// Called for each loaded file; a nonzero result ends the walk. Must not touch thread-local variables, which the loader
// may have to allocate under another of its locks.
static int visit(dl_phdr_info *file, size_t, void *data) {
  Search &search = *static_cast<Search *>(data);
  Found &cached = cache[(reinterpret_cast<uintptr_t>(search.stub) >> 4) % cacheSize];
  if (file->dlpi_subs != cacheUnloads) {
    memset(cache, 0, sizeof(cache));
    cacheUnloads = file->dlpi_subs;
  }
  if (cached.stub == search.stub) {
    search.result = cached.peer;
    return 1;
  }
  Peer *peer = peerIn(*file, search.otherVersion);
  if (!peer || peer == &thisCopy || !knows(*peer, search.stub))
    return 0;
  search.result = peer;
  cached = {search.stub, peer};
  return 1;
}

const Peer *tilecc::rt::findPeer(const void *stub, uint32_t *otherVersion) {
  installForkHandlers();
  Search search = {stub, nullptr, 0};
  Lock lock(searchLock);
  dl_iterate_phdr(visit, &search);
  if (!search.result && search.otherVersion)
    *otherVersion = search.otherVersion;
  return search.result;
}

static int addImages(dl_phdr_info *file, size_t, void *data) {
  uint32_t otherVersion;
  if (Peer *peer = peerIn(*file, otherVersion))
    visitModules(*peer, [=](const tilecc_module &object) {
      auto &images = *static_cast<unsigned *>(data);
      images |= 1;
      for (uint32_t i = 0; i < object.image_count; ++i)
        if (object.images[i].kind < 32) // devices of plug-ins are used only if they are named
          images |= 1u << object.images[i].kind;
      return false;
    });
  return 0;
}

unsigned tilecc::rt::registeredImages() {
  unsigned images = 0;
  Lock lock(searchLock);
  dl_iterate_phdr(addImages, &images);
  return images;
}
