//===-- CacheFolder.h - folders that keep results for later processes ---------------------------------------------===//
//
// The rules are those of the compiler's caches (frontend/CacheFolder.h): the variables that name the folder, who may
// have written a file that is read, and the limit of a folder's size.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CACHEFOLDER_H
#define TILECC_RUNTIME_CACHEFOLDER_H

#include "Support.h"

namespace tilecc::rt {

// Writes the path of the folder `below` in TILECC_CACHE_DIR, XDG_CACHE_HOME/tilecc or ~/.cache/tilecc. Returns false if
// there is none, or if TILECC_CACHE_DIR is "off".
bool cacheFolder(const char *below, char *path, size_t size);

// Reads a file of a cache. Returns its contents, which the caller frees, and sets *size. Returns null if there is no
// such file, or if another user may have written it.
char *readCached(const char *folder, const char *name, size_t *size);

// Part of a file.
struct CachedPart {
  const void *data;
  size_t size;
};

// Writes a file of a cache, unless it cannot be written, which is not an error. Creates the folder. Afterwards, deletes
// the least recently written files of the folder until the others take at most TILECC_CACHE_SIZE megabytes (256 by
// default).
void writeCached(const char *folder, const char *name, const CachedPart *parts, unsigned count);

} // namespace tilecc::rt
#endif
