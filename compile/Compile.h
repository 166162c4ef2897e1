//===- Compile.h - compiles kernels for targets ---------------------------------------------------------*- C++ -*-===//
//
// Compiles kernels, without depending on the command line, files or external tools. Each kernel is lowered for every
// target in several variants (Variants.h), all of them in parallel. Variants that are equal for all targets are merged,
// and for each target, the code of all kernels is put in one file.
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
  std::string variant = "all"; ///< "all", or the name of a variant; empty: the most demanding one of each kernel
  unsigned threads = 0; ///< 1: only this thread; 0: as many as the machine has
  /// Called with the duration of each part of the work, by the thread that executed it. May be empty.
  std::function<void(llvm::StringRef what, std::chrono::nanoseconds)> timing;
};

/// The code of the kernels for one target.
struct TargetCode {
  Target target;
  std::string code; ///< in the requested form; IR modules are separated by `// -----`
};

/// Compiles `kernels`, of which there is at least one and which all belong to one MLIR context, and stores the results
/// in them. Returns nothing after a diagnostic. Diagnostics come in the order of targets and kernels, and each mistake
/// is reported once, regardless of the order of execution.
std::optional<std::vector<TargetCode>> compile(std::vector<Kernel> &kernels, const CompileOptions &options);

/// The state of make's jobserver, if a make runs this process. The jobserver has tokens, which permit additional
/// threads. Make closes the pipe to the jobserver for commands that it does not recognize as another make.
enum class Jobserver { None, IsClosed, Answers };
Jobserver findJobserver();

/// Calls task(0), ..., task(count - 1), on at most `threads` threads at a time. 0 means as many threads as the machine
/// has or the jobserver grants; 1 means this thread only.
void runSideBySide(unsigned threads, size_t count, llvm::function_ref<void(size_t)> task);

/// Executes a short task in another thread. If `threads`, the machine, the system or make permits only one thread, the
/// constructor itself executes the task.
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
