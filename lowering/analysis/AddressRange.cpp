//===- AddressRange.cpp - between which numbers a tile's are, and which bytes pointers point to -------------------===//
//
// Two accesses through one argument do not meet if their distances from it differ by known numbers: rows[0] and
// rows[1], the halves of a buffer at base + program * size. What the distances have in common has to be the same
// whenever either runs: arguments, and what is computed from them where a kernel begins. A loop's counter is not, for
// what was stored in one iteration is loaded in another.
//
// Which iterations of a loop need a mask is the same question, asked of what the mask compares (SplitLoops.cpp).
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

/// The number that `value` is, or that all its elements are.
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
    if (isa<arith::ExtSIOp>(op)) // sums of narrower numbers wrap around
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
    // A number rounded towards zero to a multiple is the number less a remainder.
    if (auto div = value.getDefiningOp<arith::DivSIOp>(); div && getConstant(div.getRhs()) == factor)
      if (MaybeRange rounded = addScaled(get(div.getLhs()), ofRemainder(div.getLhs(), factor), -1))
        return rounded;
    return addScaled(numbers(0, 0), get(value), *factor);
  }

  /// Of `value` % `by`, which has the sign of `value`, and is a multiple of what divides both.
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

/// A value that is one number for a whole run: an argument, or computed in the function's first block.
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
