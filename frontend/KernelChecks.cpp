//===- KernelChecks.cpp - checks tile kernels for code that tcc does not support ----------------------------------===//
//
// Clang compiles the file as CUDA host code and hardly checks the bodies of kernels. This file checks what is visible
// in the declaration of a kernel. The raise checks the code that its body reaches.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/KernelChecks.h"
#include "compile/KernelOptions.h"
#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/LambdaCapture.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace tilecc {
namespace {

class Checker {
public:
  explicit Checker(ASTContext &context) : context(context), diags(context.getDiagnostics()) {}

  bool check(const FunctionDecl *kernel) {
    if (!findAnnotation(kernel, kernelAnnotation)) {
      error(kernel->getLocation(), "'%0' is a SIMT kernel, which needs --simt; a tile kernel is marked __tile_global__")
          << kernel->getNameAsString();
      return ok;
    }
    if (kernel->isVariadic())
      error(kernel->getLocation(), "a tile kernel cannot be variadic");
    for (const ParmVarDecl *param : kernel->parameters())
      checkParam(param);
    for (const KernelAttribute &attribute : kernelAttributes)
      if (attribute.most)
        checkAttribute(kernel, attribute);
    return ok;
  }

private:
  template <unsigned N> DiagnosticBuilder error(SourceLocation loc, const char (&text)[N]) {
    ok = false;
    return diags.Report(loc, diags.getCustomDiagID(DiagnosticsEngine::Error, text));
  }

  void checkParam(const ParmVarDecl *param) {
    QualType type = param->getType().getCanonicalType();
    SourceLocation loc = param->getLocation();
    if (type->isReferenceType()) {
      error(loc, "a tile kernel cannot take a reference: its memory belongs to the caller; pass a value or a pointer");
    } else if (type->isFunctionPointerType() || type->isMemberPointerType()) {
      error(loc, "a pointer to a function or member is not available in a tile kernel: a template "
                 "parameter or a lambda selects the function");
    } else if (constexpr int64_t maxBytes = 32764; // for all parameters, on a GPU
               !type->isDependentType() && !type->isIncompleteType() &&
               context.getTypeSizeInChars(type).getQuantity() > maxBytes) {
      error(loc, "parameter '%0' has %1 bytes, and those of a kernel have %2 at most: pass a pointer")
          << param->getNameAsString() << std::to_string(context.getTypeSizeInChars(type).getQuantity())
          << std::to_string(maxBytes);
    } else if (type->isPointerType() && type->getPointeeType().isVolatileQualified()) {
      error(loc, "volatile memory is not available in a tile kernel");
    } else if (const auto *record = type->getAsCXXRecordDecl()) {
      if (record->getName() == "tensor" && isTile(record))
        error(loc, "a tile cannot be passed to a kernel: load it from memory");
      else if (const LambdaCapture *capture = findCaptureOfHost(record))
        error(capture->getLocation(),
              "this lambda is passed to a kernel and refers to %select{a variable|an object}0 of "
              "the host, which a kernel cannot access: capture values, [=] or [*this]")
            << capture->capturesThis();
      else if (!type.isTriviallyCopyableType(context))
        error(loc, "%0 cannot be passed to a kernel: it is not trivially copyable; kernels take numbers, pointers, "
                   "and structs of them")
            << param->getType();
    } else if (type->isRealFloatingType() && context.getTypeSize(type) > 64) {
      error(loc, "%0 is not available in a tile kernel") << param->getType();
    } else if (type->isIntegralOrEnumerationType() && context.getTypeSize(type) > 64) {
      error(loc, "%0 is not available in a tile kernel") << param->getType();
    }
    if (const AnnotateAttr *attr = findAnnotation(param, "tt.temporary"); attr && !type->isPointerType())
      error(attr->getLocation(), "'tt::temporary' is for pointers, not %0") << param->getType();
    if (const AnnotateAttr *attr = findAnnotation(param, "tt.divisible")) {
      int64_t value = getAnnotationValue(attr, context);
      if (value < 1 || !llvm::isPowerOf2_64(value))
        error(attr->getLocation(), "'tt::divisible' must be a power of two, not %0") << std::to_string(value);
      if (!type->isPointerType() && !type->isIntegerType())
        error(attr->getLocation(), "'tt::divisible' is for pointers and integers, not %0") << param->getType();
    }
  }

  /// Returns the first capture of a lambda that is an address of the host's memory; null if there is none.
  static const LambdaCapture *findCaptureOfHost(const CXXRecordDecl *record) {
    if (!record->isLambda())
      return nullptr;
    auto found = llvm::find_if(record->captures(), [](const LambdaCapture &capture) {
      return capture.getCaptureKind() == LCK_ByRef || capture.getCaptureKind() == LCK_This;
    });
    return found == record->captures().end() ? nullptr : &*found;
  }

  static bool isTile(const CXXRecordDecl *record) {
    const auto *ns = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
    return ns && ns->getName() == "tt" && ns->getParent()->isTranslationUnit();
  }

  void checkAttribute(const FunctionDecl *kernel, const KernelAttribute &attribute) {
    const AnnotateAttr *attr = findAnnotation(kernel, attribute.getAnnotation());
    if (!attr)
      return;
    if (int64_t value = getAnnotationValue(attr, context); !attribute.isValid(value))
      error(attr->getLocation(), "'%0' must be %1, not %2")
          << attribute.getScopedName() << attribute.getRange() << std::to_string(value);
  }

  ASTContext &context;
  DiagnosticsEngine &diags;
  bool ok = true;
};

/// Searches the user's files for SIMT code and for kernel attributes on other functions. Visits function bodies only if
/// they can contain kernels.
class UserCodeChecker : public RecursiveASTVisitor<UserCodeChecker> {
public:
  explicit UserCodeChecker(ASTContext &context)
      : sources(context.getSourceManager()), diags(context.getDiagnostics()) {}

  bool found = false;

  bool TraverseDecl(Decl *decl) {
    bool skip = decl && !isa<TranslationUnitDecl>(decl) && sources.isInSystemHeader(decl->getLocation());
    return skip || RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool TraverseStmt(Stmt *stmt) { return !inKernelCode || RecursiveASTVisitor::TraverseStmt(stmt); }
  bool TraverseFunctionDecl(FunctionDecl *function) {
    llvm::SaveAndRestore scope(inKernelCode, inKernelCode || function->hasAttr<CUDAGlobalAttr>() ||
                                                 function->hasAttr<CUDADeviceAttr>());
    return RecursiveASTVisitor::TraverseFunctionDecl(function);
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    const auto *device = function->getAttr<CUDADeviceAttr>();
    if (device && !device->isImplicit() && !function->hasAttr<CUDAHostAttr>() && !isa<CXXMethodDecl>(function) &&
        !findAnnotation(function, tileAnnotation))
      report(function->getLocation(), "'%0' is a __device__ function, SIMT code, which needs --simt; a function for "
                                      "tile kernels is marked __tile__")
          << function->getNameAsString();
    for (const KernelAttribute &attribute : kernelAttributes)
      if (const AnnotateAttr *found = findAnnotation(function, attribute.getAnnotation());
          found && !function->hasAttr<CUDAGlobalAttr>())
        report(found->getLocation(), "'%0' is an attribute of kernels, and '%1' is none: a kernel is marked "
                                     "__tile_global__")
            << attribute.getScopedName() << function->getNameAsString();
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->hasAttr<CUDASharedAttr>() || variable->hasAttr<CUDAConstantAttr>() ||
        (variable->hasAttr<CUDADeviceAttr>() && !variable->getAttr<CUDADeviceAttr>()->isImplicit()))
      report(variable->getLocation(),
             "'%0' is in a GPU's memory, SIMT code, which needs --simt; a tile kernel keeps values "
             "in tiles, and the compiler places them")
          << variable->getNameAsString();
    return true;
  }

private:
  template <unsigned N> DiagnosticBuilder report(SourceLocation loc, const char (&text)[N]) {
    found = true;
    return diags.Report(loc, diags.getCustomDiagID(DiagnosticsEngine::Error, text));
  }

  SourceManager &sources;
  DiagnosticsEngine &diags;
  bool inKernelCode = false;
};

} // namespace

bool checkUserCode(ASTContext &context) {
  UserCodeChecker checker(context);
  checker.TraverseDecl(context.getTranslationUnitDecl());
  return !checker.found;
}

bool checkKernels(ASTContext &context, llvm::ArrayRef<FunctionDecl *> kernels) {
  bool ok = true;
  for (const FunctionDecl *kernel : kernels)
    ok &= Checker(context).check(kernel);
  return ok;
}

void ParameterlessKernels::hide(Decl *decl) {
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      hide(inner);
    return;
  }
  auto *function = dyn_cast<FunctionDecl>(decl);
  if (!function || !function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>() ||
      !function->param_empty() || function->isDependentContext() || !function->doesThisDeclarationHaveABody())
    return;
  function->addAttr(CUDADeviceAttr::CreateImplicit(function->getASTContext()));
  kernels.push_back(function);
}

bool ParameterlessKernels::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *decl : group)
    hide(decl);
  return true;
}

} // namespace tilecc
