//===- Installation.cpp - locates this library and the files next to it ------------------------------------------===//
//
// Headers, precompiled headers and Clang's own headers are found as in the driver, but relative to the library, because
// the program may be anywhere.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Installation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>
#include <link.h>

using namespace llvm;

namespace tilecc {

static std::string findRoot() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&findRoot), &info))
    return "/usr";
  SmallString<256> file;
  if (sys::fs::real_path(info.dli_fname, file))
    file = info.dli_fname;
  return sys::path::parent_path(sys::path::parent_path(file)).str(); // lib/libtilecc.so
}

std::string installed(StringRef relative) {
  static const std::string root = findRoot();
  SmallString<256> path(root);
  sys::path::append(path, relative);
  return path.str().str();
}

namespace {
struct Search {
  uintptr_t address;
  std::string id;
};
} // namespace

static int visit(dl_phdr_info *file, size_t, void *data) {
  Search &search = *static_cast<Search *>(data);
  ArrayRef headers(file->dlpi_phdr, file->dlpi_phnum);
  if (none_of(headers, [&](const ElfW(Phdr) & header) {
        return header.p_type == PT_LOAD && search.address - (file->dlpi_addr + header.p_vaddr) < header.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) &header : headers) {
    if (header.p_type != PT_NOTE)
      continue;
    ArrayRef notes(reinterpret_cast<const uint8_t *>(file->dlpi_addr + header.p_vaddr), header.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      memcpy(&note, notes.data(), sizeof note);
      size_t name = sizeof note, contents = name + alignTo(note.n_namesz, 4),
             end = contents + alignTo(note.n_descsz, 4);
      if (end > notes.size())
        break;
      if (note.n_type == NT_GNU_BUILD_ID && toStringRef(notes.slice(name, note.n_namesz)) == StringRef("GNU\0", 4))
        search.id = toHex(notes.slice(contents, note.n_descsz), /*LowerCase=*/true);
      notes = notes.drop_front(end);
    }
  }
  return 1;
}

const std::string &buildId() {
  static const std::string id = [] {
    Search search{reinterpret_cast<uintptr_t>(&visit), {}};
    dl_iterate_phdr(visit, &search);
    return search.id;
  }();
  return id;
}

} // namespace tilecc
