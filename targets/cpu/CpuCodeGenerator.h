//===- CpuCodeGenerator.h - kernels to native code ---------------------------------------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_CPU_CPUCODEGENERATOR_H
#define TILECC_TARGETS_CPU_CPUCODEGENERATOR_H

#include "targets/Backend.h"

namespace tilecc {

std::unique_ptr<CodeGenerator> createCpuCodeGenerator(const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_TARGETS_CPU_CPUCODEGENERATOR_H
