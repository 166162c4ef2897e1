//===- CodeHash.h - whether a kernel's code may have changed -----------------------------------------------*- C++ -*-//
#ifndef TILECC_COMPILE_CODEHASH_H
#define TILECC_COMPILE_CODEHASH_H

#include "targets/Backend.h"

namespace tilecc {

/// A hash of all that a kernel's code follows from: its TTIR, attributes and options, and the compiler. Not of the
/// targets, nor of where it stands in the source. What was measured of a kernel (docs/tuning.md) holds as long as it is
/// the same. Never 0.
uint64_t hashCode(const Kernel &kernel, const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_COMPILE_CODEHASH_H
