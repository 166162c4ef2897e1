//===- Invocation.cpp - a clang driver's arguments as one parse of tile code --------------------------------------===//
//
// Clang's own driver does most of the work: it finds the C++ library, expands -march=native, names dependency files. It
// is told that the input is CUDA, host side only, with none of its CUDA headers; what is left to change afterwards is
// what no driver flag says.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/Invocation.h"
#include "frontend/Config.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

namespace tilecc {

static std::string findResourceDir(const FrontendOptions &options) {
  if (!options.resourceDir.empty())
    return options.resourceDir;
  if (auto fromEnvironment = llvm::sys::Process::GetEnv("TILECC_RESOURCE_DIR"))
    return *fromEnvironment;
  return TILECC_RESOURCE_DIR;
}

/// The marks that CUDA's headers would define. Without them `__global__` alone, in a file that forgot <tilecc/tt.h> or
/// holds SIMT code, would be a syntax error instead of a message about SIMT code.
static void defineMacros(PreprocessorOptions &options) {
  options.addMacroDef("__TILECC__=" TILECC_VERSION_NUMBER);
  for (const char *mark : {"__global__=__attribute__((global))", "__device__=__attribute__((device))",
                           "__host__=__attribute__((host))", "__shared__=__attribute__((shared))",
                           "__constant__=__attribute__((constant))"})
    options.addMacroDef(mark);
  // By these libraries would take tcc for nvcc or for Clang's CUDA mode, and change.
  for (const char *macro : {"__CUDA__", "__CUDACC__", "__CUDA_ARCH_LIST__"})
    options.addMacroUndef(macro);
}

static void adjust(CompilerInvocation &invocation) {
  LangOptions &lang = invocation.getLangOpts();
  // Launches become calls of __llvmPushCallConfiguration and llvmLaunchKernel, whatever SDK is found. The driver's flag
  // of this name would add a header.
  lang.OffloadViaLLVM = true;
  // Which functions launches call depends on it; the toolkit that happens to be installed must not matter.
  invocation.getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
  defineMacros(invocation.getPreprocessorOpts());
  // These wrap standard headers for Clang's CUDA headers, which are not there.
  llvm::erase_if(invocation.getHeaderSearchOpts().UserEntries, [](const HeaderSearchOptions::Entry &entry) {
    return StringRef(entry.Path).ends_with("cuda_wrappers");
  });
}

std::shared_ptr<CompilerInvocation> makeInvocation(llvm::ArrayRef<const char *> args, const FrontendOptions &options) {
  // -W flags that concern the driver's own warnings, too.
  std::vector<const char *> all = {"tcc",           "--driver-mode=g++", "-x",         "cuda", "--cuda-host-only",
                                   "-nocudainc",    "-nocudalib",        "--no-offload-new-driver",
                                   "-Wno-unknown-cuda-version"};
  std::string resourceDir = findResourceDir(options);
  all.push_back("-resource-dir");
  all.push_back(resourceDir.c_str());
  llvm::append_range(all, args);
  for (const std::string &dir : options.headerDirs) {
    all.push_back("-isystem");
    all.push_back(dir.c_str());
  }

  std::unique_ptr<DiagnosticOptions> diagnosticOptions = CreateAndPopulateDiagOpts(all);
  DiagnosticsEngine diags(DiagnosticIDs::create(), *diagnosticOptions,
                          new TextDiagnosticPrinter(llvm::errs(), *diagnosticOptions));
  ProcessWarningOptions(diags, *diagnosticOptions, *llvm::vfs::getRealFileSystem(), /*ReportDiags=*/false);

  driver::Driver driver(options.clangPath.empty() ? TILECC_CLANG_PATH : options.clangPath,
                        llvm::sys::getDefaultTargetTriple(), diags, "tcc");
  driver.setProbePrecompiled(true);
  std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(all));
  if (!compilation || diags.hasErrorOccurred())
    return nullptr;
  for (const driver::Command &job : compilation->getJobs()) {
    llvm::ArrayRef<const char *> cc1 = job.getArguments();
    if (cc1.empty() || StringRef(cc1.front()) != "-cc1")
      continue;
    auto invocation = std::make_shared<CompilerInvocation>();
    if (!CompilerInvocation::CreateFromArgs(*invocation, cc1.drop_front(), diags, "tcc"))
      return nullptr;
    adjust(*invocation);
    return invocation;
  }
  diags.Report(diags.getCustomDiagID(DiagnosticsEngine::Error, "no source file to compile"));
  return nullptr;
}

} // namespace tilecc
