//===- ProfileRecords.h - kernels that record times -----------------------------------------------------*- C++ -*-===//
//
// With -fprofile-tile, kernels record when their scopes begin and end (tt.record).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PROFILERECORDS_H
#define TILECC_TARGETS_NVIDIA_PROFILERECORDS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Replaces the calls of recordStartSymbol and recordEndSymbol in the kernel `symbol` by code that writes records to a
/// buffer. The kernel's variable <symbol>$profile (tilecc/profile.h) points to the buffer. Also defines the variables
/// that the runtime reads. `recordingWarps` has a bit for each warp that records, and `threads` is the number of
/// threads of a block. Does nothing if the module has no records.
void defineProfile(llvm::Module &module, llvm::StringRef symbol, uint32_t recordingWarps, unsigned threads);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PROFILERECORDS_H
