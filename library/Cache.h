//===- Cache.h - programs that were compiled before ---------------------------------------------------------*- C++
//-*-//
//
// A folder with a file for each program. Its name is a hash of all that goes into a compilation and is known before it:
// the source, its headers in memory, the options, the compiler itself, and the toolkit's programs. What is known only
// afterwards, the files on the disk that were read, is in the entry with their contents' hashes, and looked at when it
// is found.
//
// An entry is code that the process runs. So the folder and the entry have to belong to the user and be closed to others'
// writing, no link is followed, and the entry names its key: one that was copied to another name is none.
//
// Entries appear whole, by a rename, so that a process may be killed at any time; each begins with a hash of the rest,
// so that what is damaged, or not of this cache, is taken for what is not there. Processes share the folder without a
// lock: two that compile the same program write the same entry. When a process adds one, it removes those that have not
// been used for the longest time until the rest is within the bound.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LIBRARY_CACHE_H
#define TILECC_LIBRARY_CACHE_H

#include "library/Build.h"

namespace tilecc {

class Cache {
public:
  /// In `dir` or, where that is empty, in TILECC_CACHE_DIR, XDG_CACHE_HOME/tilecc or ~/.cache/tilecc. "off": there is
  /// none.
  explicit Cache(llvm::StringRef dir);

  /// The entry of a program, if there is one that is still right. What is ignored, and why, is added to `notes`.
  std::optional<BuildResult> find(llvm::StringRef key, std::string &notes) const;
  /// A cache that cannot be written is none: the reason is added to `notes`.
  void add(llvm::StringRef key, const BuildResult &result, std::string &notes) const;

private:
  void removeOldest() const;

  std::string dir; ///< empty: there is none
};

/// What an entry is called.
std::string keyOf(const ProgramSource &source, llvm::ArrayRef<std::string> options);

} // namespace tilecc

#endif // TILECC_LIBRARY_CACHE_H
