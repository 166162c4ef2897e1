//===-- TuneTable.h - choices of configurations as text --------------------------------------------------------===//
//
// Tables that are shipped and caches have one form:
//
//   tilecc-tune 1
//   1f0a39c2d55e7b01 <tab> NVIDIA H200, 90, 132 <tab> matmul <tab> 7: 4096 4096 512 <tab> 2 <tab> 71.3 <tab> matmul<64, 64, 32>
//   end <tab> 1 <tab> 8c3f0c9c2e7f9a10
//
// the hash of all rows' code, the device, the kernel, the key (which assumptions of variants hold, and the values), the
// row, its microseconds and its name; at the end the number of lines and a hash of them, so that a file which was cut
// off or changed is known for one. A file changes by being replaced: who reads it reads all of one version.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNETABLE_H
#define TILECC_RUNTIME_TUNETABLE_H

#include "Support.h"

namespace tilecc::rt {

// What a choice is for. The texts have no tabs and no ends of lines.
struct TuneProblem {
  uint64_t code;
  const char *device, *kernel, *key;
};

// Makes one of any text.
void makeTuneText(char *text);

struct TuneTable {
  char *lines; // owned; null: none
  size_t size; // bytes
};

// The lines of a text, which is not kept. False if it is no table; *lines is then empty. Says so on standard error,
// with the text's origin if that is not null.
bool parseTuneTable(const char *text, size_t size, const char *origin, TuneTable *table);

// The file's lines; false if it cannot be read or is no table, which is said, and that it is not there unless it may be
// missing. Again, for what was said of already, nothing is.
enum class TuneFile { MustBe, MayBeMissing, Again };
bool readTuneTable(const char *path, TuneFile file, TuneTable *table);

// The row that the table has for a problem; false if it has none.
bool findInTuneTable(const TuneTable &table, const TuneProblem &problem, unsigned *row, double *microseconds);

// Adds a choice in place of the one for the same problem; false when out of memory.
bool addToTuneTable(TuneTable &table, const TuneProblem &problem, unsigned row, double microseconds, const char *name);

// Replaces the file; false with errno if that fails. Of two that write at once one may be lost, see FolderLock.
bool writeTuneTable(const TuneTable &table, const char *path);

void freeTuneTable(TuneTable &table);

// Of a folder, which is made if there is none, for this process: among others that ask for it one has it. A process
// that ends gives it back, however it does.
class FolderLock {
public:
  // Waits at most this long for others. Where the folder cannot be locked nobody has it, and isHeld() is true; likewise
  // of no folder (null).
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
