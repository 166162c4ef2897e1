//===- GridSizes.cpp - dim3{tt::cdiv(n, 64), 2} -------------------------------------------------------------------===//
//
// The members of CUDA's dim3 are three unsigned integers, but grid sizes are usually computed as int. In C++, int to
// unsigned inside braces is a narrowing conversion, which Clang rejects and nvcc's host compilers only warn about. So
// this file disables the error between the braces of `dim3{...}`, `dim3 grid{...}` and `dim3 grid = {...}`, as a pair
// of pragmas would. It watches the parser's tokens, and needs no change to CUDA's declarations.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/GridSizes.h"
#include "clang/Basic/DiagnosticSema.h"

using namespace clang;

namespace tilecc {
namespace {

class GridSizes {
public:
  explicit GridSizes(Preprocessor &preprocessor)
      : diags(preprocessor.getDiagnostics()), dim3(preprocessor.getIdentifierInfo("dim3")) {}

  void operator()(const Token &token) {
    if (braces > 0) {
      braces += token.is(tok::l_brace) - token.is(tok::r_brace);
      if (braces == 0)
        diags.setSeverity(narrowing, outside, token.getLocation());
    } else if (token.is(tok::l_brace) && seen > Struct) {
      seen = Nothing;
      if (diags.isIgnored(narrowing, token.getLocation()))
        return;
      outside = diags.getDiagnosticLevel(narrowing, token.getLocation()) == DiagnosticsEngine::Warning
                    ? diag::Severity::Warning
                    : diag::Severity::Error;
      diags.setSeverity(narrowing, diag::Severity::Ignored, token.getLocation());
      braces = 1;
    } else {
      seen = follow(token);
    }
  }

private:
  enum Seen { Nothing, Struct, Type, Name, Equal };

  Seen follow(const Token &token) const {
    if (token.is(tok::kw_struct))
      return Struct;
    if (token.is(tok::identifier) && token.getIdentifierInfo() == dim3)
      return seen == Struct ? Nothing : Type;
    if (token.is(tok::identifier) && seen == Type)
      return Name;
    return token.is(tok::equal) && seen == Name ? Equal : Nothing;
  }

  static constexpr unsigned narrowing = diag::ext_init_list_variable_narrowing;
  DiagnosticsEngine &diags;
  const IdentifierInfo *dim3;
  Seen seen = Nothing;
  int braces = 0; // open braces, counted from dim3's
  diag::Severity outside = diag::Severity::Error;
};

} // namespace

std::function<void(const Token &)> watchGridSizes(Preprocessor &preprocessor) { return GridSizes(preprocessor); }

} // namespace tilecc
