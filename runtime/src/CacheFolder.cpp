//===-- CacheFolder.cpp ------------------------------------------------------------------------------------------===//
//
// Files are written under another name and renamed, so that a file is complete or is not there.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "CacheFolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilecc::rt;

bool tilecc::rt::cacheFolder(const char *below, char *path, size_t size) {
  const char *cache = secure_getenv("TILECC_CACHE_DIR"), *xdg = secure_getenv("XDG_CACHE_HOME"),
             *home = secure_getenv("HOME");
  if (cache && !strcmp(cache, "off"))
    return false;
  int length = cache && *cache ? snprintf(path, size, "%s/%s", cache, below)
               : xdg && *xdg   ? snprintf(path, size, "%s/tilecc/%s", xdg, below)
               : home && *home ? snprintf(path, size, "%s/.cache/tilecc/%s", home, below)
                               : -1;
  return length > 0 && static_cast<size_t>(length) < size;
}

// Returns true if only this user can have written an open file or folder.
static bool isTrusted(int file, bool isFolder, struct stat &status) {
  return !fstat(file, &status) && status.st_uid == geteuid() && !(status.st_mode & 022) &&
         (isFolder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode));
}

static int openFolder(const char *folder) {
  int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat status;
  if (opened < 0 || isTrusted(opened, /*isFolder=*/true, status))
    return opened;
  close(opened);
  return -1;
}

static bool readAll(int file, char *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(file, data + done, size - done);
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

static bool writeAll(int file, const CachedPart &part) {
  for (size_t done = 0; done < part.size;) {
    ssize_t count = write(file, static_cast<const char *>(part.data) + done, part.size - done);
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

char *tilecc::rt::readCached(const char *folder, const char *name, size_t *size) {
  const int opened = openFolder(folder);
  if (opened < 0)
    return nullptr;
  const int file = openat(opened, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  close(opened);
  if (file < 0)
    return nullptr;
  struct stat status;
  char *data = nullptr;
  if (isTrusted(file, /*isFolder=*/false, status)) {
    *size = static_cast<size_t>(status.st_size);
    data = static_cast<char *>(malloc(*size + 1));
    if (data && !readAll(file, data, *size)) {
      free(data);
      data = nullptr;
    }
  }
  close(file);
  return data;
}

static bool makeFolders(const char *folder) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof(path), "%s", folder) >= static_cast<int>(sizeof(path)))
    return false;
  for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
    *at = 0;
    mkdir(path, 0700);
  }
  mkdir(path, 0700);
  return true;
}

// Deletes the oldest files of a folder until the others take less than the limit, by a tenth, so that the next process
// need not delete files again.
static void removeOldest(int folder) {
  const char *text = secure_getenv("TILECC_CACHE_SIZE");
  const unsigned long long megabytes = text && *text ? strtoull(text, nullptr, 10) : 256, most = megabytes << 20;
  for (bool isTooLarge = false;;) {
    const int again = dup(folder);
    DIR *listing = again < 0 ? nullptr : fdopendir(again);
    if (!listing)
      return;
    rewinddir(listing);
    unsigned long long total = 0;
    char oldest[NAME_MAX + 1] = "";
    timespec time = {};
    while (const dirent *entry = readdir(listing)) {
      struct stat status;
      if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
        continue;
      total += static_cast<unsigned long long>(status.st_size);
      const timespec &own = status.st_mtim;
      if (!*oldest || own.tv_sec < time.tv_sec || (own.tv_sec == time.tv_sec && own.tv_nsec < time.tv_nsec)) {
        snprintf(oldest, sizeof(oldest), "%s", entry->d_name);
        time = own;
      }
    }
    closedir(listing);
    isTooLarge |= total > most;
    if (!isTooLarge || total <= most / 10 * 9 || !*oldest || unlinkat(folder, oldest, 0))
      return;
  }
}

void tilecc::rt::writeCached(const char *folder, const char *name, const CachedPart *parts, unsigned count) {
  if (!makeFolders(folder))
    return;
  const int opened = openFolder(folder);
  if (opened < 0)
    return;
  char temporary[NAME_MAX];
  snprintf(temporary, sizeof(temporary), "%s.tmp%ld-%lx", name, static_cast<long>(getpid()),
           static_cast<unsigned long>(pthread_self()));
  const int file = openat(opened, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) {
    bool isComplete = true;
    for (unsigned i = 0; i < count; ++i)
      isComplete = isComplete && writeAll(file, parts[i]);
    isComplete &= !close(file);
    if (!isComplete || renameat(opened, temporary, opened, name))
      unlinkat(opened, temporary, 0);
    else
      removeOldest(opened);
  }
  close(opened);
}
