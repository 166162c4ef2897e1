//===- CacheFolder.h - manages folders that keep results for later compilations ---------------------*- C++ -*-===//
//
// Compilations read the files in cache folders and turn them into code. For security, a folder and its files must
// belong to the user, and must not be writable by others.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_CACHEFOLDER_H
#define TILECC_FRONTEND_CACHEFOLDER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <unistd.h>

namespace tilecc {

/// Returns the folder for caches: `asked` or, if that is empty, TILECC_CACHE_DIR, XDG_CACHE_HOME/tilecc or
/// ~/.cache/tilecc. Returns an empty string if the value is "off", or if none of these is set. A set-uid program
/// ignores the variables.
std::string cacheFolder(llvm::StringRef asked = {});

/// An open file or folder; -1 if it cannot be opened.
struct OpenedFile {
  explicit OpenedFile(int fd) : fd(fd) {}
  ~OpenedFile() {
    if (fd >= 0)
      ::close(fd);
  }
  OpenedFile(const OpenedFile &) = delete;
  const int fd;
};

OpenedFile openFolder(const std::string &dir);

/// Returns an empty string if only this user can have written the contents of an open file or folder; otherwise returns
/// the reason for distrust. Checks the open file, so nobody can replace the file after the check.
llvm::StringRef whyNotTrusted(int fd, bool isFolder);

/// Deletes the least recently modified entries of `dir` until the others take at most TILECC_CACHE_SIZE megabytes (256
/// by default). An entry is a file whose name ends in `suffix`, together with the files whose names begin with the name
/// of that file. Entries that were modified within the last `spared` seconds are kept. Also deletes temporary files
/// (.tmp) of processes that were killed.
void removeOldestEntries(const std::string &dir, llvm::StringRef suffix, unsigned spared = 0);

} // namespace tilecc

#endif // TILECC_FRONTEND_CACHEFOLDER_H
