//===- Actions.h - the steps of a run: how to execute, print and time them ---------------------------------*- C++ -*-//
//
// One list contains all steps of a run. --dryrun prints this list, -v prints each step before it runs, and --time
// reports how long each step took. A step that tcc executes in its own process is printed as the equivalent tcc
// command, so that a user can paste any printed line into a shell and get the same output.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ACTIONS_H
#define TILECC_DRIVER_ACTIONS_H

#include "driver/Programs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/TimeProfiler.h"
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// A step: commands that are independent of each other, and a function that does the same work in this process.
struct Action {
  std::string name; ///< the name that --time prints
  std::vector<Command> commands;
  std::function<bool()> run; ///< returns false after it has reported an Error
};

/// Runs the steps in order, and stops at the first one that fails. With --dryrun, only prints them. Returns false after
/// an Error.
bool perform(Context &ctx, llvm::ArrayRef<Action> actions);

/// Measures how long its own lifetime is, for --time and -ftime-trace.
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

/// Implements --time: appends the recorded times to the file, in the columns that nvcc uses.
void writeTimes(Context &ctx);

/// Implements -ftime-trace: LLVM's time profiler and ours record everything between these two calls.
void startTimeTrace(Context &ctx);
void writeTimeTrace(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_ACTIONS_H
