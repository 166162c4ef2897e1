//===- AssemblerReport.h - what a target's assembler says of the code it makes ------------------------------*- C++
//-*-//
//
// An assembler knows what no earlier stage does: how many registers a kernel takes, and whether they sufficed. tcc has
// it say so, tries again where a kernel spills (builder/SpillRetry.h), and warns of what costs speed without a word
// otherwise.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_ASSEMBLERREPORT_H
#define TILECC_TARGETS_ASSEMBLERREPORT_H

#include <string>
#include <vector>

namespace tilecc {

/// One kernel for one target. Bytes are those of one thread, but for shared memory, which a program has.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0;         ///< declared in the assembly; what a launch adds is not in it
  std::vector<std::string> remarks; ///< potential losses of performance
};

struct AssemblerReport {
  std::vector<KernelResources> kernels; ///< in the order of the assembly
  std::string rest;                     ///< lines that are no information: warnings and errors, as they were
};

} // namespace tilecc

#endif // TILECC_TARGETS_ASSEMBLERREPORT_H
