//===- Cache.h - the cache of compiled programs -------------------------------------------------------*- C++ -*-===//
//
// The cache is a folder with one file for each program. The name of the file is a hash of all inputs that are known
// before the compilation: the source, its headers in memory, the options, the compiler itself, and the toolkit's
// programs. The files on disk that the compilation reads are known only afterwards. They are listed in the entry, with
// the hashes of their contents, and are checked when the entry is found.
//
// An entry is code that the process will run. For security, the folder and the entry must belong to the user and must
// not be writable by others, and links are not followed. An entry contains its own key, so that a copy under another
// name is invalid.
//
// Entries are created by an atomic rename, so a process may be killed at any time. Each entry begins with a hash of the
// rest of the file; a file with a wrong hash counts as missing. Processes share the folder without a lock, because two
// processes that compile the same program write the same entry. A process that adds an entry removes the least recently
// used entries until the others are within the size limit.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LIBRARY_CACHE_H
#define TILECC_LIBRARY_CACHE_H

#include "library/Build.h"

namespace tilecc {

class Cache {
public:
  /// Uses the folder `dir`, or cacheFolder() if `dir` is empty. The name "off" disables the cache.
  explicit Cache(llvm::StringRef dir);

  /// Returns the entry of a program, if it exists and is still valid. Appends to `notes` which entries were ignored,
  /// and why.
  std::optional<BuildResult> find(llvm::StringRef key, std::string &notes) const;
  /// Adds an entry. If the cache is not writable, only appends the reason to `notes`.
  void add(llvm::StringRef key, const BuildResult &result, std::string &notes) const;

private:
  std::string dir; ///< empty: the cache is disabled
};

/// Returns the name of the entry for a program.
std::string keyOf(const ProgramSource &source, llvm::ArrayRef<std::string> options);

} // namespace tilecc

#endif // TILECC_LIBRARY_CACHE_H
