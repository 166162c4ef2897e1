//===- TranslationUnit.cpp - compiles a source file to a host module and kernels ----------------------------------===//
//
// This file implements the public functions of Frontend.h, which the driver and tcc-raise call.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/UserDiagnostics.h"
#include "frontend/Compiler.h"
#include "frontend/DependencyRule.h"
#include "frontend/DeviceBodies.h"
#include "frontend/Frontend.h"
#include "frontend/TokenWatcher.h"
#include "frontend/Hints.h"
#include "frontend/HostStubs.h"
#include "frontend/KernelChecks.h"
#include "frontend/MathFunctions.h"
#include "frontend/Precompiled.h"
#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "frontend/raise/Raise.h"
#include "lowering/dialects/tt/TT.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Timer.h"

using namespace clang;

// Clang does not install the header that declares this class. The class records data for -fcoverage-mapping during the
// parse.
namespace clang::CodeGen {
class CoverageMappingModuleGen {
public:
  static CoverageSourceInfo *setUpCoverageCallbacks(Preprocessor &preprocessor);
};
} // namespace clang::CodeGen

namespace tilecc {

TranslationUnit::~TranslationUnit() = default;

namespace {

/// The result of compiling one file, with the compiler that holds its options and target.
struct CompiledUnit : TranslationUnit {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> host;
  std::vector<Kernel> kernelList;
  std::vector<TileFunction> functionList;
  std::vector<DeviceLaunch> launchList;
  std::vector<FunctionDecl *> parameterlessKernels; ///< kernels hidden from the host code generator
  std::string file;
  bool isRelocatable = false;
  std::unique_ptr<CompilerInstance> compiler;

  llvm::Module &hostModule() override { return *host; }
  std::vector<Kernel> &kernels() override { return kernelList; }
  std::vector<TileFunction> &functions() override { return functionList; }
  std::vector<DeviceLaunch> &launches() override { return launchList; }
  bool hasDebugInfo() const override {
    return compiler->getCodeGenOpts().getDebugInfo() >= llvm::codegenoptions::DebugLineTablesOnly;
  }
  std::string debugFolder() const override;
  llvm::StringRef mainFile() const override { return file; }
  bool emitHost(Output kind, std::unique_ptr<llvm::raw_pwrite_stream> os) override;
};

/// Runs after the two code generators: makes the kernels once the host code exists.
class KernelConsumer : public TileGenerator {
public:
  KernelConsumer(CompiledUnit &unit, CompilerInstance &compiler, CodeGenerator &host, const FrontendOptions &options,
                 mlir::MLIRContext &mlirContext)
      : TileGenerator(compiler, unit.isRelocatable), unit(unit), compiler(compiler), host(host), options(options),
        mlirContext(mlirContext) {}

  void HandleTranslationUnit(ASTContext &context) override {
    // From now on, traversals of the whole AST visit only declarations that were parsed from the source. A precompiled
    // header declares no kernels, and reading all of it would take longer than parsing the source.
    std::vector<Decl *> parsed;
    for (Decl *decl : context.getTranslationUnitDecl()->noload_decls())
      if (!decl->isFromASTFile())
        parsed.push_back(decl);
    context.setTraversalScope(parsed);
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    std::vector<const CallExpr *> launchesOnDevice;
    bool userCodeIsFine = isSimtMode(context.getLangOpts())
                              ? checkLaunches(context, launchesOnDevice) & checkTileCode(context, compiler)
                              : checkUserCode(context);
    addParameterlessStubs(host, unit.parameterlessKernels);
    auto canLaunch = [&](const FunctionDecl *kernel) {
      return host.GetModule()->getFunction(host.GetMangledName(GlobalDecl(kernel, KernelReferenceKind::Stub))) ||
             llvm::any_of(launchesOnDevice, [&](const CallExpr *launch) { return launch->getCalleeDecl() == kernel; });
    };
    llvm::ArrayRef<FunctionDecl *> kernels = findKernels(context, canLaunch);
    if (!checkKernels(context, kernels) || !userCodeIsFine)
      return;
    for (FunctionDecl *function : kernels)
      unit.kernelList.push_back(describe(context, function));
    for (const CallExpr *launch : launchesOnDevice)
      unit.launchList.push_back(describeLaunch(context, launch));
    nameStubsAfterKernels(host, context.getLangOpts());
    unit.host.reset(host.ReleaseModule().release());

    TileModule tiles = generate(context);
    if (compiler.getDiagnostics().hasErrorOccurred())
      return;
    if (options.variables)
      *options.variables = findTileVariables(context, getGenerated());
    if (options.beforeRaise)
      options.beforeRaise();
    MLIRErrorsThroughClang errors(mlirContext, compiler, tiles.fileNames);
    RaisedModules raised = raise(tiles, mlirContext);
    for (auto [kernel, ttir] : llvm::zip_equal(unit.kernelList, raised.kernels))
      kernel.ttir = std::move(ttir);
    for (auto [function, ttir] : llvm::zip_equal(tiles.functions, raised.functions))
      unit.functionList.push_back({function.symbol, function.name, function.isMergeable, std::move(ttir)});
  }

private:
  std::string symbolOf(const FunctionDecl *kernel) {
    return host.GetMangledName(GlobalDecl(kernel, KernelReferenceKind::Kernel)).str();
  }

  static std::string nameOf(ASTContext &context, const FunctionDecl *function) {
    std::string name;
    llvm::raw_string_ostream os(name);
    function->getNameForDiagnostic(os, context.getPrintingPolicy(), /*Qualified=*/true);
    return name;
  }

  DeviceLaunch describeLaunch(ASTContext &context, const CallExpr *launch) {
    auto *kernel = cast<FunctionDecl>(launch->getCalleeDecl());
    PresumedLoc loc = context.getSourceManager().getPresumedLoc(launch->getBeginLoc());
    return {symbolOf(kernel), nameOf(context, kernel), loc.isValid() ? loc.getFilename() : "",
            loc.isValid() ? loc.getLine() : 0};
  }

  Kernel describe(ASTContext &context, FunctionDecl *function) {
    Kernel kernel;
    kernel.symbol = symbolOf(function);
    kernel.displayName = nameOf(context, function);
    PresumedLoc loc = context.getSourceManager().getPresumedLoc(function->getLocation());
    if (loc.isValid()) {
      kernel.file = loc.getFilename();
      kernel.line = loc.getLine();
    }
    kernel.params = describeParams(host, function);
    for (const KernelAttribute &attribute : kernelAttributes)
      if (const AnnotateAttr *attr = findAnnotation(function, attribute.getAnnotation()))
        kernel.*attribute.member = attribute.most ? static_cast<int>(getAnnotationValue(attr, context)) : 1;
    for (const AnnotateAttr *attr : function->specific_attrs<AnnotateAttr>())
      if (std::optional<TargetHint> hint = readHint(attr, context))
        kernel.hints.push_back(*hint);
    return kernel;
  }

  CompiledUnit &unit;
  CompilerInstance &compiler;
  CodeGenerator &host;
  const FrontendOptions &options;
  mlir::MLIRContext &mlirContext;
};

struct ParseAction : ASTFrontendAction {
  CompiledUnit &unit;
  const FrontendOptions &options;
  mlir::MLIRContext &mlirContext;
  bool lacksBodies = false; ///< see DeviceBodies
  ParseAction(CompiledUnit &unit, const FrontendOptions &options, mlir::MLIRContext &mlirContext)
      : unit(unit), options(options), mlirContext(mlirContext) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
    unit.file = file.str();
    watchTokens(compiler);
    CoverageSourceInfo *coverage = nullptr;
    if (compiler.getCodeGenOpts().CoverageMapping)
      coverage = clang::CodeGen::CoverageMappingModuleGen::setUpCoverageCallbacks(compiler.getPreprocessor());
    std::unique_ptr<CodeGenerator> host = CreateLLVMCodeGen(compiler, file, unit.llvmContext, coverage);
    CodeGenerator &generator = *host;
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    if (isSimtMode(compiler.getLangOpts())) {
      consumers.push_back(std::make_unique<DeviceBodies>(compiler, lacksBodies));
    } else {
      consumers.push_back(std::make_unique<ParameterlessKernels>(unit.parameterlessKernels));
      consumers.push_back(std::make_unique<MathFunctions>());
    }
    consumers.push_back(std::move(host));
    consumers.push_back(std::make_unique<KernelConsumer>(unit, compiler, generator, options, mlirContext));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    restorePredefinedMacros(getCompilerInstance());
    ASTFrontendAction::ExecuteAction();
  }
};

} // namespace

std::string CompiledUnit::debugFolder() const {
  const CodeGenOptions &options = compiler->getCodeGenOpts();
  llvm::SmallString<256> folder(options.DebugCompilationDir);
  if (folder.empty())
    llvm::sys::fs::current_path(folder);
  return FileNames(options.DebugPrefixMap).toOutput(folder);
}

bool CompiledUnit::emitHost(Output kind, std::unique_ptr<llvm::raw_pwrite_stream> os) {
  static const bool targetsReady = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)targetsReady;
  BackendAction action = kind == Output::Object     ? Backend_EmitObj
                         : kind == Output::Assembly ? Backend_EmitAssembly
                         : kind == Output::LLVMText ? Backend_EmitLL
                                                    : Backend_EmitBC;
  setBackendDiagnostics(host->getContext(), *compiler);
  // The back end stops and restarts the front end's timer, so it must be running.
  llvm::TimeRegion time(compiler->getCodeGenOpts().TimePasses ? &compiler->getFrontendTimer() : nullptr);
  emitBackendOutput(*compiler, compiler->getCodeGenOpts(), compiler->getTarget().getDataLayoutString(), host.get(),
                    action, compiler->getVirtualFileSystemPtr(), std::move(os));
  return !compiler->getDiagnostics().hasErrorOccurred();
}

/// Parses a source. `skipsBodies` applies to sources with SIMT code. Returns nothing if tile kernels need bodies that
/// were skipped.
static std::optional<std::unique_ptr<TranslationUnit>> parseUnit(llvm::ArrayRef<const char *> args,
                                                                 const FrontendOptions &options,
                                                                 mlir::MLIRContext &context, bool skipsBodies) {
  auto unit = std::make_unique<CompiledUnit>();
  unit->isRelocatable = options.relocatable;
  unit->compiler = makeCompiler(args, options);
  if (!unit->compiler)
    return nullptr;
  if (!options.simt)
    usePrecompiledLanguage(*unit->compiler, options);
  else if (!usePrecompiledPreamble(*unit->compiler, args, options))
    usePrecompiledWrapper(*unit->compiler, args, options);
  if (options.simt && options.simt->rule)
    DependencyRule::follow(options.simt->rule, *unit->compiler, /*isHost=*/true);
  const FrontendInputFile &input = unit->compiler->getFrontendOpts().Inputs.front();
  unit->compiler->getFrontendOpts().SkipFunctionBodies =
      skipsBodies && !(input.isFile() && includesTileLanguage(input.getFile(), options));
  ParseAction action(*unit, options, context);
  bool ok = parseWithDeepStack(*unit->compiler, [&] { return unit->compiler->ExecuteAction(action); });
  if (action.lacksBodies)
    return std::nullopt;
  if (!ok || !unit->host)
    return nullptr;
  return unit;
}

std::unique_ptr<TranslationUnit> compileTranslationUnit(llvm::ArrayRef<const char *> args,
                                                        const FrontendOptions &options, mlir::MLIRContext &context) {
  if (options.simt)
    if (std::optional<std::unique_ptr<TranslationUnit>> unit = parseUnit(args, options, context, /*skipsBodies=*/true))
      return std::move(*unit);
  return *parseUnit(args, options, context, /*skipsBodies=*/false);
}

void loadFrontendDialects(mlir::MLIRContext &context) {
  context.loadDialect<tt::TTDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::gpu::GPUDialect,
                      mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect>();
}

namespace {
/// Performs -E and writes to a string.
struct PrintAction : PreprocessorFrontendAction {
  explicit PrintAction(std::string &text) : text(text) {}
  void ExecuteAction() override {
    llvm::raw_string_ostream os(text);
    DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &os,
                             getCompilerInstance().getPreprocessorOutputOpts());
  }
  bool hasPCHSupport() const override { return true; }
  std::string &text;
};
} // namespace

bool runPreprocessor(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                     std::string *text) {
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(args, options, arch);
  if (!compiler)
    return false;
  if (options.simt && options.simt->rule)
    DependencyRule::follow(options.simt->rule, *compiler, /*isHost=*/arch.empty());
  return parseWithDeepStack(*compiler, [&] {
    if (text && compiler->getFrontendOpts().ProgramAction == frontend::PrintPreprocessedInput) {
      PrintAction action(*text);
      return compiler->ExecuteAction(action);
    }
    return ExecuteCompilerInvocation(compiler.get());
  });
}

} // namespace tilecc
