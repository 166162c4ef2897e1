//===- DelayedTemplates.cpp - templates that a device parse reads when it instantiates them ----------------------===//
//
// nvcc's device parse does not look at the body of a template before it instantiates the template. Code for devices
// (`#ifdef __CUDA_ARCH__`) in templates that no kernel calls may therefore use names that do not exist there. Its host
// parse checks all bodies, but without the code for devices.
//
// Clang has a similar mode for the sake of Microsoft's compiler, DelayedTemplateParsing, which keeps the tokens of a
// body. It also saves time: most templates of large libraries are never instantiated. Three things are added here:
//
// - Names. Clang reads a delayed body at the end of the source, and would find all names that the source declares. The
//   function for devices could then differ from the one for the host. Lookups for a delayed body ignore what is
//   declared after it.
// - Checks. The host parse checks the bodies of host templates, but skips those of device code. The device parse reads
//   the latter at the end even if they are not instantiated, so that mistakes are reported. It leaves out bodies that
//   contain a conditional of the preprocessor or are contained in one, because these may be for devices only, and
//   templates of system headers.
// - Exceptions. Constructors and destructors are not delayed, because Sema looks into their bodies to decide whether a
//   variable in GPU memory may have them. Tile functions are not, because this parse skips their bodies.
//
// In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) calls the functions here instead of Sema's.
// Otherwise, there are no functions "__real_...", and nothing is delayed.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/DelayedTemplates.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedAttr.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

#define WEAK __attribute__((weak))

#define END "_ZN5clang4Sema25ActOnEndOfTranslationUnitEv"
void endOfClang(Sema *) asm("__real_" END) WEAK;

namespace tilecc {

/// The object for the parse of this thread. Sema's functions for lookups find it in Sema.
static thread_local DelayedTemplates *current = nullptr;

//===--- conditionals of the preprocessor -------------------------------------------------------------------------===//

/// Records the places of conditionals (#if to #endif), without the include guards of headers.
struct DelayedTemplates::Conditionals : PPCallbacks {
  explicit Conditionals(Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  /// Returns true if the range contains a directive of a conditional, or is contained in a conditional.
  bool intersect(SourceLocation begin, SourceLocation end) const {
    const SourceManager &sources = preprocessor.getSourceManager();
    auto [file, from] = sources.getDecomposedExpansionLoc(begin);
    auto [lastFile, to] = sources.getDecomposedExpansionLoc(end);
    auto places = directives.find(file);
    if (file != lastFile || places == directives.end())
      return file != lastFile;
    auto next = llvm::partition_point(places->second, [&](const Directive &each) { return each.offset < from; });
    return (next != places->second.begin() && std::prev(next)->depth > 0) ||
           (next != places->second.end() && next->offset < to);
  }

  void If(SourceLocation place, SourceRange condition, ConditionValueKind) override {
    SourceManager &sources = preprocessor.getSourceManager();
    StringRef text =
        Lexer::getSourceText(CharSourceRange::getCharRange(condition), sources, preprocessor.getLangOpts());
    open(place, /*mayBeGuard=*/text.ltrim().starts_with("!"));
  }
  void Ifdef(SourceLocation place, const Token &, const MacroDefinition &) override { open(place, false); }
  void Ifndef(SourceLocation place, const Token &, const MacroDefinition &) override { open(place, true); }
  void Elif(SourceLocation place, SourceRange, ConditionValueKind, SourceLocation) override { add(place, 0); }
  void Elifdef(SourceLocation place, const Token &, const MacroDefinition &) override { add(place, 0); }
  void Elifdef(SourceLocation place, SourceRange, SourceLocation) override { add(place, 0); }
  void Elifndef(SourceLocation place, const Token &, const MacroDefinition &) override { add(place, 0); }
  void Elifndef(SourceLocation place, SourceRange, SourceLocation) override { add(place, 0); }
  void Else(SourceLocation place, SourceLocation) override { add(place, 0); }
  void Endif(SourceLocation place, SourceLocation) override {
    if (!guards.empty())
      add(place, guards.pop_back_val() ? 0 : -1);
  }

private:
  struct Directive {
    unsigned offset;
    int depth; ///< of conditionals that contain the text after the directive
  };

  void open(SourceLocation place, bool mayBeGuard) {
    // A guard is the first conditional of a header.
    const SourceManager &sources = preprocessor.getSourceManager();
    const FileID file = sources.getFileID(place);
    const bool isGuard = mayBeGuard && file != sources.getMainFileID() && !directives.contains(file);
    guards.push_back(isGuard);
    add(place, isGuard ? 0 : 1);
  }
  void add(SourceLocation place, int more) {
    auto [file, offset] = preprocessor.getSourceManager().getDecomposedExpansionLoc(place);
    auto &places = directives[file];
    places.push_back({offset, (places.empty() ? 0 : places.back().depth) + more});
  }

  Preprocessor &preprocessor;
  llvm::SmallVector<bool> guards; ///< whether each open conditional is a guard, innermost last
  llvm::DenseMap<FileID, std::vector<Directive>> directives;
};

//===--- what is delayed ------------------------------------------------------------------------------------------===//

DelayedTemplates::DelayedTemplates(CompilerInstance &compiler) : compiler(compiler) {
  if (!endOfClang)
    return;
  auto callbacks = std::make_unique<Conditionals>(compiler.getPreprocessor());
  conditionals = callbacks.get();
  compiler.getPreprocessor().addPPCallbacks(std::move(callbacks));
  current = this;
  delay(true);
}

DelayedTemplates::~DelayedTemplates() { current = nullptr; }

static bool isTileCode(const Decl *decl) {
  return findAnnotation(decl, kernelAnnotation) || findAnnotation(decl, tileAnnotation);
}

void DelayedTemplates::beforeBody(const FunctionDecl *function) {
  if (current && function->getLexicalDeclContext()->isRecord())
    delay(!isa<CXXConstructorDecl, CXXDestructorDecl>(function) && !isTileCode(function));
}

void DelayedTemplates::afterClass() {
  if (current)
    delay(true);
}

/// Returns true if `function` has the attribute of tile code, which is an annotation.
static bool isTileCode(const Declarator &function) {
  return llvm::any_of(function.getDeclSpec().getAttributes(), [](const ParsedAttr &attribute) {
    if (attribute.getKind() != ParsedAttr::AT_Annotate || !attribute.isArgExpr(0))
      return false;
    const auto *text = dyn_cast<StringLiteral>(attribute.getArgAsExpr(0)->IgnoreParenCasts());
    return text && (text->getString() == kernelAnnotation || text->getString() == tileAnnotation);
  });
}

#define CAN_DELAY "_ZN5clang4Sema20canDelayFunctionBodyERKNS_10DeclaratorE"
bool canDelayOfClang(Sema *, const Declarator &) asm("__real_" CAN_DELAY) WEAK;
bool canDelay(Sema *, const Declarator &) asm("__wrap_" CAN_DELAY);

/// Called for functions that do not stand in a class.
bool canDelay(Sema *sema, const Declarator &function) {
  using Kind = UnqualifiedIdKind;
  const Kind kind = const_cast<Declarator &>(function).getName().getKind();
  if (current && (kind == Kind::IK_ConstructorName || kind == Kind::IK_ConstructorTemplateId ||
                  kind == Kind::IK_DestructorName || isTileCode(function)))
    return false;
  return canDelayOfClang(sema, function);
}

//===--- reading --------------------------------------------------------------------------------------------------===//

void DelayedTemplates::readFor(void *delayed, LateParsedTemplate &late) {
  auto *templates = static_cast<DelayedTemplates *>(delayed);
  templates->read(templates->compiler.getSema(), late);
}

void DelayedTemplates::read(Sema &sema, LateParsedTemplate &late) {
  reading.push_back({late.D->getAsFunction(), late.Toks.front().getLocation(), sema.CodeSynthesisContexts.size()});
  readOfParser(parser, late);
  reading.pop_back();
}

bool DelayedTemplates::mustCheck(const FunctionDecl *function, const LateParsedTemplate &late) const {
  return !function->hasAttr<CUDAHostAttr>() &&
         (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>()) &&
         !compiler.getSourceManager().isInSystemHeader(function->getLocation()) &&
         !conditionals->intersect(late.Toks.front().getLocation(), late.Toks.back().getLocation());
}

/// Prevents warnings that something is unused if a body names it that may never be read.
static void markNamesUsed(Sema &sema) {
  llvm::DenseMap<const IdentifierInfo *, llvm::SmallVector<DeclaratorDecl *, 1>> unused;
  ExternalSemaSource *source = sema.getExternalSource();
  for (auto each = sema.UnusedFileScopedDecls.begin(source); each != sema.UnusedFileScopedDecls.end(); ++each)
    if (const IdentifierInfo *name = (*each)->getIdentifier(); name && !(*each)->isUsed())
      unused[name].push_back(const_cast<DeclaratorDecl *>(*each));
  if (unused.empty())
    return;
  for (auto &[function, late] : sema.LateParsedTemplateMap)
    for (const Token &token : late->Toks)
      if (token.is(tok::identifier))
        for (DeclaratorDecl *decl : unused.lookup(token.getIdentifierInfo()))
          decl->markUsed(sema.Context);
}

void DelayedTemplates::atEnd(Sema &sema) {
  markNamesUsed(sema);
  readOfParser = sema.LateTemplateParser;
  parser = sema.OpaqueParser;
  sema.SetLateTemplateParser(readFor, this);
  std::vector<LateParsedTemplate *> checked;
  for (auto &[function, late] : sema.LateParsedTemplateMap)
    if (function->isLateTemplateParsed() && mustCheck(function, *late))
      checked.push_back(late.get());
  for (LateParsedTemplate *late : checked)
    if (late->D->getAsFunction()->isLateTemplateParsed())
      read(sema, *late);
}

void end(Sema *) asm("__wrap_" END);

void end(Sema *sema) {
  if (current && sema->LateTemplateParser)
    current->atEnd(*sema);
  endOfClang(sema);
}

//===--- names ----------------------------------------------------------------------------------------------------===//

bool DelayedTemplates::isReading(const Sema &sema) const {
  return !reading.empty() && sema.CodeSynthesisContexts.size() == reading.back().instantiations;
}

bool DelayedTemplates::isTooLate(const Sema &sema, const NamedDecl *decl) const {
  if (!decl->getDeclContext()->getRedeclContext()->isFileContext())
    return false;
  return llvm::none_of(decl->redecls(), [&](const Decl *each) {
    // Sema declares functions such as __builtin_operator_delete where they are used for the first time.
    return each->isFromASTFile() || each->isImplicit() || each->getLocation().isInvalid() ||
           sema.getSourceManager().isBeforeInTranslationUnit(each->getLocation(), reading.back().body);
  });
}

/// Returns the object if `sema` looks up names for a delayed body, else null.
static const DelayedTemplates *readingFor(Sema *sema) {
  if (!current || sema->OpaqueParser != current || !current->isReading(*sema))
    return nullptr;
  return current;
}

/// Removes declarations that follow the body. Returns true if there are others, or were none.
static bool removeLate(const DelayedTemplates &delayed, LookupResult &found) {
  if (found.empty() || found.isAmbiguous())
    return true;
  LookupResult::Filter filter = found.makeFilter();
  while (filter.hasNext())
    if (delayed.isTooLate(found.getSema(), filter.next()))
      filter.erase();
  filter.done();
  return !found.empty();
}

/// Removes declarations that follow the body. If this leaves none, continues in the scopes around the template: a late
/// declaration may have hidden another one.
static void removeLateOfScopes(const DelayedTemplates &delayed, LookupResult &found) {
  if (removeLate(delayed, found))
    return;
  for (const DeclContext *scope = delayed.context(); scope && found.empty(); scope = scope->getParent()) {
    if (!scope->isFileContext())
      continue;
    found.clear();
    found.getSema().LookupQualifiedName(found, const_cast<DeclContext *>(scope), /*InUnqualifiedLookup=*/true);
    removeLate(delayed, found);
  }
}

#define LOOK_UP "_ZN5clang4Sema10LookupNameERNS_12LookupResultEPNS_5ScopeEbb"
bool lookUpOfClang(Sema *, LookupResult &, Scope *, bool, bool) asm("__real_" LOOK_UP) WEAK;
bool lookUp(Sema *, LookupResult &, Scope *, bool, bool) asm("__wrap_" LOOK_UP);
#define LOOK_UP_PARSED                                                                                                 \
  "_ZN5clang4Sema16LookupParsedNameERNS_12LookupResultEPNS_5ScopeEPNS_12CXXScopeSpecENS_8QualTypeEbb"
bool lookUpParsedOfClang(Sema *, LookupResult &, Scope *, CXXScopeSpec *, QualType, bool,
                         bool) asm("__real_" LOOK_UP_PARSED) WEAK;
bool lookUpParsed(Sema *, LookupResult &, Scope *, CXXScopeSpec *, QualType, bool, bool) asm("__wrap_" LOOK_UP_PARSED);
#define LOOK_UP_OPERATOR                                                                                               \
  "_ZN5clang4Sema28LookupOverloadedOperatorNameENS_22OverloadedOperatorKindEPNS_5ScopeERNS_17UnresolvedSetImplE"
void lookUpOperatorOfClang(Sema *, OverloadedOperatorKind, Scope *,
                           UnresolvedSetImpl &) asm("__real_" LOOK_UP_OPERATOR) WEAK;
void lookUpOperator(Sema *, OverloadedOperatorKind, Scope *, UnresolvedSetImpl &) asm("__wrap_" LOOK_UP_OPERATOR);
#define LOOK_UP_ARGUMENTS                                                                                              \
  "_ZN5clang4Sema23ArgumentDependentLookupENS_15DeclarationNameENS_14SourceLocationEN4llvm8ArrayRefIPNS_4ExprEEE"      \
  "RNS_9ADLResultE"
void lookUpArgumentsOfClang(Sema *, DeclarationName, SourceLocation, llvm::ArrayRef<Expr *>,
                            ADLResult &) asm("__real_" LOOK_UP_ARGUMENTS) WEAK;
void lookUpArguments(Sema *, DeclarationName, SourceLocation, llvm::ArrayRef<Expr *>,
                     ADLResult &) asm("__wrap_" LOOK_UP_ARGUMENTS);

bool lookUp(Sema *sema, LookupResult &found, Scope *scope, bool makesBuiltins, bool forcesNoCPlusPlus) {
  lookUpOfClang(sema, found, scope, makesBuiltins, forcesNoCPlusPlus);
  if (const DelayedTemplates *delayed = readingFor(sema))
    removeLateOfScopes(*delayed, found);
  return !found.empty();
}

bool lookUpParsed(Sema *sema, LookupResult &found, Scope *scope, CXXScopeSpec *qualifier, QualType object,
                  bool makesBuiltins, bool entersContext) {
  bool result = lookUpParsedOfClang(sema, found, scope, qualifier, object, makesBuiltins, entersContext);
  const DelayedTemplates *delayed = readingFor(sema);
  if (!delayed || found.empty())
    return result;
  if (qualifier && qualifier->isNotEmpty())
    removeLate(*delayed, found);
  else
    removeLateOfScopes(*delayed, found);
  return !found.empty();
}

void lookUpOperator(Sema *sema, OverloadedOperatorKind kind, Scope *scope, UnresolvedSetImpl &found) {
  const DelayedTemplates *delayed = readingFor(sema);
  if (!delayed)
    return lookUpOperatorOfClang(sema, kind, scope, found);
  UnresolvedSet<16> all;
  lookUpOperatorOfClang(sema, kind, scope, all);
  for (auto each = all.begin(); each != all.end(); ++each)
    if (!delayed->isTooLate(*sema, each.getDecl()))
      found.addDecl(each.getDecl(), each.getAccess());
}

void lookUpArguments(Sema *sema, DeclarationName name, SourceLocation loc, llvm::ArrayRef<Expr *> arguments,
                     ADLResult &found) {
  lookUpArgumentsOfClang(sema, name, loc, arguments, found);
  const DelayedTemplates *delayed = readingFor(sema);
  if (!delayed)
    return;
  llvm::SmallVector<NamedDecl *> late;
  for (NamedDecl *each : found)
    if (delayed->isTooLate(*sema, each))
      late.push_back(each);
  for (NamedDecl *each : late)
    found.erase(each);
}

} // namespace tilecc
