//===- BlockSharing.cpp - programs that share a thread block ------------------------------------------------------===//
//
// The header describes the interface. A value is common to the programs if it does not depend on anything that differs
// between them; the analysis follows its dependencies backwards. If loop bounds differ between programs, each program
// recomputes the bounds of all programs of the block, with the number of the other program in place of its own number.
// So such bounds may depend only on scalar arithmetic.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/BlockSharing.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

bool pipeline::isCommon(Value value, scf::ForOp loop, llvm::function_ref<bool(Operation *)> isOwn) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  auto add = [&](ValueRange values) { reached.insert(values.begin(), values.end()); };
  auto addBounds = [&](scf::ForOp other) {
    if (other != loop)
      add({other.getLowerBound(), other.getUpperBound(), other.getStep()});
  };
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value each = reached[i];
    Operation *op = each.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(each)) {
      auto around = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (around) {
        addBounds(around);
        if (argument != around.getInductionVar())
          add({around.getTiedLoopInit(argument)->get(), around.getTiedLoopYieldedValue(argument)->get()});
      } else if (!isa<tt::FuncOp>(argument.getOwner()->getParentOp())) {
        return false;
      }
    } else if (isOwn(op)) {
      return false;
    } else if (auto before = dyn_cast<scf::ForOp>(op)) {
      addBounds(before);
      unsigned number = cast<OpResult>(each).getResultNumber();
      add({before.getInitArgs()[number], before.getYieldedValues()[number]});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(each).getResultNumber();
      add({branch.getCondition(), branch.thenYield()->getOperand(number), branch.elseYield()->getOperand(number)});
    } else if (auto load = dyn_cast<tt::LoadOp>(op);
               load ? !load.getIsVolatile() && !mayBeWritten(load) : isRepeatable(op) && op->getNumRegions() == 0) {
      add(op->getOperands());
    } else {
      return false;
    }
  }
  return true;
}

bool pipeline::isCommon(Value value, scf::ForOp loop) {
  return isCommon(value, loop, [](Operation *op) { return isa<ttng::ProgramInBlockOp>(op); });
}

bool pipeline::asksForProgram(tt::FuncOp func, tt::ProgramIDDim along) {
  return func
      .walk([&](tt::GetProgramIdOp id) {
        return id.getAxis() == along ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool pipeline::loadsSame(scf::ForOp loop, tt::ProgramIDDim along) {
  auto isOwn = [&](Operation *op) {
    auto id = dyn_cast<tt::GetProgramIdOp>(op);
    return id && id.getAxis() == along;
  };
  bool loads = false;
  for (Operation &op : *loop.getBody())
    if (isLoad(&op) && getAllocatedType(loop, &op)) {
      auto load = dyn_cast<tt::DescriptorLoadOp>(op);
      if (!load || !llvm::all_of(load.getIndices(), [&](Value index) { return isCommon(index, loop, isOwn); }))
        return false;
      loads = true;
    }
  return loads && hasWarpGroupDots(loop);
}

static Value createInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

//===--- iterations -----------------------------------------------------------------------------------------------===//

bool BlockIterations::canCompute(Value value) {
  if (isCommon(value, loop))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isRepeatable(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canCompute(operand); });
}

bool BlockIterations::analyze(const AxisInfoAnalysis &axisInfo, bool mayBegin) {
  bool isSameBegin = isCommon(loop.getLowerBound(), loop);
  same = isSameBegin && isCommon(loop.getUpperBound(), loop) && isCommon(loop.getStep(), loop);
  if (same)
    return true;
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || loop.getUnsignedCmp())
    return false;
  // The programs can execute iterations together only if their lower bounds are congruent modulo the step.
  bool meet =
      isSameBegin || (mayBegin && axisInfo.get(loop.getLowerBound()).getDivisibility(0) % step.getSExtValue() == 0);
  return meet && canCompute(loop.getLowerBound()) && canCompute(loop.getUpperBound());
}

Value BlockIterations::createFor(OpBuilder &builder, Value value, unsigned program, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (isCommon(value, loop))
    return value;
  Operation *op = value.getDefiningOp();
  if (isa<ttng::ProgramInBlockOp>(op))
    return createInteger(builder, loop.getLoc(), value.getType(), program);
  for (Value operand : op->getOperands())
    mapping.map(operand, createFor(builder, operand, program, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void BlockIterations::create(OpBuilder &builder) {
  Location loc = loop.getLoc();
  begin = ownBegin = loop.getLowerBound();
  end = ownEnd = loop.getUpperBound();
  if (same)
    return;
  Type type = begin.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value least = createInteger(builder, loc, type, APInt::getSignedMinValue(bits).getSExtValue());
  Value most = createInteger(builder, loc, type, APInt::getSignedMaxValue(bits).getSExtValue());
  Value first = most, last = least;
  for (unsigned program = 0; program < ttg::getProgramsPerBlock(loop); ++program) {
    IRMapping mapping;
    Value lower = createFor(builder, loop.getLowerBound(), program, mapping);
    Value upper = createFor(builder, loop.getUpperBound(), program, mapping);
    Value makesAny = isBelow(builder, loop, lower, upper);
    lower = arith::SelectOp::create(builder, loc, makesAny, lower, most);
    upper = arith::SelectOp::create(builder, loc, makesAny, upper, least);
    bounds.push_back({lower, upper});
    first = arith::MinSIOp::create(builder, loc, first, lower);
    last = arith::MaxSIOp::create(builder, loc, last, upper);
    captures.append({lower, upper});
  }
  // Compute the first multiple of the step after the program's last iteration.
  Value makesAny = isBelow(builder, loop, ownBegin, ownEnd);
  Value distance = arith::SubIOp::create(builder, loc, ownEnd, ownBegin);
  Value one = createInteger(builder, loc, type, 1);
  Value count =
      arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, distance, one), loop.getStep());
  count = arith::AddIOp::create(builder, loc, count, one);
  Value behind =
      arith::AddIOp::create(builder, loc, ownBegin, arith::MulIOp::create(builder, loc, count, loop.getStep()));
  begin = first;
  end = last;
  ownBegin = arith::SelectOp::create(builder, loc, makesAny, ownBegin, begin);
  ownEnd = arith::SelectOp::create(builder, loc, makesAny, behind, begin);
  captures.append({begin, end});
}

Value BlockIterations::createIsMade(OpBuilder &builder, Value iteration, const IRMapping &mapping) const {
  Location loc = iteration.getLoc();
  Value isMade;
  for (auto [lower, upper] : bounds) {
    Value begins = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, mapping.lookup(lower), iteration);
    Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iteration, mapping.lookup(upper));
    Value both = arith::AndIOp::create(builder, loc, begins, goesOn);
    isMade = isMade ? arith::OrIOp::create(builder, loc, isMade, both).getResult() : both;
  }
  return isMade;
}
