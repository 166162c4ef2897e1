//===- RewordingTiles.cpp - rewords messages about classes and templates in terms of tiles ------------------------===//
//
// To Clang, a tile is a class and an operation on tiles is a template. So its messages are about conversions that are
// not viable and candidates that were ignored. Users need to know what to write instead.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Rewording.h"
#include "frontend/Usages.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tilecc {

static bool isTile(llvm::StringRef type) { return type.starts_with("tile<") && type.ends_with(">"); }

static std::pair<llvm::StringRef, llvm::StringRef> splitTile(llvm::StringRef tile) {
  return tile.drop_front(strlen("tile<")).drop_back().split(", ");
}

/// Explains why a value of type `from` does not convert to `to`. At least one of these is a tile. Returns an empty
/// string if the reason is unknown.
static std::string explainConversion(llvm::StringRef from, llvm::StringRef to) {
  to.consume_front("const ");
  to.consume_back(" &");
  from.consume_front("const ");
  to.consume_front("tt::");
  if (isTile(to) && from.ends_with(" *"))
    return ("cannot make a " + to + " of one " + from + ": tt::load(pointers) reads a tile from memory").str();
  if (isTile(from) && isTile(to)) {
    auto [fromElement, fromSizes] = splitTile(from);
    auto [toElement, toSizes] = splitTile(to);
    std::string text = ("cannot make a " + to + " of a " + from).str();
    return fromSizes == toSizes ? text + ": .to<" + toElement.str() + ">() converts the elements"
                                : text + ": a variable keeps its type, and tiles of other sizes have other types";
  }
  if (isTile(to) && !from.contains('('))
    return ("cannot make a " + to + " of one " + from + ": tt::full<" + to.drop_front(strlen("tile<")).drop_back() +
            ">(value) has it in all elements")
        .str();
  if (isTile(from) && to == "bool")
    return ("a " + from +
            " is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) "
            "says "
            "whether any holds")
        .str();
  if (isTile(from))
    return ("a " + from + " is not one " + to +
            ": a reduction such as tt::sum(x) or tt::max(x) makes one of all its elements")
        .str();
  return "";
}

/// Extracts the explanation of the mismatched argument from the note on a candidate.
static std::string explainCandidate(const ClangMessage &note) {
  if (note.id != diag::note_ovl_candidate_bad_conv)
    return "";
  llvm::StringRef text(note.text);
  text = text.substr(text.find("no known conversion from "));
  return explainConversion(getQuoted(text, 0), getQuoted(text, 1));
}

/// Handles a call that matches no overload of a function of tt.
static bool rewordCall(ClangMessage &error, std::vector<ClangMessage> &notes,
                       llvm::function_ref<bool(SourceLocation)> isOurs) {
  auto candidates = llvm::make_filter_range(
      notes, [](const ClangMessage &note) { return llvm::StringRef(note.text).starts_with("candidate "); });
  if (candidates.empty() ||
      !llvm::all_of(candidates, [&](const ClangMessage &note) { return note.ofTiles && isOurs(note.loc); }) ||
      llvm::any_of(candidates, [](const ClangMessage &note) { return note.id == diag::note_ovl_candidate_bad_target; }))
    return false;
  llvm::StringRef name = getQuoted(error.text), usage = findUsage(name);
  if (usage.empty())
    return false;
  bool inBrackets = llvm::any_of(candidates, [](const ClangMessage &note) {
    return note.id == diag::note_ovl_candidate_explicit_arg_mismatch_named ||
           note.id == diag::note_ovl_candidate_explicit_arg_mismatch_unnamed;
  });
  error.text = ("'" + name + "' does not take " + (inBrackets ? "the arguments in <>" : "these arguments") +
                ": it is called as " + usage)
                   .str();
  error.isExplained = true;
  notes.clear();
  return true;
}

/// Returns true if Clang found operations on tiles, but the host cannot call them.
static bool ofHostCode(const std::vector<ClangMessage> &notes) {
  return llvm::any_of(notes, [](const ClangMessage &note) { return note.id == diag::note_ovl_candidate_bad_target; });
}

bool rewordTiles(ClangMessage &error, std::vector<ClangMessage> &notes,
                 llvm::function_ref<bool(SourceLocation)> isOurs) {
  llvm::StringRef text = error.text;
  bool ofTiles = error.ofTiles || llvm::any_of(notes, [](const ClangMessage &note) { return note.ofTiles; });
  switch (error.id) {
  case diag::err_ovl_no_viable_function_in_call:
  case diag::err_ovl_no_viable_member_function_in_call: return rewordCall(error, notes, isOurs);
  case diag::err_typecheck_call_too_few_args_one:
  case diag::err_typecheck_call_too_many_args:
  case diag::err_typecheck_call_too_few_args:
  case diag::err_typecheck_call_too_many_args_one: {
    auto declared = llvm::find_if(notes, [](const ClangMessage &note) { return note.id == diag::note_callee_decl; });
    if (declared == notes.end() || !isOurs(declared->loc))
      return false;
    llvm::StringRef name = getQuoted(declared->text), usage = findUsage(name);
    return !usage.empty() &&
           sayInstead(error, notes, ("'" + name + "' does not take these arguments: it is called as " + usage).str());
  }
  case diag::err_typecheck_bool_condition:
    return ofTiles && isTile(getQuoted(text)) && sayInstead(error, notes, explainConversion(getQuoted(text), "bool"));
  case diag::err_typecheck_statement_requires_integer:
    return ofTiles && isTile(getQuoted(text)) && sayInstead(error, notes, explainConversion(getQuoted(text), "int"));
  case diag::err_ovl_no_conversion_in_cast:
    if (llvm::StringRef to = getQuoted(text, 1); isTile(getQuoted(text)) && !isTile(to) && to != "bool")
      return sayInstead(error, notes,
                        ("a cast makes one " + to + " of one number, not of a " + getQuoted(text) + ": x.to<" + to +
                         ">() converts all elements, and a reduction such as tt::sum(x) makes one of them")
                            .str());
    return ofTiles && sayInstead(error, notes, explainConversion(getQuoted(text, 0), getQuoted(text, 1)));
  case diag::err_typecheck_nonviable_condition:
    return ofTiles && sayInstead(error, notes, explainConversion(getQuoted(text, 0), getQuoted(text, 1)));
  case diag::err_decomp_decl_wrong_number_bindings:
    return isTile(getQuoted(text)) &&
           sayInstead(error, notes,
                      "a tile is one value and has no parts with names: tt::split(x) makes two tiles of one, and "
                      "tt::extract<axis>(x, i) is an element or a row");
  case diag::err_ovl_no_viable_oper:
    if (ofTiles && getQuoted(text) == "=" && ofHostCode(notes))
      return sayInstead(error, notes, "operations on tiles are only available in tile kernels and __tile__ functions");
    // For an assignment, the only candidates are the operators of the class, and the notes on these contain the types.
    for (const ClangMessage &note : notes)
      if (std::string why = explainCandidate(note); ofTiles && !why.empty() && getQuoted(text) == "=")
        return sayInstead(error, notes, std::move(why));
    return false;
  case diag::err_ovl_no_oper:
  case diag::err_ovl_no_viable_subscript:
  case diag::err_typecheck_subscript_not_integer:
    if (ofTiles && text.contains("type 'tile<"))
      return sayInstead(error, notes,
                        "a tile has no elements to be named one by one: tt::gather<axis>(x, indices) picks some, and "
                        "x(tt::all, tt::newaxis) adds dimensions");
    if (text.contains("*'") || error.id == diag::err_typecheck_subscript_not_integer)
      return sayInstead(
          error, notes,
          "an array is indexed by one number: tt::load(p + i) and tt::store(p + i, value) take a tile of them");
    return false;
  case diag::err_ovl_ambiguous_oper_binary:
    // In kernels, host functions are not candidates, so only deleted operators of the stream remain.
    return getQuoted(text) == "<<" && text.contains("'ostream'") && !notes.empty() &&
           llvm::all_of(
               notes,
               [](const ClangMessage &note) { return llvm::StringRef(note.text).contains("explicitly deleted"); }) &&
           sayInstead(error, notes, noStream);
  case diag::err_typecheck_indirection_requires_pointer:
    return ofTiles && text.contains("'tile<") &&
           sayInstead(error, notes, "a tile of pointers is read by tt::load(p) and written by tt::store(p, value)");
  case diag::err_no_member:
    if (getQuoted(text, 1) == "tt")
      if (llvm::StringRef replacement = findReplacement(getQuoted(text)); !replacement.empty())
        return sayInstead(error, notes, ("there is no tt::" + getQuoted(text) + ": " + replacement).str());
    if (getQuoted(text, 1).starts_with("tt::buffer<"))
      return sayInstead(error, notes,
                        ("a tt::buffer has no member '" + getQuoted(text) +
                         "': x.to_vector() copies it to the host, and x.size() is the number of its elements")
                            .str());
    if (llvm::StringRef instead = findInsteadOfMember(getQuoted(text)); isTile(getQuoted(text, 1)) && !instead.empty())
      return sayInstead(error, notes, ("a tile has no member '" + getQuoted(text) + "': " + instead).str());
    return false;
  default: return false;
  }
}

} // namespace tilecc
