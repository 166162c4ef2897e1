//===- Attributes.cpp - [[tt::num_warps(N)]] and its kin ----------------------------------------------------------===//
//
// Attributes of kernels and their parameters whose arguments may depend on template parameters. Each becomes an
// annotation in the AST, so that instantiating the template instantiates its argument; values are read, and checked,
// once the kernel is instantiated.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/KernelChecks.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

class TileAttr : public ParsedAttrInfo {
public:
  enum Subject { Function, Parameter };

  /// Clang skips the arguments of a scoped attribute that a plugin brings, unless it also knows the bare name.
  TileAttr(const char *scoped, const char *annotation, unsigned arguments, Subject subject)
      : annotation(annotation), subject(subject),
        spellings{{ParsedAttr::AS_CXX11, scoped}, {ParsedAttr::AS_CXX11, scoped + strlen("tt::")}} {
    NumArgs = arguments;
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr, const Decl *decl) const override {
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
  /// A lone identifier is handed over unparsed.
  static Expr *getValue(Sema &sema, const ParsedAttr &attr) {
    if (!attr.isArgIdent(0))
      return attr.getArgAsExpr(0);
    const IdentifierLoc *name = attr.getArgAsIdent(0);
    CXXScopeSpec scope;
    UnqualifiedId id;
    id.setIdentifier(name->getIdentifierInfo(), name->getLoc());
    return sema.ActOnIdExpression(sema.getCurScope(), scope, SourceLocation(), id, /*HasTrailingLParen=*/false,
                                  /*IsAddressOfOperand=*/false)
        .get();
  }

  const char *annotation;
  Subject subject;
  Spelling spellings[2];
};

struct NumWarps : TileAttr {
  NumWarps() : TileAttr("tt::num_warps", "tt.num_warps", 1, Function) {}
};
struct NumStages : TileAttr {
  NumStages() : TileAttr("tt::num_stages", "tt.num_stages", 1, Function) {}
};
struct NumCtas : TileAttr {
  NumCtas() : TileAttr("tt::num_ctas", "tt.num_ctas", 1, Function) {}
};
struct NumConsumers : TileAttr {
  NumConsumers() : TileAttr("tt::num_consumers", "tt.num_consumers", 1, Function) {}
};
struct Persistent : TileAttr {
  Persistent() : TileAttr("tt::persistent", "tt.persistent", 0, Function) {}
};
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

void tilecc::registerTileAttributes() {
  static ParsedAttrInfoRegistry::Add<NumWarps> numWarps("tt::num_warps", "warps that run one program");
  static ParsedAttrInfoRegistry::Add<NumStages> numStages("tt::num_stages", "stages of a pipelined loop");
  static ParsedAttrInfoRegistry::Add<NumCtas> numCtas("tt::num_ctas", "thread blocks that run one program");
  static ParsedAttrInfoRegistry::Add<NumConsumers> numConsumers("tt::num_consumers", "programs that share a block's loads");
  static ParsedAttrInfoRegistry::Add<Persistent> persistent("tt::persistent", "a block may run several programs");
  static ParsedAttrInfoRegistry::Add<Divisible> divisible("tt::divisible", "what it is a multiple of");
  static ParsedAttrInfoRegistry::Add<Temporary> temporary("tt::temporary", "memory that the kernel has for itself");
  static ParsedAttrInfoRegistry::Add<NoSpecialize> noSpecialize("tt::no_specialize", "no variants for this parameter");
}
