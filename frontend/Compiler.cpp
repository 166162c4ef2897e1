//===- Compiler.cpp - creates Clang instances for parsing ---------------------------------------------------------===//
//
// This file sets up every parse in the same way: of tile code and SIMT code, for the host and for devices.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Compiler.h"
#include "frontend/FileMacros.h"
#include "frontend/Hints.h"
#include "frontend/Invocation.h"
#include "frontend/KernelChecks.h"
#include "frontend/UserDiagnostics.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/Stack.h"
#include "clang/Frontend/Utils.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace clang;

namespace tilecc {

namespace {
struct FilesRead : DependencyCollector {
  explicit FilesRead(std::vector<std::string> &files) : files(files) {}
  bool needSystemDependencies() override { return true; }
  bool sawDependency(StringRef file, bool, bool, bool, bool) override {
    files.push_back(file.str());
    return false; // use only our list
  }
  std::vector<std::string> &files;
};
} // namespace

/// Some errors, from which Clang recovers, are only warnings in nvcc. Turns them into warnings, for which Clang has no
/// option.
static void relaxErrors(DiagnosticsEngine &diags, bool isHost) {
  for (unsigned id : {diag::err_pragma_loop_precedes_nonloop, diag::err_switch_into_protected_scope})
    for (diag::Severity severity : {diag::Severity::Ignored, diag::Severity::Warning}) // Clang requires two steps
      diags.setSeverity(id, severity, SourceLocation());
  // The host's parse has no architecture that could support __launch_bounds__(threads, blocks, cluster).
  if (isHost)
    diags.setSeverity(diag::warn_cuda_maxclusterrank_sm_90, diag::Severity::Ignored, SourceLocation());
}

std::unique_ptr<CompilerInstance> makeCompiler(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                               llvm::StringRef arch) {
  registerTileAttributes();
  registerHints();
  std::shared_ptr<CompilerInvocation> invocation = makeInvocation(args, options, arch);
  if (!invocation)
    return nullptr;
  auto compiler = std::make_unique<CompilerInstance>(std::move(invocation));
  if (compiler->getCodeGenOpts().TimePasses) // for -ftime-report
    compiler->createFrontendTimer();
  compiler->createVirtualFileSystem(fileSystemFor(options));
  compiler->createDiagnostics(makeDiagnosticConsumer(compiler->getDiagnosticOpts(), options.print).release(),
                              /*ShouldOwnClient=*/true);
  compiler->getDiagnostics().setElideType(false); // show both types of a message in full
  if (options.simt)
    relaxErrors(compiler->getDiagnostics(), arch.empty());
  if (options.filesRead)
    compiler->addDependencyCollector(std::make_shared<FilesRead>(*options.filesRead));
  separateMacros(*compiler, options);
  return compiler;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemFor(const FrontendOptions &options) {
  if (options.filesInMemory.empty())
    return llvm::vfs::getRealFileSystem();
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[path, text] : options.filesInMemory)
    memory->addFile(path, /*ModificationTime=*/0, llvm::MemoryBuffer::getMemBuffer(text, path));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  return files;
}

/// The size of the stack that parseWithDeepStack() provides. Clang's parser recurses once per bracket level, and the
/// 2,048 levels that it allows need more than the usual stack of 8 MB. The stack of the first thread grows up to its
/// limit, which can be raised at run time. Other threads have stacks of fixed size, so these parse in a new thread or,
/// if no thread can be created, in the current thread.
static constexpr rlim_t enough = 64 << 20;
static thread_local bool hasDeepStack = false;

static bool parseWithDeepStack(llvm::function_ref<bool()> parse) {
  if (hasDeepStack)
    return parse();
  rlimit limit;
  if (gettid() == getpid() && getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, enough));
    if (setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= enough) {
      noteBottomOfStack();
      return parse();
    }
  }
  bool ok = false;
  runWithDeepStack([&] { ok = parse(); });
  return ok;
}

bool parseWithDeepStack(CompilerInstance &compiler, llvm::function_ref<bool()> parse) {
  // -ftime-report reads this timer. Code generation stops and restarts it, so it must be running.
  llvm::TimeRegion time(compiler.getCodeGenOpts().TimePasses ? &compiler.getFrontendTimer() : nullptr);
  return parseWithDeepStack(parse);
}

void runWithDeepStack(llvm::function_ref<void()> work) {
  auto run = [](void *work) -> void * {
    noteBottomOfStack(); // the base for Clang's stack depth check in template instantiation
    hasDeepStack = true;
    (*static_cast<llvm::function_ref<void()> *>(work))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, enough);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, &work)) {
    run(&work);
    hasDeepStack = false;
  } else {
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
}

namespace {
struct BackendErrors : llvm::DiagnosticHandler {
  DiagnosticsEngine &diags;
  explicit BackendErrors(DiagnosticsEngine &diags) : diags(diags) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    // Drop warnings about failed optimizations, such as unrolling that a pragma requests. SIMT libraries cause dozens
    // of such warnings, without a location.
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
