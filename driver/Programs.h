//===- Programs.h - external programs, intermediate files, outputs --------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_PROGRAMS_H
#define TILECC_DRIVER_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// A program that is started before its input is there, so that its own start is over when it is. It waits where it opens the
/// file: this process holds a lease of it (fcntl(2)), so that the kernel keeps everybody else waiting until it is given back.
class EarlyProgram {
public:
  /// Null where there are no leases (the system or its folder of temporary files has none).
  static std::unique_ptr<EarlyProgram> start(llvm::ArrayRef<std::string> command, llvm::StringRef input);
  ~EarlyProgram();

  /// Writes the input and lets the program go on. False if that cannot be: the program is to be run as any other.
  bool give(llvm::StringRef bytes);

private:
  friend bool runProgram(Context &, llvm::ArrayRef<std::string>, std::string *, std::string *, EarlyProgram *);
  struct Process;
  EarlyProgram(llvm::ArrayRef<std::string> command, int input);
  std::unique_ptr<Process> process;
  int input; ///< -1: given
  std::chrono::steady_clock::time_point started;
};

/// Runs a program. What it prints is collected and relayed whole, so that programs that run side by side do not mix their
/// lines. With `output`, its standard output is the result; with `messages`, the rest goes there if it succeeds. False, with
/// an Error, if it could not run or failed. `early` has started, without `output`, and was given its input. Safe to call from
/// several threads.
bool runProgram(Context &ctx, llvm::ArrayRef<std::string> command, std::string *output = nullptr,
                std::string *messages = nullptr, EarlyProgram *early = nullptr);

/// What a program prints on standard output; empty if it cannot be run or fails.
std::string outputOf(llvm::ArrayRef<std::string> command);

/// What an output's name stands for: links are followed, so that the file is replaced and not the link. A link to an open file of
/// the process (/dev/stdout) stays as it is: whoever opened it waits for bytes in that file and not in a new one of its name.
std::string followLinks(llvm::StringRef path);

/// An output that somebody writes: a regular file appears at once or not at all, as a temporary beside it that is renamed; pipes,
/// devices and open files of the process are written straight. An Error if it cannot be made.
class PendingOutput {
public:
  PendingOutput(Context &ctx, llvm::StringRef target, unsigned mode = 0666);
  ~PendingOutput();
  PendingOutput(const PendingOutput &) = delete;

  const std::string &path() const; ///< what is to be written
  bool isWrittenStraight() const { return !temp; }
  bool keep();                     ///< makes it the output. False, with an Error, if that failed

private:
  Context &ctx;
  std::string target;
  std::optional<llvm::sys::fs::TempFile> temp;
};

/// Writes a whole output, `-` being standard output. False, with an Error, if that failed.
bool writeOutput(Context &ctx, llvm::StringRef path, llvm::StringRef bytes);

/// A file's bytes. Empty, with an Error, if it cannot be read.
std::string readFile(Context &ctx, llvm::StringRef path);

/// Removes the folder of intermediate files and an output that is not finished. Called however a run ends, also by handlers of
/// signals, so it allocates nothing; SIGKILL alone leaves them behind.
void removeTemporaries();

/// The same for a process that takes over: what removeFileOrFolder() is to remove.
void collectTemporaries(llvm::MutableArrayRef<char *> paths);
void removeFileOrFolder(const char *path);

} // namespace tilecc

#endif // TILECC_DRIVER_PROGRAMS_H
