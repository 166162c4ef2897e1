//===- Attempt.h - records what a thread compiles, for crash reports ------------------------------------*- C++ -*-===//
//
// If the compiler crashes, the crash report contains IR and the command that compiles it again in the same way. A
// signal handler must not allocate memory, so both are prepared before compilation starts. The report should show the
// IR directly before the pass that crashed. This IR cannot be prepared: every compilation would have to print or clone
// the IR before each pass, and MLIR's local reproducers require a context without threads. But pipelines are
// deterministic, so the crash handler starts another process that runs the passes up to that one
// (CodeOptions::reproducedPass).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_ATTEMPT_H
#define TILECC_COMPILE_ATTEMPT_H

#include "compile/Variants.h"
#include "targets/Target.h"
#include "llvm/IR/Module.h"

namespace tilecc {

class Attempt {
public:
  /// While this object exists: this thread creates variants of `kernel` for `target`.
  Attempt(const Kernel &kernel, const Target &target);
  /// While this object exists: this thread lowers `variant` of `kernel` for `target`.
  Attempt(const Kernel &kernel, const Variant &variant, const Target &target);
  /// While this object exists: this thread generates code for `module`, kernels in LLVM IR together with all library
  /// functions that they use.
  Attempt(const llvm::Module &module, const Target &target);
  ~Attempt();
  Attempt(const Attempt &) = delete;

  /// Returns the attempt of this thread, or null if there is none.
  static Attempt *current();

  std::string name; ///< the kernel's name, usable in a file name
  llvm::StringRef extension; ///< the extension of the file with the IR: .ttir, .ttgir or .bc
  llvm::StringRef comment; ///< how a comment line in this file begins; empty for bitcode
  std::string ir; ///< the IR before the first pass
  std::string command; ///< the command that compiles such a file
  bool takesCodeOptions; ///< the command also needs the options that affect code

  static constexpr unsigned noPass = -1;
  unsigned pass = noPass; ///< the number of the running pass in the pipeline
  llvm::StringRef passName; ///< the command-line name of that pass, or of a pass nested in it

private:
  Attempt(const Kernel &kernel, mlir::ModuleOp module, const Target &target, const Variant *variant);
};

} // namespace tilecc

#endif // TILECC_COMPILE_ATTEMPT_H
