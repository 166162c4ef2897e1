//===- Attempt.h - records what a thread compiles, for crash reports ------------------------------------*- C++ -*-===//
//
// A signal handler must not allocate memory, so everything in a report is prepared in advance: the IR, and the command
// that compiles it again in the same way. The IR before the crashing pass cannot be prepared, because every compilation
// would have to print or clone the IR before each pass, and MLIR's local reproducers require a context without threads.
// But pipelines are deterministic, so the report has another process run the passes before that one
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
  /// Records, while it is alive, that this thread creates variants of `kernel` for `target`.
  Attempt(const Kernel &kernel, const Target &target);
  /// Records, while it is alive, that this thread lowers `variant` of `kernel` for `target`.
  Attempt(const Kernel &kernel, const Variant &variant, const Target &target);
  /// Records, while it is alive, that this thread generates code for kernels in LLVM IR, with all library functions
  /// that they use.
  Attempt(const llvm::Module &module, const Target &target);
  ~Attempt();
  Attempt(const Attempt &) = delete;

  /// Returns this thread's attempt; null if there is none.
  static Attempt *current();

  std::string name; ///< the kernel's name, usable in a file name
  llvm::StringRef extension; ///< of the file: .ttir, .ttgir or .bc
  llvm::StringRef comment; ///< prefix of a comment line in the file; empty for bitcode
  std::string ir; ///< the IR before the first pass
  std::string command; ///< the command that compiles such a file
  bool takesCodeOptions; ///< the command also needs the options that affect code

  static constexpr unsigned noPass = -1;
  unsigned pass = noPass; ///< the number of the running pass in the pipeline
  llvm::StringRef passName; ///< the pass argument of that pass, or of a nested pass

private:
  Attempt(const Kernel &kernel, mlir::ModuleOp module, const Target &target, const Variant *variant);
};

} // namespace tilecc

#endif // TILECC_COMPILE_ATTEMPT_H
