//===- AsNvcc.cpp - tcc under the name tcc-nvcc -------------------------------------------------------------------===//
//
// Answers the queries that build systems send to nvcc, accepts its calling conventions, and defines the macros by which
// sources detect it. CMake's queries are those of CMakeDetermineCUDACompiler.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/AsNvcc.h"
#include "driver/Context.h"
#include "driver/CudaToolkit.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/TargetArchs.h"
#include "frontend/Invocation.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace tilecc {

bool isNameOfNvcc(StringRef program) { return sys::path::filename(program) == "tcc-nvcc"; }

static std::string libraryFolder(const Context &ctx) { return "\"-L" + ctx.cuda.libraries + "\""; }

static void printFolders(const Context &ctx) {
  errs() << "#$ TOP=" << ctx.cuda.path << "\n#$ NVVMIR_LIBRARY_DIR=" << sys::path::parent_path(ctx.cuda.libdevice)
         << "\n#$ PATH=" << sys::Process::GetEnv("PATH").value_or("") << "\n#$ INCLUDES=\"-I" << ctx.cuda.path
         << "/include\"\n#$ SYSTEM_INCLUDES=\"-isystem\" \"" << ctx.cuda.path
         << "/include/cccl\"\n#$ LIBRARIES=  " << libraryFolder(ctx) << "\n";
}

//===--- the host compiler ----------------------------------------------------------------------------------------===//

static bool isQuestion(StringRef word) {
  return word == "--version" || word.starts_with("-dump") || word.ltrim('-').starts_with("print-");
}

bool asksHostCompiler(const Context &ctx) {
  return ctx.asNvcc && any_of(ctx.args.getAllArgValues(options::OPT_Xcompiler_EQ), [](StringRef words) {
           return any_of(split(words, ','), [](StringRef part) { return any_of(split(part, ' '), isQuestion); });
         });
}

void dropOptionsOfGcc(Context &ctx) {
  if (!ctx.asNvcc)
    return;
  llvm::erase_if(ctx.hostArgs, [](const std::string &word) {
    if (!StringRef(word).starts_with("-f") && !StringRef(word).starts_with("-m"))
      return false;
    const char *text = word.c_str();
    opt::InputArgList words(&text, &text + 1);
    unsigned index = 0;
    auto arg = clang::getDriverOptTable().ParseOneArg(words, index, opt::Visibility(clang::options::ClangOption));
    // The result is null if the option's value is the next argument. Clang accepts some of GCC's options, such as
    // -fmax-errors, for Fortran only.
    return arg && (arg->getOption().getKind() == opt::Option::UnknownClass ||
                   arg->getOption().matches(clang::options::OPT_gfortran_Group));
  });
  // Clang would warn about warning options that it does not know. The user's own options come later and win.
  ctx.hostArgs.insert(ctx.hostArgs.begin(), {"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument"});
  ctx.hostArgs.insert(ctx.hostArgs.begin(), std::begin(warningsOfGcc), std::end(warningsOfGcc));
}

//===--- queries --------------------------------------------------------------------------------------------------===//

bool answerAsNvcc(Context &ctx) {
  bool asksForToolkit = is_contained(ctx.args.getAllArgValues(options::OPT_INPUT), "__cmake_determine_cuda");
  if (!asksForToolkit && !ctx.args.hasArg(options::OPT_version))
    return false;
  if (!ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, "ptxas", "tcc-nvcc");
    return true;
  }
  if (asksForToolkit) {
    printFolders(ctx);
    return true;
  }
  // The other lines, with the release and the build number, are the same for all programs of a toolkit.
  const std::string ofPtxas = outputOf({ctx.cuda.ptxas, "--version"});
  outs() << "nvcc: NVIDIA (R) Cuda compiler driver (tcc " TILECC_VERSION ", which answers as it does)\n"
         << StringRef(ofPtxas).split('\n').second;
  return true;
}

void introduceAsNvcc(Context &ctx) {
  if (!ctx.verbose)
    return;
  printFolders(ctx);
  bool identifies = any_of(
      ctx.inputs, [](const Input &input) { return sys::path::filename(input.path) == "CMakeCUDACompilerId.cu"; });
  if (!identifies)
    return;
  for (const TargetArch &target : ctx.simtTargets)
    errs() << "#$ cicc -arch " << getPtxName(target.arch.backend->asGpu()->getPortableTarget(target.arch)) << "\n";
  // Like nvcc, CMake links programs with the host compiler, and with the libraries that it finds in this line.
  errs() << "#$ g++ -m64 -Wl,--start-group id.o   " << libraryFolder(ctx) << " -lcudart_static -lrt -lpthread -ldl "
         << installed(ctx, "lib/libtilecc_rt.a") << " -Wl,--end-group -o a.out\n";
}

//===--- macros ---------------------------------------------------------------------------------------------------===//

/// Returns the macros that are defined for every source, including C and C++ sources.
static Macros macrosOfVersion(const Context &ctx) {
  // Parses run in parallel and all need the version; a run has one toolkit, so query it once.
  static const ToolkitVersion version = ctx.cuda.fullVersion();
  auto [major, minor, build] = version;
  std::string majorText = std::to_string(major), minorText = std::to_string(minor);
  Macros macros = {{"__CUDACC_VER_MAJOR__", majorText},
                   {"__CUDACC_VER_MINOR__", minorText},
                   {"__CUDACC_VER_BUILD__", std::to_string(build)},
                   {"__CUDA_API_VER_MAJOR__", majorText},
                   {"__CUDA_API_VER_MINOR__", minorText},
                   {"__NVCC_DIAG_PRAGMA_SUPPORT__", "1"},
                   {"__CUDACC_DEVICE_ATOMIC_BUILTINS__", "1"}};
  if (ctx.asNvcc)
    macros.emplace_back("__NVCC__", "1");
  return macros;
}

Macros macrosOfNvcc(const Context &ctx) {
  using namespace options;
  Macros macros = macrosOfVersion(ctx);
  if (ctx.relocatable)
    macros.emplace_back("__CUDACC_RDC__", "1");
  if (ctx.args.hasArg(OPT_nvcc_extended_lambda, OPT_nvcc_expt_extended_lambda))
    macros.emplace_back("__CUDACC_EXTENDED_LAMBDA__", "1");
  if (ctx.args.hasArg(OPT_nvcc_expt_relaxed_constexpr))
    macros.emplace_back("__CUDACC_RELAXED_CONSTEXPR__", "1");
  if (ctx.args.hasArg(OPT_G))
    macros.emplace_back("__CUDACC_DEBUG__", "1");
  return macros;
}

std::vector<std::string> hostArgumentsAsNvcc(const Context &ctx) {
  std::vector<std::string> args;
  if (!ctx.asNvcc || ctx.cuda.path.empty())
    return args;
  for (const auto &[name, value] : macrosOfVersion(ctx))
    args.push_back("-D" + name + "=" + value);
  // CMake's FindCUDA asks for the headers of C++ sources with __CUDACC__ defined. CUDA's headers then reject every
  // Clang that is newer than the toolkit.
  args.push_back("-D__NV_NO_HOST_COMPILER_CHECK=1");
  for (const char *dir : {"/include", "/include/cccl"})
    if (std::string path = ctx.cuda.path + dir; sys::fs::is_directory(path))
      args.insert(args.end(), {optionOfHeaderDir(path).str(), path});
  return args;
}

} // namespace tilecc
