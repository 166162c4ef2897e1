//===- Images.cpp - finds the code in images ----------------------------------------------------------------------===//

#include "Images.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

using namespace tilecc::cuda;

namespace {
struct Wrapper { // nvcc's objects register it
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
constexpr uint32_t magicOfWrapper = 0x466243b1, magicOfFatbin = 0xba55ed50;
constexpr uint16_t kindPtx = 1;

/// A compression method of nvcc. Its library is loaded only if a program needs it.
struct Compression {
  uint64_t flag;
  const char *name, *library;
  bool (*decompress)(void *library, std::string &to, const char *from, size_t size);
};
constexpr Compression compressions[] = {
    {0x8000, "zstd", "libzstd.so.1",
     [](void *library, std::string &to, const char *from, size_t size) {
       auto decompress =
           reinterpret_cast<size_t (*)(void *, size_t, const void *, size_t)>(dlsym(library, "ZSTD_decompress"));
       return decompress && decompress(to.data(), to.size(), from, size) == to.size();
     }},
    {0x2000, "LZ4", "liblz4.so.1",
     [](void *library, std::string &to, const char *from, size_t size) {
       auto decompress =
           reinterpret_cast<int (*)(const char *, char *, int, int)>(dlsym(library, "LZ4_decompress_safe"));
       return decompress && decompress(from, to.data(), int(size), int(to.size())) == int(to.size());
     }},
};
} // namespace

/// Reads the PTX text of an entry.
static CUresult readPtx(const FatbinEntry &entry, Image &image) {
  image.bytes = reinterpret_cast<const char *>(&entry) + entry.headerSize;
  for (const Compression &compression : compressions)
    if (entry.flags & compression.flag) {
      std::string &text = image.decompressed;
      text.assign(entry.uncompressedSize, 0);
      void *library = dlopen(compression.library, RTLD_NOW);
      if (!library || !compression.decompress(library, text, image.bytes, entry.compressedSize)) {
        std::fprintf(stderr, "emulated CUDA: a program's PTX is compressed by %s, %s\n", compression.name,
                     library ? "and is damaged" : dlerror());
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
      }
      image.bytes = text.c_str();
      image.size = std::strlen(text.c_str());
      return CUDA_SUCCESS;
    }
  image.size = strnlen(image.bytes, entry.size);
  return CUDA_SUCCESS;
}

/// Reads the PTX for the newest architecture.
static CUresult readFatbin(const FatbinHeader *header, Image &image) {
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
  if (best)
    return readPtx(*best, image);
  std::fputs("emulated CUDA: a program has no PTX to run; compile it for compute_XX\n", stderr);
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/// Reads a shared object, which ends with its table of sections (as LLD writes it). The other objects in this format
/// are cubins.
static CUresult readObject(const void *bytes, Image &image) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.e_machine == EM_CUDA) {
    std::fputs("emulated CUDA: a cubin cannot run without a GPU; the program needs PTX (compute_XX)\n", stderr);
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  image.bytes = static_cast<const char *>(bytes);
  image.size = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
  return CUDA_SUCCESS;
}

CUresult tilecc::cuda::readImage(const void *bytes, Image &image) {
  uint32_t magic;
  std::memcpy(&magic, bytes, sizeof magic);
  if (magic == magicOfWrapper)
    return readFatbin(static_cast<const FatbinHeader *>(static_cast<const Wrapper *>(bytes)->data), image);
  if (magic == magicOfFatbin)
    return readFatbin(static_cast<const FatbinHeader *>(bytes), image);
  if (!std::memcmp(&magic, ELFMAG, SELFMAG))
    return readObject(bytes, image);
  image.bytes = static_cast<const char *>(bytes); // text
  image.size = std::strlen(image.bytes);
  return CUDA_SUCCESS;
}
