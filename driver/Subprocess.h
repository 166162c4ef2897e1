//===- Subprocess.h - programs that end when tcc does ------------------------------------------------------*- C++ -*-//

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
  int signal = 0; ///< or the signal that killed it
  bool succeeded() const { return !error && !code && !signal; }
};

/// A running program, with the given files as standard output and standard error (-1: inherited). It is killed when
/// this process ends for any reason, when the thread that started it ends, and when this object is destroyed.
/// Thread-safe.
class Subprocess {
public:
  explicit Subprocess(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1);
  ~Subprocess();
  Subprocess(const Subprocess &) = delete;

  /// Waits for the program to end. Calls `isStillRunning` once a minute until then.
  ExitStatus wait(llvm::function_ref<void(pid_t)> isStillRunning = {});
  /// Waits at most this long (-1: without limit). Returns nothing if the program is still running.
  std::optional<ExitStatus> waitFor(int milliseconds);

private:
  /// Called once; startError holds the reason for a failure.
  void start(char *const *argv, int standardOutput, int standardError);

  pid_t child = -1; ///< -1: not started, or already waited for
  int startError = 0;
  std::atomic<pid_t> *place = nullptr; ///< entry in the list of processes that a signal kills
};

/// Runs a program and waits for it.
ExitStatus runToEnd(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1,
                    llvm::function_ref<void(pid_t)> isStillRunning = {});

/// Kills all programs and waits for them. For signal handlers: it allocates nothing, and no program can start
/// afterwards.
void killPrograms();

} // namespace tilecc

#endif // TILECC_DRIVER_SUBPROCESS_H
