//===- FollowingErrors.cpp - drops errors that only follow from an earlier one ------------------------------------===//

#include "frontend/FollowingErrors.h"
#include "frontend/SourceText.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace tilecc {

static bool areOnOneLine(SourceLocation a, SourceLocation b, const SourceManager &sources) {
  a = sources.getExpansionLoc(a), b = sources.getExpansionLoc(b);
  return a.isValid() && b.isValid() && sources.getFileID(a) == sources.getFileID(b) &&
         sources.getExpansionLineNumber(a) == sources.getExpansionLineNumber(b);
}

static bool usesName(llvm::StringRef line, llvm::StringRef name) {
  for (size_t at = line.find(name); at != llvm::StringRef::npos; at = line.find(name, at + 1))
    if (lastWord(line.take_front(at + name.size())) == name && firstWord(line.drop_front(at)) == name)
      return true;
  return false;
}

/// Returns true if a declaration before `text` is still in scope at the end of `text`.
static bool isInScope(llvm::StringRef text) {
  int depth = 0;
  return llvm::none_of(text, [&](char c) { return (depth += c == '{' ? 1 : c == '}' ? -1 : 0) < 0; });
}

void FollowingErrors::add(const ClangMessage &error, const SourceManager &sources, bool isExplained) {
  if (isExplained)
    line = error.loc;
  // `auto x = mistake` and `auto [x, y] = mistake`
  llvm::StringRef declared = textBefore(sources, error.loc);
  size_t begin = declared.rfind("auto ");
  declared = begin == llvm::StringRef::npos ? "" : declared.drop_front(begin + strlen("auto "));
  auto [names, value] = declared.split('=');
  if (!value.empty() || declared.ends_with("="))
    for (names = names.ltrim(" &["); !firstWord(names).empty(); names = names.ltrim(", ")) {
      broken.push_back({firstWord(names), error.loc});
      names = names.drop_front(firstWord(names).size());
    }
  // `type x(mistake)`: the error is at the variable.
  if (error.id == diag::err_ovl_no_viable_function_in_init)
    if (llvm::StringRef name = firstWord(textFrom(sources, error.loc)); !name.empty())
      broken.push_back({name, error.loc});
}

bool FollowingErrors::include(const ClangMessage &message, const SourceManager &sources) const {
  if (message.loc.isInvalid())
    return false;
  if (line.isValid() && areOnOneLine(line, message.loc, sources))
    return true;
  llvm::StringRef at = lineOf(sources, message.loc);
  return llvm::any_of(broken, [&](const Variable &variable) {
    if (sources.getFileID(variable.declaration) != sources.getFileID(message.loc) ||
        !sources.isBeforeInTranslationUnit(variable.declaration, message.loc) || !usesName(at, variable.name))
      return false;
    return isInScope(textFrom(sources, variable.declaration)
                         .take_front(sources.getFileOffset(message.loc) - sources.getFileOffset(variable.declaration)));
  });
}

} // namespace tilecc
