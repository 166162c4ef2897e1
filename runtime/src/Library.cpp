//===-- Library.cpp - kernels loaded at run time ---------------------------------------------------------------===//
//
// A library is a shared object like one that tcc links, but without constructors. It is loaded from memory, its
// descriptor is found by name and registered like an object's, and from then on its kernels are like all others.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "tilecc/profile.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilecc::rt;

struct ttLibrary_st {
  void *handle; // owned; the loader's handle
  // Owned. The loader identifies files by name. As long as the library is loaded, another file with this number would
  // be taken for it, so the number stays reserved.
  int file;
  const tilecc_module *module; // owned by the library
};

// Creates a memory file with these bytes. Returns -1 on failure.
static int fileOf(const void *data, size_t bytes) {
#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif
  // Some systems require MFD_EXEC; older kernels do not know it.
  int file = memfd_create("tilecc-library", MFD_CLOEXEC | MFD_EXEC);
  if (file < 0)
    file = memfd_create("tilecc-library", MFD_CLOEXEC);
  for (auto *from = static_cast<const char *>(data); file >= 0 && bytes;) {
    ssize_t written = write(file, from, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    from += written;
    bytes -= static_cast<size_t>(written);
  }
  return file;
}

// Counts unloaded libraries. A thread that loads a library reads this afterwards, which orders its accesses after those
// of the thread that unloaded a library from the same addresses.
static constinit std::atomic<unsigned> unloads{0};

static ttError_t open(ttLibrary_st &library) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", library.file);
  library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library.handle)
    return fail(ttErrorInvalidKernelImage, "ttLibraryLoadData: %s", dlerror());
  (void)unloads.load(std::memory_order_acquire);
  auto *table = static_cast<const tilecc_library *>(dlsym(library.handle, TILECC_LIBRARY_SYMBOL));
  if (!table)
    return fail(ttErrorInvalidKernelImage, "ttLibraryLoadData: the library is not a library of tile kernels");
  if (table->abi_version != TILECC_ABI_VERSION)
    return fail(
        ttErrorInvalidKernelImage,
        "ttLibraryLoadData: the library was compiled by another version of tcc (its tables have version %u, this "
        "runtime reads version %u)",
        table->abi_version, TILECC_ABI_VERSION);
  static constexpr tilecc_cpu_calls calls = {__tilecc_cpu_assertion_failed, __tilecc_cpu_check_access,
                                             __tilecc_cpu_wait, __tilecc_cpu_wait_over, __tilecc_cpu_record};
  *table->calls = &calls;
  library.module = table->module;
  return ttSuccess;
}

static void close(ttLibrary_st *library) {
  unloads.fetch_add(1, std::memory_order_release);
  if (library->handle)
    dlclose(library->handle);
  if (library->file >= 0)
    ::close(library->file);
  free(library);
}

// The loader trusts its input, so reject files that are not libraries or are truncated. In LLD's output, the section
// table comes last.
static bool isWhole(const void *data, size_t bytes) {
  ElfW(Ehdr) header;
  if (bytes < sizeof(header))
    return false;
  memcpy(&header, data, sizeof(header));
  return !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_type == ET_DYN && header.e_shoff <= bytes &&
         header.e_shnum * static_cast<size_t>(header.e_shentsize) <= bytes - header.e_shoff;
}

ttError_t ttLibraryLoadData(ttLibrary_t *result, const void *data, size_t bytes) {
  *result = nullptr;
  if (!isWhole(data, bytes))
    return fail(ttErrorInvalidKernelImage, "ttLibraryLoadData: these %zu bytes are not a library", bytes);
  auto *library = static_cast<ttLibrary_st *>(calloc(1, sizeof(ttLibrary_st)));
  if (!library)
    return fail(ttErrorMemoryAllocation, "not enough memory to load a library");
  library->file = fileOf(data, bytes);
  ttError_t error = library->file < 0
                        ? fail(ttErrorOperatingSystem, "ttLibraryLoadData: a file in memory: %s", strerror(errno))
                        : open(*library);
  if (error) {
    close(library);
    return error;
  }
  __tilecc_register(library->module);
  *result = library;
  return ttSuccess;
}

ttError_t ttLibraryUnload(ttLibrary_t library) {
  if (!library)
    return fail(ttErrorInvalidResourceHandle, "ttLibraryUnload: the library is null");
  __tilecc_unregister(library->module);
  close(library);
  return ttSuccess;
}

ttError_t ttLibraryGetKernel(const void **kernel, ttLibrary_t library, const char *name) {
  *kernel = nullptr;
  if (!library)
    return fail(ttErrorInvalidResourceHandle, "ttLibraryGetKernel: the library is null");
  const tilecc_module &module = *library->module;
  char names[512];
  size_t length = snprintf(names, sizeof(names), "%s", module.kernel_count ? "" : "none");
  for (uint32_t i = 0; i < module.kernel_count; ++i) {
    const tilecc_kernel &each = module.kernels[i];
    if (!strcmp(each.display_name, name) || !strcmp(each.name, name)) {
      *kernel = each.stub;
      return ttSuccess;
    }
    if (length < sizeof(names))
      length += snprintf(names + length, sizeof(names) - length, "%s%s", i ? ", " : "", each.display_name);
  }
  return fail(ttErrorSymbolNotFound, "%s has no kernel '%s'; it has: %s", module.source, name, names);
}
