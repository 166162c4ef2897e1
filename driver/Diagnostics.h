//===- Diagnostics.h - messages and exit codes of the driver -----------------------------------------------*- C++ -*-//
//
// There are two kinds of failure. A user's mistake is an Error: errors accumulate, and a checkpoint ends the run with
// exit status 1. A bug in tcc ends the run at once with exit status 70 (CrashHandlers.h).
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

/// One message. The destructor prints it in one piece, so that messages of parallel steps do not mix. It prints nothing
/// if the same message has been printed before.
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

/// Omits the name of tcc from all later messages, as front ends for tileiras expect.
void speakAsTileiras();

/// Prints `text` to stderr in one write. This function and the following two may be called in signal handlers.
void printWhole(llvm::StringRef text);

/// Makes printWhole() block forever from now on, because later errors would only be consequences of the end of the run.
/// Returns true if it did so already.
bool stopPrinting();

void writeAll(int fd, llvm::StringRef text);

} // namespace tilecc

#endif // TILECC_DRIVER_DIAGNOSTICS_H
