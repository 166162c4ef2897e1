//===- Compile.h - kernels x targets -> code ---------------------------------------------------------------*- C++ -*-//
//
// The library behind the driver: it knows no command line, no files and no tools. Each kernel is lowered for every
// target in up to three variants (Variants.h), targets side by side; variants that come out equal for all targets are
// one, and the kernels of a call make one module for each target.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_COMPILE_H
#define TILECC_COMPILE_COMPILE_H

#include "targets/Backend.h"
#include <chrono>
#include <functional>
#include <optional>
#include <pthread.h>

namespace tilecc {

struct CompileOptions : CodeOptions {
  std::vector<Target> targets;
  Form form = Form::Object;
  std::string variant = "all"; ///< or one's name; empty: the most demanding of each kernel
  unsigned threads = 0;        ///< 1: this one alone; 0: as many as the machine has
  /// Told how long each part took, from whichever thread it ran in; may be empty.
  std::function<void(llvm::StringRef what, std::chrono::nanoseconds)> timing;
};

/// What the kernels are for one target.
struct TargetCode {
  Target target;
  std::string code; ///< in the form that was asked for; modules of IR are separated as mlir-opt's tests do
};

/// Compiles `kernels`, at least one and all of one MLIR context, and fills in what each became. Nothing after a
/// diagnostic; diagnostics come in the order of targets and kernels, each mistake once, whatever ran first.
std::optional<std::vector<TargetCode>> compile(std::vector<Kernel> &kernels, const CompileOptions &options);

/// The jobserver of a make that runs this process: it has tokens for further threads. Make closes the pipe of its own for
/// commands that it does not take for another make.
enum class Jobserver { None, IsClosed, Answers };
Jobserver findJobserver();

/// Calls task(0), ..., task(count - 1), at most `threads` at a time (0: as many as the machine has, or the jobserver gives;
/// 1: in this thread).
void runSideBySide(unsigned threads, size_t count, llvm::function_ref<void(size_t)> task);

/// A short task in a thread beside this one. Where `threads`, the machine, the system or make grants no more than one, the
/// constructor has done it.
class SideTask {
public:
  SideTask(unsigned threads, std::function<void()> task);
  ~SideTask() { wait(); }
  SideTask(const SideTask &) = delete;
  void wait();

private:
  std::function<void()> task;
  std::optional<pthread_t> thread;
};

} // namespace tilecc

#endif // TILECC_COMPILE_COMPILE_H
