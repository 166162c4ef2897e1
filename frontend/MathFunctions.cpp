//===- MathFunctions.cpp - marks the C library's math functions for kernels ---------------------------------------===//
//
// Clang treats `double sin(double)` of <math.h> as a host function, whereas libstdc++'s `std::sin(float)` is constexpr,
// so kernels may call it. A kernel could then call some overloads of std::sin but not others. This file marks the C
// functions for both sides when they are declared, so that all later code sees the mark.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/MathFunctions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tilecc {

static bool isMathFunction(const FunctionDecl *function) {
  static const llvm::StringSet<> names = {
      "abs",   "labs",  "llabs", "fabs", "fma",    "fmin",    "fmax",  "fmod",   "sqrt",      "exp",
      "exp2",  "log",   "log2",  "pow",  "sin",    "cos",     "tan",   "erf",    "tanh",      "ceil",
      "floor", "trunc", "round", "rint", "lround", "llround", "lrint", "llrint", "nearbyint", "copysign"};
  if (!function->isExternC() || !function->getIdentifier() || function->hasBody())
    return false;
  llvm::StringRef name = function->getName();
  return names.contains(name) || (name.ends_with("f") && names.contains(name.drop_back()));
}

static void mark(Decl *decl) {
  if (auto *context = dyn_cast<LinkageSpecDecl>(decl)) {
    for (Decl *inner : context->decls())
      mark(inner);
    return;
  }
  auto *function = dyn_cast<FunctionDecl>(decl);
  if (!function || !isMathFunction(function) || function->hasAttr<CUDADeviceAttr>())
    return;
  ASTContext &context = function->getASTContext();
  function->addAttr(CUDAHostAttr::CreateImplicit(context));
  function->addAttr(CUDADeviceAttr::CreateImplicit(context));
}

bool MathFunctions::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *decl : group)
    mark(decl);
  return true;
}

} // namespace tilecc
