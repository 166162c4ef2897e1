//===- MessageFormat.cpp - the text of tt.print and tt.assert ----------------------------------------===//
//
// Computes the format of tt.print and the location of tt.assert for all targets, so that all targets print the same
// text.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/MessageFormat.h"
#include "llvm/Demangle/Demangle.h"

using namespace mlir;
using namespace tilecc;

/// Quotes `text` so that printf prints it unchanged.
static std::string quoted(StringRef text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '%')
      result += c;
  }
  return result;
}

static std::string conversionFor(Type element, bool hex, bool isSigned) {
  if (isa<tt::PointerType>(element))
    return "%p";
  unsigned bits = element.getIntOrFloatBitWidth();
  std::string length = bits > 32 ? "ll" : "";
  if (hex)
    return "0x%0" + std::to_string(std::max(1u, bits / 4)) + length + "x";
  if (isa<FloatType>(element))
    return "%f";
  return "%" + length + (isSigned ? "i" : "u");
}

std::string tilecc::getPrintFormat(tt::PrintOp op, std::optional<unsigned> i) {
  std::string text = "pid (%u, %u, %u)";
  if (!i)
    return text + quoted(op.getPrefix()) + "\n";
  Type type = op.getArgs()[*i].getType();
  if (auto tile = dyn_cast<RankedTensorType>(type)) {
    text += " idx (";
    for (auto [d, size] : llvm::enumerate(tile.getShape())) {
      unsigned digits = std::to_string(size - 1).size();
      text += (d ? ", %" : "%") + (digits > 1 ? std::to_string(digits) : std::string()) + "u";
    }
    text += ")";
  }
  text += quoted(op.getPrefix());
  if (op.getArgs().size() > 1)
    text += "(operand " + std::to_string(*i) + ") ";
  return text + conversionFor(getElementTypeOrSelf(type), op.getHex(), op.getIsSigned()[*i]) + "\n";
}

SourcePlace tilecc::getSourcePlace(Operation *op) {
  SourcePlace place;
  op->getLoc()->walk([&](Location loc) {
    auto line = dyn_cast<FileLineColLoc>(loc);
    if (!line)
      return WalkResult::advance();
    place.file = line.getFilename().str();
    place.line = line.getLine();
    return WalkResult::interrupt();
  });
  StringRef symbol = op->getParentOfType<FunctionOpInterface>().getName();
  place.function = llvm::demangle(symbol.split('$').first); // the part after $ names a variant
  return place;
}
