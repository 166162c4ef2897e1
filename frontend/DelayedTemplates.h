//===- DelayedTemplates.h - templates that a device parse reads when it instantiates them ------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_DELAYEDTEMPLATES_H
#define TILECC_FRONTEND_DELAYEDTEMPLATES_H

#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include <vector>

namespace tilecc {

/// Makes Clang read the body of a function template, or of a member of a class template, only when it instantiates the
/// function. The object must exist from before a device parse begins until after it ends.
class DelayedTemplates {
public:
  explicit DelayedTemplates(clang::CompilerInstance &compiler);
  ~DelayedTemplates();
  DelayedTemplates(const DelayedTemplates &) = delete;

  /// Called before the parser reads the body of `function`. If the function stands in a class, the parser then decides
  /// whether to delay the body.
  void beforeBody(const clang::FunctionDecl *function);
  /// Called after a class.
  void afterClass();

  /// Called before Sema instantiates what is left at the end of the source.
  void atEnd(clang::Sema &sema);

  /// Returns true if a template whose body is being read may not use `decl`, because the declaration follows the body.
  bool isTooLate(const clang::Sema &sema, const clang::NamedDecl *decl) const;
  /// Returns true if names are being looked up for a delayed body, rather than for something that it instantiates.
  bool isReading(const clang::Sema &sema) const;
  /// Returns the context of the template whose body is being read.
  const clang::DeclContext *context() const { return reading.back().function->getDeclContext(); }

private:
  struct Conditionals;
  struct Reading {
    const clang::FunctionDecl *function;
    clang::SourceLocation body;
    size_t instantiations; ///< those that were active when the reading began
  };

  void delay(bool enable) { compiler.getLangOpts().DelayedTemplateParsing = enable; }
  void read(clang::Sema &sema, clang::LateParsedTemplate &late);
  bool mustCheck(const clang::FunctionDecl *function, const clang::LateParsedTemplate &late) const;
  static void readFor(void *delayed, clang::LateParsedTemplate &late);

  clang::CompilerInstance &compiler;
  Conditionals *conditionals; ///< owned by the preprocessor
  std::vector<Reading> reading; ///< innermost last
  clang::Sema::LateTemplateParserCB *readOfParser = nullptr;
  void *parser = nullptr;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_DELAYEDTEMPLATES_H
