//===- Temporaries.h - creates files for ptxas and the linker -----------------------------------------*- C++ -*-===//
//
// Most of a compilation happens in memory; only ptxas and the linker need files.
//
//===-------------------------------------------------------------------------------------------------------------===//
//

#ifndef TILECC_LIBRARY_TEMPORARIES_H
#define TILECC_LIBRARY_TEMPORARIES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tilecc {

/// A folder for one compilation, with mode 0700. The destructor removes it.
class Temporaries {
public:
  Temporaries() = default;
  ~Temporaries();
  Temporaries(const Temporaries &) = delete;

  /// Returns the path of a file in the folder; the file need not exist. The first call creates the folder.
  llvm::Expected<std::string> path(llvm::StringRef name);
  /// Writes `bytes` to a new file and returns its path.
  llvm::Expected<std::string> write(llvm::StringRef name, llvm::StringRef bytes);

private:
  std::string folder;
};

llvm::Expected<std::string> readFile(llvm::StringRef path);

} // namespace tilecc

#endif // TILECC_LIBRARY_TEMPORARIES_H
