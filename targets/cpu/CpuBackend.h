//===- CpuBackend.h - targets and levels of the CPU back end -------------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_CPU_CPUBACKEND_H
#define TILECC_TARGETS_CPU_CPUBACKEND_H

#include "targets/Target.h"

namespace tilecc {

/// Returns the level that `target` names; 0 for all levels.
unsigned cpuLevelOf(const Target &target);

} // namespace tilecc

#endif // TILECC_TARGETS_CPU_CPUBACKEND_H
