//===- AssemblerReport.h - what a target's assembler reports about its code ------------------------*- C++ -*-===//
//
// Only the assembler knows how many registers a kernel needs and whether they sufficed. tcc parses its report, tries
// again if a kernel spills (builder/SpillRetry.h), and warns about performance problems that would otherwise go
// unnoticed.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_ASSEMBLERREPORT_H
#define TILECC_TARGETS_ASSEMBLERREPORT_H

#include <string>
#include <vector>

namespace tilecc {

/// One kernel for one target. Byte counts are per thread, except for shared memory, which is per program.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0;         ///< declared in the assembly, without what a launch adds
  std::vector<std::string> remarks; ///< potential losses of performance
};

struct AssemblerReport {
  std::vector<KernelResources> kernels; ///< in the order of the assembly
  std::string rest;                     ///< other lines, unchanged: warnings and errors
};

} // namespace tilecc

#endif // TILECC_TARGETS_ASSEMBLERREPORT_H
