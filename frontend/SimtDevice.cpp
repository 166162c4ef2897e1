//===- SimtDevice.cpp - compiles the SIMT code of a source for one architecture ----------------------------------===//
//
// This file runs Clang's CUDA compilation for a device, in process. The parse knows the names of tile kernels, because
// host code launches them, but neither parses their bodies nor generates code for them.
//
// In a source that includes <tilecc/threads.h>, tile kernels call functions that this parse compiles: the
// specializations of tt::detail::thread_call. Then the bodies of tile kernels are parsed, too, because they determine
// these specializations. SimtThreadCode.cpp moves the specializations to a module, which is linked with the tile
// kernels.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Compiler.h"
#include "frontend/DelayedTemplates.h"
#include "frontend/DependencyRule.h"
#include "frontend/TokenWatcher.h"
#include "frontend/Invocation.h"
#include "frontend/Precompiled.h"
#include "frontend/Simt.h"
#include "frontend/SimtOptimizations.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/Support/Timer.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace tilecc {
namespace {

bool isTileCode(const Decl *decl) {
  return findAnnotation(decl, kernelAnnotation) || findAnnotation(decl, tileAnnotation);
}

/// Returns true for a tile kernel, a __tile__ function, or a declaration inside one, such as a lambda.
bool isWithinTileCode(const Decl *decl) {
  for (; decl; decl = dyn_cast_or_null<Decl>(decl->getParentFunctionOrMethod()))
    if (isTileCode(decl))
      return true;
  return false;
}

struct SimtConsumer : MultiplexConsumer {
  SimtConsumer(std::vector<std::unique_ptr<ASTConsumer>> consumers, const CompilerInstance &compiler,
               const std::unique_ptr<DelayedTemplates> &templates)
      : MultiplexConsumer(std::move(consumers)), compiler(compiler), templates(templates) {}
  /// Clang calls this for every function, because FrontendOptions::SkipFunctionBodies is set.
  bool shouldSkipFunctionBody(Decl *decl) override {
    const FunctionDecl *function = decl->getAsFunction();
    if (function && templates)
      templates->beforeBody(function);
    return function && isTileCode(function) && !callsThreads(compiler);
  }
  void HandleTagDeclDefinition(TagDecl *decl) override {
    MultiplexConsumer::HandleTagDeclDefinition(decl);
    if (templates)
      templates->afterClass();
  }

private:
  const CompilerInstance &compiler;
  const std::unique_ptr<DelayedTemplates> &templates;
};

/// Generates LLVM IR and links in the device library. Does not optimize.
struct SimtAction : EmitLLVMOnlyAction {
  SimtAction(llvm::LLVMContext &context, llvm::ArrayRef<std::string> libraries)
      : EmitLLVMOnlyAction(&context), libraries(libraries) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
    watchTokens(compiler);
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    if (!consumers.front())
      return nullptr;
    return std::make_unique<SimtConsumer>(std::move(consumers), compiler, templates);
  }

  void ExecuteAction() override {
    restorePredefinedMacros(getCompilerInstance());
    templates = std::make_unique<DelayedTemplates>(getCompilerInstance());
    EmitLLVMOnlyAction::ExecuteAction();
    templates.reset();
  }

  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    module = takeModule();
    if (module)
      adjust(*module);
  }

  std::unique_ptr<llvm::Module> module;
  std::string threadCode; ///< bitcode of the functions that tile kernels call; empty if there are none
  llvm::StringMap<SourceLocation> places; ///< locations of functions, by symbol

private:
  llvm::ArrayRef<std::string> libraries;
  std::unique_ptr<DelayedTemplates> templates;

  /// Encodes __cluster_dims__(x, y, z), which Clang 22 parses but does not emit for NVIDIA GPUs.
  static std::string spellDims(const CUDAClusterDimsAttr &dims, ASTContext &ast) {
    std::string text;
    for (const Expr *size : {dims.getX(), dims.getY(), dims.getZ()})
      text += (text.empty() ? "" : ",") + (size ? llvm::toString(size->EvaluateKnownConstInt(ast), 10) : "1");
    return text;
  }

  /// Returns true for functions that exist on the host only. If device code calls such a function,
  /// HostCallsInDeviceCode.cpp has reported a warning.
  static bool isOfHost(const FunctionDecl &function) {
    return !function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAGlobalAttr>() && !function.getBuiltinID();
  }

  static void makeTrap(llvm::Function &function) {
    function.deleteBody();
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    builder.CreateUnreachable();
  }

  /// Relaxes the compare-and-swap of atomicCAS. Clang generates a sequentially consistent operation of system scope
  /// with a fence, but CUDA's is relaxed and of device scope. LLVM would expand a 16-bit one to a loop, although GPUs
  /// have the instruction.
  static void relaxCompareAndSwap(llvm::Function &function) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&inst);
      if (!exchange)
        continue;
      exchange->setSuccessOrdering(llvm::AtomicOrdering::Monotonic);
      exchange->setFailureOrdering(llvm::AtomicOrdering::Monotonic);
      exchange->setSyncScopeID(function.getContext().getOrInsertSyncScopeID("device"));
      llvm::Type *type = exchange->getNewValOperand()->getType();
      if (!type->isIntegerTy(16))
        continue;
      llvm::IRBuilder<> builder(exchange);
      llvm::Type *operands[] = {exchange->getPointerOperand()->getType(), type, type};
      auto *assembly = llvm::InlineAsm::get(llvm::FunctionType::get(type, operands, /*isVarArg=*/false),
                                            "atom.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,~{memory}",
                                            /*hasSideEffects=*/true);
      llvm::Value *before = builder.CreateCall(
          assembly, {exchange->getPointerOperand(), exchange->getCompareOperand(), exchange->getNewValOperand()});
      llvm::Value *result = builder.CreateInsertValue(llvm::PoisonValue::get(exchange->getType()), before, 0);
      result = builder.CreateInsertValue(result, builder.CreateICmpEQ(before, exchange->getCompareOperand()), 1);
      exchange->replaceAllUsesWith(result);
      exchange->eraseFromParent();
    }
  }

  /// Collects the SIMT functions that tile kernels call directly, element by element.
  void collectThreadFunctions(llvm::Module &module, llvm::SetVector<llvm::Function *> &called) {
    auto declarationOf = [&](const llvm::Function &function) {
      return dyn_cast_or_null<FunctionDecl>(getCodeGenerator()->GetDeclForMangledName(function.getName()));
    };
    for (llvm::Function &function : module) {
      const FunctionDecl *callee = declarationOf(function);
      if (!callee || !isSimtFunction(callee))
        continue;
      bool isCalled = llvm::any_of(function.users(), [&](llvm::User *user) {
        auto *call = dyn_cast<llvm::CallBase>(user);
        const FunctionDecl *caller = call ? declarationOf(*call->getFunction()) : nullptr;
        return caller && isWithinTileCode(caller);
      });
      if (isCalled)
        called.insert(&function);
    }
  }

  void adjust(llvm::Module &module) {
    for (const std::string &library : libraries)
      linkDeviceLibrary(module, library, getCompilerInstance().getDiagnostics());
    llvm::SmallPtrSet<llvm::Function *, 8> tileKernels;
    llvm::SetVector<llvm::Function *> calledByTiles;
    if (callsThreads(getCompilerInstance()))
      collectThreadFunctions(module, calledByTiles);
    for (llvm::Function &function : module) {
      const auto *decl = dyn_cast_or_null<FunctionDecl>(getCodeGenerator()->GetDeclForMangledName(function.getName()));
      if (!decl)
        continue;
      places[function.getName()] = decl->getLocation();
      // Clang also generates code for the bodies that it must parse to deduce types (auto, constexpr).
      if (isTileCode(decl) && !function.isDeclaration())
        function.deleteBody();
      if (findAnnotation(decl, threadAnnotation))
        calledByTiles.insert(&function);
      if (findAnnotation(decl, kernelAnnotation))
        tileKernels.insert(&function);
      else if (isOfHost(*decl) && !isTileCode(decl) && !function.isIntrinsic() && !function.use_empty() &&
               (function.isDeclaration() || !isa<CXXDestructorDecl>(decl)))
        makeTrap(function);
      // The device linker expects an external kernel to be `.extern .entry`.
      if (decl->hasAttr<CUDAGlobalAttr>())
        function.setCallingConv(llvm::CallingConv::PTX_Kernel);
      if (const auto *dims = decl->getAttr<CUDAClusterDimsAttr>())
        function.addFnAttr("nvvm.cluster_dim", spellDims(*dims, decl->getASTContext()));
      else if (findAnnotation(decl, "tt.cluster")) // __cluster_dims__() of tilecc/detail/simt.h
        function.addFnAttr("nvvm.cluster_dim", "0,0,0");
      if (decl->getIdentifier() && decl->getName().starts_with("__") && decl->getName().ends_with("AtomicCAS"))
        relaxCompareAndSwap(function);
      if (const AnnotateAttr *limit = findAnnotation(decl, "tt.maxnreg")) // tilecc/detail/simt.h
        function.addFnAttr("nvvm.maxnreg", std::to_string(getAnnotationValue(limit, decl->getASTContext())));
    }
    if (callsThreads(getCompilerInstance())) {
      llvm::SmallVector<llvm::GlobalValue *> kept(calledByTiles.begin(), calledByTiles.end());
      llvm::appendToCompilerUsed(module, kept);
      removeUnusedFunctions(module); // functions that only bodies of tile kernels called
    }
    checkNoTileOperations(module, *getCodeGenerator(), getCompilerInstance());
    // Remove Clang's table of external kernels that host code launches. It has no use here, and nvlink rejects it.
    if (llvm::GlobalVariable *used = module.getNamedGlobal("__clang_gpu_used_external")) {
      llvm::removeFromUsedLists(module, [&](llvm::Constant *c) { return c->stripPointerCasts() == used; });
      used->eraseFromParent();
    }
    markManagedVariables(module);
    launchTileKernelsOnDevice(module, tileKernels);
    useSecondLaunchInterface(module);
    // Virtual tables refer to this function, and no device library defines it.
    if (llvm::Function *pure = module.getFunction("__cxa_pure_virtual"); pure && pure->isDeclaration())
      makeTrap(*pure);
    if (!calledByTiles.empty())
      threadCode = takeThreadCode(module, calledByTiles.getArrayRef(), *getCodeGenerator(), getCompilerInstance());
  }
};

} // namespace

std::optional<std::string> compileSimt(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                       llvm::StringRef arch, TranslationUnit::Output kind, std::string *threadCode) {
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(args, options, arch);
  if (!compiler)
    return std::nullopt;
  if (!usePrecompiledPreamble(*compiler, args, options, arch))
    usePrecompiledWrapper(*compiler, args, options, arch);
  if (options.simt->rule)
    DependencyRule::follow(options.simt->rule, *compiler, /*isHost=*/false);
  compiler->getFrontendOpts().SkipFunctionBodies = true;
  compiler->getHeaderSearchOpts().Verbose = false; // the host parse prints the folders at the same time
  CodeGenOptions &codeGen = compiler->getCodeGenOpts();
  codeGen.ClearASTBeforeBackend = false; // declarations of functions are still needed
  const bool disablePasses = codeGen.DisableLLVMPasses;
  codeGen.DisableLLVMPasses = true;
  llvm::LLVMContext context;
  SimtAction action(context, options.simt->libraries);
  if (!parseWithDeepStack(*compiler, [&] { return compiler->ExecuteAction(action); }) || !action.module ||
      compiler->getDiagnostics().hasErrorOccurred())
    return std::nullopt;
  if (threadCode)
    *threadCode = std::move(action.threadCode);

  codeGen.DisableLLVMPasses = disablePasses;
  setBackendDiagnostics(context, *compiler);
  selectArchOfCode(compiler->getTargetOpts(), arch);
  codeGen.PassBuilderCallbacks.push_back([isWholeProgram = !options.relocatable](llvm::PassBuilder &passes) {
    addSimtOptimizations(passes, isWholeProgram);
  });
  llvm::SmallString<0> buffer;
  // The back end stops this timer.
  llvm::TimeRegion time(compiler->getCodeGenOpts().TimePasses ? &compiler->getFrontendTimer() : nullptr);
  emitBackendOutput(*compiler, codeGen, compiler->getTarget().getDataLayoutString(), action.module.get(),
                    kind == TranslationUnit::Output::LLVMText ? Backend_EmitLL : Backend_EmitAssembly,
                    compiler->getVirtualFileSystemPtr(), std::make_unique<llvm::raw_svector_ostream>(buffer));
  warnOfLocalTensorMaps(*action.module, *compiler, action.places);
  if (compiler->getDiagnostics().hasErrorOccurred())
    return std::nullopt;
  return buffer.str().str();
}

} // namespace tilecc
