//===- Attempt.h - what a thread is compiling, for the report of a crash -----------------------------------*- C++ -*-//
//
// A signal handler must not allocate memory, so everything that a report says is ready before: the IR, and the command
// that compiles it again in the same way. What cannot be ready is the IR directly before the pass that crashes: every
// compilation would pay for printing or cloning it before each pass, and MLIR's local reproducers want a context without
// threads. But pipelines are deterministic, so the report has another process run the passes before that one
// (CodeOptions::reproducedPass).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_ATTEMPT_H
#define TILECC_COMPILE_ATTEMPT_H

#include "compile/Kernel.h"
#include "targets/Target.h"
#include "llvm/IR/Module.h"

namespace tilecc {

class Attempt {
public:
  /// While it lives, this thread lowers `kernel` for `target`.
  Attempt(const Kernel &kernel, mlir::ModuleOp ir, const Target &target);
  /// While it lives, this thread generates code for kernels that are LLVM IR, with all they use of libraries.
  Attempt(const llvm::Module &module, const Target &target);
  ~Attempt();
  Attempt(const Attempt &) = delete;

  /// This thread's; null if there is none.
  static Attempt *current();

  std::string name;          ///< of the kernel, as part of a file's name
  llvm::StringRef extension; ///< of the file: .ttir, .ttgir or .bc
  llvm::StringRef comment;   ///< begins a line that the file's readers skip; empty for bitcode
  std::string ir;            ///< before the first pass
  std::string command;       ///< that takes such a file
  bool takesCodeOptions;     ///< the command wants the options that say how kernels compute, too

  static constexpr unsigned noPass = -1;
  unsigned pass = noPass;   ///< that runs: its number among those of the pipeline
  llvm::StringRef passName; ///< its argument, or of one that is nested in it
};

} // namespace tilecc

#endif // TILECC_COMPILE_ATTEMPT_H
