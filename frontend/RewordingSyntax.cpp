//===- RewordingSyntax.cpp - rewords messages about the syntax of other languages ---------------------------------===//
//
// Users write keyword arguments, slices and decorators as in Python, or a launch as in Triton. Clang reports the token
// at which its parser stopped. The text around that token shows what the user meant.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Rewording.h"
#include "frontend/SourceText.h"
#include "frontend/Usages.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tilecc {

bool sayInstead(ClangMessage &error, std::vector<ClangMessage> &notes, const llvm::Twine &text) {
  std::string said = text.str();
  if (said.empty())
    return false;
  error.text = std::move(said);
  error.fixIts.clear();
  error.isExplained = true;
  notes.clear();
  return true;
}

/// Explains Python's operators and punctuation where C++ expects an expression or a declaration.
static std::string explainPunctuation(llvm::StringRef before, llvm::StringRef from) {
  if (from.starts_with("@") && before.empty())
    return "C++ has no decorators: a kernel is marked __tile_global__, and attributes are [[tt::num_warps(4)]]";
  if (from.starts_with("@") || before.ends_with("@"))
    return "C++ has no operator @: tt::dot(a, b) multiplies matrices";
  if (before.ends_with("[") && (from.starts_with(":") || from.starts_with("...")))
    return "C++ has no slices: x.col(), x.row() and x(tt::all, tt::newaxis) add dimensions, and tt::extract<axis, "
           "N>(x, first) is a part of x";
  if (before.ends_with("<<<") && from.starts_with("{")) {
    size_t end = from.find('}');
    return ("a grid of several dimensions is a dim3: <<<dim3" + from.take_front(end == from.npos ? 1 : end + 1) + ">>>")
        .str();
  }
  if (before.ends_with("<<<") && from.starts_with(">>>"))
    return "a launch needs the number of programs: kernel<<<grid>>>(arguments)";
  return "";
}

/// Explains tt::constexpr and tt::static_assert, which are keywords of C++ but names in Triton.
static std::string explainKeyword(llvm::StringRef before, llvm::StringRef from) {
  if (!before.ends_with("tt::"))
    return "";
  llvm::StringRef word = firstWord(from), replacement = findReplacement(word);
  if (word == "constexpr" && !findOpenCall(before).empty())
    return "a constant of a kernel is a template parameter: template <int BLOCK> __tile_global__ void kernel(...)";
  return replacement.empty() ? "" : ("there is no tt::" + word + ": " + replacement).str();
}

static std::string explainKeywordArgument(llvm::StringRef name, llvm::StringRef before, llvm::StringRef from) {
  llvm::StringRef behind = from.drop_front(std::min(name.size(), from.size())).ltrim();
  llvm::StringRef call = findOpenCall(before);
  if (!(before.ends_with("(") || before.ends_with(",")) || !behind.starts_with("=") || behind.starts_with("==") ||
      call.empty())
    return "";
  llvm::StringRef usage = findUsage(call);
  return ("C++ has no keyword arguments, such as " + name + "=" +
          (usage.empty() ? ": arguments are given by position" : ": '" + call + "' is called as " + usage))
      .str();
}

bool rewordSyntax(ClangMessage &error, std::vector<ClangMessage> &notes, const SourceManager &sources) {
  llvm::StringRef before = textBefore(sources, error.loc), from = textFrom(sources, error.loc);
  switch (error.id) {
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
    return sayInstead(error, notes, explainKeywordArgument(getQuoted(error.text), before, from));
  case diag::err_expected_expression: return sayInstead(error, notes, explainPunctuation(before, from));
  case diag::err_expected_unqualified_id: {
    std::string why = explainPunctuation(before, from);
    bool isConstant = from.starts_with("constexpr");
    if (!sayInstead(error, notes, why.empty() ? explainKeyword(before, from) : why))
      return false;
    error.explainsRest = isConstant || before.empty(); // a list of parameters or a declaration has ended too early
    return true;
  }
  case diag::err_invalid_constexpr:
    error.explainsRest = llvm::StringRef(error.text).starts_with("function parameter") &&
                         sayInstead(error, notes,
                                    "a parameter is not a constant: a constant of a kernel is a template parameter, "
                                    "template <int BLOCK> __tile_global__ void kernel(...)");
    return error.explainsRest;
  case diag::err_expected:
    if (before.ends_with(">>>") && from.starts_with("<"))
      return sayInstead(error, notes, "template arguments come before the grid: kernel<64><<<grid>>>(arguments)");
    return from.starts_with("@") && sayInstead(error, notes, explainPunctuation("x", "@"));
  case diag::err_excess_initializers:
    return from.starts_with("{") && before.contains("tile<") &&
           sayInstead(error, notes,
                      "the sizes of a tile are template arguments without braces: tt::tile<float, 64, 32>");
  case diag::err_template_arg_must_be_type:
    return before.ends_with("tile<") &&
           sayInstead(error, notes, "the element type comes before the sizes: tt::tile<float, 64, 32>");
  case diag::err_typecheck_subscript_not_integer:
    return from.starts_with("[{") && from.split("}]").second.starts_with("(") &&
           sayInstead(error, notes, "a kernel is launched as kernel<<<grid>>>(arguments)");
  case diag::err_expected_semi_declaration:
    if (firstWord(from.ltrim()) == "if")
      return sayInstead(error, notes,
                        "a choice in C++ is condition ? a : b, and that of tiles tt::where(condition, a, b)");
    return from.ltrim().starts_with("@") && sayInstead(error, notes, explainPunctuation("x", "@"));
  case diag::err_typecheck_indirection_requires_pointer:
    return before.ends_with("*") &&
           sayInstead(error, notes, "C++ has no operator **: tt::pow(x, y) is a power, and x * x a square");
  case diag::err_expected_semi_for:
    return firstWord(from.ltrim()) == "in" &&
           sayInstead(error, notes, "a loop of C++ is for (int i : tt::range(0, n)), or for (int i = 0; i < n; ++i)");
  case diag::err_unexpected_namespace:
    return from.drop_front(firstWord(from).size()).starts_with(".") &&
           sayInstead(error, notes,
                      "'" + firstWord(from) + "' is a namespace: its names are written " + firstWord(from) +
                          "::" + firstWord(from.drop_front(firstWord(from).size() + 1)));
  case diag::err_unknown_typename:
    if (getQuoted(error.text) != "def" && getQuoted(error.text) != "function")
      return false;
    error.explainsRest = true;
    return sayInstead(error, notes,
                      "a function of C++ begins with the type of its result: __tile_global__ void kernel(float *x), "
                      "or __tile__ auto function(...) for kernels");
  case diag::err_subscript_function_type:
    return sayInstead(error, notes, "a kernel is launched as kernel<<<grid>>>(arguments)");
  case diag::err_typecheck_invalid_operands:
    return before.contains("<<<") && from.starts_with(">>(") &&
           sayInstead(error, notes, "a launch has three brackets on both sides: kernel<<<grid>>>(arguments)");
  case diag::err_typecheck_decl_incomplete_type:
    return from.starts_with("__launch_bounds__") &&
           sayInstead(error, notes,
                      "'__launch_bounds__' is SIMT code, which needs --simt; a tile kernel has [[tt::num_warps(N)]]");
  case diag::err_bad_cxx_cast_generic: {
    auto [call, argument] = from.split('(');
    bool isInfinite = argument.starts_with("\"inf") || argument.starts_with("\"-inf");
    bool isNaN = argument.starts_with("\"nan");
    return (isInfinite || isNaN) && sayInstead(error, notes,
                                               llvm::Twine("a number is not made of a text: ") +
                                                   (isNaN                            ? "tt::nan<float>"
                                                    : argument.starts_with("\"-inf") ? "-tt::inf<float>"
                                                                                     : "tt::inf<float>"));
  }
  default: return false;
  }
}

} // namespace tilecc
