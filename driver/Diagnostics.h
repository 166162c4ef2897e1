//===- Diagnostics.h - what the driver says, and how it ends ------------------------------------------------*- C++ -*-//
//
// Two kinds of failure. A user's mistake is an Error: errors add up, and a checkpoint ends the run with exit status 1.
// A bug in tcc is fatal at once: exit status 70, a request to report it, and a reproducer.
//
//   Error(ctx) << path << ": no such file";
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DIAGNOSTICS_H
#define TILECC_DRIVER_DIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <string>

namespace tilecc {

struct Context;

inline constexpr int exitUserError = 1;
inline constexpr int exitTileirasError = 5; // instead of the above, where tcc stands for tileiras
inline constexpr int exitCompilerBug = 70; // EX_SOFTWARE of sysexits.h

/// One message, printed whole when the object dies, so that messages of parallel steps do not interleave.
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

/// From here on messages do not name tcc, as front ends for tileiras expect.
void speakAsTileiras();

/// Prints `text` on stderr in one write.
void printWhole(llvm::StringRef text);

/// Where this process took over from a run of tcc that was stopped, ends what that left unfinished, and itself.
void finishStop(int argc, char **argv);

/// From here on a crash or a fatal error in LLVM, which is how the compiler reports its own bugs, prints how to report it and
/// writes what the thread was compiling (compile's Attempt) to a file.
void installCrashHandlers(int argc, char **argv);

/// While it lives, code writes this output through mapped memory: SIGBUS is then no bug but a disk that is full.
class MappedOutput {
public:
  explicit MappedOutput(const char *path);
  ~MappedOutput();
};

/// The options of this run that the command for such a file needs.
void rememberCodeOptions(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_DIAGNOSTICS_H
