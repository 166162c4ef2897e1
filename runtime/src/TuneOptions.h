//===-- TuneOptions.h - what the environment says of tuning ----------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNEOPTIONS_H
#define TILECC_RUNTIME_TUNEOPTIONS_H

#include "Support.h"

namespace tilecc::rt {

// <tilecc/runtime_tune.h> explains each.
struct TuneOptions {
  bool isVerbose, measures, isFresh;
  double wait;                    // seconds
  char record[4096], table[4096]; // files; empty: none
  char choices[4096];             // TILECC_TUNE_CHOICE
};

// Reads the environment at the first call. Any thread.
const TuneOptions &tuneOptions();

// The row that TILECC_TUNE_CHOICE names for a kernel; false if it names none.
bool forcedRow(const TuneOptions &options, const char *kernel, unsigned *row);

// The folder of the user's cache for kernels with this hash of their code; false where the user has no place for one.
bool tuneCacheFolder(uint64_t code, char *path, size_t size);

} // namespace tilecc::rt
#endif
