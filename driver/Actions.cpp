//===- Actions.cpp - doing, printing and timing the steps of a run --------------------------------------------------===//
//
// Called by CompileInputs.cpp with the steps of each input, and with those of the link.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/Actions.h"
#include "driver/Context.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tilecc {

/// One argument as a shell reads it back.
static std::string quoted(StringRef arg) {
  bool plain = !arg.empty() && all_of(arg, [](char c) { return isAlnum(c) || StringRef("_@%+=:,./-").contains(c); });
  if (plain)
    return arg.str();
  std::string text = "'";
  for (char c : arg)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string asShellCommand(const Command &command) {
  std::string text = join(map_range(command.args, quoted), " ");
  return command.output.empty() || command.output == "-" ? text : text + " > " + quoted(command.output);
}

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
    : ctx(ctx), what(std::move(what)), start(std::chrono::steady_clock::now()) {}

Timed::~Timed() { printTime(ctx, what, std::chrono::steady_clock::now() - start); }

void printTime(Context &ctx, StringRef what, std::chrono::nanoseconds time) {
  if (ctx.time)
    printWhole(formatv("{0,9:F2} ms  {1}\n", std::chrono::duration<double, std::milli>(time).count(), what).str());
}

} // namespace tilecc
