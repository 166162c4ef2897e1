//===- CodeHash.h - detects whether a kernel's code may have changed ------------------------------------*- C++ -*-===//
#ifndef TILECC_COMPILE_CODEHASH_H
#define TILECC_COMPILE_CODEHASH_H

#include "targets/Backend.h"

namespace tilecc {

/// Calls visit(member) for each option that changes a kernel's code, apart from threadCode, which only some kernels
/// have. A new member does not compile until it is named here. The others: libdevice belongs to the toolkit, as ptxas
/// does; cpuDebugFolder is a path in debug information; reproducedPass and observer belong to the process.
template <typename Visit> void forEachMember(CodeOptions &options, Visit &&visit) {
  auto &[floats, libdevice, threadCode, tensorMaps, checkReplicas, profile, launchedByDevice, staticShared,
         cpuDebugFolder, cpuUnoptimized, cpuChecks, reproducedPass, observer] = options;
  visit(floats);
  visit(tensorMaps);
  visit(checkReplicas);
  visit(profile);
  visit(launchedByDevice);
  visit(staticShared);
  visit(cpuUnoptimized);
  visit(cpuChecks);
}

/// Returns a hash of everything that determines a kernel's code: its TTIR, attributes and options, and the compiler. It
/// does not depend on the position in the source, and depends on the targets only if the kernel calls functions in
/// threads, which each target compiles for itself. Measurements of a kernel (docs/tuning.md) are valid as long as the
/// hash is the same. Never 0.
uint64_t hashCode(const Kernel &kernel, const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_COMPILE_CODEHASH_H
