//===- Ptxas.h - the assembler of NVIDIA's GPUs, run as a program ---------------------------------------------*- C++
//-*-//
//
// How ptxas is called and what it prints is written here once, for the driver, which prints and runs the command, and
// for libtilecc, which runs it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PTXAS_H
#define TILECC_TARGETS_NVIDIA_PTXAS_H

#include "targets/AssemblerReport.h"
#include "targets/nvidia/Architectures.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

struct PtxasOptions {
  std::string path;                ///< of ptxas
  bool isDebug = false;            ///< code for debuggers, of PTX that has their information
  bool isRelocatable = false;      ///< a cubin for nvlink
  bool lineInfo = false;           ///< instructions say which line they are of; PTX always has lines, for its readers
  /// Functions of a file are compiled side by side. Their code is the same for any number. At most 9.
  unsigned threads = 8;
  std::string mostRegisters;       ///< -maxrregcount; empty: none
  std::vector<std::string> others; ///< as somebody wrote them
};

/// The command that makes the file `cubin` of the file `ptx`. It prints what parsePtxasOutput() reads.
std::vector<std::string> ptxasCommand(const PtxasOptions &options, const nvidia::Architecture &arch,
                                      llvm::StringRef ptx, llvm::StringRef cubin);

/// A cubin records the options that ptxas was called with. Writes there that it had the usual number of threads, so that cubins are the
/// same for any; returns whether that was not so.
bool recordUsualThreads(llvm::MutableArrayRef<char> cubin);

/// Reads what `ptxas -v` printed.
AssemblerReport parsePtxasOutput(llvm::StringRef text);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PTXAS_H
