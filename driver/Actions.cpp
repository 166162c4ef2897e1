//===- Actions.cpp - executes, prints and times the steps of a run ------------------------------------------------===//
//
// CompileInputs.cpp passes the steps of each input, and the steps of the link, to these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <mutex>

using namespace llvm;

namespace tilecc {

bool perform(Context &ctx, ArrayRef<Action> actions) {
  for (const Action &action : actions) {
    if (ctx.dryRun || ctx.verbose)
      for (const Command &command : action.commands)
        printWhole(asShellCommand(command) + "\n");
    if (ctx.dryRun)
      continue;
    unsigned errorsBefore = ctx.errors;
    Timed timed(ctx, action.name);
    if (!action.run() || ctx.errors != errorsBefore)
      return false;
  }
  return true;
}

Timed::Timed(Context &ctx, std::string what)
    : ctx(ctx), what(std::move(what)), start(std::chrono::steady_clock::now()), trace("tcc", this->what) {}

Timed::~Timed() { noteTime(ctx, what, std::chrono::steady_clock::now() - start); }

static std::mutex rowsMutex;
static std::string rows;

void noteTime(Context &ctx, StringRef what, std::chrono::nanoseconds time) {
  if (ctx.timeFile.empty())
    return;
  double milliseconds = std::chrono::duration<double, std::milli>(time).count();
  std::lock_guard lock(rowsMutex);
  rows += formatv("{0} , {1} ,  ,  ,  , tcc , {2:F4} , ms\n", ctx.inputs.size() == 1 ? ctx.inputs[0].path : "", what,
                  milliseconds);
}

void writeTimes(Context &ctx) {
  if (rows.empty())
    return;
  static constexpr StringLiteral header =
      "source file name , phase name , phase input files , phase output file , arch , tool, metric , unit\n";
  std::error_code error;
  raw_fd_ostream file(ctx.timeFile, error, sys::fs::OF_Append);
  uint64_t size = 0;
  bool isNew = ctx.timeFile == "-" || sys::fs::file_size(ctx.timeFile, size) || size == 0;
  if (!error) {
    file << (isNew ? header : "") << rows;
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    Error(ctx) << "--time: " << ctx.timeFile << ": " << error.message();
}

/// Returns the file for -ftime-trace and related options, or an empty string if no such option is given.
static std::string timeTraceFile(const Context &ctx) {
  const opt::Arg *arg =
      ctx.args.getLastArg(options::OPT_ftime_trace, options::OPT_ftime_trace_EQ, options::OPT_fdevice_time_trace_EQ);
  if (!arg)
    return {};
  if (arg->getNumValues() && StringRef(arg->getValue()) != "-")
    return arg->getValue();
  bool hasOutput = !ctx.output.empty() && ctx.output != "-";
  SmallString<128> path(hasOutput            ? StringRef(ctx.output)
                        : ctx.inputs.empty() ? "a.out"
                                             : sys::path::filename(ctx.inputs[0].path));
  sys::path::replace_extension(path, ".json");
  return path.str().str();
}

void startTimeTrace(Context &ctx) {
  if (!timeTraceFile(ctx).empty())
    timeTraceProfilerInitialize(/*TimeTraceGranularity=*/500, "tcc");
}

void writeTimeTrace(Context &ctx) {
  if (!timeTraceProfilerEnabled())
    return;
  SmallString<0> text;
  raw_svector_ostream stream(text);
  timeTraceProfilerWrite(stream);
  timeTraceProfilerCleanup();
  writeOutput(ctx, timeTraceFile(ctx), text);
}

} // namespace tilecc
