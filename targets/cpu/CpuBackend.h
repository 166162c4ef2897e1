//===- CpuBackend.h - targets and levels of the CPU back end -------------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_CPU_CPUBACKEND_H
#define TILECC_TARGETS_CPU_CPUBACKEND_H

#include "targets/Target.h"

namespace tilecc {

/// The target for one level, or for all levels (0); a program then uses the best level that its machine supports.
Target cpuTarget(unsigned level = 0);
/// 0 for all levels.
unsigned cpuLevelOf(const Target &target);

/// Returns true if code for this level (runtime/src/cpu/CpuLevels.def) can be generated on the machine that tcc runs
/// on.
bool isCpuLevel(unsigned level);
/// "2 (x86-64-v2), 3 (x86-64-v3), ..."
std::string describeCpuLevels();

} // namespace tilecc

#endif // TILECC_TARGETS_CPU_CPUBACKEND_H
