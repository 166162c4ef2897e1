//===- CrashHandlers.h - crashes, stops by signals, and reproducers -------------------------------------*- C++ -*-===//
//
// A crash of the compiler is reported like in Clang: with instructions, and a file that reproduces it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CRASHHANDLERS_H
#define TILECC_DRIVER_CRASHHANDLERS_H

namespace tilecc {

struct Context;

/// If this process was started to clean up after a tcc run that a signal stopped, removes the unfinished files of that
/// run and exits.
void finishStop(int argc, char **argv);

/// Installs handlers for crashes and for LLVM's fatal errors, by which the compiler reports its own bugs. The handlers
/// explain how to report the bug, and write what the thread was compiling (Attempt in compile/) to a file.
void installCrashHandlers(int argc, char **argv);

/// While this object exists, an output is written through mapped memory. SIGBUS then means that the disk is full; it is
/// not a bug.
class MappedOutput {
public:
  explicit MappedOutput(const char *path);
  ~MappedOutput();
};

/// Records those options of this run that the command in a reproducer needs.
void rememberCodeOptions(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CRASHHANDLERS_H
