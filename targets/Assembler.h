//===- Assembler.h - the interface to a vendor's assembler ----------------------------------------------*- C++ -*-===//
//
// Some back ends emit assembly, which a separate program translates to machine code. Only that program knows how many
// registers a kernel needs, and whether it spills. tcc parses its report, compiles a kernel again if it spills
// (builder/SpillRetry.h), and warns about performance problems that would otherwise go unnoticed.
//
// The driver prints the command and runs it; libtilecc only runs it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_ASSEMBLER_H
#define TILECC_TARGETS_ASSEMBLER_H

#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tilecc {

/// The resources of one kernel for one target. Byte counts are per thread, except for shared memory, which is per
/// program.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< declared in the assembly; the launch may add more
  std::vector<std::string> remarks; ///< the assembler's warnings about possible losses of performance
};

struct AssemblerReport {
  std::vector<KernelResources> kernels; ///< in the order of the assembly
  std::string rest; ///< other lines, unchanged: warnings and errors
};

struct AssemblerOptions {
  std::string path; ///< path of the program
  bool isDebug = false; ///< generate debuggable code; the assembly has debug information
  bool isRelocatable = false; ///< generate code for a device linker
  bool lineInfo = false; ///< give instructions source lines; assembly always has them, for its readers
  /// The number of threads with which the assembler compiles the functions of one file in parallel, at most 9. The code
  /// does not depend on this number.
  unsigned threads = 8;
  std::string maxRegisters; ///< the maximum number of registers per thread; empty: no limit
  std::vector<std::string> others; ///< options that are passed to the assembler unchanged
};

class Assembler {
public:
  /// Returns the command that translates the file `assembly` to the file `code`. parseOutput() parses what this command
  /// prints.
  virtual std::vector<std::string> getCommand(const AssemblerOptions &options, const Target &target,
                                              llvm::StringRef assembly, llvm::StringRef code) const = 0;

  /// Parses what the command has printed.
  virtual AssemblerReport parseOutput(llvm::StringRef text) const = 0;

  /// Machine code may contain the options of the command that created it. This function overwrites the number of
  /// threads in `code` with the default, so that the same input always gives the same code. Returns true if the number
  /// was different.
  virtual bool recordUsualThreads(llvm::MutableArrayRef<char> code) const = 0;

  /// Returns true if `target` is supported by every version of the assembler that tcc supports.
  virtual bool isInAllVersions(const Target &target) const = 0;

protected:
  ~Assembler() = default;
};

} // namespace tilecc

#endif // TILECC_TARGETS_ASSEMBLER_H
