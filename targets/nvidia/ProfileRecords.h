//===- ProfileRecords.h - kernels that record times -----------------------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_NVIDIA_PROFILERECORDS_H
#define TILECC_TARGETS_NVIDIA_PROFILERECORDS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Replaces the records of the kernel `symbol` (recordStartSymbol) by code that writes them to the buffer of its
/// variable <symbol>$profile (tilecc/profile.h), and defines its variables. `recordingWarps` has a bit for each warp
/// that records; `threads` is the number of threads of a block. Does nothing if the module has no records.
void defineProfile(llvm::Module &module, llvm::StringRef symbol, uint32_t recordingWarps, unsigned threads);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PROFILERECORDS_H
