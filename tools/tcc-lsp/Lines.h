//===-- Lines.h - positions in a document -------------------------------------------------------------*- C++ -*-===//
#ifndef TILECC_TOOLS_LSP_LINES_H
#define TILECC_TOOLS_LSP_LINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <optional>
#include <vector>

namespace tilecc::lsp {

/// The lines of a text. LSP counts lines from 0 and columns in UTF-16 code units; compilers count both from 1, and
/// columns in bytes.
class Lines {
public:
  explicit Lines(llvm::StringRef text);

  size_t size() const { return lines.size(); }
  /// Returns the position of a byte; `column` 0 is the first one. Positions past the end of the text become its end.
  llvm::lsp::Position getPosition(unsigned line, unsigned column) const;
  llvm::lsp::Position getEnd(unsigned line) const { return getPosition(line, ~0u); }
  /// Returns the range of the name at a position, with its qualifiers, or of the single character there.
  llvm::lsp::Range getName(unsigned line, unsigned column) const;

private:
  std::vector<llvm::StringRef> lines;
};

/// Returns the byte offset of a position in a text, or nothing if the text has no such position.
std::optional<size_t> getOffset(llvm::StringRef text, llvm::lsp::Position position);

} // namespace tilecc::lsp
#endif
