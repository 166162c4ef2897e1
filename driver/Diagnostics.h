//===- Diagnostics.h - messages and exit codes of the driver -----------------------------------------------*- C++ -*-//
//
// There are two kinds of failure. A user's mistake is an Error: errors accumulate, and a checkpoint ends the run with
// exit status 1. A bug in tcc ends the run at once with exit status 70, a request to report it, and a reproducer.
//
//   Error(ctx) << path << ": no such file";
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DIAGNOSTICS_H
#define TILECC_DRIVER_DIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <string>

namespace tilecc {

struct Context;

inline constexpr int exitUserError = 1;
inline constexpr int exitTileirasError = 5; // replaces the above if tcc runs as tileiras
inline constexpr int exitCompilerBug = 70; // EX_SOFTWARE in sysexits.h

/// One message. The destructor prints it in one piece, so that messages of parallel steps do not interleave, unless
/// the same message has already been printed.
class Message {
public:
  template <typename T> Message &operator<<(const T &value) {
    stream << value;
    return *this;
  }
  Message(const Message &) = delete;

protected:
  explicit Message(llvm::StringRef severity);
  ~Message();

private:
  std::string text;
  llvm::raw_string_ostream stream{text};
};

class Error : public Message {
public:
  explicit Error(Context &ctx);
};

class Warning : public Message {
public:
  explicit Warning(Context &) : Message("warning") {}
};

class Note : public Message {
public:
  explicit Note(Context &) : Message("note") {}
};

/// Omits tcc's name from all later messages, as front ends for tileiras expect.
void speakAsTileiras();

/// Prints `text` on stderr in one write.
void printWhole(llvm::StringRef text);

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

#endif // TILECC_DRIVER_DIAGNOSTICS_H
