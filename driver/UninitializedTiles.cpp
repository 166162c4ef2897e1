//===- UninitializedTiles.cpp - tiles that are used before they have a value --------------------------------------===//
//
// Implements -Wtile-uninitialized (TileWarnings.cpp). In TTIR, a variable without a value is poison. The analysis
// follows poison through branches and loops to the operations that use it.
//
// Structured control flow can pass poison on where no path of the source does. For example, a case that falls through
// becomes an scf.if that yields poison and a flag, and a second scf.if that uses the value only if the flag is set. So
// the analysis records for each value the conditions under which it is poison.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/UninitializedTiles.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc {
namespace {

using Facts = llvm::SmallDenseMap<Value, bool>; ///< known conditions

/// Infers the result of a comparison from another one with the same first operand.
std::optional<bool> concludeFrom(arith::CmpIOp known, bool holds, arith::CmpIOp asked) {
  if (known.getLhs() != asked.getLhs())
    return std::nullopt;
  arith::CmpIPredicate predicate = holds ? known.getPredicate() : arith::invertPredicate(known.getPredicate());
  if (known.getRhs() == asked.getRhs()) {
    if (predicate == asked.getPredicate())
      return true;
    if (predicate == arith::invertPredicate(asked.getPredicate()))
      return false;
    return std::nullopt;
  }
  llvm::APInt value, other;
  if (predicate == arith::CmpIPredicate::eq && matchPattern(known.getRhs(), m_ConstantInt(&value)) &&
      matchPattern(asked.getRhs(), m_ConstantInt(&other)))
    return arith::applyCmpPredicate(asked.getPredicate(), value, other);
  return std::nullopt;
}

std::optional<bool> evaluate(Value condition, const Facts &facts) {
  if (auto known = facts.find(condition); known != facts.end())
    return known->second;
  llvm::APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return constant.isOne();
  if (auto compare = condition.getDefiningOp<arith::CmpIOp>())
    for (auto [value, holds] : facts)
      if (auto known = value.getDefiningOp<arith::CmpIOp>())
        if (std::optional<bool> result = concludeFrom(known, holds, compare))
          return result;
  Operation *op = condition.getDefiningOp();
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<bool> a = evaluate(op->getOperand(0), facts), b = evaluate(op->getOperand(1), facts);
  if (isa<arith::AndIOp>(op) && (a == false || b == false))
    return false;
  if (isa<arith::OrIOp>(op) && (a == true || b == true))
    return true;
  if (!a || !b)
    return std::nullopt;
  return isa<arith::XOrIOp>(op) ? *a != *b : isa<arith::AndIOp>(op);
}

bool isInThen(Operation *op, scf::IfOp branches) { return branches.getThenRegion().isAncestor(op->getParentRegion()); }

/// A tile that has no value if the facts hold.
struct Uninitialized {
  Value tile;
  Facts facts;
};

enum class Reached { Never, Perhaps, Always };

/// Returns whether `user` runs after the tile has been computed, if the facts hold.
Reached isReached(Operation *user, const Uninitialized &from) {
  Reached result = Reached::Always;
  Block *block = Value(from.tile).getParentBlock();
  for (Operation *op = user; op && op->getBlock() != block; op = op->getParentOp()) {
    auto branches = dyn_cast<scf::IfOp>(op->getParentOp());
    std::optional<bool> condition = branches ? evaluate(branches.getCondition(), from.facts) : std::nullopt;
    if (condition && *condition != isInThen(op, branches))
      return Reached::Never;
    if (!condition)
      result = Reached::Perhaps;
  }
  return result;
}

/// Returns true if `a` precedes `b`. Each is in the block of `tile` or nested in an operation there.
bool isBefore(Operation *a, Operation *b, Value tile) {
  Block *block = tile.getParentBlock();
  Operation *first = block->findAncestorOpInBlock(*a), *second = block->findAncestorOpInBlock(*b);
  return first && second && first != second && first->isBeforeInBlock(second);
}

class Search {
public:
  explicit Search(llvm::MapVector<Operation *, bool> &uses) : uses(uses) {}

  void run(ub::PoisonOp poison) {
    found.push_back({poison.getResult(), Facts()});
    for (size_t i = 0; i < found.size(); ++i)
      follow(Uninitialized(found[i]), /*isOrigin=*/i == 0);
  }

private:
  void follow(const Uninitialized &from, bool isOrigin) {
    Operation *first = nullptr; // the first operation that uses the tile unconditionally
    for (OpOperand &operand : from.tile.getUses()) {
      Operation *user = operand.getOwner();
      Reached reached = isReached(user, from);
      if (reached == Reached::Never)
        continue;
      if (auto loop = dyn_cast<LoopLikeOpInterface>(user)) {
        if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&operand); carried && isOrigin)
          add(carried, from.facts, operand);
      } else if (auto select = dyn_cast<arith::SelectOp>(user)) {
        handOn(select, operand, from.facts);
      } else if (auto branches = dyn_cast<scf::IfOp>(user->getParentOp()); branches && isa<scf::YieldOp>(user)) {
        handOn(branches, operand, from.facts);
      } else if (!user->hasTrait<OpTrait::IsTerminator>() && !isa<RegionBranchOpInterface>(user) &&
                 reached == Reached::Always && (!first || isBefore(user, first, from.tile))) {
        first = user;
      }
    }
    if (first)
      uses.try_emplace(first, isa_and_nonnull<scf::IfOp, arith::SelectOp>(from.tile.getDefiningOp()));
  }

  void handOn(arith::SelectOp select, OpOperand &operand, const Facts &facts) {
    bool isTrueValue = operand.getOperandNumber() == 1;
    std::optional<bool> condition = evaluate(select.getCondition(), facts);
    if (condition && *condition != isTrueValue)
      return;
    Facts inside = facts;
    inside.try_emplace(select.getCondition(), isTrueValue);
    add(select.getResult(), std::move(inside), operand);
  }

  void handOn(scf::IfOp branches, OpOperand &operand, const Facts &facts) {
    Operation *yield = operand.getOwner();
    Facts inside = facts;
    inside.try_emplace(branches.getCondition(), isInThen(yield, branches));
    for (auto [value, result] : llvm::zip_equal(yield->getOperands(), branches.getResults()))
      if (value.getType().isInteger(1))
        if (std::optional<bool> known = evaluate(value, inside))
          inside.try_emplace(result, *known);
    add(branches.getResult(operand.getOperandNumber()), std::move(inside), operand);
  }

  void add(Value tile, Facts facts, OpOperand &way) {
    if (taken.insert(&way).second)
      found.push_back({tile, std::move(facts)});
  }

  llvm::MapVector<Operation *, bool> &uses;
  std::vector<Uninitialized> found;
  llvm::SmallPtrSet<OpOperand *, 16> taken;
};

} // namespace

llvm::MapVector<Operation *, bool> findUninitializedTiles(ModuleOp module) {
  llvm::MapVector<Operation *, bool> uses;
  module.walk([&](ub::PoisonOp poison) {
    if (isa<RankedTensorType>(poison.getType()))
      Search(uses).run(poison);
  });
  return uses;
}

} // namespace tilecc
