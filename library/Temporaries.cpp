//===- Temporaries.cpp - creates files for ptxas and the linker --------------------------------------------------===//
//
// ptxas and LLD take file names, so class Temporaries creates a temporary folder for the files.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Temporaries.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;

namespace tilecc {

Temporaries::~Temporaries() {
  if (!folder.empty())
    sys::fs::remove_directories(folder);
}

Expected<std::string> Temporaries::path(StringRef name) {
  if (folder.empty()) {
    SmallString<128> pattern;
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, pattern);
    sys::path::append(pattern, "tilecc-XXXXXX");
    if (!mkdtemp(const_cast<char *>(pattern.c_str())))
      return createFileError(pattern, std::error_code(errno, std::generic_category()));
    folder = pattern.str().str();
  }
  return folder + "/" + name.str();
}

Expected<std::string> Temporaries::write(StringRef name, StringRef bytes) {
  Expected<std::string> file = path(name);
  if (!file)
    return file;
  std::error_code error;
  raw_fd_ostream out(*file, error);
  if (!error) {
    out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    return createFileError(*file, error);
  return file;
}

Expected<std::string> readFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return createFileError(path, file.getError());
  return (*file)->getBuffer().str();
}

} // namespace tilecc
