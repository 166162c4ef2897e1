//===-- TuneOptions.h - tuning options from the environment ----------------------------------------------------===//
//
// The environment variables that control tuning, TILECC_TUNE_*.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNEOPTIONS_H
#define TILECC_RUNTIME_TUNEOPTIONS_H

#include "Support.h"

namespace tilecc::rt {

// The values of the variables. <tilecc/runtime_tune.h> describes each.
struct TuneOptions {
  bool isVerbose, measures, isFresh;
  double wait;                    // seconds
  char record[4096], table[4096]; // files; empty: none
  char choices[4096];             // TILECC_TUNE_CHOICE
};

// Returns the options. The first call reads the environment. Thread-safe.
const TuneOptions &tuneOptions();

// Finds the row that TILECC_TUNE_CHOICE selects for a kernel. Returns false if it selects none.
bool forcedRow(const TuneOptions &options, const char *kernel, unsigned *row);

// Writes the path of the folder, in the user's cache, for kernels with this code hash. Returns false if the user has no
// cache folder.
bool tuneCacheFolder(uint64_t code, char *path, size_t size);

} // namespace tilecc::rt
#endif
