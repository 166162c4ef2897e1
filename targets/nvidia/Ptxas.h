//===- Ptxas.h - runs ptxas, the assembler for NVIDIA's GPUs --------------------------------------------*- C++ -*-===//
//
// How ptxas is called and what it prints is written here once, for the driver, which prints and runs the command, and
// for libtilecc, which runs it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PTXAS_H
#define TILECC_TARGETS_NVIDIA_PTXAS_H

#include "targets/AssemblerReport.h"
#include "targets/nvidia/Architectures.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

struct PtxasOptions {
  std::string path; ///< path of ptxas
  bool isDebug = false; ///< debuggable code, from PTX with debug information
  bool isRelocatable = false; ///< a cubin for nvlink
  bool lineInfo = false; ///< instructions have source lines; PTX always has lines, for its readers
  /// The number of threads that compile functions of a file in parallel, at most 9. The code does not depend on it.
  unsigned threads = 8;
  std::string mostRegisters; ///< -maxrregcount; empty: no limit
  std::vector<std::string> others; ///< passed through unchanged
};

/// Returns the command that compiles `ptx` to `cubin`. It prints what parsePtxasOutput() reads.
std::vector<std::string> ptxasCommand(const PtxasOptions &options, const nvidia::Architecture &arch,
                                      llvm::StringRef ptx, llvm::StringRef cubin);

/// A cubin records the options of ptxas. Overwrites the number of threads with the default, so that cubins do not
/// depend on it. Returns whether it was different.
bool recordUsualThreads(llvm::MutableArrayRef<char> cubin);

/// Parses the output of `ptxas -v`.
AssemblerReport parsePtxasOutput(llvm::StringRef text);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PTXAS_H
