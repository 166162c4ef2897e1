//===- MessageFormat.h - the text of tt.print and tt.assert ---------------------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H
#define TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Returns the printf format of the line for one element of operand `i`, or of the only line if there are no operands.
/// Its arguments are the three program ids, for a tile the element's index (all i32), and the element: an integer of at
/// least 32 bits, a double or a pointer. The text is Triton's.
std::string getPrintFormat(tt::PrintOp op, std::optional<unsigned> i);

/// On a tt.print: its text is the printf format of a line with all operands, at most one of which is a tile. One line
/// is printed for each element of that tile, or a single line if there is no tile. The line contains neither program
/// ids nor indices.
inline constexpr llvm::StringLiteral formattedAttr = "tt.formatted";

/// The source location of an operation: the innermost line in the user's code, and the kernel as the user writes it.
struct SourcePlace {
  std::string file = "<unknown>";
  unsigned line = 0;
  std::string function;
};
SourcePlace getSourcePlace(mlir::Operation *op);

} // namespace tilecc

#endif
