//===- SimtChecks.cpp - reports uses of the wrong kind of kernel -------------------------------------------------===//
//
// In a source with both kinds of kernels, Sema accepts a launch with the syntax of the other kind, and tile operations
// in SIMT code. The host parse checks launches (TranslationUnit.cpp), and the device parses check tile operations
// (SimtDevice.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace tilecc {

//===--- launches -------------------------------------------------------------------------------------------------===//

namespace {
struct LaunchChecker : RecursiveASTVisitor<LaunchChecker> {
  LaunchChecker(ASTContext &context, std::vector<const CallExpr *> &onDevice)
      : context(context), diags(context.getDiagnostics()), onDevice(onDevice) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseFunctionDecl(FunctionDecl *function) {
    bool isTile = findAnnotation(function, kernelAnnotation) || findAnnotation(function, tileAnnotation);
    llvm::SaveAndRestore scope(inTileCode, isTile);
    return RecursiveASTVisitor::TraverseFunctionDecl(function);
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) {
    const auto *kernel = dyn_cast_or_null<FunctionDecl>(launch->getCalleeDecl());
    const CallExpr *config = launch->getConfig();
    if (inTileCode) {
      report(launch,
             "a tile kernel launches no kernel: launch '%0' from host code or from a SIMT kernel, or, if it is a tile "
             "kernel, make it a part of this one with tt::call<%0>(arguments)",
             kernel);
      return true;
    }
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>() || launch->isTypeDependent() || config->getNumArgs() < 2)
      return true;
    // Device code launches kernels with cudaLaunchDevice(kernel, buffer, grid, block, ...).
    const bool isOnDevice = config->getNumArgs() == 6;
    const Expr *block = config->getArg(isOnDevice ? 3 : 1);
    if (isSimtCode(kernel)) {
      if (isa<CXXDefaultArgExpr>(block))
        report(launch, "'%0' is a SIMT kernel, whose blocks have a size: launch it with <<<grid, block>>>", kernel);
      return true;
    }
    const Expr *written = asWritten(block);
    Expr::EvalResult size;
    if (written->getType()->isIntegralOrEnumerationType() && !written->isValueDependent() &&
        written->EvaluateAsInt(size, context) && size.Val.getInt() != 1)
      report(
          launch,
          "'%0' is a tile kernel, which has no block size, it chooses its threads itself: launch it with <<<grid>>> or "
          "<<<grid, stream>>>, and set warps with [[tt::num_warps(N)]]",
          kernel);
    if (isOnDevice && !kernel->isExternallyVisible())
      report(launch,
             "'%0' is launched by SIMT code, which finds kernels by their names: it cannot be static, or in an unnamed "
             "namespace",
             kernel);
    if (isOnDevice)
      onDevice.push_back(launch);
    return true;
  }

  bool found = false;

private:
  static bool isOfOneValue(const CXXConstructExpr *construct) {
    return construct->getNumArgs() && llvm::all_of(llvm::drop_begin(construct->arguments()), [](const Expr *argument) {
             return isa<CXXDefaultArgExpr>(argument);
           });
  }

  /// Strips the implicit conversions to the type that a launch takes.
  static const Expr *asWritten(const Expr *expr) {
    for (;;) {
      expr = expr->IgnoreImplicit();
      if (const auto *cast = dyn_cast<ImplicitCastExpr>(expr))
        expr = cast->getSubExprAsWritten();
      else if (const auto *construct = dyn_cast<CXXConstructExpr>(expr); construct && isOfOneValue(construct))
        expr = construct->getArg(0);
      else
        return expr;
    }
  }

  template <unsigned N> void report(const Expr *launch, const char (&text)[N], const FunctionDecl *kernel) {
    found = true;
    diags.Report(launch->getBeginLoc(), diags.getCustomDiagID(DiagnosticsEngine::Error, text))
        << (kernel ? kernel->getNameAsString() : "the kernel");
  }

  ASTContext &context;
  DiagnosticsEngine &diags;
  std::vector<const CallExpr *> &onDevice;
  bool inTileCode = false;
};
} // namespace

bool checkLaunches(ASTContext &context, std::vector<const CallExpr *> &onDevice) {
  LaunchChecker checker(context, onDevice);
  checker.TraverseAST(context);
  return !checker.found;
}

//===--- SIMT code in tile kernels --------------------------------------------------------------------------------===//

namespace {
/// Visits the code that is executed. This excludes types and template arguments, such as the functions that tt::once
/// calls.
template <typename Derived> struct ExecutedCode : RecursiveASTVisitor<Derived> {
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
  bool TraverseTemplateArgument(const TemplateArgument &) { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) { return true; }
};

/// Finds functions that use GPU instructions of single threads, directly or in their callees. A tile kernel has no
/// threads that could execute such instructions.
class ThreadCode {
public:
  ThreadCode(ASTContext &context, const CompilerInstance &compiler) : context(context), compiler(compiler) {}

  bool isIn(const FunctionDecl *function) {
    if (unsigned builtin = function->getBuiltinID())
      return context.BuiltinInfo.isAuxBuiltinID(builtin);
    const FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || findAnnotation(function, tileAnnotation) ||
        (callsThreads(compiler) && isSimtFunction(function)))
      return false;
    auto [known, isNew] = answers.try_emplace(definition, false);
    if (!isNew)
      return known->second;
    Calls calls(*this);
    calls.TraverseStmt(definition->getBody());
    return answers[definition] = calls.found;
  }

private:
  struct Calls : ExecutedCode<Calls> {
    ThreadCode &code;
    bool found = false;
    explicit Calls(ThreadCode &code) : code(code) {}
    bool VisitDeclRefExpr(DeclRefExpr *reference) {
      const auto *function = dyn_cast<FunctionDecl>(reference->getDecl());
      found |= function && code.isIn(function);
      return !found;
    }
    bool VisitMemberExpr(MemberExpr *member) {
      const auto *function = dyn_cast<FunctionDecl>(member->getMemberDecl());
      found |= function && code.isIn(function);
      return !found;
    }
  };

  ASTContext &context;
  const CompilerInstance &compiler;
  llvm::DenseMap<const FunctionDecl *, bool> answers;
};

struct TileCodeChecker : ExecutedCode<TileCodeChecker> {
  TileCodeChecker(ASTContext &context, const CompilerInstance &compiler)
      : threadCode(context, compiler), diags(context.getDiagnostics()) {
    findThreadLambdas(context);
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseFunctionDecl(FunctionDecl *function) {
    bool isTile = findAnnotation(function, kernelAnnotation) || findAnnotation(function, tileAnnotation);
    llvm::SaveAndRestore scope(inTileCode, isTile && !function->isTemplated());
    return ExecutedCode::TraverseFunctionDecl(function);
  }
  /// Skips the lambdas of tt::once and similar functions, which are code for threads.
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    return threadLambdas.contains(lambda->getLambdaClass()->getCanonicalDecl()) ||
           ExecutedCode::TraverseLambdaExpr(lambda);
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (!inTileCode)
      return true;
    if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()); function && threadCode.isIn(function))
      report(reference->getBeginLoc(), function);
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    const auto *record = variable ? variable->getType()->getAsCXXRecordDecl() : nullptr;
    bool isThreadIndex = record && record->getIdentifier() && record->getName().starts_with("__cuda_builtin_");
    if (isThreadIndex || (variable && isInGpuMemory(variable)))
      report(reference->getBeginLoc(), variable);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (inTileCode && variable->hasAttr<CUDASharedAttr>())
      report(variable->getLocation(), variable);
    return true;
  }

  bool found = false;

private:
  static bool isInGpuMemory(const VarDecl *variable) {
    return variable->hasGlobalStorage() && !variable->hasAttr<CUDASharedAttr>() &&
           (variable->hasAttr<CUDAConstantAttr>() || variable->hasAttr<CUDADeviceAttr>()) && !variable->isConstexpr();
  }

  void report(SourceLocation place, const NamedDecl *decl) {
    if (!reported.insert(place).second)
      return; // reported in another instantiation
    found = true;
    diags.Report(place,
                 diags.getCustomDiagID(DiagnosticsEngine::Error, "'%0' is SIMT code, which is not available in a tile "
                                                                 "kernel: a tile kernel has programs, not threads"))
        << decl->getNameAsString();
  }

  /// Collects the function objects that tile kernels call in threads: the first template arguments of
  /// tt::detail::thread_call.
  void findThreadLambdas(ASTContext &context) {
    const DeclContext *scope = context.getTranslationUnitDecl();
    for (StringRef name : {"tt", "detail"}) {
      NamespaceDecl *inner = nullptr;
      for (NamedDecl *decl : scope->lookup(&context.Idents.get(name)))
        inner = inner ? inner : dyn_cast<NamespaceDecl>(decl);
      if (!inner)
        return;
      scope = inner;
    }
    for (NamedDecl *decl : scope->lookup(&context.Idents.get("thread_call")))
      if (auto *calls = dyn_cast<ClassTemplateDecl>(decl))
        for (ClassTemplateSpecializationDecl *call : calls->specializations())
          if (const CXXRecordDecl *function = call->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl())
            threadLambdas.insert(function->getCanonicalDecl());
  }

  ThreadCode threadCode;
  DiagnosticsEngine &diags;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> threadLambdas;
  llvm::SmallSet<SourceLocation, 4> reported;
  bool inTileCode = false;
};
} // namespace

bool checkTileCode(ASTContext &context, const CompilerInstance &compiler) {
  TileCodeChecker checker(context, compiler);
  checker.TraverseAST(context);
  return !checker.found;
}

//===--- tile operations ------------------------------------------------------------------------------------------===//

static bool isInNamespaceTt(const Decl *decl) {
  for (const DeclContext *scope = decl->getDeclContext(); scope; scope = scope->getParent())
    if (const auto *ns = dyn_cast<NamespaceDecl>(scope);
        ns && ns->getName() == "tt" && ns->getParent()->isTranslationUnit())
      return true;
  return false;
}

void checkNoTileOperations(llvm::Module &module, CodeGenerator &generator, CompilerInstance &compiler) {
  auto declarationOf = [&](const llvm::Function &function) {
    return dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
  };
  // Tile operations are declared but never defined. If a function of the language's headers calls one, the call is
  // reported at the user's call of that function.
  llvm::SmallVector<llvm::Function *> reached;
  llvm::SmallPtrSet<llvm::Function *, 8> seen;
  for (llvm::Function &function : module)
    if (const FunctionDecl *decl = declarationOf(function);
        decl && function.isDeclaration() && (isInNamespaceTt(decl) || findAnnotation(decl, tileAnnotation)))
      reached.push_back(&function);
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  for (size_t i = 0; i < reached.size(); ++i)
    for (llvm::User *user : reached[i]->users()) {
      auto *call = dyn_cast<llvm::CallInst>(user);
      if (!call || !seen.insert(call->getFunction()).second)
        continue;
      const FunctionDecl *caller = declarationOf(*call->getFunction());
      if (caller && isInNamespaceTt(caller)) {
        reached.push_back(call->getFunction());
        continue;
      }
      SourceLocation place = caller ? caller->getLocation() : SourceLocation();
      if (const llvm::DILocation *line = call->getDebugLoc())
        if (auto file = compiler.getFileManager().getOptionalFileRef(line->getFilename()))
          place = compiler.getSourceManager().translateFileLineCol(*file, line->getLine(), line->getColumn());
      const FunctionDecl *operation = declarationOf(*reached[i]);
      diags.Report(place,
                   diags.getCustomDiagID(DiagnosticsEngine::Error,
                                         "'%0' is not available in SIMT code: tile operations and __tile__ functions "
                                         "are for tile kernels, which are marked __tile_global__"))
          << operation->getQualifiedNameAsString();
    }
}

} // namespace tilecc
