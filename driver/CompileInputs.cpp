//===- CompileInputs.cpp - compiles the inputs and links them -----------------------------------------------------===//
//
// The second half of main(): names the outputs, and performs the steps of each input and of the link.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/CompileInputs.h"
#include "driver/Actions.h"
#include "driver/DeviceLink.h"
#include "driver/Diagnostics.h"
#include "driver/HostCompiler.h"
#include "driver/Cubins.h"
#include "driver/KernelActions.h"
#include "driver/Link.h"
#include "driver/OptionIds.h"
#include "driver/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

/// dir/a.tt.cpp -> a
static std::string stemOf(StringRef path) {
  StringRef stem = sys::path::stem(path);
  if (sys::path::extension(stem) == ".tt")
    stem = sys::path::stem(stem);
  return stem.str();
}

/// Returns the path of an output that -o does not name.
static std::string inOutputDir(const Context &ctx, const Twine &name) {
  SmallString<128> path(ctx.outputDir);
  sys::path::append(path, name);
  return path.str().str();
}

/// Returns the output for `input`: -o, nvcc's default name, or standard output for an --emit stage that is text.
static std::string outputFor(const Context &ctx, const Input &input) {
  if (!ctx.output.empty())
    return ctx.output;
  bool asked = ctx.args.hasArg(options::OPT_emit_EQ);
  if (isText(ctx.stage) || (asked && (ctx.stage == Stage::PTX || ctx.stage == Stage::HostAsm)))
    return "-";
  return inOutputDir(ctx, stemOf(input.path) + suffixOf(ctx.stage).str());
}

/// Reports an error if PTX cannot name the source: line information names it in a string, and PTX strings have no
/// escape for a quotation mark.
static void checkNameForPtx(Context &ctx, const Input &input) {
  constexpr Stage stages[] = {Stage::PTX, Stage::Cubin, Stage::SASS, Stage::Fatbin};
  SmallString<256> path(input.path);
  sys::fs::make_absolute(path);
  if (input.kind == InputKind::TileSource && (input.simt || ctx.hasGpuTargets()) && path.str().contains('"') &&
      (hasHostCode(ctx.stage) || is_contained(stages, ctx.stage)))
    Error(ctx) << input.path << ": PTX cannot name a file with a quotation mark in its path; rename it";
}

void checkOutputs(Context &ctx) {
  bool linksSomething =
      isJoint(ctx.stage) && (!ctx.linkLine.empty() || ctx.args.hasArg(options::OPT_registration_list_EQ));
  if (ctx.inputs.empty() && !linksSomething) {
    if (!ctx.errors)
      Error(ctx) << "no input files";
    return;
  }
  for (const Input &input : ctx.inputs)
    if (std::string why = whyUnreachable(input.kind, ctx.stage); !why.empty() && input.kind != InputKind::Linkable)
      Error(ctx) << input.path << ": " << why;
  bool isOneOutput = isJoint(ctx.stage);
  if (!isOneOutput && !ctx.output.empty() && ctx.output != "-" && ctx.inputs.size() > 1)
    Error(ctx) << "-o " << ctx.output << ": cannot hold the outputs of " << ctx.inputs.size() << " inputs";
  if (ctx.stage == Stage::CLauncher && !ctx.output.empty() && sys::path::extension(ctx.output) != ".c")
    Error(ctx) << "-o " << ctx.output << ": --emit=c-launcher writes a .c, and a .h beside it";
  if (!isOneOutput && ctx.output.empty()) {
    StringSet<> names;
    for (const Input &input : ctx.inputs)
      if (std::string name = outputFor(ctx, input); name != "-" && !names.insert(name).second)
        Error(ctx) << input.path << ": its output " << name << " is another input's output, too";
  }
  for (const Input &input : ctx.inputs) {
    if (!ctx.output.empty() && ctx.output != "-" &&
        sys::path::filename(ctx.output) == sys::path::filename(input.path) &&
        sys::fs::equivalent(ctx.output, input.path))
      Error(ctx) << "-o " << ctx.output << ": would overwrite an input";
    checkNameForPtx(ctx, input);
    StringRef rule = ctx.args.getLastArgValue(options::OPT_MF);
    if (!rule.empty() && rule != "-" && sys::fs::equivalent(rule, input.path))
      Error(ctx) << "-MF " << rule << ": would overwrite an input";
  }
  bool needsOneArch = ctx.stage == Stage::Cubin || ctx.stage == Stage::SASS;
  bool namesArch = ctx.args.hasArg(options::OPT_TargetGroup);
  auto hasCode = [](const TargetArch &target) { return target.cubin; };
  if (needsOneArch && namesArch && count_if(ctx.targets, hasCode) > 1)
    Error(ctx) << (ctx.stage == Stage::Cubin ? "-cubin" : "--emit=sass")
               << ": a cubin is for one architecture; name one with -arch=sm_XX, or use -fatbin";
}

void compileInputs(Context &ctx) {
  for (auto [i, input] : enumerate(ctx.inputs)) {
    if (input.kind == InputKind::Linkable) {
      if (!isJoint(ctx.stage))
        Warning(ctx) << input.path << ": linker input unused because linking not done";
      continue;
    }
    std::string output;
    if (isJoint(ctx.stage)) {
      output = ctx.intermediate(input, ".o");
      for (LinkItem &item : ctx.linkLine)
        if (item.input == int(i))
          item.text = output;
    } else {
      output = outputFor(ctx, input);
    }
    // An error in one input does not hide the errors of the others.
    perform(ctx, input.kind == InputKind::HostSource ? std::vector<Action>{planHostSource(ctx, input, output)}
                                                     : planKernels(ctx, input, output));
  }
}

std::string linkProgram(Context &ctx) {
  if (ctx.args.hasArg(options::OPT_host_link)) {
    perform(ctx, planHostLink(ctx));
    return {};
  }
  StringRef name = ctx.stage == Stage::Archive ? "a.a" : ctx.stage == Stage::DeviceLink ? "a_dlink.o" : "a.out";
  std::string output = ctx.output.empty() ? inOutputDir(ctx, name) : ctx.output;
  perform(ctx, ctx.stage == Stage::Archive      ? planArchive(ctx, output)
               : ctx.stage == Stage::DeviceLink ? planDeviceLink(ctx, output)
                                                : planLink(ctx, output));
  return output;
}

int runProgramOfUser(Context &ctx, StringRef program) {
  std::vector<std::string> command = {sys::path::has_parent_path(program) ? program.str() : ("./" + program).str()};
  for (StringRef arguments : ctx.args.getAllArgValues(options::OPT_run_args_EQ))
    for (StringRef argument : split(arguments, ','))
      command.push_back(argument.str());
  ExitStatus status;
  perform(ctx, {{"run", {{command, {}}}, [&] {
                   status = runToEnd(command);
                   if (status.error)
                     Error(ctx) << command.front() << ": cannot run it: " << strerror(status.error);
                   return !status.error;
                 }}});
  // The shell's convention.
  return status.error ? exitUserError : status.signal ? 128 + status.signal : status.code;
}

} // namespace tilecc
