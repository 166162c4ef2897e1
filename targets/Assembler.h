//===- Assembler.h - the interface to a vendor's assembler ----------------------------------------------*- C++ -*-===//
//
// Some back ends emit assembly that an external program translates to machine code. Only that program knows how many
// registers a kernel needs, and whether it spills. tcc parses its report, tries again if a kernel spills
// (builder/SpillRetry.h), and warns about performance problems that would otherwise go unnoticed.
//
// The driver prints and runs the command, and libtilecc runs it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_ASSEMBLER_H
#define TILECC_TARGETS_ASSEMBLER_H

#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tilecc {

/// One kernel for one target. Byte counts are per thread, except for shared memory, which is per program.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0, stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< declared in the assembly, without the memory that a launch adds
  std::vector<std::string> remarks; ///< the assembler's remarks about potential losses of performance
};

struct AssemblerReport {
  std::vector<KernelResources> kernels; ///< in the order of the assembly
  std::string rest; ///< other lines, unchanged: warnings and errors
};

struct AssemblerOptions {
  std::string path; ///< path of the program
  bool isDebug = false; ///< debuggable code, from assembly with debug information
  bool isRelocatable = false; ///< code for a device linker
  bool lineInfo = false; ///< instructions have source lines; assembly always has them, for its readers
  /// The number of threads that compile functions of a file in parallel. It has one digit, which recordUsualThreads()
  /// replaces in the object. The generated code is the same for any number.
  unsigned threads = 8;
  std::string maxRegisters; ///< the maximum per thread; empty: no limit
  std::vector<std::string> others; ///< passed through unchanged
};

class Assembler {
public:
  /// Returns the command that translates the file `assembly` to the file `code`. parseOutput() reads the output of the
  /// command.
  virtual std::vector<std::string> getCommand(const AssemblerOptions &options, const Target &target,
                                              llvm::StringRef assembly, llvm::StringRef code) const = 0;

  /// Parses the output of the command.
  virtual AssemblerReport parseOutput(llvm::StringRef text) const = 0;

  /// Code may record the options of the command. Overwrites the number of threads with the default, so that code does
  /// not depend on it. Returns true if the number was different.
  virtual bool recordUsualThreads(llvm::MutableArrayRef<char> code) const = 0;

  /// Returns true if every version of the assembler that tcc supports has `target`.
  virtual bool isInAllVersions(const Target &target) const = 0;

protected:
  ~Assembler() = default;
};

} // namespace tilecc

#endif // TILECC_TARGETS_ASSEMBLER_H
