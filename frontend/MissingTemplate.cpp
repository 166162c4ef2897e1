//===- MissingTemplate.cpp - calls of member templates without the keyword template -------------------------------===//
//
// nvcc accepts x.f<3>(y) and T::f<3>(y) in the device code of a template, where x or T depends on a template parameter
// and the keyword template is missing; FlashInfer contains such code. Its host parse reads two comparisons, and its
// device parse reads the body when it instantiates the template and knows that f is a template. Clang also reads
// comparisons, and reports an error when it instantiates the template.
//
// The parser asks whether a < begins template arguments. The function here confirms it if a > and a parenthesis follow:
// a comparison with the result of another one is hardly meant. It then hides the error that the keyword is missing.
// Arguments that are types need the keyword, as for nvcc. In a statically linked tcc, the linker (--wrap, see
// CMakeLists.txt) calls the functions here instead of Clang's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define IS_LIST "_ZN5clang6Parser22isTemplateArgumentListEj"
/// A copy of Parser::TPResult, which is private.
enum class Answer : int { yes, no, unknown, error };
Answer isListOfClang(Parser *, unsigned skipped) asm("__real_" IS_LIST);
Answer isList(Parser *, unsigned skipped) asm("__wrap_" IS_LIST);

#define ACT_ON_NAME                                                                                                    \
  "_ZN5clang4Sema17ActOnTemplateNameEPNS_5ScopeERNS_12CXXScopeSpecENS_14SourceLocationERKNS_13UnqualifiedIdE"          \
  "NS_9OpaquePtrINS_8QualTypeEEEbRNS9_INS_12TemplateNameEEEb"
TemplateNameKind actOfClang(Sema *, Scope *, CXXScopeSpec &, SourceLocation, const UnqualifiedId &, ParsedType, bool,
                            OpaquePtr<TemplateName> &, bool) asm("__real_" ACT_ON_NAME);
TemplateNameKind act(Sema *, Scope *, CXXScopeSpec &, SourceLocation, const UnqualifiedId &, ParsedType, bool,
                     OpaquePtr<TemplateName> &, bool) asm("__wrap_" ACT_ON_NAME);

/// The diagnostics of this thread that are hidden until the parser has made a template of the name.
static thread_local const DiagnosticsEngine *hiding = nullptr;

/// Returns true if the tokens after the parser's current one are `< value > (`, and the value is a single argument
/// without comparisons and logical operators.
static bool isCallWithValue(Preprocessor &preprocessor) {
  if (preprocessor.LookAhead(0).isNot(tok::less))
    return false;
  unsigned depth = 0;
  for (unsigned index = 1;; ++index) {
    switch (preprocessor.LookAhead(index).getKind()) {
    case tok::l_paren:
    case tok::l_square: ++depth; break;
    case tok::r_paren:
    case tok::r_square:
      if (depth-- == 0)
        return false;
      break;
    case tok::greater:
      if (depth == 0)
        return index > 1 && preprocessor.LookAhead(index + 1).is(tok::l_paren);
      break;
    case tok::comma:
    case tok::less:
    case tok::lessequal:
    case tok::greaterequal:
    case tok::greatergreater:
    case tok::equalequal:
    case tok::exclaimequal:
    case tok::ampamp:
    case tok::pipepipe:
    case tok::question:
    case tok::equal:
      if (depth == 0)
        return false;
      break;
    case tok::semi:
    case tok::l_brace:
    case tok::r_brace:
    case tok::eof: return false;
    default: break;
    }
  }
}

Answer isList(Parser *parser, unsigned skipped) {
  Answer result = isListOfClang(parser, skipped);
  const LangOptions &lang = parser->getLangOpts();
  if (result == Answer::yes || skipped != 1 || !lang.CUDAIsDevice || !tilecc::isSimtMode(lang) ||
      parser->getCurToken().isNot(tok::identifier) || !parser->getActions().CurContext->isDependentContext() ||
      !isCallWithValue(parser->getPreprocessor()))
    return result;
  DiagnosticsEngine &diags = parser->getPreprocessor().getDiagnostics();
  if (!diags.getSuppressAllDiagnostics()) {
    diags.setSuppressAllDiagnostics(true);
    hiding = &diags;
  }
  return Answer::yes;
}

TemplateNameKind act(Sema *sema, Scope *scope, CXXScopeSpec &qualifier, SourceLocation keyword,
                     const UnqualifiedId &name, ParsedType object, bool entersContext, OpaquePtr<TemplateName> &result,
                     bool allowsInjectedName) {
  if (hiding == &sema->getDiagnostics()) {
    sema->getDiagnostics().setSuppressAllDiagnostics(false);
    hiding = nullptr;
  }
  return actOfClang(sema, scope, qualifier, keyword, name, object, entersContext, result, allowsInjectedName);
}
