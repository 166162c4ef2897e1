//===- Cache.h - the cache of compiled programs -------------------------------------------------------*- C++ -*-===//
//
// The cache is a folder with one file per program. The file's name is a hash of all inputs that are known before the
// compilation: the source, its headers in memory, the options, the compiler itself, and the toolkit's programs. Inputs
// that are known only afterwards, the files on disk that were read, are listed in the entry with the hashes of their
// contents, and checked when the entry is found.
//
// An entry is code that the process will run. So the folder and the entry must belong to the user and not be writable
// by others, links are not followed, and the entry contains its key, so that one copied to another name is invalid.
//
// Entries are created by an atomic rename, so a process may be killed at any time. Each begins with a hash of the rest,
// so a damaged or foreign file counts as missing. Processes share the folder without a lock: two that compile the same
// program write the same entry. A process that adds an entry removes the least recently used ones until the rest is
// within the size limit.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LIBRARY_CACHE_H
#define TILECC_LIBRARY_CACHE_H

#include "library/Build.h"

namespace tilecc {

class Cache {
public:
  /// Uses the folder `dir` or, if that is empty, cacheFolder(). "off" disables the cache.
  explicit Cache(llvm::StringRef dir);

  /// Returns a program's entry if it exists and is still valid. Appends to `notes` which entries were ignored, and why.
  std::optional<BuildResult> find(llvm::StringRef key, std::string &notes) const;
  /// Adds an entry. If the cache is not writable, does nothing and appends the reason to `notes`.
  void add(llvm::StringRef key, const BuildResult &result, std::string &notes) const;

private:
  std::string dir; ///< empty: disabled
};

/// Returns the name of a program's entry.
std::string keyOf(const ProgramSource &source, llvm::ArrayRef<std::string> options);

} // namespace tilecc

#endif // TILECC_LIBRARY_CACHE_H
