//===- Link.cpp - the steps that link a program or archive a library ----------------------------------------------===//
//
// CompileInputs.cpp plans these steps once every source is an object.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Link.h"
#include "driver/Context.h"
#include "driver/DeviceLink.h"
#include "driver/Diagnostics.h"
#include "driver/HostCompiler.h"
#include "driver/HostJobs.h"
#include "driver/HostTarget.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "driver/StepCommands.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace tilecc {

/// Returns true if Clang's driver finds the file among the libraries of the machine that host code is for: "crt1.o".
static bool hasHostFile(Context &ctx, StringRef name) {
  std::vector<std::string> args = ctx.hostArgs;
  args.insert(args.end(), {"-Wno-unused-command-line-argument", "-x", "c++", "/dev/null"});
  auto jobs = makeJobs(ctx, "g++", std::move(args));
  return !jobs || // Clang has reported why
         jobs->driver->GetFilePath(name, jobs->compilation->getDefaultToolChain()) != name;
}

void checkHostLibraries(Context &ctx) {
  if (ctx.hostTriple.empty() || ctx.args.hasArg(options::OPT_nostdlib))
    return;
  const bool links = ctx.stage == Stage::Link;
  bool isSource = any_of(ctx.inputs, [](const Input &input) {
    return is_contained({InputKind::TileSource, InputKind::HostSource}, input.kind);
  });
  if ((!links && !isSource) || hasHostFile(ctx, "crt1.o"))
    return;
  std::string name = shortHostTriple(ctx);
  std::string advice =
      "there is no C library for " + name + "; on Debian and Ubuntu, the package libstdc++-12-dev-" +
      (hostTriple(ctx).isAArch64() ? "arm64"
       : hostTriple(ctx).isX86()   ? "amd64"
                                   : "riscv64") +
      "-cross and those that it needs have the libraries of C and C++; --sysroot=<folder> names others";
  if (links)
    Error(ctx) << "--target: " << advice;
  else
    Warning(ctx) << "--target: " << advice;
}

/// Returns the run path for programs that link the shared runtime. System folders need none, and on another machine the
/// library is elsewhere.
static std::vector<std::string> runPath(const Context &ctx) {
  std::string folder = libraryDir(ctx);
  if (!ctx.hostTriple.empty() || folder == "/usr/lib" || folder == "/lib")
    return {};
  return {"-Wl,-rpath," + folder};
}

/// Returns the arguments that link CUDA's runtime, by default statically, as in nvcc. The library adds no code if no
/// object launches SIMT kernels.
static std::vector<std::string> cudaRuntime(Context &ctx, bool withDeviceRuntime) {
  StringRef kind = ctx.args.getLastArgValue(options::OPT_cudart_EQ, "static");
  std::string libraries = cudaLibraries(ctx);
  if (libraries.empty() || kind == "none")
    return {};
  std::vector<std::string> args = {"-L" + libraries};
  if (withDeviceRuntime && ctx.args.getLastArgValue(options::OPT_cudadevrt_EQ) != "none")
    args.push_back("-lcudadevrt");
  if (kind == "shared")
    args.push_back("-lcudart");
  else
    args.insert(args.end(), {"-lcudart_static", "-lrt", "-ldl", "-lpthread"});
  return args;
}

std::vector<Action> planArchive(Context &ctx, StringRef output) {
  StringRef named = ctx.args.getLastArgValue(options::OPT_archiver_binary_EQ, "ar");
  // The archive is built among the temporary files, so that it appears complete.
  std::string archive = ctx.temporaryFile(sys::path::filename(output));
  ErrorOr<std::string> program = sys::findProgramByName(named);
  std::vector<std::string> command = {program ? *program : named.str(), "rc"};
  for (StringRef value : ctx.args.getAllArgValues(options::OPT_Xarchive_EQ))
    for (StringRef part : split(value, ','))
      command.push_back(part.str());
  command.push_back(archive);
  for (const LinkItem &item : ctx.linkLine)
    if (item.input >= 0)
      command.push_back(item.text);
  return {{"archive", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }},
          copyAction(ctx, archive, output.str())};
}

/// Returns true unless OpenMP is requested and Clang's OpenMP runtime is missing. It is a separate package, which the
/// linker's message would not mention.
static bool hasOpenMP(Context &ctx, const HostJobs &jobs) {
  auto isWanted = [](StringRef arg) { return arg == "-fopenmp" || arg == "-fopenmp=libomp"; };
  if (ctx.dryRun || none_of(ctx.hostArgs, isWanted))
    return true;
  const std::string name = ctx.args.hasArg(options::OPT_static_) ? "libomp.a" : "libomp.so";
  bool isNamed = any_of(ctx.args.getAllArgValues(options::OPT_L),
                        [&](const std::string &folder) { return sys::fs::exists(folder + "/" + name); });
  if (isNamed || jobs.driver->GetFilePath(name, jobs.compilation->getDefaultToolChain()) != name)
    return true;
  Error(ctx) << "-fopenmp: there is no " << name
             << ", Clang's OpenMP runtime; on Debian and Ubuntu it is in the package "
             << "libomp-" << LLVM_VERSION_MAJOR << "-dev";
  return false;
}

std::vector<Action> planLink(Context &ctx, StringRef output) {
  std::vector<Action> actions;
  const bool linksDeviceCode = !ctx.args.hasArg(options::OPT_nodlink) && needsDeviceLink(ctx);
  std::string registration;
  if (linksDeviceCode) {
    registration = ctx.temporaryFile("device-link.o");
    actions = planDeviceLink(ctx, registration);
  }

  // Some host options also affect linking; Clang's driver knows which.
  std::vector<std::string> args = ctx.hostArgs;
  args.push_back("-Wno-unused-command-line-argument");
  if (linksDeviceCode)
    args.push_back(registration);
  for (const LinkItem &item : ctx.linkLine)
    args.push_back(item.text);
  // The compiler library is in this program's installation (<tilecc/compiler.h>).
  if (any_of(ctx.linkLine, [](const LinkItem &item) { return is_contained({"-ltilecc", "tilecc"}, item.text); })) {
    if (!ctx.hostTriple.empty())
      Error(ctx) << "-ltilecc: there is no compiler library for " << shortHostTriple(ctx);
    args.push_back("-L" + installed(ctx, "lib"));
    append_range(args, runPath(ctx));
  }

  StringRef runtime = ctx.args.getLastArgValue(options::OPT_rt_EQ, "static");
  if (runtime == "static") {
    args.push_back(libraryDir(ctx) + "/libtilecc_rt.a");
  } else if (runtime == "shared") {
    args.insert(args.end(), {"-L" + libraryDir(ctx), "-ltilecc_rt"});
    append_range(args, runPath(ctx));
  }
  if (runtime != "none" && !hasRuntime(ctx, runtime == "shared" ? "libtilecc_rt.so" : "libtilecc_rt.a"))
    return {};
  if (!ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    append_range(args, cudaRuntime(ctx, linksDeviceCode));
  if (runtime != "none" && !ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    args.insert(args.end(), {"-ldl", "-lpthread"});
  args.insert(args.end(), {"-o", output.str()});

  auto jobs = makeJobs(ctx, "g++", std::move(args), /*inputsExist=*/!linksDeviceCode);
  if (!jobs)
    return {};
  if (!hasOpenMP(ctx, *jobs))
    return {};
  bool otherLinker =
      any_of(ctx.hostArgs, [](StringRef arg) { return arg.starts_with("-fuse-ld=") && arg != "-fuse-ld=lld"; });
  for (const clang::driver::Command &job : jobs->compilation->getJobs()) {
    std::vector<std::string> command = commandOf(job);
    if (otherLinker || !isa<clang::driver::LinkJobAction>(job.getSource())) {
      actions.push_back({"link", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
      continue;
    }
    command.front() = linkerProgram();
    // Print the command like g++; CMake reads the link's folders and libraries from it.
    const bool isShown = is_contained(ctx.hostArgs, "-v") && !ctx.verbose;
    actions.push_back({"link", {{command, {}}}, [&ctx, command, isShown] {
                         if (isShown)
                           printWhole(" " + asShellCommand({command, {}}) + "\n");
                         return runLinker(ctx, ArrayRef(command).drop_front());
                       }});
  }
  return actions;
}

} // namespace tilecc
