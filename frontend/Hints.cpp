//===- Hints.cpp - [[cutile::hint(arch, key=value)]] --------------------------------------------------------------===//
//
// The arguments of a hint are not expressions: `latency=2` would assign to an undeclared name, and
// `occupancy=occupancy` to a template parameter. So Clang skips the arguments, and this file reads their tokens again:
// integers, true, false, and names, which may be those of template parameters. Each hint becomes an annotation of the
// kernel, with its architecture and value as arguments, so that the value is instantiated together with the kernel.
// Hints on a statement concern its loads and stores, but affect choices for the whole kernel (stages, tensor maps). So
// they become annotations of the kernel, too.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Hints.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tilecc {
namespace {

constexpr llvm::StringLiteral hintAnnotation = "cutile.hint.";

/// Reads the arguments of a hint in the source: `900, occupancy=2`.
class Arguments {
public:
  Arguments(Sema &sema, SourceLocation name) : sema(sema) {
    SourceManager &sources = sema.getSourceManager();
    SourceLocation loc = sources.getSpellingLoc(name);
    auto [file, offset] = sources.getDecomposedLoc(loc);
    bool invalid = false;
    llvm::StringRef buffer = sources.getBufferData(file, &invalid);
    if (invalid)
      return;
    lexer.emplace(sources.getLocForStartOfFile(file), sema.getLangOpts(), buffer.begin(), buffer.begin() + offset,
                  buffer.end());
    next(); // skips the attribute's name, or `cutile::`
    for (next(); is(tok::coloncolon); next())
      next();
  }

  const Token &peek() const { return token; }
  bool is(tok::TokenKind kind) const { return lexer && token.is(kind); }
  Token next() {
    Token last = token;
    if (lexer)
      lexer->LexFromRawLexer(token);
    return last;
  }
  llvm::StringRef textOf(const Token &token) const {
    return llvm::StringRef(sema.getSourceManager().getCharacterData(token.getLocation()), token.getLength());
  }

  /// Reads a value that consists of one token. Skips any other value and returns null.
  Expr *readValue() {
    Token value = next();
    if (!is(tok::comma) && !is(tok::r_paren)) {
      skipValue();
      return nullptr;
    }
    llvm::StringRef text = textOf(value);
    if (unsigned number = 0; value.is(tok::numeric_constant) && !text.getAsInteger(0, number))
      return integer(number, value.getLocation());
    if (value.isNot(tok::raw_identifier))
      return nullptr;
    if (text == "true" || text == "false")
      return integer(text == "true", value.getLocation());
    CXXScopeSpec scope;
    UnqualifiedId id;
    id.setIdentifier(&sema.getASTContext().Idents.get(text), value.getLocation());
    return sema
        .ActOnIdExpression(sema.getCurScope(), scope, SourceLocation(), id, /*HasTrailingLParen=*/false,
                           /*IsAddressOfOperand=*/false)
        .get();
  }

  void skipValue() {
    for (unsigned depth = 0; lexer && !is(tok::eof) && (depth || !(is(tok::comma) || is(tok::r_paren))); next())
      depth += is(tok::l_paren) ? 1 : is(tok::r_paren) ? -1 : 0;
  }

private:
  Expr *integer(unsigned number, SourceLocation loc) {
    ASTContext &context = sema.getASTContext();
    return IntegerLiteral::Create(context, llvm::APInt(32, number), context.IntTy, loc);
  }

  Sema &sema;
  std::optional<Lexer> lexer;
  Token token;
};

std::optional<TargetHint::Kind> kindOf(llvm::StringRef key) {
  return llvm::StringSwitch<std::optional<TargetHint::Kind>>(key)
      .Case("num_worker_warps_per_cta", TargetHint::Warps)
      .Case("occupancy", TargetHint::Occupancy)
      .Case("latency", TargetHint::Latency)
      .Case("allow_tma", TargetHint::TensorMaps)
      .Default(std::nullopt);
}

struct Hint : ParsedAttrInfo {
  static constexpr Spelling spelling{ParsedAttr::AS_CXX11, "cutile::hint"};
  Hint() {
    Spellings = spelling;
    OptArgs = 15;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &attr) const override {
    return isa<FunctionDecl>(decl) && annotate(sema, decl, attr) ? AttributeApplied : AttributeNotApplied;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *, const ParsedAttr &attr, Attr *&) const override {
    if (FunctionDecl *function = sema.getCurFunctionDecl(/*AllowLambda=*/false))
      annotate(sema, function, attr);
    return AttributeNotApplied;
  }

private:
  static bool annotate(Sema &sema, Decl *function, const ParsedAttr &attr) {
    Arguments arguments(sema, attr.getLoc());
    if (!arguments.is(tok::l_paren))
      return false;
    arguments.next();
    Expr *arch = arguments.readValue();
    while (arch && arguments.is(tok::comma)) {
      arguments.next();
      llvm::StringRef key = arguments.textOf(arguments.next());
      if (!arguments.is(tok::equal))
        break;
      arguments.next();
      if (!kindOf(key)) {
        arguments.skipValue();
        continue;
      }
      if (Expr *value = arguments.readValue()) {
        Expr *args[] = {arch, value};
        if (Attr *annotation = sema.CreateAnnotationAttr(attr, (hintAnnotation + key).str(), args))
          function->addAttr(annotation);
      }
    }
    return true;
  }
};

} // namespace

void registerHints() {
  static ParsedAttrInfoRegistry::Add<Hint> hint("cutile::hint", "NVIDIA's advice to a tile compiler");
}

std::optional<TargetHint> readHint(const AnnotateAttr *attr, const ASTContext &context) {
  llvm::StringRef name = attr->getAnnotation();
  if (!name.consume_front(hintAnnotation))
    return std::nullopt;
  auto evaluate = [&](const Expr *expr) -> std::optional<int64_t> {
    Expr::EvalResult result;
    if (!expr->EvaluateAsRValue(result, context) || !result.Val.isInt())
      return std::nullopt;
    return result.Val.getInt().getExtValue();
  };
  std::optional<int64_t> arch = evaluate(attr->args_begin()[0]), value = evaluate(attr->args_begin()[1]);
  TargetHint::Kind kind = *kindOf(name);
  bool isUseful = arch && value && (kind == TargetHint::TensorMaps ? *value >= 0 : *value > 0) &&
                  (kind != TargetHint::Warps || (*value <= 32 && llvm::isPowerOf2_64(*value)));
  if (!isUseful)
    return std::nullopt;
  return TargetHint{unsigned(*arch), kind, int(*value)};
}

} // namespace tilecc
