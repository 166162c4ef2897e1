//===- CodeHash.h - detects whether a kernel's code may have changed ------------------------------------*- C++ -*-===//
//
// Measurements of tuned kernels (docs/tuning.md) are valid only for the code that was measured. A hash identifies it.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_COMPILE_CODEHASH_H
#define TILECC_COMPILE_CODEHASH_H

#include "targets/Backend.h"

namespace tilecc {

/// Calls visit(member) for each option that changes the code of kernels, except threadCode, which only some kernels
/// use. If a member is added to CodeOptions, this function does not compile until the member is listed here. Members
/// that are not visited: libdevice belongs to the toolkit, as ptxas does; cpuDebugFolder is a path in debug
/// information; reproducedPass and observer concern only this process.
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

/// Returns a hash of everything that determines the code of a kernel: its TTIR, attributes and options, and the
/// compiler. The hash does not depend on the position of the kernel in the source. It depends on the targets only if
/// the kernel calls functions in threads, which are compiled for each target separately. As long as the hash is the
/// same, measurements of the kernel are valid. It is never 0.
uint64_t hashCode(const Kernel &kernel, const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_COMPILE_CODEHASH_H
