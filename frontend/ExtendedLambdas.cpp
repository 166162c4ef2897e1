//===- ExtendedLambdas.cpp - nvcc's traits of lambdas with __device__ ---------------------------------------------===//
//
// In nvcc, an extended lambda is a lambda in host code that is declared __device__ or __host__ __device__, and traits
// recognize the types of such lambdas. Clang supports the lambdas but not the traits. In a statically linked tcc, the
// linker (--wrap, see CMakeLists.txt) inserts the functions here into Sema's handling of lambdas, both for lambdas in
// the source and for those that templates instantiate. The functions add a member type to the class of an extended
// lambda, which the traits in tilecc/detail/simt_builtins.h look for.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/ScopeInfo.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

#define SET_ATTRIBUTES "_ZN5clang8SemaCUDA14SetLambdaAttrsEPNS_13CXXMethodDeclE"
void setAttributesOfClang(SemaCUDA *, CXXMethodDecl *) asm("__real_" SET_ATTRIBUTES);
void setAttributesAndMark(SemaCUDA *, CXXMethodDecl *) asm("__wrap_" SET_ATTRIBUTES);
#define BUILD_LAMBDA "_ZN5clang4Sema15BuildLambdaExprENS_14SourceLocationES1_"
ExprResult buildLambdaOfClang(Sema *, SourceLocation, SourceLocation) asm("__real_" BUILD_LAMBDA);
ExprResult markAndBuildLambda(Sema *, SourceLocation, SourceLocation) asm("__wrap_" BUILD_LAMBDA);

static void addMemberType(Sema &sema, CXXRecordDecl *lambda, StringRef name) {
  ASTContext &ast = sema.getASTContext();
  IdentifierInfo &id = ast.Idents.get(name);
  if (!lambda->lookup(&id).empty())
    return;
  SourceLocation loc = lambda->getLocation();
  auto *type = TypedefDecl::Create(ast, lambda, loc, loc, &id, ast.getTrivialTypeSourceInfo(ast.VoidTy, loc));
  type->setAccess(AS_public);
  type->setImplicit();
  lambda->addDecl(type);
}

template <class Attribute> static bool isWritten(const Decl *decl) {
  const auto *attribute = decl->getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

/// Adds member types to the class of an extended lambda. `method` is the call operator of a lambda in `context`.
static void markIfExtended(Sema &sema, CXXMethodDecl *method, const FunctionDecl *context) {
  const bool isOfDevice = context && sema.CUDA().IdentifyTarget(context) != CUDAFunctionTarget::Host &&
                          sema.CUDA().IdentifyTarget(context) != CUDAFunctionTarget::HostDevice;
  if (!context || isOfDevice || !isWritten<CUDADeviceAttr>(method))
    return;
  CXXRecordDecl *lambda = method->getParent();
  if (isWritten<CUDAHostAttr>(method))
    return addMemberType(sema, lambda, "__tilecc_host_device_lambda");
  addMemberType(sema, lambda, "__tilecc_device_lambda");
  if (const auto *type = method->getType()->getAs<FunctionProtoType>(); type && type->hasTrailingReturn())
    addMemberType(sema, lambda, "__tilecc_device_lambda_with_result");
}

/// Returns the function that contains a lambda, directly or inside other lambdas.
static const FunctionDecl *contextOf(const CXXMethodDecl *method) {
  return dyn_cast_or_null<FunctionDecl>(method->getParent()->getDeclContext()->getNonClosureAncestor());
}

void setAttributesAndMark(SemaCUDA *cuda, CXXMethodDecl *method) {
  markIfExtended(cuda->SemaRef, method, contextOf(method));
  setAttributesOfClang(cuda, method);
}

ExprResult markAndBuildLambda(Sema *sema, SourceLocation begin, SourceLocation end) {
  // Sema has already left the lambda's context, but not its scope.
  const auto *scope = dyn_cast<sema::LambdaScopeInfo>(sema->FunctionScopes.back());
  if (sema->getLangOpts().CUDA && scope && scope->CallOperator)
    markIfExtended(*sema, scope->CallOperator, contextOf(scope->CallOperator));
  return buildLambdaOfClang(sema, begin, end);
}
