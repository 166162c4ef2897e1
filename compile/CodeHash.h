//===- CodeHash.h - detects whether a kernel's code may have changed ------------------------------------*- C++ -*-===//
#ifndef TILECC_COMPILE_CODEHASH_H
#define TILECC_COMPILE_CODEHASH_H

#include "targets/Backend.h"

namespace tilecc {

/// Returns a hash of everything that determines a kernel's code: its TTIR, attributes and options, and the compiler. It
/// does not depend on the targets, or on the position in the source. Measurements of a kernel (docs/tuning.md) are
/// valid as long as the hash is the same. Never 0.
uint64_t hashCode(const Kernel &kernel, const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_COMPILE_CODEHASH_H
