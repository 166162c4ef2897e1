//===- CpuBackend.h - targets of the CPU back end, and its levels -------------------------------------------*- C++
//-*-//

#ifndef TILECC_TARGETS_CPU_CPUBACKEND_H
#define TILECC_TARGETS_CPU_CPUBACKEND_H

#include "targets/Target.h"

namespace tilecc {

/// The target of one level, or of all (0): a program then takes the best that its machine has.
Target cpuTarget(unsigned level = 0);
/// 0 for all levels.
unsigned cpuLevelOf(const Target &target);

/// Whether code can be made for this level of the machine that tcc runs on (runtime/src/cpu/CpuLevels.def).
bool isCpuLevel(unsigned level);
/// "2 (x86-64-v2), 3 (x86-64-v3), ..."
std::string describeCpuLevels();

} // namespace tilecc

#endif // TILECC_TARGETS_CPU_CPUBACKEND_H
