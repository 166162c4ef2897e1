//===- SourceOptions.cpp - how the front end and Clang read a source ----------------------------------------------===//
//
// The options of parses, for sources with kernels, SIMT code or neither.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/SourceOptions.h"
#include "driver/AsNvcc.h"
#include "driver/Diagnostics.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "frontend/CacheFolder.h"
#include "clang/Basic/LangStandard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

FrontendOptions frontendOptions(const Context &ctx, const Input *input) {
  FrontendOptions options;
  options.resourceDir = resourceDir(ctx);
  options.headerDirs = {installed(ctx, "include")};
  options.precompiledDir = installed(ctx, "lib/tilecc/language");
  options.clangPath = ctx.programPath;
  if (input && input->simt)
    options.simt = simtOptions(ctx, *input);
  options.relocatable = ctx.relocatable;
  options.isPreprocessed = input && input->isPreprocessed();
  options.filesInMemory = ctx.remappedFiles;
  return options;
}

std::string nameInObject(const Context &ctx, StringRef path) {
  SmallString<256> name(path);
  for (StringRef arg : reverse(ctx.hostArgs))
    if (arg.consume_front("-ffile-prefix-map="))
      if (auto [from, to] = arg.split('='); sys::path::replace_path_prefix(name, from, to))
        break;
  return name.str().str();
}

bool mayHaveTileCode(const Context &ctx, const Input &input) {
  return input.kind == InputKind::TileSource &&
         (!input.simt || includesTileLanguage(input.path, frontendOptions(ctx, &input)));
}

/// Returns the option that selects the C++ dialect; empty if there is none.
static StringRef optionOfDialect(const Context &ctx) {
  auto option = find_if(reverse(ctx.hostArgs), [](StringRef arg) {
    return arg == "-ansi" || arg.starts_with("-std=") || arg.starts_with("--std=");
  });
  return option == ctx.hostArgs.rend() ? StringRef() : *option;
}

/// Returns the dialect that replaces a requested dialect below C++20, for a source with tile code; empty if none does.
/// Projects often set one dialect for all files and have kernels in a few.
static std::string dialectInsteadOf(const Context &ctx, const Input &input) {
  StringRef option = optionOfDialect(ctx);
  if (option.empty() || !mayHaveTileCode(ctx, input))
    return {};
  using clang::LangStandard;
  const StringRef name = option == "-ansi" ? "c++98" : option.split('=').second;
  LangStandard::Kind kind = LangStandard::getLangKind(name);
  if (kind == LangStandard::lang_unspecified)
    return {}; // Clang reports the unknown dialect
  const LangStandard &standard = LangStandard::getLangStandardForKind(kind);
  if (!standard.isCPlusPlus() || standard.isCPlusPlus20())
    return {};
  return standard.isGNUMode() ? "gnu++20" : "c++20";
}

void noteDialect(Context &ctx, const Input &input) {
  if (std::string dialect = dialectInsteadOf(ctx, input); !dialect.empty() && !ctx.args.hasArg(options::OPT_w))
    Note(ctx) << input.path << ": compiled with -std=" << dialect << " instead of " << optionOfDialect(ctx)
              << ", because tile kernels need C++20";
}

std::vector<std::string> sourceArguments(const Context &ctx, const Input &input) {
  std::vector<std::string> args = sourceOptions(ctx, input);
  if (std::string dialect = dialectInsteadOf(ctx, input); !dialect.empty())
    args.push_back("-std=" + dialect);
  // LLVM bitcode cannot hold kernels. Machine code objects still link with bitcode objects.
  llvm::erase_if(args, [](StringRef arg) { return arg.starts_with("-flto"); });
  if (!ctx.args.hasArg(options::OPT_std_EQ, options::OPT_ansi))
    args.push_back("-std=" + defaultDialect(ctx, input).str());
  args.push_back(input.path);
  return args;
}

StringRef defaultDialect(const Context &ctx, const Input &input) {
  return ctx.asNvcc && !mayHaveTileCode(ctx, input) ? "gnu++17" : "gnu++20";
}

//===--- host code ------------------------------------------------------------------------------------------------===//

std::vector<std::string> sourceOptions(const Context &ctx, const Input &input) {
  std::vector<std::string> args = ctx.hostArgs;
  if (!isJoint(ctx.stage))
    return args;
  // The options may include options for the link.
  args.push_back("-Wno-unused-command-line-argument");
  // If the object is temporary, files that Clang writes next to it go next to the program instead.
  static constexpr StringLiteral coverage[] = {"--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs"};
  if (any_of(ctx.hostArgs, [](StringRef arg) { return is_contained(coverage, arg); })) {
    SmallString<128> stem(ctx.output.empty() ? "a.out" : StringRef(ctx.output));
    sys::fs::make_absolute(stem);
    stem += "-" + input.stem;
    for (StringRef kind : {"-coverage-notes-file=", "-coverage-data-file="})
      args.insert(args.end(), {"-Xclang", (kind + stem + (kind.contains("notes") ? ".gcno" : ".gcda")).str()});
  }
  return args;
}

//===--- SIMT code ------------------------------------------------------------------------------------------------===//

std::string unitId(const Context &ctx, const Input &input) {
  MD5 hash;
  SmallString<256> path(input.path);
  sys::fs::make_absolute(path);
  hash.update(nameInObject(ctx, path));
  for (StringRef arg : ctx.hostArgs)
    if (arg.starts_with("-D") || arg.starts_with("-U")) // one source may make several objects
      hash.update(arg);
  MD5::MD5Result result;
  hash.final(result);
  return utohexstr(result.low(), /*LowerCase=*/true, /*Width=*/16);
}

/// Returns the arguments of parses for devices. Device code is optimized unless -G is given, and does not use the
/// host's floating-point options.
static std::vector<std::string> deviceArguments(const Context &ctx) {
  std::vector<std::string> args = {"-fno-fast-math", ctx.floats.fmad ? "-ffp-contract=fast" : "-ffp-contract=off"};
  if (ctx.floats.ftz)
    args.push_back("-fgpu-flush-denormals-to-zero");
  if (ctx.floats.fastMath)
    args.insert(args.end(), {"-fgpu-approx-transcendentals", "-fapprox-func"});
  if (ctx.deviceDebug)
    args.insert(args.end(), {"-O0", "-g"});
  else
    args.insert(args.end(), {"-O3", "-gline-directives-only"});
  return args;
}

SimtOptions simtOptions(const Context &ctx) {
  SimtOptions options;
  options.cudaPath = ctx.cuda.path;
  for (const TargetArch &target : ctx.simtTargets)
    options.archs.push_back(target.arch.name);
  options.deviceArgs = deviceArguments(ctx);
  options.precompiledDir = installed(ctx, "lib/tilecc/wrapper");
  options.streamPerThread = ctx.args.getLastArgValue(options::OPT_default_stream_EQ) == "per-thread";
  return options;
}

SimtOptions simtOptions(const Context &ctx, const Input &input) {
  SimtOptions options = simtOptions(ctx);
  options.unitId = unitId(ctx, input);
  if (std::string folder = cacheFolder(); !folder.empty())
    options.cacheDir = folder + "/headers";
  options.preambleDir = ctx.args.getLastArgValue(options::OPT_preamble_dir_EQ);
  options.libraries = ctx.args.getAllArgValues(options::OPT_device_library_EQ);
  options.userMacros = macrosOfNvcc(ctx);
  options.hidesClang = ctx.asNvcc;
  return options;
}

} // namespace tilecc
