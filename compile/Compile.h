//===- Compile.h - compiles kernels for targets ---------------------------------------------------------*- C++ -*-===//
//
// This library is independent of the command line, files and tools. It lowers each kernel for every target in several
// variants (Variants.h), all of them in parallel. It merges variants that are equal for all targets, and puts the
// kernels of a call in one file for each target.
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
  std::string variant = "all"; ///< "all", the name of a variant, or empty for each kernel's most demanding variant
  unsigned threads = 0; ///< 1: only this thread; 0: as many as the machine has
  /// Called with the duration of each part, from the thread that ran it; may be empty.
  std::function<void(llvm::StringRef what, std::chrono::nanoseconds)> timing;
};

/// The code of the kernels for one target.
struct TargetCode {
  Target target;
  std::string code; ///< in the requested form; IR modules are separated by `// -----`
};

/// Compiles `kernels`, at least one and all of one MLIR context, and fills in the results. Returns nothing after a
/// diagnostic. Diagnostics are in the order of targets and kernels, each mistake once, regardless of the order of
/// execution.
std::optional<std::vector<TargetCode>> compile(std::vector<Kernel> &kernels, const CompileOptions &options);

/// The state of the jobserver of a make that runs this process. It has tokens for additional threads. Make closes its
/// pipe for commands that it does not recognize as another make.
enum class Jobserver { None, IsClosed, Answers };
Jobserver findJobserver();

/// Calls task(0), ..., task(count - 1), on at most `threads` threads at a time (0: as many as the machine has or the
/// jobserver grants; 1: this thread only).
void runSideBySide(unsigned threads, size_t count, llvm::function_ref<void(size_t)> task);

/// Executes a short task in another thread. If `threads`, the machine, the system or make allows only one thread, the
/// constructor executes it.
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
