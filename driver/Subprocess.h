//===- Subprocess.h - programs that end when tcc does ---------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_SUBPROCESS_H
#define TILECC_DRIVER_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <string>
#include <sys/types.h>

namespace tilecc {

/// How a program ended.
struct ExitStatus {
  int error = 0;  ///< errno, where it could not be started
  int code = 0;   ///< its exit status, ...
  int signal = 0; ///< or what killed it
  bool succeeded() const { return !error && !code && !signal; }
};

/// A program that runs, with these files as standard output and error (-1: as this process has them). It is killed if this
/// process ends, however it ends; if the thread that started it does; and with this object. Safe to use in several threads.
class Subprocess {
public:
  explicit Subprocess(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1);
  ~Subprocess();
  Subprocess(const Subprocess &) = delete;

  /// Waits for its end. `isStillRunning` is called every minute that it takes.
  ExitStatus wait(llvm::function_ref<void(pid_t)> isStillRunning = {});

private:
  /// Once; startError says why it did not work.
  void start(char *const *argv, int standardOutput, int standardError);

  pid_t child = -1; ///< not there, or waited for: -1
  int startError = 0;
  std::atomic<pid_t> *place = nullptr; ///< in the list of what a signal kills
};

/// Runs a program to its end.
ExitStatus runToEnd(llvm::ArrayRef<std::string> command, int standardOutput = -1, int standardError = -1,
                    llvm::function_ref<void(pid_t)> isStillRunning = {});

/// Kills all programs, and waits for that. For handlers of signals: it allocates nothing, and nothing starts later.
void killPrograms();

} // namespace tilecc

#endif // TILECC_DRIVER_SUBPROCESS_H
