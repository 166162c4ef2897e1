//===- MissingUsing.cpp - using-declarations of missing names in templates ----------------------------------------===//
//
// nvcc does not look up `using ::name;` in the device code of a template before it instantiates the template. Eigen
// relies on that: it has `using ::arg;` in functions that it never calls on a device, and CUDA has no such function.
// Clang reports an error when it parses the template. The function here omits such a declaration. If the template is
// instantiated after all, argument-dependent lookup finds the name or reports an error. In a statically linked tcc, the
// linker (--wrap, see CMakeLists.txt) calls the function here before Sema's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define ACT_ON_USING                                                                                                   \
  "_ZN5clang4Sema21ActOnUsingDeclarationEPNS_5ScopeENS_15AccessSpecifierENS_14SourceLocationES4_RNS_12CXXScopeSpecE"   \
  "RNS_13UnqualifiedIdES4_RKNS_20ParsedAttributesViewE"
Decl *actOfClang(Sema *, Scope *, AccessSpecifier, SourceLocation, SourceLocation, CXXScopeSpec &, UnqualifiedId &,
                 SourceLocation, const ParsedAttributesView &) asm("__real_" ACT_ON_USING);
Decl *actIfFound(Sema *, Scope *, AccessSpecifier, SourceLocation, SourceLocation, CXXScopeSpec &, UnqualifiedId &,
                 SourceLocation, const ParsedAttributesView &) asm("__wrap_" ACT_ON_USING);

/// Returns true for a using-declaration in the body of a template if its namespace does not contain the name.
static bool isMissing(Sema &sema, CXXScopeSpec &scope, UnqualifiedId &name) {
  if (name.getKind() != UnqualifiedIdKind::IK_Identifier || !sema.CurContext->isFunctionOrMethod() ||
      !sema.CurContext->isDependentContext())
    return false;
  DeclContext *owner = sema.computeDeclContext(scope);
  if (!owner || !owner->isFileContext())
    return false;
  LookupResult found(sema, sema.GetNameFromUnqualifiedId(name), Sema::LookupUsingDeclName);
  found.suppressDiagnostics();
  return !sema.LookupQualifiedName(found, owner);
}

Decl *actIfFound(Sema *sema, Scope *block, AccessSpecifier access, SourceLocation keyword, SourceLocation typenameWord,
                 CXXScopeSpec &scope, UnqualifiedId &name, SourceLocation ellipsis,
                 const ParsedAttributesView &attributes) {
  const LangOptions &lang = sema->getLangOpts();
  if (lang.CUDAIsDevice && tilecc::isSimtMode(lang) && isMissing(*sema, scope, name))
    return nullptr;
  return actOfClang(sema, block, access, keyword, typenameWord, scope, name, ellipsis, attributes);
}
