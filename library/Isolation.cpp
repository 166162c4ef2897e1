//===- Isolation.cpp - compilations that cannot end the process --------------------------------------------------===//
//
// When the compiler detects a bug in itself, it calls LLVM's fatal error handler, which must not return (RunPasses.cpp
// does the same for our passes). In the driver, the handler ends the process. Here it leaves the compilation with a
// longjmp to the start of its thread. An exception would run destructors on state that is known to be corrupt, and LLVM
// is compiled without exceptions. So the contexts of that compilation leak, including all locks in them. No lock that
// compilations share is held while a pass or a back end runs.
//
// Each copy of LLVM in a process has one handler; this library has its own copy. The handler is set at the first
// compilation.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Isolation.h"
#include "frontend/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include <csetjmp>
#include <mutex>

namespace tilecc {

namespace {
struct Exit {
  std::jmp_buf beginning;
  std::string *reason;
};
} // namespace

static thread_local Exit *currentExit = nullptr;

static void onFatalError(void *, const char *reason, bool) {
  // Not a compilation thread: return, and LLVM ends the process, as without a handler.
  if (!currentExit)
    return;
  *currentExit->reason = reason;
  std::longjmp(currentExit->beginning, 1);
}

bool runIsolated(llvm::function_ref<void()> work, std::string &reason) {
  static std::once_flag installed;
  std::call_once(installed, [] { llvm::install_fatal_error_handler(onFatalError); });
  bool completed = false;
  runWithDeepStack([&] {
    Exit exit;
    exit.reason = &reason;
    currentExit = &exit;
    if (setjmp(exit.beginning) == 0) {
      work();
      completed = true;
    }
    currentExit = nullptr;
  });
  return completed;
}

} // namespace tilecc
