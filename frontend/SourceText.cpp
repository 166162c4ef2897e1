//===- SourceText.cpp - finds the text around an error ------------------------------------------------------------===//

#include "frontend/SourceText.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tilecc {

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Returns the contents of the file of a location, and the offset of the location.
static std::pair<llvm::StringRef, size_t> find(const SourceManager &sources, SourceLocation loc) {
  if (loc.isInvalid())
    return {};
  auto [file, offset] = sources.getDecomposedSpellingLoc(loc);
  bool invalid = false;
  llvm::StringRef buffer = sources.getBufferData(file, &invalid);
  return invalid || offset > buffer.size() ? std::pair<llvm::StringRef, size_t>() : std::pair(buffer, size_t(offset));
}

llvm::StringRef textBefore(const SourceManager &sources, SourceLocation loc) {
  auto [buffer, offset] = find(sources, loc);
  llvm::StringRef before = buffer.take_front(offset);
  return before.substr(before.rfind('\n') + 1).rtrim();
}

llvm::StringRef textFrom(const SourceManager &sources, SourceLocation loc) {
  auto [buffer, offset] = find(sources, loc);
  return buffer.drop_front(offset);
}

llvm::StringRef lineOf(const SourceManager &sources, SourceLocation loc) {
  auto [buffer, offset] = find(sources, loc);
  size_t begin = buffer.take_front(offset).rfind('\n') + 1;
  return buffer.substr(begin, buffer.find('\n', offset) - begin);
}

llvm::StringRef firstWord(llvm::StringRef text) { return text.take_while(isWord); }

llvm::StringRef lastWord(llvm::StringRef text) {
  size_t begin = text.size();
  while (begin > 0 && isWord(text[begin - 1]))
    --begin;
  return text.drop_front(begin);
}

llvm::StringRef findOpenCall(llvm::StringRef before) {
  int depth = 0;
  for (size_t i = before.size(); i-- > 0;) {
    char c = before[i];
    depth += c == ')' || c == ']' || c == '}' ? 1 : c == '(' || c == '[' || c == '{' ? -1 : 0;
    if (depth < 0 && c == '(')
      return lastWord(before.take_front(i).rtrim());
    if (depth < 0)
      depth = 0; // a list or an index inside of the call
  }
  return "";
}

} // namespace tilecc
