//===- Programs.h - runs external programs and writes files ------------------------------------------------*- C++ -*-//

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

/// A command line. If `output` is set, standard output is redirected to that file.
struct Command {
  std::vector<std::string> args;
  std::string output;
};

/// Formats a command so that a shell can read it.
std::string asShellCommand(const Command &command);

/// A program that starts before its input exists, to hide its start-up time. It blocks when it opens the input file:
/// this process holds a lease on the file (fcntl(2)), and the kernel blocks every other open until the lease is
/// released.
class EarlyProgram {
public:
  /// Returns null if the system or the file system of the temporary folder does not support leases.
  static std::unique_ptr<EarlyProgram> start(llvm::ArrayRef<std::string> command, llvm::StringRef input);
  ~EarlyProgram();

  /// Writes the input and lets the program continue. Returns false if that fails; the caller then runs the program as
  /// usual.
  bool give(llvm::StringRef bytes);

private:
  friend bool runProgram(Context &, llvm::ArrayRef<std::string>, std::string *, std::string *, EarlyProgram *);
  struct Process;
  EarlyProgram(llvm::ArrayRef<std::string> command, int input);
  std::unique_ptr<Process> process;
  int input; ///< -1: already given
  std::chrono::steady_clock::time_point started;
};

/// Runs a program. Collects its output and prints it in one piece, so that programs that run in parallel do not mix
/// their lines. `output` receives standard output; `messages` receives the rest if the program succeeds. Reports an
/// error and returns false if the program fails or cannot be started. `early` is the same program, started without
/// `output`, whose input has been written. Thread-safe.
bool runProgram(Context &ctx, llvm::ArrayRef<std::string> command, std::string *output = nullptr,
                std::string *messages = nullptr, EarlyProgram *early = nullptr);

/// Returns true if other programs will be able to start threads: neither the number of threads nor the address space is
/// limited. tcc tolerates failure to start a thread; ptxas and lld do not.
bool hasThreadsForOthers();

/// Returns the standard output of a program; empty if it cannot be run or fails.
std::string outputOf(llvm::ArrayRef<std::string> command);

/// Resolves symbolic links in an output's name, so that the target is replaced and not the link. Keeps a link to an
/// open file of the process (/dev/stdout), because its owner expects the bytes in that open file and not in a new file
/// of the same name.
std::string followLinks(llvm::StringRef path);

/// An output that the caller writes. A regular file appears complete or not at all: it is written to a temporary file
/// in the same folder and then renamed. Pipes, devices and open files of the process are written directly. The
/// constructor reports an error if the file cannot be created.
class PendingOutput {
public:
  PendingOutput(Context &ctx, llvm::StringRef target, unsigned mode = 0666);
  ~PendingOutput();
  PendingOutput(const PendingOutput &) = delete;

  const std::string &path() const; ///< the file to write to
  bool isWrittenStraight() const { return !temp; }
  bool keep(); ///< commits the output. Returns false, with an Error, on failure

private:
  Context &ctx;
  std::string target;
  std::optional<llvm::sys::fs::TempFile> temp;
};

/// Writes a whole output; `-` is standard output. Reports an error and returns false on failure.
bool writeOutput(Context &ctx, llvm::StringRef path, llvm::StringRef bytes);

/// Returns the contents of a file. Reports an error and returns an empty string if the file cannot be read.
std::string readFile(Context &ctx, llvm::StringRef path);

/// Removes the temporary folder and an unfinished output. Runs at every exit, including from signal handlers, so it
/// allocates nothing. Only SIGKILL leaves these files behind.
void removeTemporaries();

/// Collects the paths of temporary files for a process that replaces this one, which then passes them to
/// removeFileOrFolder().
void collectTemporaries(llvm::MutableArrayRef<char *> paths);
void removeFileOrFolder(const char *path);

} // namespace tilecc

#endif // TILECC_DRIVER_PROGRAMS_H
