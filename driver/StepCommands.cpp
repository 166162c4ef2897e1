//===- StepCommands.cpp - shell commands for the steps of kernels -------------------------------------------------===//
//
// The lists of steps for tile kernels (KernelActions.cpp) and SIMT code (SimtActions.cpp) consist of these commands.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/StepCommands.h"
#include "driver/CommandLine.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/TargetArchs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace llvm;

namespace tilecc {

std::vector<std::string> tccCommand(const Context &ctx, bool withTargets, bool withDependencies) {
  std::vector<std::string> command = {ctx.programName};
  for (const opt::Arg *arg : ctx.args) {
    const opt::Option option = arg->getOption();
    bool isTarget = option.matches(options::OPT_TargetGroup);
    bool isPart = option.matches(options::OPT_HostGroup) || option.matches(options::OPT_GpuGroup) ||
                  (withDependencies && option.matches(options::OPT_DependencyGroup));
    if (!isPart || option.matches(options::OPT_x) || option.matches(options::OPT_include_fatbin_EQ) ||
        option.matches(options::OPT_include_simt_fatbin_EQ) || (isTarget && !withTargets))
      continue;
    opt::ArgStringList strings;
    render(ctx.args, *arg, strings);
    append_range(command, strings);
  }
  if (ctx.tileOnly && !ctx.args.hasArg(options::OPT_tile_only))
    command.push_back("--tile-only"); // implied by the option that selected the stage
  return command;
}

void addInput(std::vector<std::string> &command, const Input &input) {
  if (!input.language.empty())
    command.insert(command.end(), {"-x", input.language});
  command.push_back(input.path);
}

Command stageCommand(const Context &ctx, const Input &input, StringRef output, ArrayRef<std::string> images) {
  std::vector<std::string> command = tccCommand(ctx, /*withTargets=*/true, /*withDependencies=*/true);
  Stage stage = stageOfSources(ctx.stage);
  if (StringRef option = isForPtxFile(ctx) ? "-ptx" : optionFor(stage); !option.empty())
    command.push_back(option.str());
  if (!ctx.kernelFilter.empty())
    command.push_back("--kernel=" + ctx.kernelFilter);
  if (!ctx.variantFilter.empty())
    command.push_back("--variant=" + ctx.variantFilter);
  append_range(command, images);
  addInput(command, input);
  if (stage != Stage::Syntax)
    command.insert(command.end(), {"-o", output.str()});
  return {command, {}};
}

Command ptxCommand(const Context &ctx, const Input &input, const TargetFile &file, StringRef variants) {
  std::vector<std::string> command = tccCommand(ctx, /*withTargets=*/false, /*withDependencies=*/false);
  command.push_back("--emit=ptx");
  if (ctx.tensorMaps && !ctx.args.hasArg(options::OPT_tensor_maps_EQ))
    command.push_back("--tensor-maps=true");
  if (!ctx.kernelFilter.empty())
    command.push_back("--kernel=" + ctx.kernelFilter);
  if (!variants.empty())
    command.push_back("--variant=" + variants.str());
  command.push_back("-arch=" + getPtxName(file.target.arch));
  addInput(command, input);
  command.insert(command.end(), {"-o", file.ptx});
  return {command, {}};
}

Action copyAction(Context &ctx, const std::string &from, const std::string &to) {
  std::vector<std::string> command =
      to == "-" ? std::vector<std::string>{"cat", from} : std::vector<std::string>{"cp", from, to};
  return {"write " + to, {{command, {}}}, [&ctx, from, to] {
            std::string bytes = readFile(ctx, from);
            return !ctx.errors && writeOutput(ctx, to, bytes);
          }};
}

Action disassembleAction(Context &ctx, const std::string &image, bool isFatbin, const std::string &output) {
  Command command{{}, output};
  if (!isFatbin && !ctx.cuda.nvdisasm.empty())
    command.args = {ctx.cuda.nvdisasm, "-c", image};
  else if (!ctx.cuda.cuobjdump.empty())
    command.args = {ctx.cuda.cuobjdump, "-sass", image};
  if (command.args.empty()) {
    CudaToolkit::reportMissing(ctx, isFatbin ? "cuobjdump" : "nvdisasm or cuobjdump", "--emit=sass");
    return {"disassemble", {}, [] { return false; }};
  }
  return {"disassemble", {command}, [&ctx, command] {
            std::string text;
            return runProgram(ctx, command.args, &text) && writeOutput(ctx, command.output, text);
          }};
}

std::string withSource(StringRef ptx) {
  struct Source {
    StringRef name;
    std::unique_ptr<MemoryBuffer> text;
    SmallVector<StringRef, 0> lines;
  };
  std::map<unsigned, Source> sources; // numbered by ".file" lines, which follow the code
  static const Regex fileLine("^[ \t]*\\.file[ \t]+([0-9]+) \"(.*)\"");
  static const Regex placeLine("^[ \t]*\\.loc[ \t]+([0-9]+) ([0-9]+)");
  SmallVector<StringRef, 0> ptxLines;
  ptx.split(ptxLines, '\n');
  auto number = [](StringRef digits) { return unsigned(std::stoul(digits.str())); };
  SmallVector<StringRef, 3> parts;
  for (StringRef line : ptxLines)
    if (fileLine.match(line, &parts))
      if (auto text = MemoryBuffer::getFile(parts[2])) {
        Source &source = sources[number(parts[1])] = {sys::path::filename(parts[2]), std::move(*text), {}};
        source.text->getBuffer().split(source.lines, '\n');
      }
  std::string out;
  for (StringRef line : ptxLines) {
    if (placeLine.match(line, &parts))
      if (auto it = sources.find(number(parts[1])); it != sources.end())
        if (unsigned n = number(parts[2]); n && n <= it->second.lines.size())
          out += ("//" + it->second.name + ":" + parts[2] + " " + it->second.lines[n - 1].trim() + "\n").str();
    (out += line) += '\n';
  }
  return out;
}

} // namespace tilecc
