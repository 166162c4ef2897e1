//===- Subprocess.h - programs that end when tcc does ------------------------------------------------------*- C++ -*-//
//
// External programs must not outlive tcc, however tcc ends.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_SUBPROCESS_H
#define TILECC_DRIVER_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tilecc {

/// How a program ended.
struct ExitStatus {
  int error = 0; ///< errno if the program could not be started
  int code = 0; ///< exit status
  int signal = 0; ///< the signal that killed it, or 0
  bool succeeded() const { return !error && !code && !signal; }
};

/// A running program. The given files are its standard output and standard error (-1: those of this process). The
/// program is killed when this process ends for any reason, when the thread that started it ends, or when this object
/// is destroyed. Thread-safe.
class Subprocess {
public:
  explicit Subprocess(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1);
  ~Subprocess();
  Subprocess(const Subprocess &) = delete;

  /// Waits until the program has ended. In the meantime, calls `isStillRunning` once a minute.
  ExitStatus wait(llvm::function_ref<void(pid_t)> isStillRunning = {});
  /// Waits for at most `milliseconds` (-1: without limit). Returns nothing if the program is still running then.
  std::optional<ExitStatus> waitFor(int milliseconds);

private:
  /// Starts the program. Called once. If it fails, startError is the reason.
  void start(char *const *argv, int standardOutput, int standardError);

  pid_t child = -1; ///< -1: not started, or already waited for
  int startError = 0;
  std::atomic<pid_t> *place = nullptr; ///< its entry in the list of processes that a signal handler kills
};

/// Runs a program and waits for it.
ExitStatus runToEnd(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1,
                    llvm::function_ref<void(pid_t)> isStillRunning = {});

/// Kills all programs and waits for their end. It can be called from signal handlers: it allocates nothing, and no
/// program can be started afterwards.
void killPrograms();

} // namespace tilecc

#endif // TILECC_DRIVER_SUBPROCESS_H
