//===- CpuBackend.h - targets and levels of the CPU back end -------------------------------------------*- C++ -*-===//
//
// CPU targets have names like "cpu:sve256@aarch64-linux-gnu". These functions parse them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_CPUBACKEND_H
#define TILECC_TARGETS_CPU_CPUBACKEND_H

#include "targets/Target.h"

namespace tilecc {

/// The components of the name of a CPU target.
struct CpuTarget {
  unsigned level = 0; ///< the instruction set level; 0: all levels
  std::string triple; ///< the machine that runs the code; empty: like the one on which tcc runs
};

/// Parses "cpu", "cpu:3", "cpu:sve256" or "cpu:sve256@aarch64-linux-gnu". Returns nothing, with the reason in `error`,
/// if there is no such target.
std::optional<CpuTarget> parseCpuTarget(llvm::StringRef name, std::string &error);

/// Returns the components of the name of `target`, which is one of this back end.
CpuTarget partsOf(const Target &target);

} // namespace tilecc

#endif // TILECC_TARGETS_CPU_CPUBACKEND_H
