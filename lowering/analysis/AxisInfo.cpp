//===- AxisInfo.cpp - contiguity, divisibility and constancy: the analysis ----------------------------------------===//
//
// This is a sparse forward dataflow analysis in MLIR's framework. It also uses what the source asserts about values.
// AxisInfoInference.cpp has the transfer functions of operations.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/AxisInfoMath.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::axis_info;

//===--- assumptions ----------------------------------------------------------------------------------------------===//

namespace tilecc::axis_info {

/// The assumptions about a value: hints on its defining operation, attributes of a parameter, and tt::assume.
class Assumptions {
public:
  explicit Assumptions(Value value) : value(value) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      auto func = dyn_cast_or_null<FunctionOpInterface>(arg.getOwner()->getParentOp());
      if (func && arg.getOwner()->isEntryBlock())
        readHints([&](StringRef name) { return func.getArgAttr(arg.getArgNumber(), name); });
      nonNegative = !axes.empty() && isa<IntegerType>(value.getType());
    } else {
      readHints([&](StringRef name) { return value.getDefiningOp()->getDiscardableAttr(name); });
    }
    if (isa<IntegerType>(value.getType()))
      readAssumptions();
  }

  AxisInfo applyTo(const AxisInfo &info) const {
    if (axes.empty() && !nonNegative)
      return info;
    return build(
        value.getType(),
        [&](unsigned d) {
          AxisInfo::Axis known = info.getAxis(d);
          if (axes.empty())
            return known;
          return AxisInfo::Axis{std::max(known.contiguity, axes[d].contiguity),
                                std::max(known.divisibility, axes[d].divisibility),
                                std::max(known.constancy, axes[d].constancy)};
        },
        info.getConstant(), info.isNonNegative() || nonNegative);
  }

private:
  template <typename GetAttr> void readHints(GetAttr getAttr) {
    Attribute contiguity = getAttr("tt.contiguity"), divisibility = getAttr("tt.divisibility"),
              constancy = getAttr("tt.constancy");
    if (!contiguity && !divisibility && !constancy)
      return;
    axes.resize(shapeOf(value.getType()).size());
    for (auto [d, axis] : llvm::enumerate(axes))
      axis = {assumed(contiguity, d), assumed(divisibility, d), assumed(constancy, d)};
  }

  /// Returns the value of a hint along axis `d`. The attribute has one integer for all axes, or one for each.
  static int64_t assumed(Attribute attr, unsigned d) {
    if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
      return powerOfTwoIn(integer.getInt());
    if (auto list = dyn_cast_or_null<DenseIntElementsAttr>(attr))
      if (d < list.getNumElements())
        return powerOfTwoIn((*(list.getValues<APInt>().begin() + d)).getSExtValue());
    return 1;
  }

  /// Reads assumptions such as `value >= 0` and `value % 16 == 0`, in all their forms, from the block that defines the
  /// value. An execution that reaches the block also reaches the assumptions, so they hold at every use of the value.
  void readAssumptions() {
    for (Operation *user : value.getUsers()) {
      if (auto compare = dyn_cast<arith::CmpIOp>(user)) {
        if (isAssumed(compare, 0))
          nonNegative |= impliesNonNegative(compare);
        continue;
      }
      APInt by;
      if (!isa<arith::RemSIOp, arith::RemUIOp, arith::AndIOp>(user) || user->getOperand(0) != value ||
          !matchPattern(user->getOperand(1), m_ConstantInt(&by)) || by.isZero())
        continue;
      APInt divisor = isa<arith::AndIOp>(user) ? by + 1 : by;
      if (isa<arith::AndIOp>(user) && !divisor.isPowerOf2())
        continue;
      for (Operation *checked : user->getUsers())
        if (auto compare = dyn_cast<arith::CmpIOp>(checked);
            compare && compare.getPredicate() == arith::CmpIPredicate::eq && matchPattern(compare.getRhs(), m_Zero()) &&
            isAssumed(compare, 0)) {
          axes.resize(1);
          axes[0].divisibility = std::max(axes[0].divisibility, powerOfTwoIn(divisor.getSExtValue()));
        }
    }
  }

  bool isAssumed(Operation *condition, unsigned depth) const {
    return llvm::any_of(condition->getUsers(), [&](Operation *user) {
      if (isa<LLVM::AssumeOp>(user))
        return user->getBlock() == Value(value).getParentBlock();
      return isa<arith::AndIOp>(user) && depth < 8 && isAssumed(user, depth + 1);
    });
  }

  bool impliesNonNegative(arith::CmpIOp compare) const {
    bool onLeft = compare.getLhs() == value;
    APInt other;
    if (!matchPattern(onLeft ? compare.getRhs() : compare.getLhs(), m_ConstantInt(&other)))
      return false;
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq: return other.isNonNegative();
    case arith::CmpIPredicate::sge: return onLeft && other.isNonNegative();
    case arith::CmpIPredicate::sgt: return onLeft && (other.isNonNegative() || other.isAllOnes());
    case arith::CmpIPredicate::sle: return !onLeft && other.isNonNegative();
    case arith::CmpIPredicate::slt: return !onLeft && (other.isNonNegative() || other.isAllOnes());
    case arith::CmpIPredicate::ult:
    case arith::CmpIPredicate::ule: return onLeft && other.isNonNegative();
    case arith::CmpIPredicate::ugt:
    case arith::CmpIPredicate::uge: return !onLeft && other.isNonNegative();
    case arith::CmpIPredicate::ne: return false;
    }
    llvm_unreachable("all predicates are listed");
  }

  Value value;
  SmallVector<AxisInfo::Axis> axes; // empty if nothing is assumed
  bool nonNegative = false;
};

//===--- the analysis ---------------------------------------------------------------------------------------------===//

/// The lattice element of one value: the join of the facts that reach it by control flow, refined by assumptions.
class AxisLattice : public dataflow::AbstractSparseLattice {
public:
  explicit AxisLattice(Value value) : AbstractSparseLattice(value), assumptions(value) {}

  const AxisInfo &getValue() const { return info; }
  ChangeResult join(const AbstractSparseLattice &rhs) override {
    return join(static_cast<const AxisLattice &>(rhs).info);
  }
  ChangeResult join(const AxisInfo &incoming) {
    if (incoming.isUninitialized())
      return ChangeResult::NoChange;
    AxisInfo joined = AxisInfo::join(info, assumptions.applyTo(incoming));
    if (joined == info)
      return ChangeResult::NoChange;
    info = std::move(joined);
    return ChangeResult::Change;
  }
  void print(raw_ostream &os) const override { info.print(os); }

private:
  AxisInfo info;
  Assumptions assumptions;
};

class AxisInfoDataflow : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    SmallVector<const AxisInfo *> in;
    for (const AxisLattice *operand : operands) {
      if (operand->getValue().isUninitialized())
        return success();
      in.push_back(&operand->getValue());
    }
    for (auto [result, lattice] : llvm::zip_equal(op->getResults(), results))
      propagateIfChanged(lattice, lattice->join(inferAxisInfo(result, in)));
    return success();
  }

  void setToEntryState(AxisLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(AxisInfo::pessimistic(lattice->getAnchor())));
  }

  /// An induction variable starts at the lower bound and moves by the step.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor, ArrayRef<AxisLattice *> lattices,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || lattices.empty() || lattices.front()->getAnchor() != loop.getInductionVar())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, lattices, firstIndex);
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &lower = getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(point, loop.getStep())->getValue();
    if (lower.isUninitialized() || step.isUninitialized())
      return;
    // An unsigned induction variable may exceed the largest signed number, so it is not treated as an index.
    AxisInfo counter = build(
        loop.getInductionVar().getType(),
        [&](unsigned) { return AxisInfo::Axis{1, std::min(lower.getDivisibility(0), step.getDivisibility(0)), 1}; },
        std::nullopt, lower.isNonNegative() && step.isNonNegative() && !loop.getUnsignedCmp());
    propagateIfChanged(lattices[0], lattices[0]->join(counter));
  }
};

} // namespace tilecc::axis_info

//===--- AxisInfo -------------------------------------------------------------------------------------------------===//

AxisInfo AxisInfo::pessimistic(Value value) { return AxisInfo(SmallVector<Axis>(shapeOf(value.getType()).size())); }

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.isUninitialized() || rhs.isUninitialized())
    return lhs.isUninitialized() ? rhs : lhs;
  SmallVector<Axis> axes;
  for (unsigned d = 0; d < lhs.getRank(); ++d) {
    // For pointers, a stride of 1 is conservative, because elements are at least a byte apart.
    int64_t contiguity = std::min(lhs.getContiguity(d), rhs.getContiguity(d));
    axes.push_back({contiguity,
                    std::min(divisibilityOfGroups(lhs, d, contiguity), divisibilityOfGroups(rhs, d, contiguity)),
                    std::min(lhs.getConstancy(d), rhs.getConstancy(d))});
  }
  return AxisInfo(axes, lhs.constant == rhs.constant ? lhs.constant : std::nullopt, lhs.nonNegative && rhs.nonNegative);
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, int64_t Axis::*member) {
    os << name << " = [";
    llvm::interleaveComma(axes, os, [&](const Axis &axis) { os << axis.*member; });
    os << "]";
  };
  list("contiguity", &Axis::contiguity);
  list(", divisibility", &Axis::divisibility);
  list(", constancy", &Axis::constancy);
  if (constant)
    os << ", constant = " << *constant;
  else if (nonNegative)
    os << ", not negative";
}

//===--- AxisInfoAnalysis -----------------------------------------------------------------------------------------===//

AxisInfoAnalysis::AxisInfoAnalysis(Operation *root) : solver(std::make_unique<DataFlowSolver>()) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<AxisInfoDataflow>();
  // If the analysis fails, every query below is pessimistic.
  if (failed(solver->initializeAndRun(root)))
    solver = std::make_unique<DataFlowSolver>();
}

AxisInfo AxisInfoAnalysis::get(Value value) const {
  const auto *lattice = solver->lookupState<AxisLattice>(value);
  return lattice && !lattice->getValue().isUninitialized() ? lattice->getValue() : AxisInfo::pessimistic(value);
}

int64_t AxisInfoAnalysis::getAlignedContiguity(Value ptr, unsigned dim) const {
  AxisInfo info = get(ptr);
  return std::min(info.getContiguity(dim), std::max<int64_t>(1, info.getDivisibility(dim) / strideOf(ptr.getType())));
}

SmallVector<unsigned> AxisInfoAnalysis::getOrder(Value ptr) const {
  AxisInfo info = get(ptr);
  SmallVector<unsigned> order(llvm::reverse(llvm::seq(info.getRank())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(info.getContiguity(a), a) > std::pair(info.getContiguity(b), b);
  });
  return order;
}
