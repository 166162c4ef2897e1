//===- Actions.h - the steps of a run, each with how to do it and how to print it --------------------------*- C++ -*-//
//
// Every step is in one list. --dryrun prints the list, -v prints each step before it is done, and --time says how long it
// took. A step that tcc does in process is printed as the tcc command that does the same, so that everything printed works
// when it is pasted, and makes the same bytes.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ACTIONS_H
#define TILECC_DRIVER_ACTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/TimeProfiler.h"
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// A command line. Where `output` is given, the file that its standard output goes to.
struct Command {
  std::vector<std::string> args;
  std::string output;
};

/// A step: commands that do not depend on each other, and what does the same.
struct Action {
  std::string name; ///< for --time
  std::vector<Command> commands;
  std::function<bool()> run; ///< false after an Error
};

/// Does the steps one after another, up to the first that fails, or prints them. False after an Error.
bool perform(Context &ctx, llvm::ArrayRef<Action> actions);

/// A command for a shell.
std::string asShellCommand(const Command &command);

/// Notes how long the scope took, for --time and -ftime-trace.
class Timed {
public:
  Timed(Context &ctx, std::string what);
  ~Timed();

private:
  Context &ctx;
  std::string what;
  std::chrono::steady_clock::time_point start;
  llvm::TimeTraceScope trace;
};

void noteTime(Context &ctx, llvm::StringRef what, std::chrono::nanoseconds time);

/// --time: appends what was noted to the file, in the columns that nvcc has.
void writeTimes(Context &ctx);

/// -ftime-trace: from one to the other, LLVM's profiler and ours look on.
void startTimeTrace(Context &ctx);
void writeTimeTrace(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ACTIONS_H
