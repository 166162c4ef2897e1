//===- Compiler.cpp - instances of Clang for parses -----------------------------------------------------------------===//
//
// What every parse needs, of tile code and of SIMT code, on the host and for a device.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/Compiler.h"
#include "frontend/Hints.h"
#include "frontend/Invocation.h"
#include "frontend/KernelChecks.h"
#include "frontend/UserDiagnostics.h"
#include "clang/Basic/Stack.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace clang;

namespace tilecc {

std::unique_ptr<CompilerInstance> makeCompiler(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                               llvm::StringRef arch) {
  registerTileAttributes();
  registerHints();
  std::shared_ptr<CompilerInvocation> invocation = makeInvocation(args, options, arch);
  if (!invocation)
    return nullptr;
  auto compiler = std::make_unique<CompilerInstance>(std::move(invocation));
  if (compiler->getCodeGenOpts().TimePasses) // -ftime-report
    compiler->createFrontendTimer();
  compiler->createVirtualFileSystem();
  compiler->createDiagnostics(makeDiagnosticConsumer(compiler->getDiagnosticOpts(), options.print).release(),
                              /*ShouldOwnClient=*/true);
  compiler->getDiagnostics().setElideType(false); // the two types of a message are whole, not what differs between them
  return compiler;
}

/// Clang's parser calls itself for each level of brackets. The 2,048 that it allows take more than the 8 MB of a usual
/// stack, so there has to be more for `parse`. The stack of a program's first thread grows as far as its limit allows,
/// which may be raised while it runs; another thread's is what it is, and parsing gets a thread of its own (where none
/// can be had, it does with this one).
bool parseWithDeepStack(llvm::function_ref<bool()> parse) {
  constexpr rlim_t enough = 64 << 20;
  rlimit limit;
  if (gettid() == getpid() && getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, enough));
    if (setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= enough) {
      noteBottomOfStack();
      return parse();
    }
  }
  struct Work {
    llvm::function_ref<bool()> parse;
    bool ok;
  } work{parse, false};
  auto run = [](void *work) -> void * {
    noteBottomOfStack(); // what Clang measures its depth from, where it instantiates templates
    static_cast<Work *>(work)->ok = static_cast<Work *>(work)->parse();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, enough);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, &work))
    run(&work);
  else
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return work.ok;
}

namespace {
struct BackendErrors : llvm::DiagnosticHandler {
  DiagnosticsEngine &diags;
  explicit BackendErrors(DiagnosticsEngine &diags) : diags(diags) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    // Loops that are not unrolled as a pragma says, without a place. In SIMT code these are the libraries', by the dozen.
    if (info.getKind() == llvm::DK_OptimizationFailure)
      return true;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error)
      diags.Report(diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << text;
    else if (info.getSeverity() == llvm::DS_Warning)
      diags.Report(diags.getCustomDiagID(DiagnosticsEngine::Warning, "%0")) << text;
    return true;
  }
};
} // namespace

void setBackendDiagnostics(llvm::LLVMContext &context, CompilerInstance &compiler) {
  context.setDiagnosticHandler(std::make_unique<BackendErrors>(compiler.getDiagnostics()));
}

} // namespace tilecc
