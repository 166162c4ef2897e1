//===-- Lines.cpp - positions in a document -----------------------------------------------------------------------===//
//
// Converts positions of the compiler to positions of the protocol, and applies changes of documents.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Lines.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::lsp;

namespace tilecc::lsp {

/// Returns the number of UTF-16 code units of UTF-8 text. Each byte that is not UTF-8 counts as one.
static unsigned countUnits(StringRef text) {
  unsigned units = 0;
  for (unsigned char c : text)
    units += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
  return units;
}

Lines::Lines(StringRef text) {
  for (StringRef line : split(text, '\n'))
    lines.push_back(line.rtrim('\r'));
}

Position Lines::getPosition(unsigned line, unsigned column) const {
  line = std::min<size_t>(line, lines.size() - 1);
  return Position(line, countUnits(lines[line].take_front(column)));
}

Range Lines::getName(unsigned line, unsigned column) const {
  line = std::min<size_t>(line, lines.size() - 1);
  StringRef rest = lines[line].drop_front(std::min<size_t>(column, lines[line].size()));
  size_t length = rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == ':' || (c & 0x80); }).size();
  return Range(getPosition(line, column), getPosition(line, column + std::max<size_t>(length, 1)));
}

std::optional<size_t> getOffset(StringRef text, Position position) {
  size_t offset = 0;
  for (int line = 0; line < position.line; ++line) {
    size_t end = text.find('\n', offset);
    if (end == StringRef::npos)
      return std::nullopt;
    offset = end + 1;
  }
  // A column past the end of a line means the end of the line.
  for (int units = 0; units < position.character && offset < text.size() && text[offset] != '\n';) {
    size_t next = offset + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80)
      ++next;
    units += countUnits(text.slice(offset, next));
    offset = next;
  }
  return offset;
}

} // namespace tilecc::lsp
