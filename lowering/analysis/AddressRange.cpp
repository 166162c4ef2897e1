//===- AddressRange.cpp - value ranges of integers and address ranges of pointers ---------------------------------===//
//
// Two accesses through one argument do not alias if their offsets from the argument are in known ranges that do not
// overlap. Examples are rows[0] and rows[1], or the halves of a buffer at base + program * size. The terms that the
// offsets have in common must have the same value at both accesses. Arguments satisfy this, and so do values computed
// from arguments in the entry block. An induction variable does not, because one iteration may load data that another
// iteration has stored.
//
// LoopMasks.cpp uses the same ranges to find the iterations of a loop that need no mask.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AddressRange.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace tilecc;

using MaybeRange = std::optional<AddressRange>;

MaybeRange tilecc::addScaled(MaybeRange a, const MaybeRange &b, int64_t factor) {
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

AddressRange tilecc::getRangeOfTerm(Value value) {
  AddressRange range;
  range.terms[value] = 1;
  return range;
}

namespace {

MaybeRange numbers(int64_t first, int64_t last) {
  AddressRange range;
  range.first = first, range.last = last;
  return range;
}

int64_t getPointeeBytes(Type pointers) { return getBytesInMemory(getElementTypeOrSelf(tt::getPointeeType(pointers))); }

/// Returns the constant to which `value`, or every element of `value`, is equal.
std::optional<int64_t> getConstant(Value value) {
  DenseElementsAttr elements;
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant))) {
    if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat() || !elements.getElementType().isIntOrIndex())
      return std::nullopt;
    constant = elements.getSplatValue<APInt>();
  }
  return constant.getSignificantBits() <= 64 ? std::optional(constant.getSExtValue()) : std::nullopt;
}

class Walk {
public:
  explicit Walk(AskForRange ask) : ask(ask) {}

  MaybeRange get(Value value) {
    if (MaybeRange known = ask(value, /*isLast=*/false))
      return known;
    MaybeRange result = infer(value);
    return result ? result : ask(value, /*isLast=*/true);
  }

private:
  MaybeRange infer(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (std::optional<int64_t> number = getConstant(value))
      return numbers(*number, *number);
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      return numbers(range.getStart(), range.getEnd() - 1);
    if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, ttg::ConvertLayoutOp>(op))
      return get(op->getOperand(0));
    if (isa<arith::ExtSIOp>(op)) // a sum of narrower integers may wrap around
      return getElementTypeOrSelf(op->getOperand(0)).isInteger(32) ? get(op->getOperand(0)) : std::nullopt;
    if (isa<arith::AddIOp>(op))
      return addScaled(get(op->getOperand(0)), get(op->getOperand(1)), 1);
    if (isa<arith::SubIOp>(op))
      return addScaled(get(op->getOperand(0)), get(op->getOperand(1)), -1);
    if (isa<arith::MulIOp>(op)) {
      MaybeRange result = ofProduct(op->getOperand(0), op->getOperand(1));
      return result ? result : ofProduct(op->getOperand(1), op->getOperand(0));
    }
    if (isa<arith::RemSIOp>(op))
      return ofRemainder(op->getOperand(0), getConstant(op->getOperand(1)));
    if (auto add = dyn_cast<tt::AddPtrOp>(op))
      return addScaled(get(add.getPtr()), get(add.getOffset()), getPointeeBytes(add.getType()));
    return std::nullopt;
  }

  MaybeRange ofProduct(Value value, Value number) {
    std::optional<int64_t> factor = getConstant(number);
    if (!factor)
      return std::nullopt;
    // Rounding down to a multiple (towards zero) subtracts the remainder.
    if (auto div = value.getDefiningOp<arith::DivSIOp>(); div && getConstant(div.getRhs()) == factor)
      if (MaybeRange rounded = addScaled(get(div.getLhs()), ofRemainder(div.getLhs(), factor), -1))
        return rounded;
    return addScaled(numbers(0, 0), get(value), *factor);
  }

  /// Returns the range of `value` % `by`. The remainder has the sign of `value`, and is a multiple of every common
  /// divisor of both.
  MaybeRange ofRemainder(Value value, std::optional<int64_t> by) {
    if (!by || *by <= 0)
      return std::nullopt;
    int64_t divisor = *by;
    if (MaybeRange range = get(value); range && range->first == range->last) {
      divisor = std::gcd(divisor, range->first);
      for (auto [term, factor] : range->terms)
        divisor = std::gcd(divisor, factor);
    } else {
      divisor = 1;
    }
    int64_t most = *by - divisor;
    return numbers(isNonNegative(value) ? 0 : -most, most);
  }

  AskForRange ask;
};

/// Accepts values that are constant while the kernel executes: arguments, and scalars from the entry block.
MaybeRange askForTerm(Value value, bool isLast) {
  Block *block = value.getParentBlock();
  if (!isLast || isa<ShapedType>(value.getType()) || !block->isEntryBlock() ||
      !isa<FunctionOpInterface>(block->getParentOp()))
    return std::nullopt;
  return getRangeOfTerm(value);
}

} // namespace

MaybeRange tilecc::getNumberRange(Value numbers, AskForRange ask) { return Walk(ask).get(numbers); }

std::optional<AddressRange> tilecc::getAddressRange(Value pointers) {
  MaybeRange range = getNumberRange(pointers, askForTerm);
  return addScaled(range, numbers(0, getPointeeBytes(pointers.getType()) - 1), 1);
}

bool tilecc::areApart(const AddressRange &a, const AddressRange &b) {
  auto isIn = [](const auto &terms, const AddressRange &range) {
    return llvm::all_of(terms, [&](const auto &term) { return range.terms.lookup(term.first) == term.second; });
  };
  return isIn(a.terms, b) && isIn(b.terms, a) && (a.last < b.first || b.last < a.first);
}
