//===- ProgramWork.cpp - compares the work of a kernel's programs -------------------------------------------------===//

#include "lowering/analysis/ProgramWork.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns true if `value` depends on `source`, or on something unknown.
bool dependsOn(Value value, Value source, DenseSet<Value> &seen) {
  if (value == source)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value).second)
    return false;
  return !isMemoryEffectFree(op) || op->getNumRegions() ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, source, seen); });
}

bool dependsOn(Value value, Value source) {
  DenseSet<Value> seen;
  return dependsOn(value, source, seen);
}

/// How a number changes as the index of a program increases.
enum class Trend { Unknown, Constant, Up, Down };

Trend invert(Trend trend) { return trend == Trend::Up ? Trend::Down : trend == Trend::Down ? Trend::Up : trend; }

Trend combine(Trend a, Trend b) {
  return a == Trend::Constant ? b : b == Trend::Constant || a == b ? a : Trend::Unknown;
}

/// Returns how `value` changes as `index` increases. The result only affects the order of programs, so the analysis may
/// assume that numbers do not overflow, and that a select changes its operand only once.
Trend getTrend(Value value, Value index) {
  if (value == index)
    return Trend::Up;
  if (!dependsOn(value, index))
    return Trend::Constant;
  Operation *op = value.getDefiningOp();
  auto of = [&](unsigned operand) { return getTrend(op->getOperand(operand), index); };
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(op))
    return combine(of(0), of(1));
  if (isa<arith::SubIOp>(op))
    return combine(of(0), invert(of(1)));
  if (isa<arith::SelectOp>(op))
    return combine(of(1), of(2));
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return of(0);
  APInt factor;
  if (isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
    return factor.isNegative() ? invert(of(0)) : of(0);
  return Trend::Unknown;
}

} // namespace

ProgramWork tilecc::findProgramWork(tt::FuncOp func) {
  ProgramWork work;
  SmallVector<Value> ids, alongX;
  func.walk([&](tt::GetProgramIdOp id) {
    ids.push_back(id);
    if (id.getAxis() == tt::ProgramIDDim::X)
      alongX.push_back(id);
  });
  func.walk([&](LoopLikeOpInterface inner) {
    auto loop = dyn_cast<scf::ForOp>(inner.getOperation());
    if (!loop) {
      work.isUneven = true;
      return;
    }
    auto differs = [&](Value id) {
      return llvm::any_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                          [&](Value bound) { return dependsOn(bound, id); });
    };
    work.isUneven |= llvm::any_of(ids, differs);
    for (Value x : alongX) {
      Trend trips = combine(getTrend(loop.getUpperBound(), x), invert(getTrend(loop.getLowerBound(), x)));
      work.growsAlongX |= trips == Trend::Up;
      work.shrinksAlongX |= trips == Trend::Down;
    }
  });
  if (work.growsAlongX && work.shrinksAlongX)
    work.growsAlongX = work.shrinksAlongX = false;
  return work;
}
