//===- Attributes.cpp - [[tt::num_warps(N)]] and related attributes -----------------------------------------------===//
//
// This file defines the attributes of kernels and of their parameters, whose arguments may depend on template
// parameters. Each attribute becomes an annotation in the AST, so that the argument is instantiated together with the
// template. The values are read and checked after the kernel has been instantiated.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/KernelOptions.h"
#include "frontend/KernelChecks.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace {

class TileAttr : public ParsedAttrInfo {
public:
  enum Subject { Function, Parameter };

  /// If Clang does not know the unscoped name of a plugin's attribute as well, it skips the arguments of the attribute.
  TileAttr(const char *scoped, const char *annotation, unsigned arguments, Subject subject)
      : annotation(annotation), subject(subject),
        spellings{{ParsedAttr::AS_CXX11, scoped}, {ParsedAttr::AS_CXX11, scoped + strlen("tt::")}} {
    NumArgs = arguments;
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr, const Decl *decl) const override {
    if (!attr.hasScope()) {
      DiagnosticsEngine &diags = sema.getDiagnostics();
      unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Error, "there is no attribute %0: it is '%1'");
      diags.Report(attr.getLoc(), id) << attr.getAttrName() << spellings[0].NormalizedFullName;
      return false;
    }
    if (subject == Function ? isa<FunctionDecl>(decl) : isa<ParmVarDecl>(decl))
      return true;
    DiagnosticsEngine &diags = sema.getDiagnostics();
    unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Error, "'%0' is an attribute of %select{kernels|kernel "
                                                                  "parameters}1");
    diags.Report(attr.getLoc(), id) << spellings[0].NormalizedFullName << unsigned(subject);
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl, const ParsedAttr &attr) const override {
    llvm::SmallVector<Expr *, 1> args;
    if (NumArgs) {
      Expr *value = getValue(sema, attr);
      if (!value)
        return AttributeNotApplied;
      args.push_back(value);
    }
    Attr *annotate = sema.CreateAnnotationAttr(attr, annotation, args);
    if (!annotate)
      return AttributeNotApplied;
    decl->addAttr(annotate);
    return AttributeApplied;
  }

private:
  /// Returns the argument as an expression. Clang passes a single identifier unparsed.
  static Expr *getValue(Sema &sema, const ParsedAttr &attr) {
    if (!attr.isArgIdent(0))
      return attr.getArgAsExpr(0);
    const IdentifierLoc *name = attr.getArgAsIdent(0);
    CXXScopeSpec scope;
    UnqualifiedId id;
    id.setIdentifier(name->getIdentifierInfo(), name->getLoc());
    return sema
        .ActOnIdExpression(sema.getCurScope(), scope, SourceLocation(), id, /*HasTrailingLParen=*/false,
                           /*IsAddressOfOperand=*/false)
        .get();
  }

  const char *annotation;
  Subject subject;
  Spelling spellings[2];
};

/// There is a class for each row of the table of kernel attributes, because Clang's registry default-constructs its
/// objects.
template <size_t row> struct KernelAttr : TileAttr {
  static const std::string &scoped() {
    static const std::string name = tilecc::kernelAttributes[row].getScopedName();
    return name;
  }
  static const std::string &annotation() {
    static const std::string name = tilecc::kernelAttributes[row].getAnnotation();
    return name;
  }
  KernelAttr()
      : TileAttr(scoped().c_str(), annotation().c_str(), tilecc::kernelAttributes[row].most ? 1 : 0, Function) {}
};
template <size_t... rows> void registerKernelAttributes(std::index_sequence<rows...>) {
  static std::tuple registered{std::make_unique<ParsedAttrInfoRegistry::Add<KernelAttr<rows>>>(
      KernelAttr<rows>::scoped(), tilecc::kernelAttributes[rows].summary)...};
}

struct Divisible : TileAttr {
  Divisible() : TileAttr("tt::divisible", "tt.divisible", 1, Parameter) {}
};
struct Temporary : TileAttr {
  Temporary() : TileAttr("tt::temporary", "tt.temporary", 0, Parameter) {}
};
struct NoSpecialize : TileAttr {
  NoSpecialize() : TileAttr("tt::no_specialize", "tt.no_specialize", 0, Parameter) {}
};

} // namespace

namespace {
/// Reports unknown attributes: looks for `tt::name` between `[[` and `]]`, outside parentheses.
class AttributeWatcher {
public:
  explicit AttributeWatcher(DiagnosticsEngine &diags) : diags(diags) {}

  void operator()(const Token &token) {
    if (inside) {
      depth += token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
      depth -= token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
      inside = depth > 0;
      follow(token);
    } else {
      inside = token.is(tok::l_square) && last == tok::l_square;
      depth = 1;
    }
    last = token.getKind();
  }

private:
  void follow(const Token &token) {
    const IdentifierInfo *name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    if (name && isInTT && last == tok::coloncolon)
      check(token.getLocation(), name->getName());
    isInTT = depth == 1 && ((name && name->getName() == "tt") || (isInTT && token.is(tok::coloncolon)));
  }

  void check(SourceLocation loc, llvm::StringRef name) {
    llvm::SmallVector<llvm::StringRef> known = {"divisible", "temporary", "no_specialize"}; // parameter attributes
    for (const tilecc::KernelAttribute &attribute : tilecc::kernelAttributes)
      known.push_back(attribute.name);
    if (llvm::is_contained(known, name))
      return;
    llvm::StringRef nearest = *llvm::min_element(
        known, [&](llvm::StringRef a, llvm::StringRef b) { return name.edit_distance(a) < name.edit_distance(b); });
    bool isNear = name.edit_distance(nearest) <= 1 + name.size() / 3;
    diags.Report(loc, diags.getCustomDiagID(DiagnosticsEngine::Error, "there is no attribute tt::%0%1"))
        << name
        << (isNear ? "; did you mean tt::" + nearest.str() + "?" : ": there are tt::" + llvm::join(known, ", tt::"));
  }

  DiagnosticsEngine &diags;
  tok::TokenKind last = tok::unknown;
  bool inside = false, isInTT = false;
  unsigned depth = 0;
};
} // namespace

std::function<void(const Token &)> tilecc::watchAttributes(DiagnosticsEngine &diags) { return AttributeWatcher(diags); }

void tilecc::registerTileAttributes() {
  registerKernelAttributes(std::make_index_sequence<std::size(tilecc::kernelAttributes)>());
  static ParsedAttrInfoRegistry::Add<Divisible> divisible("tt::divisible", "what it is a multiple of");
  static ParsedAttrInfoRegistry::Add<Temporary> temporary("tt::temporary", "memory that the kernel has for itself");
  static ParsedAttrInfoRegistry::Add<NoSpecialize> noSpecialize("tt::no_specialize", "no variants for this parameter");
}
