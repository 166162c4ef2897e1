//===- Registration.cpp - what objects tell CUDA's runtime of their kernels -------------------------------------------===//
//
// The functions that constructors of objects call, as nvcc and Clang make them, and finding what they registered.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "State.h"
#include "runtime/src/emu/EmulatorOptions.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <optional>

namespace tilecc::cudart {

State &state() {
  static State &whole = *new State;
  return whole;
}

/// Nothing, and words, if the environment asks for what there is not.
static std::optional<tilecc_emu_options> readOptions() {
  tilecc_emu_options options = {};
  options.version = TILECC_EMULATOR_VERSION;
  rt::EmulatorSettings settings = rt::settingsOfEnvironment();
  rt::EmulatorSettings::Name wrong;
  const char *&checks = settings.text[rt::EmulatorSettings::checks];
  // Reads of what was never written are no mistake in many CUDA programs: libraries copy whole registers and tiles.
  if (!checks || !*checks)
    checks = "memory,races";
  const char *rule = rt::applyEmulatorSettings(settings, options, &wrong);
  if (!rule)
    return options;
  std::fprintf(stderr, "emulated cudart: %s=%s: %s\n", rt::variableOf(wrong), settings.text[wrong], rule);
  return std::nullopt;
}

tilecc_emu_device *device() {
  static const std::optional<tilecc_emu_options> options = readOptions();
  tilecc_emu_device *shared = nullptr;
  keep(options ? tilecc_emu_default_device(&*options, &shared) : cudaErrorInvalidValue);
  return shared;
}

//===--- fatbinaries ------------------------------------------------------------------------------------------------===//

namespace {
struct Wrapper { // of __cudaRegisterFatBinary
  uint32_t magic, version;
  const void *data;
};
struct FatbinHeader {
  uint32_t magic;
  uint16_t version, headerSize;
  uint64_t size;
};
struct FatbinEntry {
  uint16_t kind, version;
  uint32_t headerSize;
  uint64_t size;
  uint32_t compressedSize, options;
  uint16_t minor, major;
  uint32_t arch, nameOffset, nameSize;
  uint64_t flags, reserved, uncompressedSize;
};
constexpr uint16_t kindPtx = 1;

/// How nvcc may have compressed an entry. The libraries are asked for only by a program that needs one.
struct Compression {
  uint64_t flag;
  const char *name, *library;
  bool (*decompress)(void *library, std::string &to, const char *from, size_t size);
};
constexpr Compression compressions[] = {
    {0x8000, "zstd", "libzstd.so.1",
     [](void *library, std::string &to, const char *from, size_t size) {
       auto decompress = reinterpret_cast<size_t (*)(void *, size_t, const void *, size_t)>(dlsym(library, "ZSTD_decompress"));
       return decompress && decompress(to.data(), to.size(), from, size) == to.size();
     }},
    {0x2000, "LZ4", "liblz4.so.1",
     [](void *library, std::string &to, const char *from, size_t size) {
       auto decompress = reinterpret_cast<int (*)(const char *, char *, int, int)>(dlsym(library, "LZ4_decompress_safe"));
       return decompress && decompress(from, to.data(), int(size), int(to.size())) == int(to.size());
     }},
};
} // namespace

/// The text of an entry that is PTX; nothing, and words, if it cannot be decompressed.
static std::optional<std::string> readPtx(const FatbinEntry &entry) {
  const char *bytes = reinterpret_cast<const char *>(&entry) + entry.headerSize;
  for (const Compression &compression : compressions)
    if (entry.flags & compression.flag) {
      std::string text(entry.uncompressedSize, 0);
      void *library = dlopen(compression.library, RTLD_NOW);
      if (library && compression.decompress(library, text, bytes, entry.compressedSize))
        return text.substr(0, text.find('\0'));
      std::fprintf(stderr, "emulated cudart: a program's PTX is compressed by %s, %s\n", compression.name,
                   library ? "and is damaged" : dlerror());
      return std::nullopt;
    }
  return std::string(bytes, strnlen(bytes, entry.size));
}

/// The PTX for the newest architecture; null if there is none.
static const FatbinEntry *findPtx(const void *wrapper) {
  auto *header = static_cast<const FatbinHeader *>(static_cast<const Wrapper *>(wrapper)->data);
  const char *at = reinterpret_cast<const char *>(header) + header->headerSize, *end = at + header->size;
  const FatbinEntry *best = nullptr;
  for (uint32_t newest = 0; at < end;) {
    auto *entry = reinterpret_cast<const FatbinEntry *>(at);
    if (entry->kind == kindPtx && entry->arch >= newest) {
      newest = entry->arch;
      best = entry;
    }
    at += entry->headerSize + entry->size;
  }
  return best;
}

static int load(Module &module) {
  if (module.loaded)
    return 0;
  const FatbinEntry *entry = findPtx(module.wrapper);
  if (!entry)
    std::fputs("emulated cudart: a program has no PTX to run; compile it for compute_XX\n", stderr);
  std::optional<std::string> ptx = entry ? readPtx(*entry) : std::nullopt;
  if (!ptx)
    return cudaErrorNoKernelImageForDevice;
  tilecc_emu_device *emulator = device();
  if (!emulator)
    return cudaErrorNoDevice;
  if (int error = tilecc_emu_load(emulator, ptx->data(), ptx->size(), "a program's PTX", &module.loaded))
    return error;
  size_t bytes;
  for (const auto &[pointer, name] : module.managed)
    if (int error = tilecc_emu_get_global(module.loaded, name.c_str(), pointer, &bytes))
      return error;
  return 0;
}

static Symbol *findSymbol(const void *host) {
  auto found = state().symbols.find(host);
  return found == state().symbols.end() ? nullptr : &found->second;
}

tilecc_emu_kernel *kernelOf(const void *function) {
  std::lock_guard lock(state().mutex);
  Symbol *symbol = findSymbol(function);
  if (!symbol) {
    keep(cudaErrorInvalidDeviceFunction);
    return nullptr;
  }
  if (!symbol->kernel && !keep(load(*symbol->module)))
    keep(tilecc_emu_get_kernel(symbol->module->loaded, symbol->name.c_str(), nullptr, &symbol->kernel));
  return symbol->kernel;
}

/// A variable's address on the device; null after an error.
static char *addressOf(const void *host, size_t *bytes) {
  std::lock_guard lock(state().mutex);
  Symbol *symbol = findSymbol(host);
  void *address = nullptr;
  if (!symbol)
    keep(cudaErrorInvalidSymbol);
  else if (!keep(load(*symbol->module)))
    keep(tilecc_emu_get_global(symbol->module->loaded, symbol->name.c_str(), &address, bytes));
  return static_cast<char *>(address);
}

static void add(void **handle, const void *host, const char *name, size_t bytes) {
  std::lock_guard lock(state().mutex);
  state().symbols[host] = {reinterpret_cast<Module *>(handle), name, bytes};
}

} // namespace tilecc::cudart

using namespace tilecc::cudart;

CUDART void **__cudaRegisterFatBinary(void *wrapper) { return reinterpret_cast<void **>(new Module{wrapper}); }
CUDART void __cudaRegisterFatBinaryEnd(void **) {}
CUDART void __cudaUnregisterFatBinary(void **) {} // a program's end; its kernels may still run in destructors
CUDART void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, uint3 *, uint3 *,
                                   dim3 *, dim3 *, int *) {
  add(handle, host, name, 0);
}
CUDART void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t bytes, int, int) {
  add(handle, host, name, bytes);
}
CUDART void __cudaRegisterManagedVar(void **handle, void **pointer, char *, const char *name, int, size_t bytes, int,
                                     int) {
  add(handle, pointer, name, bytes);
  reinterpret_cast<Module *>(handle)->managed.emplace_back(pointer, name);
}
CUDART char __cudaInitModule(void **handle) {
  std::lock_guard lock(state().mutex);
  return !keep(load(*reinterpret_cast<Module *>(handle)));
}

CUDART cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  size_t bytes;
  *address = addressOf(symbol, &bytes);
  return *address ? cudaSuccess : cudaPeekAtLastError();
}
CUDART cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return addressOf(symbol, bytes) ? cudaSuccess : cudaPeekAtLastError();
}
CUDART cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
  size_t size;
  char *address = addressOf(symbol, &size);
  return address ? cudaMemcpy(address + offset, from, bytes, kind) : cudaPeekAtLastError();
}
CUDART cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind) {
  size_t size;
  char *address = addressOf(symbol, &size);
  return address ? cudaMemcpy(to, address + offset, bytes, kind) : cudaPeekAtLastError();
}
