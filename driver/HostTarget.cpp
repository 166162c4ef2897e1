//===- HostTarget.cpp - --target: the machine that host code is for -----------------------------------------------===//
//
// Host code and CPU code may be compiled for another machine than the one that tcc runs on. Clang finds the C and C++
// headers and libraries of that machine; this file finds the libraries of the runtime and of CUDA. main() calls this
// code as one of its first steps, and so does the link.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/HostTarget.h"
#include "driver/Diagnostics.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "targets/Registry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace tilecc {

static Triple ownTriple() { return Triple(sys::getDefaultTargetTriple()); }

Triple hostTriple(const Context &ctx) { return ctx.hostTriple.empty() ? ownTriple() : Triple(ctx.hostTriple); }

std::string shortHostTriple(const Context &ctx) {
  Triple triple = hostTriple(ctx);
  return (triple.getArchName() + "-" + triple.getOSName() + "-" + triple.getEnvironmentName()).str();
}

/// Returns true if both machines use the same objects and libraries.
static bool isSameMachine(const Triple &a, const Triple &b) {
  return a.getArch() == b.getArch() && a.getOS() == b.getOS() && a.getEnvironment() == b.getEnvironment();
}

void selectHostTarget(Context &ctx) {
  std::string error;
  if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_target_EQ)) {
    Triple triple(Triple::normalize(arg->getValue()));
    if (!triple.isOSLinux() || !findCpuTarget({}, triple.str(), error)) {
      Error(ctx) << "--target: '" << arg->getValue() << "' is not a machine that tcc compiles host code for; write "
                 << "x86_64-linux-gnu, aarch64-linux-gnu or riscv64-linux-gnu";
      return;
    }
    if (!isSameMachine(triple, ownTriple()))
      ctx.hostTriple = triple.str();
  }
  StringRef level = ctx.args.getLastArgValue(options::OPT_cpu_level_EQ);
  if (std::optional<Target> target = findCpuTarget(level, ctx.hostTriple, error))
    ctx.cpu = *target;
  else
    Error(ctx) << "--cpu-level: " << error;
}

std::string libraryDir(const Context &ctx) {
  return installed(ctx, ctx.hostTriple.empty() ? "lib" : "lib/tilecc/" + shortHostTriple(ctx));
}

bool hasRuntime(Context &ctx, StringRef name) {
  std::string path = libraryDir(ctx) + "/" + name.str();
  if (ctx.hostTriple.empty() || sys::fs::exists(path))
    return true;
  Error(ctx) << "--target: this tcc has no runtime library for " << shortHostTriple(ctx) << " (" << path
             << "); tcc is built with it where the libraries of C and C++ for that machine are installed";
  return false;
}

std::string cudaLibraries(const Context &ctx) {
  if (ctx.hostTriple.empty() || ctx.cuda.path.empty())
    return ctx.cuda.libraries;
  Triple triple = hostTriple(ctx);
  if (!triple.isAArch64() && !triple.isX86())
    return {};
  // The toolkit calls AArch64 servers "sbsa".
  std::string folder = ctx.cuda.path + "/targets/" + (triple.isAArch64() ? "sbsa-linux" : "x86_64-linux") + "/lib";
  return sys::fs::exists(folder + "/libcudart_static.a") ? folder : std::string();
}

} // namespace tilecc
