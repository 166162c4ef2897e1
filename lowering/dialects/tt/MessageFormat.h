//===- MessageFormat.h - what tt.print and tt.assert say, the same on every target ------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H
#define TILECC_LOWERING_DIALECTS_MESSAGEFORMAT_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// The format, as printf's, of a line for one element of operand `i`, or of the only line where there are no operands. Its
/// arguments are the program's three numbers, of a tile the element's index (all i32), and the element: an integer of at
/// least 32 bits, a double or a pointer. The text is Triton's.
std::string getPrintFormat(tt::PrintOp op, std::optional<unsigned> i);

/// Of a tt.print: its text is the format, as C's printf has it, of a line with all operands, at most one of which is a tile. A
/// line is printed for each element of that one, and for none without it: no program and no index.
inline constexpr llvm::StringLiteral formattedAttr = "tt.formatted";

/// Where in the source an operation comes from: the innermost line of the user's, and the kernel as the user writes it.
struct SourcePlace {
  std::string file = "<unknown>";
  unsigned line = 0;
  std::string function;
};
SourcePlace getSourcePlace(mlir::Operation *op);

} // namespace tilecc

#endif
