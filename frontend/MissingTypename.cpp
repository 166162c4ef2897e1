//===- MissingTypename.cpp - types as template arguments without typename ----------------------------------------===//
//
// nvcc accepts f<Traits::Type>(x) in a template, where Traits::Type depends on a template parameter and the keyword
// typename is missing; FlashAttention contains such code. Clang parses the argument as a value and reports an error
// when it instantiates the template. But if the template parameter is a type, the argument can only be a type. In a
// statically linked tcc, the linker (--wrap, see CMakeLists.txt) calls the function here before Sema's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define BUILD_TEMPLATE_ID                                                                                              \
  "_ZN5clang4Sema19BuildTemplateIdExprERKNS_12CXXScopeSpecENS_14SourceLocationERNS_12LookupResultEbPKNS_"              \
  "24TemplateArgumentListInfoE"
ExprResult buildOfClang(Sema *, const CXXScopeSpec &, SourceLocation, LookupResult &, bool requiresADL,
                        const TemplateArgumentListInfo *) asm("__real_" BUILD_TEMPLATE_ID);
ExprResult buildWithTypes(Sema *, const CXXScopeSpec &, SourceLocation, LookupResult &, bool requiresADL,
                          const TemplateArgumentListInfo *) asm("__wrap_" BUILD_TEMPLATE_ID);

/// Returns true if all templates of this name expect a type as their argument number `index`.
static bool mustBeType(const LookupResult &templates, unsigned index) {
  return !templates.empty() && llvm::all_of(templates, [&](const NamedDecl *found) {
    const auto *candidate = dyn_cast<TemplateDecl>(found->getUnderlyingDecl());
    if (!candidate)
      return false;
    llvm::ArrayRef<NamedDecl *> params = candidate->getTemplateParameters()->asArray();
    return index < params.size() && isa<TemplateTypeParmDecl>(params[index]) &&
           llvm::none_of(params.take_front(index), [](NamedDecl *param) { return param->isParameterPack(); });
  });
}

ExprResult buildWithTypes(Sema *sema, const CXXScopeSpec &scope, SourceLocation keyword, LookupResult &templates,
                          bool requiresADL, const TemplateArgumentListInfo *arguments) {
  if (!arguments || !tilecc::isSimtMode(sema->getLangOpts()))
    return buildOfClang(sema, scope, keyword, templates, requiresADL, arguments);
  TemplateArgumentListInfo adjusted = *arguments;
  for (unsigned index = 0; index < adjusted.size(); ++index) {
    const TemplateArgument &argument = adjusted[index].getArgument();
    if (argument.getKind() != TemplateArgument::Expression)
      continue;
    const auto *name = dyn_cast<DependentScopeDeclRefExpr>(argument.getAsExpr());
    const IdentifierInfo *identifier = name ? name->getDeclName().getAsIdentifierInfo() : nullptr;
    if (!identifier || name->hasExplicitTemplateArgs() || !mustBeType(templates, index))
      continue;
    TypeSourceInfo *source = nullptr;
    QualType type = sema->CheckTypenameType(ElaboratedTypeKeyword::Typename, name->getBeginLoc(),
                                            name->getQualifierLoc(), *identifier, name->getLocation(), &source,
                                            /*DeducedTSTContext=*/false);
    if (type.isNull())
      return ExprError();
    adjusted[index] = TemplateArgumentLoc(TemplateArgument(type), source);
  }
  return buildOfClang(sema, scope, keyword, templates, requiresADL, &adjusted);
}
