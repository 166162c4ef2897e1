//===- Programs.h - runs external programs and writes files ------------------------------------------------*- C++ -*-//
//
// tcc runs external programs (ptxas, fatbinary, nvlink), and writes outputs such that an interrupted run leaves no
// partial files.
//
//===-------------------------------------------------------------------------------------------------------------===//

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

/// Formats a command such that it can be pasted into a shell.
std::string asShellCommand(const Command &command);

/// A program that is started before its input exists, to hide its start-up time. It blocks when it opens the input
/// file, because this process holds a lease on the file (fcntl(2)): the kernel blocks every other open until the lease
/// is released.
class EarlyProgram {
public:
  /// Starts the program. Returns null if the system, or the file system of the temporary folder, does not support
  /// leases.
  static std::unique_ptr<EarlyProgram> start(llvm::ArrayRef<std::string> command, llvm::StringRef input);
  ~EarlyProgram();

  /// Writes the input file and lets the program continue. Returns false if this fails; the caller then runs the program
  /// in the usual way.
  bool give(llvm::StringRef bytes);

private:
  friend bool runProgram(Context &, llvm::ArrayRef<std::string>, std::string *, std::string *, EarlyProgram *);
  struct Process;
  EarlyProgram(llvm::ArrayRef<std::string> command, int input);
  std::unique_ptr<Process> process;
  int input; ///< the open input file; -1: it has been written
  std::chrono::steady_clock::time_point started;
};

/// Runs a program, collects its output, and prints the output in one piece, so that programs that run in parallel do
/// not mix their lines. If `output` is given, it receives standard output. If `messages` is given, it receives all
/// other output of a program that succeeds. Returns false after it has reported an error, if the program fails or
/// cannot be started. `early` is the same program, already started without `output`, whose input has been written.
/// Thread-safe.
bool runProgram(Context &ctx, llvm::ArrayRef<std::string> command, std::string *output = nullptr,
                std::string *messages = nullptr, EarlyProgram *early = nullptr);

/// Returns true if other programs will be able to start threads, because neither the number of threads nor the address
/// space is limited. tcc itself tolerates it if a thread cannot be started; ptxas and lld do not.
bool hasThreadsForOthers();

/// Returns what a program writes to standard output; empty if the program cannot be run or fails.
std::string outputOf(llvm::ArrayRef<std::string> command);

/// Resolves symbolic links in the name of an output, so that the target of a link is replaced and not the link. A link
/// to an open file of the process (/dev/stdout) is kept, because its owner expects the bytes in that open file, and not
/// in a new file of the same name.
std::string followLinks(llvm::StringRef path);

/// An output that the caller writes. A regular file appears either complete or not at all: it is written to a temporary
/// file in the same folder, which is then renamed. Pipes, devices and open files of the process are written directly.
/// The constructor reports an error if the file cannot be created.
class PendingOutput {
public:
  PendingOutput(Context &ctx, llvm::StringRef target, unsigned mode = 0666);
  ~PendingOutput();
  PendingOutput(const PendingOutput &) = delete;

  const std::string &path() const; ///< the file to write to
  bool isWrittenStraight() const { return !temp; }
  bool keep(); ///< completes the output; returns false, after an Error, if this fails

private:
  Context &ctx;
  std::string target;
  std::optional<llvm::sys::fs::TempFile> temp;
};

/// Writes a whole output; the path `-` is standard output. Returns false after it has reported an error.
bool writeOutput(Context &ctx, llvm::StringRef path, llvm::StringRef bytes);

/// Returns the contents of a file. Reports an error and returns an empty string if the file cannot be read.
std::string readFile(Context &ctx, llvm::StringRef path);

/// Removes the temporary folder and an unfinished output. It is called at every exit, also from signal handlers, so it
/// allocates nothing. Only SIGKILL leaves these files behind.
void removeTemporaries();

/// Collects the paths of temporary files for another process that replaces this one. That process passes them to
/// removeFileOrFolder().
void collectTemporaries(llvm::MutableArrayRef<char *> paths);
void removeFileOrFolder(const char *path);

} // namespace tilecc

#endif // TILECC_DRIVER_PROGRAMS_H
