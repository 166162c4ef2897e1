//===- CacheFolder.cpp - manages folders that keep results for later compilations -------------------------------===//
//
// Two caches use these functions: the programs of libtilecc (library/Cache.h), and the precompiled headers of CUDA that
// the first compilation with a set of options creates (PrecompiledWrapper.cpp).
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/CacheFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

using namespace llvm;

namespace tilecc {

std::string cacheFolder(StringRef asked) {
  std::string dir = asked.str();
  auto take = [&dir](const char *variable, StringRef below) {
    const char *value = secure_getenv(variable);
    if (dir.empty() && value && *value)
      dir = value + below.str();
  };
  take("TILECC_CACHE_DIR", "");
  take("XDG_CACHE_HOME", "/tilecc");
  take("HOME", "/.cache/tilecc");
  return dir == "off" ? std::string() : dir;
}

OpenedFile openFolder(const std::string &dir) {
  return OpenedFile(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

StringRef whyNotTrusted(int fd, bool isFolder) {
  struct stat status;
  if (fstat(fd, &status))
    return "its owner is not known";
  if (status.st_uid != geteuid())
    return "it belongs to another user";
  if (status.st_mode & 022)
    return "other users can write it";
  return isFolder == bool(S_ISDIR(status.st_mode)) ? "" : isFolder ? "it is not a folder" : "it is not a file";
}

/// Returns the size limit, which TILECC_CACHE_SIZE gives in megabytes.
static uint64_t maxBytes() {
  uint64_t megabytes = 0;
  if (const char *text = secure_getenv("TILECC_CACHE_SIZE"); text && !StringRef(text).getAsInteger(10, megabytes))
    return megabytes << 20;
  return uint64_t(256) << 20;
}

void removeOldestEntries(const std::string &dir, StringRef suffix, unsigned spared) {
  struct Entry {
    std::vector<std::string> files;
    uint64_t size = 0;
    sys::TimePoint<> used;
  };
  StringMap<Entry> entries;
  uint64_t total = 0, most = maxBytes();
  auto now = std::chrono::system_clock::now();
  std::error_code error;
  for (sys::fs::directory_iterator file(dir, error), end; !error && file != end; file.increment(error)) {
    StringRef name = sys::path::filename(file->path());
    sys::fs::file_status status;
    if (sys::fs::status(file->path(), status))
      continue; // another process has deleted it
    if (name.contains(".tmp")) {
      if (now - status.getLastModificationTime() > std::chrono::hours(1))
        sys::fs::remove(file->path());
      continue;
    }
    size_t stem = name.find(suffix);
    if (stem == StringRef::npos)
      continue;
    Entry &entry = entries[name.take_front(stem)];
    entry.files.push_back(file->path());
    entry.size += status.getSize();
    entry.used = std::max(entry.used, status.getLastModificationTime());
    total += status.getSize();
  }
  if (total <= most)
    return;
  auto oldestFirst = map_to_vector(entries, [](const auto &entry) { return &entry.second; });
  llvm::sort(oldestFirst, [](const Entry *a, const Entry *b) { return a->used < b->used; });
  // Free some more space than necessary, so that the next process need not delete entries again. A process that has an
  // entry open can still use it.
  for (const Entry *entry : oldestFirst) {
    if (total <= most / 10 * 9 || now - entry->used < std::chrono::seconds(spared))
      return;
    for (const std::string &file : entry->files)
      sys::fs::remove(file);
    total -= entry->size;
  }
}

} // namespace tilecc
