//===- TileVariables.cpp - finds the variables of tile code and their types ---------------------------------------===//
//
// TranslationUnit.cpp calls findTileVariables if the driver requests variables (--emit=annotations). In a function
// template, a variable that is declared with `auto` has a type only in an instantiation. So the search visits the
// functions for which code was generated.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/TileVariables.h"
#include "frontend/TileSignatures.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include <set>

using namespace clang;

namespace tilecc {

static std::string spellElement(const ElementType &element) {
  std::string bits = std::to_string(element.bits);
  switch (element.kind) {
  case ElementType::None: return "void";
  case ElementType::Bool: return "bool";
  case ElementType::Signed: return element.bits == 32 ? "int" : "int" + bits + "_t";
  case ElementType::Unsigned: return "uint" + bits + "_t";
  case ElementType::Float: return element.bits == 64 ? "double" : element.bits == 32 ? "float" : "float" + bits;
  case ElementType::BFloat: return "bfloat16";
  case ElementType::Float8E4M3FN: return "float8_e4m3fn";
  case ElementType::Float8E5M2: return "float8_e5m2";
  }
  llvm_unreachable("an element type");
}

static std::string spellType(const ValueType &type) {
  std::string text = type.isDescriptor ? "descriptor<" : "tile<";
  text += spellElement(type.element) + (type.isPointer && !type.isDescriptor ? " *" : "");
  for (int64_t size : type.shape)
    text += ", " + std::to_string(size);
  return text + ">";
}

namespace {
class VariableFinder : public RecursiveASTVisitor<VariableFinder> {
public:
  explicit VariableFinder(ASTContext &context) : context(context) {}

  std::set<TileVariable> found;

  bool shouldVisitImplicitCode() const { return true; } // structured bindings, the variables of range-based loops
  /// Skips the body of a lambda, which is a function of its own.
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->isImplicit() && !isa<DecompositionDecl>(variable))
      add(variable, variable->getType(), isDeduced(variable));
    return true;
  }
  bool VisitBindingDecl(BindingDecl *binding) {
    add(binding, binding->getType(), /*isDeduced=*/true);
    return true;
  }

private:
  void add(const ValueDecl *decl, QualType type, bool isDeduced) {
    SourceLocation loc = decl->getLocation();
    if (type.isNull() || type->isDependentType() || loc.isInvalid() || loc.isMacroID() || decl->getName().empty())
      return;
    ValueType value = getValueType(context, type.getNonReferenceType());
    Place place = getPlace(context, decl);
    if ((!value.isTile && !value.isDescriptor) || !place.line)
      return;
    found.insert({decl->getNameAsString(), spellType(value), place.file, place.line,
                  place.column + unsigned(decl->getName().size()), isDeduced});
  }

  /// Returns true if the source writes the type as `auto`. In a function template, the parameter `auto x` has the type
  /// of a template argument, so the text of the source decides.
  bool isDeduced(const VarDecl *variable) const {
    if (variable->getType()->getContainedAutoType())
      return true;
    const TypeSourceInfo *written = variable->getTypeSourceInfo();
    if (!written)
      return false;
    llvm::StringRef text = Lexer::getSourceText(CharSourceRange::getTokenRange(written->getTypeLoc().getSourceRange()),
                                                context.getSourceManager(), context.getLangOpts());
    llvm::SmallVector<llvm::StringRef> words;
    text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    return llvm::any_of(words, [](llvm::StringRef word) { return word.rtrim("&") == "auto"; });
  }

  ASTContext &context;
};
} // namespace

std::vector<TileVariable> findTileVariables(ASTContext &context, llvm::ArrayRef<const FunctionDecl *> functions) {
  VariableFinder finder(context);
  for (const FunctionDecl *function : functions)
    if (!context.getSourceManager().isInSystemHeader(function->getLocation())) {
      for (ParmVarDecl *parameter : function->parameters())
        finder.VisitVarDecl(parameter);
      finder.TraverseStmt(function->getBody());
    }
  std::vector<TileVariable> variables(finder.found.begin(), finder.found.end());
  llvm::sort(variables, [](const TileVariable &a, const TileVariable &b) {
    return std::tie(a.file, a.line, a.column, a.type) < std::tie(b.file, b.line, b.column, b.type);
  });
  return variables;
}

} // namespace tilecc
