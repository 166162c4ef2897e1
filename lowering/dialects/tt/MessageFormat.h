//===- MessageFormat.h - the text of tt.print and tt.assert ---------------------------------------------*- C++ -*-===//
//
// The CPU back end and the GPU lowering share these functions, so that a kernel prints the same text on both.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H
#define TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Returns the printf format of the line that prints one element of operand `i`, or of the only line if there are no
/// operands. The format's arguments are the three program ids, the index of the element if the operand is a tile (all
/// i32), and the element as an integer of at least 32 bits, a double or a pointer. The text is Triton's.
std::string getPrintFormat(tt::PrintOp op, std::optional<unsigned> i);

/// On a tt.print: the text is the printf format of a line that contains all operands, at most one of which is a tile.
/// One line is printed for each element of that tile, or a single line if there is no tile. The line contains neither
/// program ids nor indices.
inline constexpr llvm::StringLiteral formattedAttr = "tt.formatted";

/// The source location of an operation: the innermost line in the user's code, and the name of the kernel as it is
/// written there.
struct SourcePlace {
  std::string file = "<unknown>";
  unsigned line = 0;
  std::string function;
};
SourcePlace getSourcePlace(mlir::Operation *op);

} // namespace tilecc

#endif
