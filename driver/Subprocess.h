//===- Subprocess.h - programs that end when tcc does ---------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_SUBPROCESS_H
#define TILECC_DRIVER_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tilecc {

/// How a program ended.
struct ExitStatus {
  int error = 0;  ///< errno, where it could not be started
  int code = 0;   ///< its exit status, ...
  int signal = 0; ///< or what killed it
  bool succeeded() const { return !error && !code && !signal; }
};

/// Runs a program to its end, with these files as standard output and error (-1: as this process has them). It is killed if this
/// process ends, however it ends. `isStillRunning` is called every minute that it takes. Safe to call from several threads.
ExitStatus runToEnd(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1,
                    llvm::function_ref<void(pid_t)> isStillRunning = {});

/// Kills what runToEnd() runs, and waits for that. For handlers of signals: it allocates nothing, and nothing starts later.
void killPrograms();

} // namespace tilecc

#endif // TILECC_DRIVER_SUBPROCESS_H
