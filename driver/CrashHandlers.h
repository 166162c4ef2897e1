//===- CrashHandlers.h - crashes, stops by signals, and reproducers -------------------------------------*- C++ -*-===//

#ifndef TILECC_DRIVER_CRASHHANDLERS_H
#define TILECC_DRIVER_CRASHHANDLERS_H

namespace tilecc {

struct Context;

/// If this process has replaced a tcc run that was stopped by a signal, removes that run's unfinished files and exits.
void finishStop(int argc, char **argv);

/// Installs handlers for crashes and for LLVM's fatal errors, which is how the compiler reports its own bugs. They
/// explain how to report the bug and write what the thread was compiling (compile's Attempt) to a file.
void installCrashHandlers(int argc, char **argv);

/// While this object lives, the code writes an output through mapped memory, and SIGBUS means a full disk, not a bug.
class MappedOutput {
public:
  explicit MappedOutput(const char *path);
  ~MappedOutput();
};

/// Records the options of this run that the command in a reproducer needs.
void rememberCodeOptions(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CRASHHANDLERS_H
