//===- AddressRange.cpp - between which bytes a tile of pointers points -------------------------------------------===//
//
// Two accesses through one argument do not meet if their distances from it differ by known numbers: rows[0] and
// rows[1], the halves of a buffer at base + program * size. What the distances have in common has to be the same
// whenever either runs: arguments, and what is computed from them where a kernel begins. A loop's counter is not, for
// what was stored in one iteration is loaded in another.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AddressRange.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace {

using MaybeRange = std::optional<AddressRange>;

/// a + b * factor; nothing if that does not fit into 64 bits.
MaybeRange addScaled(MaybeRange a, const MaybeRange &b, int64_t factor) {
  if (!a || !b)
    return std::nullopt;
  auto add = [&](int64_t &to, int64_t number) {
    int64_t product;
    return !llvm::MulOverflow(number, factor, product) && !llvm::AddOverflow(to, product, to);
  };
  bool fits = add(a->first, factor < 0 ? b->last : b->first) && add(a->last, factor < 0 ? b->first : b->last);
  for (auto [value, times] : b->terms)
    fits &= add(a->terms[value], times);
  return fits ? a : std::nullopt;
}

MaybeRange numbers(int64_t first, int64_t last) {
  AddressRange range;
  range.first = first, range.last = last;
  return range;
}

int64_t getPointeeBytes(Type pointers) { return getBytesInMemory(getElementTypeOrSelf(tt::getPointeeType(pointers))); }

MaybeRange getRange(Value value);

/// A value that is one number for a whole run: an argument, or computed in the function's first block.
MaybeRange ofTerm(Value value) {
  Block *block = value.getParentBlock();
  if (isa<ShapedType>(value.getType()) || !block->isEntryBlock() || !isa<FunctionOpInterface>(block->getParentOp()))
    return std::nullopt;
  AddressRange range;
  range.terms[value] = 1;
  return range;
}

MaybeRange ofProduct(Value value, Value number) {
  APInt constant;
  DenseElementsAttr elements;
  if (matchPattern(number, m_Constant(&elements)) && elements.isSplat())
    constant = elements.getSplatValue<APInt>();
  else if (!matchPattern(number, m_ConstantInt(&constant)))
    return std::nullopt;
  return addScaled(numbers(0, 0), getRange(value), constant.getSExtValue());
}

MaybeRange getRange(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return ofTerm(value);
  DenseElementsAttr elements;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return numbers(constant.getSExtValue(), constant.getSExtValue());
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() && elements.getElementType().isIntOrIndex()) {
    int64_t number = elements.getSplatValue<APInt>().getSExtValue();
    return numbers(number, number);
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return numbers(range.getStart(), range.getEnd() - 1);
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, ttg::ConvertLayoutOp,
          arith::ExtSIOp>(op))
    return getRange(op->getOperand(0));
  MaybeRange result;
  if (isa<arith::AddIOp>(op))
    result = addScaled(getRange(op->getOperand(0)), getRange(op->getOperand(1)), 1);
  else if (isa<arith::SubIOp>(op))
    result = addScaled(getRange(op->getOperand(0)), getRange(op->getOperand(1)), -1);
  else if (isa<arith::MulIOp>(op)) {
    result = ofProduct(op->getOperand(0), op->getOperand(1));
    if (!result)
      result = ofProduct(op->getOperand(1), op->getOperand(0));
  } else if (auto add = dyn_cast<tt::AddPtrOp>(op))
    result = addScaled(getRange(add.getPtr()), getRange(add.getOffset()), getPointeeBytes(add.getType()));
  return result ? result : ofTerm(value);
}

} // namespace

std::optional<AddressRange> tilecc::getAddressRange(Value pointers) {
  MaybeRange range = getRange(pointers);
  return addScaled(range, numbers(0, getPointeeBytes(pointers.getType()) - 1), 1);
}

bool tilecc::areApart(const AddressRange &a, const AddressRange &b) {
  auto isIn = [](const auto &terms, const AddressRange &range) {
    return llvm::all_of(terms, [&](const auto &term) { return range.terms.lookup(term.first) == term.second; });
  };
  return isIn(a.terms, b) && isIn(b.terms, a) && (a.last < b.first || b.last < a.first);
}
