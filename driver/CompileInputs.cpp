//===- CompileInputs.cpp - from inputs to outputs ---------------------------------------------------------------------===//

#include "driver/CompileInputs.h"
#include "driver/HostCompiler.h"
#include "driver/Options.h"
#include "driver/Steps.h"
#include "driver/TileCompiler.h"
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

static bool isText(Stage stage) {
  return is_contained({Stage::TTIR, Stage::TTGIR, Stage::LLVM, Stage::SASS, Stage::CpuLLVM, Stage::CpuAsm,
                       Stage::HostLLVM, Stage::Preprocess, Stage::Dependencies, Stage::Syntax},
                      stage);
}

static StringRef suffixOf(Stage stage) {
  switch (stage) {
  case Stage::PTX: return ".ptx";
  case Stage::Cubin: return ".cubin";
  case Stage::Fatbin: return ".fatbin";
  case Stage::HostAsm: return ".s";
  default: return ".o";
  }
}

/// Where the output for `input` goes: -o, or nvcc's default names, or standard output for --emit of a text stage.
static std::string outputFor(const Context &ctx, const Input &input) {
  if (!ctx.output.empty())
    return ctx.output;
  bool asked = ctx.args.hasArg(options::OPT_emit_EQ);
  if (isText(ctx.stage) || (asked && (ctx.stage == Stage::PTX || ctx.stage == Stage::HostAsm)))
    return "-";
  return stemOf(input.path) + suffixOf(ctx.stage).str();
}

/// The stage an input already is at; it cannot be taken to an earlier one.
static std::optional<Stage> stageOf(InputKind kind) {
  switch (kind) {
  case InputKind::TTIR: return Stage::TTIR;
  case InputKind::TTGIR: return Stage::TTGIR;
  case InputKind::PTX: return Stage::PTX;
  case InputKind::Cubin: return Stage::Cubin;
  case InputKind::Fatbin: return Stage::Fatbin;
  default: return std::nullopt;
  }
}

void checkOutputs(Context &ctx) {
  bool linksSomething = ctx.stage == Stage::Link && !ctx.linkOrder.empty();
  if (ctx.inputs.empty() && !linksSomething) {
    if (!ctx.errors)
      Error(ctx) << "no input files";
    return;
  }
  if (ctx.stage == Stage::Link)
    for (const Input &input : ctx.inputs)
      if (stageOf(input.kind))
        Error(ctx) << input.path << ": has no host code to link; stop at a stage with --emit=, -ptx, -cubin or -fatbin";
  if (ctx.stage != Stage::Link && !ctx.output.empty() && ctx.output != "-" && ctx.inputs.size() > 1)
    Error(ctx) << "-o " << ctx.output << ": cannot hold the outputs of " << ctx.inputs.size() << " inputs";
  if (ctx.stage != Stage::Link && ctx.output.empty()) {
    StringSet<> names;
    for (const Input &input : ctx.inputs)
      if (std::string name = outputFor(ctx, input); name != "-" && !names.insert(name).second)
        Error(ctx) << input.path << ": its output " << name << " is another input's output, too";
  }
  for (const Input &input : ctx.inputs) {
    std::optional<Stage> at = stageOf(input.kind);
    if (at && ctx.stage < *at)
      Error(ctx) << input.path << ": is already past the stage asked for";
    if (at && (ctx.stage >= Stage::HostLLVM && ctx.stage < Stage::Link))
      Error(ctx) << input.path << ": has no host code";
    if (!ctx.output.empty() && ctx.output != "-" && sys::path::filename(ctx.output) == sys::path::filename(input.path) &&
        sys::fs::equivalent(ctx.output, input.path))
      Error(ctx) << "-o " << ctx.output << ": would overwrite an input";
  }
  bool needsOneArch = ctx.stage == Stage::Cubin || ctx.stage == Stage::SASS;
  bool namesArch = ctx.args.hasArg(options::OPT_arch_EQ, options::OPT_gencode);
  auto hasCode = [](const TargetArch &target) { return target.cubin; };
  if (needsOneArch && namesArch && count_if(ctx.targets, hasCode) > 1)
    Error(ctx) << (ctx.stage == Stage::Cubin ? "-cubin" : "--emit=sass")
               << ": a cubin is for one architecture; name one with -arch=sm_XX, or use -fatbin";
}

static bool isHost(InputKind kind) { return kind == InputKind::HostSource; }

void compileInputs(Context &ctx) {
  StringSet<> stems;
  for (const Input &input : ctx.inputs) {
    if (input.kind == InputKind::Linkable) {
      if (ctx.stage != Stage::Link)
        Warning(ctx) << input.path << ": linker input unused because linking not done";
      continue;
    }
    std::string output;
    if (ctx.stage == Stage::Link) {
      // Two inputs of one name in different folders get objects of different names.
      std::string stem = stemOf(input.path);
      for (unsigned n = 1; !stems.insert(stem).second; ++n)
        stem = stemOf(input.path) + "-" + std::to_string(n);
      output = ctx.intermediate(stem, ".o");
      *find(ctx.linkOrder, input.path) = output;
    } else {
      output = outputFor(ctx, input);
    }
    if (isHost(input.kind)) {
      if (ctx.stage >= Stage::HostLLVM)
        compileHostSource(ctx, input, output);
      else
        Error(ctx) << input.path << ": has no kernels; they are in .tt.cpp files";
    } else {
      compileKernels(ctx, input, output);
    }
  }
}

void linkProgram(Context &ctx) {
  std::string output = ctx.output;
  if (output.empty())
    output = "a.out";
  link(ctx, output);
}

} // namespace tilecc
