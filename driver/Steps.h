//===- Steps.h - running and printing the steps of a compilation ----------------------------------------------*- C++ -*-//
//
// Every external step is a command line that --dryrun prints so that it works when pasted, -v prints before it runs,
// and --time measures. Steps that tcc does in process are printed as the tcc command line that does the same.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_STEPS_H
#define TILECC_DRIVER_STEPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// Prints a command, quoted for a shell, if --dryrun or -v was given.
void printStep(Context &ctx, llvm::ArrayRef<std::string> command);

/// Runs a program and relays what it prints. False, with an Error, if it could not run or failed; true in a dry run.
/// Safe to call from several threads.
bool runStep(Context &ctx, llvm::ArrayRef<std::string> command);

/// The same for a program whose standard output is its result.
bool runStepForOutput(Context &ctx, llvm::ArrayRef<std::string> command, std::string &output);

/// The same, giving what it prints to the caller instead of relaying it, unless it fails.
bool runStepForMessages(Context &ctx, llvm::ArrayRef<std::string> command, std::string &messages);

/// Writes a whole output: a regular file appears at once or not at all (a temporary beside it, then a rename); `-`, pipes
/// and devices are written straight. False, with an Error, if that failed.
bool writeOutput(Context &ctx, llvm::StringRef path, llvm::StringRef bytes);

/// Removes the folder of intermediate files. Called however a run ends; SIGKILL alone leaves it behind.
void removeTemporaries();

/// With --time, prints how long the scope took.
class Timed {
public:
  Timed(Context &ctx, std::string what);
  ~Timed();

private:
  Context &ctx;
  std::string what;
  std::chrono::steady_clock::time_point start;
};

} // namespace tilecc

#endif // TILECC_DRIVER_STEPS_H
