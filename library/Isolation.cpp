//===- Isolation.cpp - compilations that cannot end the process
//-----------------------------------------------------===//
//
// Bugs of the compiler that it finds itself go to LLVM's handler of fatal errors, which must not return (RunPasses.cpp
// sends ours there, too). In the driver it ends the process. Here it leaves the compilation by a jump to where its
// thread began: an exception would run destructors over a state that is known to be broken, and LLVM is compiled
// without them. So the contexts of that compilation leak, with all locks that are in them; locks that compilations
// share are not held while a pass or a back end runs.
//
// LLVM has one handler for all of its copy in the process, which is this library's own; it is set at the first
// compilation.
//
//===----------------------------------------------------------------------------------------------------------------===//

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
  // A thread that compiles nothing: LLVM ends the process then, as it does without a handler.
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
