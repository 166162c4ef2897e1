//===- Invocation.cpp - translates arguments of Clang's driver for one parse --------------------------------------===//
//
// Clang's driver does most of the work: it finds the C++ library, expands -march=native, and names dependency files.
// tcc calls it for CUDA input, host side only, without CUDA headers. Then this file adjusts the settings that no option
// of the driver controls.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Invocation.h"
#include "frontend/Compiler.h"
#include "frontend/Config.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <set>

using namespace clang;

namespace tilecc {

static std::string findResourceDir(const FrontendOptions &options) {
  if (!options.resourceDir.empty())
    return options.resourceDir;
  if (const char *fromEnvironment = secure_getenv("TILECC_RESOURCE_DIR"))
    return fromEnvironment;
  return TILECC_RESOURCE_DIR;
}

/// Defines the function attributes that CUDA's headers would define. Without these definitions, `__global__` would be a
/// syntax error in a file that does not include <tilecc/tt.h>, or that contains SIMT code, where a message about SIMT
/// code is wanted.
static void defineMacros(PreprocessorOptions &options) {
  options.addMacroDef("__TILECC__=" TILECC_VERSION_NUMBER);
  for (const char *mark :
       {"__global__=__attribute__((global))", "__device__=__attribute__((device))", "__host__=__attribute__((host))",
        "__shared__=__attribute__((shared))", "__constant__=__attribute__((constant))"})
    options.addMacroDef(mark);
  // If these macros were defined, libraries would take tcc for nvcc or for Clang's CUDA mode.
  for (const char *macro : {"__CUDA__", "__CUDACC__", "__CUDA_ARCH_LIST__"})
    options.addMacroUndef(macro);
}

/// Adjusts the settings for tile code without SIMT code, which uses the syntax of CUDA without its headers and runtime.
static void adjustForTiles(CompilerInvocation &invocation) {
  LangOptions &lang = invocation.getLangOpts();
  // Makes launches call __llvmPushCallConfiguration and llvmLaunchKernel, whatever SDK is installed. The driver's
  // option of this name would add a header.
  lang.OffloadViaLLVM = true;
  defineMacros(invocation.getPreprocessorOpts());
  // These folders contain wrappers of standard headers for Clang's CUDA headers, which are not used here.
  llvm::erase_if(invocation.getHeaderSearchOpts().UserEntries, [](const HeaderSearchOptions::Entry &entry) {
    return StringRef(entry.Path).ends_with("cuda_wrappers");
  });
}

/// Adds the folder of the host compiler's own headers, in which nvcc finds omp.h. For all other headers in this folder,
/// Clang's own versions take precedence.
static void addHeadersOfGcc(HeaderSearchOptions &search) {
  for (const HeaderSearchOptions::Entry &entry : search.UserEntries)
    if (size_t end = StringRef(entry.Path).find("/../../../../include/c++/"); end != StringRef::npos) {
      search.AddPath(entry.Path.substr(0, end) + "/include", frontend::After, /*IsFramework=*/false,
                     /*IgnoreSysRoot=*/true);
      return;
    }
}

/// Splits sm_90a into the number 90 and the suffix.
static std::pair<unsigned, StringRef> partsOf(StringRef arch) {
  unsigned number = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, number);
  return {number, arch};
}

/// Returns the name of the architecture for the parse. Clang's driver and built-in functions support fewer
/// architectures than LLVM. An unsupported architecture is parsed as another one with the same instructions, but gets
/// its own macros and code.
static std::string nameForClang(StringRef arch) {
  auto [number, suffix] = partsOf(arch);
  unsigned known = number == 88 ? 87 : number == 110 ? 103 : number;
  return "sm_" + std::to_string(known) + (suffix.empty() ? "" : "a"); // a family has the instructions of its first chip
}

/// Defines the architecture macros as nvcc does: adds the macros that Clang lacks, and corrects the values for a
/// substituted architecture.
static void defineArchMacros(PreprocessorOptions &preprocessor, llvm::ArrayRef<std::string> archs, StringRef arch) {
  llvm::erase_if(preprocessor.Macros,
                 [](const auto &macro) { return StringRef(macro.first).starts_with("__CUDA_ARCH_LIST__="); });
  std::set<unsigned> numbers;
  for (StringRef each : archs)
    numbers.insert(partsOf(each).first * 10);
  preprocessor.addMacroDef("__CUDA_ARCH_LIST__=" +
                           llvm::join(llvm::map_range(numbers, [](unsigned n) { return std::to_string(n); }), ","));
  if (arch.empty())
    return;
  auto [number, suffix] = partsOf(arch);
  const std::string known = nameForClang(arch);
  unsigned numberForClang = partsOf(known).first;
  std::string value = "=" + std::to_string(number * 10);
  if (number != numberForClang) {
    preprocessor.addMacroUndef("__CUDA_ARCH__");
    preprocessor.addMacroDef("__CUDA_ARCH__" + value);
  }
  if (arch != known && !suffix.empty()) {
    preprocessor.addMacroUndef("__CUDA_ARCH_FEAT_SM" + std::to_string(numberForClang) + "_ALL");
    if (suffix == "a")
      preprocessor.addMacroDef("__CUDA_ARCH_FEAT_SM" + std::to_string(number) + "_ALL");
  }
  if (suffix == "a")
    preprocessor.addMacroDef("__CUDA_ARCH_SPECIFIC__" + value);
  if (!suffix.empty())
    preprocessor.addMacroDef("__CUDA_ARCH_FAMILY_SPECIFIC__" + value);
}

void selectArchOfCode(TargetOptions &target, StringRef arch) {
  target.CPU = arch.str();
  if (arch == nameForClang(arch))
    return;
  // PTX 8.8 (families) and PTX 9.0 introduced the architectures that Clang does not support.
  const std::string enough = "+ptx90";
  for (std::vector<std::string> *features : {&target.Features, &target.FeaturesAsWritten}) {
    llvm::erase_if(*features,
                   [](StringRef feature) { return feature.starts_with("+ptx") || feature.starts_with("+sm_"); });
    features->push_back(enough);
  }
}

/// Adds our header after Clang's wrapper of CUDA's headers and before the user's includes. While these headers are
/// read, the user's macros with short names are set aside, because -D defines them before everything else.
static void addHeadersOfSimt(std::vector<std::string> &includes) {
  auto wrapper = llvm::find(includes, "__clang_cuda_runtime_wrapper.h");
  includes.insert(wrapper == includes.end() ? includes.begin() : wrapper + 1,
                  {"tilecc/detail/simt.h", "tilecc/detail/pop_macros.h"});
  includes.insert(includes.begin(), {"tilecc/detail/push_macros.h", "tilecc/detail/simt_renames.h"});
}

static void adjustForSimt(CompilerInvocation &invocation, const SimtOptions &simt, StringRef arch) {
  addHeadersOfGcc(invocation.getHeaderSearchOpts());
  PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
  addHeadersOfSimt(preprocessor.Includes);
  defineArchMacros(preprocessor, simt.archs, arch);
  preprocessor.addMacroDef("__TILECC__=" TILECC_VERSION_NUMBER);
  // cooperative_groups.h defines this macro for nvcc only, but Clang has these functions.
  preprocessor.addMacroDef("_CG_CLUSTER_INTRINSICS_AVAILABLE=1");
  // Clang's driver supports the option for HIP only. The macro has the same effect on calls of CUDA's runtime.
  if (simt.streamPerThread) {
    preprocessor.addMacroDef("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    invocation.getLangOpts().GPUDefaultStream = LangOptions::GPUDefaultStreamKind::PerThread;
  }
  // Makes the host code generator emit CUDA's registration. embedSimtFatbin() later replaces the empty file.
  invocation.getCodeGenOpts().CudaGpuBinaryFileName = "/dev/null";
}

/// Adds the CUDA options for Clang's driver. `storage` owns the strings.
static void addCudaArguments(const FrontendOptions &options, StringRef arch, std::vector<std::string> &storage) {
  llvm::append_range(storage, llvm::ArrayRef{"-x", options.isPreprocessed ? "cuda-cpp-output" : "cuda",
                                             "--no-offload-new-driver", "-Wno-unknown-cuda-version",
                                             "-Wno-deprecated-comma-subscript"}); // x[tt::all, tt::newaxis]
  if (options.isPreprocessed) // it needs no header folders, not even the user's
    storage.push_back("-Wno-unused-command-line-argument");
  storage.push_back(arch.empty() ? "--cuda-host-only" : "--cuda-device-only");
  if (arch.empty())
    storage.push_back("-nocudalib");
  if (!options.simt) {
    storage.push_back("-nocudainc");
    return;
  }
  // nvcc's front end warns about these, too, and about bool++. It does not check whether a constexpr function can be a
  // constant, and does not warn about the last two (the last is `x.template f(y)`).
  llvm::append_range(storage, warningsOfGcc);
  llvm::append_range(storage, llvm::ArrayRef{"-Wno-error=increment-bool", "-Wno-error=invalid-constexpr",
                                             "-Wno-deprecated-literal-operator",
                                             "-Wno-missing-template-arg-list-after-template-kw"});
  storage.push_back("--cuda-path=" + options.simt->cudaPath);
  // Pass all architectures, because libraries make __CUDA_ARCH_LIST__ part of the names of kernels.
  for (const std::string &each : options.simt->archs)
    storage.push_back("--cuda-gpu-arch=" + nameForClang(each));
  storage.push_back("-cuid=" + options.simt->unitId);
  if (options.relocatable)
    storage.push_back("-fgpu-rdc");
}

StringRef optionOfHeaderDir(StringRef dir) {
  // The folder of the C library must follow those of the C++ library, because C++ headers #include_next its headers.
  return dir == "/usr/include" ? "-idirafter" : "-isystem";
}

/// Adds the include folders and device arguments that follow the user's arguments.
static void addSimtHeaders(const SimtOptions &simt, bool isDevice, std::vector<std::string> &storage) {
  // Clang would search the toolkit after the folders of the system, which may contain headers of another toolkit.
  for (const char *dir : {"/include/cccl", "/include"})
    if (std::string path = simt.cudaPath + dir; llvm::sys::fs::is_directory(path))
      llvm::append_range(storage, llvm::ArrayRef<std::string>{optionOfHeaderDir(path).str(), path});
  if (isDevice)
    llvm::append_range(storage, simt.deviceArgs);
}

/// Returns true if a Clang job is the requested parse.
static bool isParseFor(llvm::ArrayRef<const char *> cc1, StringRef arch) {
  if (cc1.empty() || StringRef(cc1.front()) != "-cc1")
    return false;
  for (size_t i = 0; !arch.empty() && i + 1 < cc1.size(); ++i)
    if (StringRef(cc1[i]) == "-target-cpu")
      return cc1[i + 1] == nameForClang(arch);
  return true;
}

std::shared_ptr<CompilerInvocation> makeInvocation(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                                   StringRef arch) {
  // These apply to the driver's own warnings, too.
  std::vector<std::string> front = {"tcc", "--driver-mode=g++", "-resource-dir", findResourceDir(options)}, back;
  addCudaArguments(options, arch, front);
  for (const std::string &dir : options.headerDirs) {
    // Our headers with NVIDIA's names take precedence over any toolkit's.
    front.push_back("-I" + dir + "/tilecc/cuda");
    if (options.simt)
      front.push_back("-I" + dir + "/tilecc/simt");
    llvm::append_range(back, llvm::ArrayRef<std::string>{optionOfHeaderDir(dir).str(), dir});
  }
  if (options.simt)
    addSimtHeaders(*options.simt, !arch.empty(), back);
  std::vector<const char *> all;
  auto pointer = [](const std::string &arg) { return arg.c_str(); };
  llvm::append_range(all, llvm::map_range(front, pointer));
  llvm::append_range(all, args);
  llvm::append_range(all, llvm::map_range(back, pointer));

  std::unique_ptr<DiagnosticOptions> diagnosticOptions = CreateAndPopulateDiagOpts(all);
  std::string printed;
  llvm::raw_string_ostream kept(printed);
  llvm::raw_ostream &out = options.print ? static_cast<llvm::raw_ostream &>(kept) : llvm::errs();
  DiagnosticsEngine diags(DiagnosticIDs::create(), *diagnosticOptions,
                          new TextDiagnosticPrinter(out, *diagnosticOptions));
  llvm::scope_exit print([&] {
    if (!printed.empty())
      options.print(printed);
  });
  ProcessWarningOptions(diags, *diagnosticOptions, *llvm::vfs::getRealFileSystem(), /*ReportDiags=*/false);

  driver::Driver driver(options.clangPath.empty() ? TILECC_CLANG_PATH : options.clangPath,
                        llvm::sys::getDefaultTargetTriple(), diags, "tcc", fileSystemFor(options));
  driver.setProbePrecompiled(true);
  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(all));
  if (!compilation || diags.hasErrorOccurred())
    return nullptr;
  for (const driver::Command &job : compilation->getJobs()) {
    llvm::ArrayRef<const char *> cc1 = job.getArguments();
    if (!isParseFor(cc1, arch))
      continue;
    auto invocation = std::make_shared<CompilerInvocation>();
    if (!CompilerInvocation::CreateFromArgs(*invocation, cc1.drop_front(), diags, "tcc"))
      return nullptr;
    // Clang derives the functions that launches call from the SDK version, which must not depend on the installed
    // toolkit.
    invocation->getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
    if (options.simt)
      adjustForSimt(*invocation, *options.simt, arch);
    else
      adjustForTiles(*invocation);
    return invocation;
  }
  diags.Report(diags.getCustomDiagID(DiagnosticsEngine::Error, "no source file to compile"));
  return nullptr;
}

} // namespace tilecc
