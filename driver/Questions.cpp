//===- Questions.cpp - answers --help, --version and similar options ----------------------------------------------===//
//
// Answers options that ask for information instead of compiling. Called by main() after the command line is parsed.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/AsNvcc.h"
#include "driver/CommandLine.h"
#include "driver/Context.h"
#include "driver/HostJobs.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "driver/Options.h"
#include "driver/TargetArchs.h"
#include "targets/Backend.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace llvm;
using namespace llvm::opt;

namespace tilecc {

using namespace options;

/// Prints the .clangd file that lets clangd read .tt.cpp files in projects whose commands do not set this up (those of
/// the CMake package do). It names the file with Clang's options and removes the arguments that Clang does not know.
static void printClangdConfiguration(const Context &ctx) {
  const OptTable &ours = optionTable(), &clangs = clang::getDriverOptTable();
  std::vector<std::string> unknown;
  for (unsigned id = 1; id <= ours.getNumOptions(); ++id) {
    const Option option = ours.getOption(id);
    if (is_contained({Option::GroupClass, Option::InputClass, Option::UnknownClass}, option.getKind()))
      continue;
    std::string name = option.getPrefixedName().str();
    const char *word = name.c_str();
    unsigned index = 0;
    InputArgList words(&word, &word + 1);
    std::unique_ptr<Arg> known = clangs.ParseOneArg(words, index, Visibility(clang::options::ClangOption));
    if (known && is_contained({Option::InputClass, Option::UnknownClass}, known->getOption().getKind()))
      unknown.push_back("'" + name + (StringRef(name).ends_with("=") ? "*'" : "'"));
  }
  outs() << "If:\n  PathMatch: .*\\.tt\\.(cpp|cc|cxx)\nCompileFlags:\n  Add: --config="
         << installed(ctx, "lib/tilecc/tilecc-tools.cfg") << "\n  Remove: [" << join(unknown, ", ") << "]\n";
}

/// Lets Clang's driver answer queries that need no input. Returns false if nothing was asked.
static bool clangAnswers(Context &ctx) {
  auto asks = [](StringRef arg) {
    return arg == "--version" || arg.starts_with("-dump") || arg.ltrim('-').starts_with("print-");
  };
  if (none_of(ctx.hostArgs, asks) && !ctx.verbose)
    return false;
  std::vector<std::string> args = ctx.hostArgs;
  if (ctx.verbose)
    args.push_back("-v");
  makeJobs(ctx, "g++", std::move(args));
  return true;
}

static void listArchitectures(bool ptx, bool code) {
  for (const Target &arch : cudaBackend().listTargets())
    if (cudaBackend().getPortableTarget(arch) == arch)
      outs() << (ptx && code ? "arch=" + getPtxName(arch) + ",code=" + arch.name
                 : ptx       ? getPtxName(arch)
                             : arch.name)
             << "\n";
}

bool answerQuestions(Context &ctx) {
  if (ctx.asNvcc && (asksHostCompiler(ctx) ? clangAnswers(ctx) : answerAsNvcc(ctx)))
    return true;
  if (const Arg *arg = ctx.args.getLastArg(OPT_autocomplete_EQ)) {
    for (const std::string &option : optionTable().findByPrefix(arg->getValue(), Visibility(DefaultVis), HelpHidden))
      outs() << option << "\n"; // followed by a tab and a description
    return true;
  }
  if (ctx.args.hasArg(OPT_man_page)) {
    outs() << manPage();
    return true;
  }
  if (ctx.args.hasArg(OPT_clangd)) {
    printClangdConfiguration(ctx);
    return true;
  }
  if (ctx.args.hasArg(OPT_help)) {
    optionTable().printHelp(
        outs(), "tcc [options] file...",
        "tcc compiles C++ sources that mix host code, tile kernels (.tt.cpp) and SIMT kernels (.cu), and links them.");
    return true;
  }
  if (ctx.args.hasArg(OPT_version)) {
    // Build systems look for "clang" and the first number, to learn which options this compiler takes.
    outs() << "tcc, based on clang version " LLVM_VERSION_STRING "\ntcc " TILECC_VERSION "\n";
    if (ctx.cuda.hasPtxas())
      outs() << "CUDA toolkit " << ctx.cuda.version() << " in " << ctx.cuda.path << "\n";
    else
      outs() << "no CUDA toolkit: kernels are embedded as PTX\n";
    return true;
  }
  if (ctx.args.hasArg(OPT_list_gpu_arch, OPT_list_gpu_code)) {
    listArchitectures(ctx.args.hasArg(OPT_list_gpu_arch), ctx.args.hasArg(OPT_list_gpu_code));
    return true;
  }
  // -print-search-dirs, -dumpmachine and the like, and -v alone.
  return ctx.inputs.empty() && ctx.linkLine.empty() && !ctx.errors && clangAnswers(ctx);
}

} // namespace tilecc
