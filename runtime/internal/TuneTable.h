//===-- TuneTable.h - text tables of tuning choices ------------------------------------------------------------===//
//
// The tables that are shipped with kernels and those in caches have the same format:
//
//   tilecc-tune 1
//   1f0a39c2d55e7b01 <tab> NVIDIA H200, 90, 132 <tab> matmul <tab> 7: 4096 4096 512 <tab> 2 <tab> 71.3 <tab> matmul<64, 64, 32>
//   end <tab> 1 <tab> 8c3f0c9c2e7f9a10
//
// The columns are the hash of the code of all rows, the device, the kernel, the key (the assumptions of variants that
// hold, and the values), the row, its time in microseconds, and its name. The last line has the number of lines and a
// hash of them, by which a truncated or modified file is detected. A file is updated by replacing it, so readers always
// see one consistent version.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNETABLE_H
#define TILECC_RUNTIME_TUNETABLE_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

// The problem that a choice solves. The texts contain no tabs or line ends.
struct TuneProblem {
  uint64_t code;
  const char *device, *kernel, *key;
};

// Replaces tabs and line ends in a text.
void makeTuneText(char *text);

struct TuneTable {
  char *lines; // owned; null: none
  size_t size; // bytes
};

// Parses the lines of a text, which need not outlive the call. Returns false, with *lines empty, if it is not a valid
// table; reports that on standard error, with the text's origin, unless `origin` is null.
bool parseTuneTable(const char *text, size_t size, const char *origin, TuneTable *table);

// Reads a table from a file. Returns false if the file cannot be read or is not a table, and reports this, unless the
// file is missing and may be missing. `Again` does not report errors, because they have been reported before.
enum class TuneFile { MustBe, MayBeMissing, Again };
bool readTuneTable(const char *path, TuneFile file, TuneTable *table);

// Finds the row that the table has for a problem. Returns false if there is none.
bool findInTuneTable(const TuneTable &table, const TuneProblem &problem, unsigned *row, double *microseconds);

// Adds a choice, or replaces the one for the same problem. Returns false if out of memory.
bool addToTuneTable(TuneTable &table, const TuneProblem &problem, unsigned row, double microseconds, const char *name);

// Replaces the file. Returns false and sets errno if that fails. If two processes write at the same time, one update
// may be lost; see FolderLock.
bool writeTuneTable(const TuneTable &table, const char *path);

void freeTuneTable(TuneTable &table);

// A lock on a folder that excludes other processes. The folder is created if necessary. The lock is released when the
// process ends in any way.
class FolderLock {
public:
  // Waits for the lock at most this long. If the folder cannot be locked, or is null, there is no exclusion, and
  // isHeld() returns true.
  FolderLock(const char *folder, double seconds);
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
  bool isHeld() const { return held; }

private:
  int file;
  bool held;
};

} // namespace tilecc::rt
#endif
