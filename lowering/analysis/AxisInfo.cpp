#include "lowering/analysis/AxisInfo.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Beyond this, more divisibility is of no use; it keeps products inside 64 bits.
constexpr int64_t maxDivisibility = int64_t(1) << 30;

int64_t clampDivisibility(int64_t value) { return std::min(value, maxDivisibility); }

/// The largest power of two that divides `value`.
int64_t powerOfTwoIn(int64_t value) { return value == 0 ? maxDivisibility : clampDivisibility(value & -value); }

ArrayRef<int64_t> shapeOf(Type type) {
  static constexpr int64_t one = 1;
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getRank() ? tile.getShape() : ArrayRef(one);
}

/// Bytes between what a pointer and the one after it point to; 1 for numbers.
int64_t strideOf(Type type) {
  auto ptr = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
  return ptr ? std::max(1u, tt::getElementBits(ptr.getPointeeType()) / 8) : 1;
}

/// What every element is a multiple of.
int64_t divisibilityOfAll(const AxisInfo &info) {
  int64_t result = 1;
  for (unsigned d = 0; d < info.getRank(); ++d)
    if (info.getContiguity(d) == 1)
      result = std::max(result, info.getDivisibility(d));
  return result;
}

/// What the first element of each group of `size` along `d` is a multiple of. Cutting contiguous groups into smaller
/// ones gives new first elements, a multiple of `size` further on.
int64_t divisibilityOfGroups(const AxisInfo &info, unsigned d, int64_t size, int64_t stride = 1) {
  int64_t known = info.getDivisibility(d);
  return size >= info.getContiguity(d) ? known : std::min(known, size * stride);
}

/// One element of a new value, along each axis, from those of its operands.
struct Axis {
  int64_t contiguity = 1, divisibility = 1, constancy = 1;
};

AxisInfo build(Type type, llvm::function_ref<Axis(unsigned)> axisAt, std::optional<int64_t> constant = std::nullopt) {
  SmallVector<int64_t> contiguity, divisibility, constancy;
  for (auto [d, size] : llvm::enumerate(shapeOf(type))) {
    Axis axis = axisAt(d);
    if (constant)
      axis = {1, powerOfTwoIn(*constant), size};
    contiguity.push_back(std::min(axis.contiguity, size));
    divisibility.push_back(clampDivisibility(axis.divisibility));
    constancy.push_back(std::min(axis.constancy, size));
  }
  return AxisInfo(contiguity, divisibility, constancy, constant);
}

using Infos = ArrayRef<const AxisInfo *>;

int64_t commonConstancy(Infos operands, unsigned d) {
  int64_t result = std::numeric_limits<int64_t>::max();
  for (const AxisInfo *info : operands)
    result = std::min(result, info->getConstancy(d));
  return result;
}

AxisInfo visitConstant(arith::ConstantOp op) {
  Attribute value = op.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getType().isInteger(1))
      return build(op.getType(), [](unsigned) { return Axis(); }, integer.getValue().getZExtValue());
    return build(op.getType(), [](unsigned) { return Axis(); }, integer.getValue().getSExtValue());
  }
  if (isa<FloatAttr>(value))
    return build(op.getType(), [&](unsigned d) { return Axis{1, 1, shapeOf(op.getType())[d]}; });
  return AxisInfo::pessimistic(op.getResult());
}

AxisInfo visitAddition(Operation *op, Infos in, bool subtract) {
  const AxisInfo &lhs = *in[0], &rhs = *in[1];
  Type type = op->getResult(0).getType();
  int64_t stride = strideOf(type); // the offset of an addptr counts elements
  std::optional<int64_t> constant;
  if (lhs.getConstant() && rhs.getConstant() && stride == 1)
    constant = subtract ? *lhs.getConstant() - *rhs.getConstant() : *lhs.getConstant() + *rhs.getConstant();
  return build(
      type,
      [&](unsigned d) {
        int64_t contiguity = std::min(lhs.getContiguity(d), rhs.getConstancy(d));
        if (!subtract)
          contiguity = std::max(contiguity, std::min(lhs.getConstancy(d), rhs.getContiguity(d)));
        return Axis{contiguity,
                    std::min(divisibilityOfGroups(lhs, d, contiguity, stride),
                             clampDivisibility(divisibilityOfGroups(rhs, d, contiguity) * stride)),
                    commonConstancy(in, d)};
      },
      constant);
}

AxisInfo visitMultiplication(Operation *op, Infos in) {
  for (unsigned i : {0, 1})
    if (in[1 - i]->getConstant() == 1)
      return *in[i];
  std::optional<int64_t> constant;
  if (in[0]->getConstant() && in[1]->getConstant() && std::abs(*in[0]->getConstant()) < (1ll << 31) &&
      std::abs(*in[1]->getConstant()) < (1ll << 31))
    constant = *in[0]->getConstant() * *in[1]->getConstant();
  int64_t divisibility = divisibilityOfAll(*in[0]) * divisibilityOfAll(*in[1]);
  return build(
      op->getResult(0).getType(), [&](unsigned d) { return Axis{1, divisibility, commonConstancy(in, d)}; }, constant);
}

/// Groups along `d` that start at a multiple of their size g, are contiguous in `lhs`, and meet one right-hand side
/// that is a multiple of g: the quotient is one number per group, the remainder counts up, and a comparison whose
/// boundary is the right-hand side has one result.
int64_t alignedGroups(const AxisInfo &lhs, const AxisInfo &rhs, unsigned d) {
  return std::min({lhs.getContiguity(d), lhs.getDivisibility(d), rhs.getConstancy(d), divisibilityOfAll(rhs)});
}

// Dividends of signed divisions are taken to be non-negative, as in Triton: indices are, and without it no access whose
// index wraps around (the rows of a ragged matrix) could be wide.
AxisInfo visitDivision(Operation *op, Infos in) {
  if (in[1]->getConstant() == 1)
    return *in[0];
  return build(op->getResult(0).getType(), [&](unsigned d) {
    int64_t divisibility = 1;
    if (std::optional<int64_t> by = in[1]->getConstant(); by && *by > 0 && llvm::isPowerOf2_64(*by))
      divisibility = std::max<int64_t>(1, divisibilityOfAll(*in[0]) / *by);
    return Axis{1, divisibility, std::max(commonConstancy(in, d), alignedGroups(*in[0], *in[1], d))};
  });
}

AxisInfo visitRemainder(Operation *op, Infos in) {
  return build(op->getResult(0).getType(), [&](unsigned d) {
    int64_t contiguity = alignedGroups(*in[0], *in[1], d);
    return Axis{contiguity, std::min(divisibilityOfGroups(*in[0], d, contiguity), divisibilityOfAll(*in[1])),
                commonConstancy(in, d)};
  });
}

AxisInfo visitShift(Operation *op, Infos in) {
  std::optional<int64_t> by = in[1]->getConstant();
  if (by == 0)
    return *in[0];
  bool known = by && *by > 0 && *by < 62;
  return build(op->getResult(0).getType(), [&](unsigned d) {
    int64_t all = divisibilityOfAll(*in[0]), constancy = commonConstancy(in, d);
    if (isa<arith::ShLIOp>(op)) // whatever the amount, no factor of two is lost
      return Axis{1, known && *by < 30 ? all << *by : all, constancy};
    if (!known)
      return Axis{1, 1, constancy};
    int64_t group = std::min({in[0]->getContiguity(d), in[0]->getDivisibility(d), int64_t(1) << *by});
    return Axis{1, std::max<int64_t>(1, all >> *by), std::max(constancy, group)};
  });
}

AxisInfo visitBitwise(Operation *op, Infos in) {
  // x & (2^k - 1) is a remainder.
  if (isa<arith::AndIOp>(op) && in[1]->getConstant() && *in[1]->getConstant() > 0 &&
      llvm::isPowerOf2_64(*in[1]->getConstant() + 1)) {
    int64_t modulus = *in[1]->getConstant() + 1;
    return build(op->getResult(0).getType(), [&](unsigned d) {
      int64_t contiguity = std::min({in[0]->getContiguity(d), in[0]->getDivisibility(d), modulus});
      return Axis{contiguity, std::min(divisibilityOfGroups(*in[0], d, contiguity), modulus), commonConstancy(in, d)};
    });
  }
  int64_t lhs = divisibilityOfAll(*in[0]), rhs = divisibilityOfAll(*in[1]);
  int64_t divisibility = isa<arith::AndIOp>(op) ? std::max(lhs, rhs) : std::min(lhs, rhs);
  return build(op->getResult(0).getType(), [&](unsigned d) { return Axis{1, divisibility, commonConstancy(in, d)}; });
}

AxisInfo visitComparison(arith::CmpIOp op, Infos in) {
  // The boundary of `x < n` lies before n: with n a multiple of g it never cuts a group of g. Mirrored, `n > x`.
  bool boundary = false, mirrored = false;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::slt: case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ult: case arith::CmpIPredicate::uge:
    boundary = true;
    break;
  case arith::CmpIPredicate::sgt: case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ugt: case arith::CmpIPredicate::ule:
    mirrored = true;
    break;
  default:
    break;
  }
  return build(op.getType(), [&](unsigned d) {
    int64_t constancy = commonConstancy(in, d);
    if (boundary)
      constancy = std::max(constancy, alignedGroups(*in[0], *in[1], d));
    if (mirrored)
      constancy = std::max(constancy, alignedGroups(*in[1], *in[0], d));
    return Axis{1, 1, constancy};
  });
}

AxisInfo visitSelect(arith::SelectOp op, Infos in) {
  const AxisInfo &yes = *in[1], &no = *in[2];
  bool perElement = isa<RankedTensorType>(op.getCondition().getType());
  int64_t stride = strideOf(op.getType());
  std::optional<int64_t> constant;
  if (yes.getConstant() == no.getConstant())
    constant = yes.getConstant();
  return build(
      op.getType(),
      [&](unsigned d) {
        int64_t limit = perElement ? in[0]->getConstancy(d) : std::numeric_limits<int64_t>::max();
        int64_t contiguity = std::min({yes.getContiguity(d), no.getContiguity(d), limit});
        return Axis{contiguity,
                    std::min(divisibilityOfGroups(yes, d, contiguity, stride),
                             divisibilityOfGroups(no, d, contiguity, stride)),
                    std::min({yes.getConstancy(d), no.getConstancy(d), limit})};
      },
      constant);
}

AxisInfo visitExpandDims(tt::ExpandDimsOp op, const AxisInfo &in) {
  unsigned axis = op.getAxis();
  return build(
      op.getType(),
      [&](unsigned d) {
        if (d == axis)
          return Axis{1, divisibilityOfAll(in), 1};
        unsigned from = d < axis ? d : d - 1;
        return Axis{in.getContiguity(from), in.getDivisibility(from), in.getConstancy(from)};
      },
      in.getConstant());
}

AxisInfo visitBroadcast(tt::BroadcastOp op, const AxisInfo &in) {
  ArrayRef<int64_t> from = op.getSrc().getType().getShape(), to = op.getType().getShape();
  return build(
      op.getType(),
      [&](unsigned d) {
        return Axis{in.getContiguity(d), in.getDivisibility(d), from[d] == to[d] ? in.getConstancy(d) : to[d]};
      },
      in.getConstant());
}

/// Pointers reinterpreted with another stride keep their alignment alone, and as far as all elements share it.
AxisInfo visitPointerCast(Operation *op, const AxisInfo &in) {
  if (strideOf(op->getOperand(0).getType()) == strideOf(op->getResult(0).getType()))
    return in;
  return build(op->getResult(0).getType(), [&](unsigned d) {
    return Axis{1, std::min(in.getDivisibility(d), strideOf(op->getOperand(0).getType())), in.getConstancy(d)};
  });
}

AxisInfo transfer(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case<arith::ConstantOp>([](arith::ConstantOp op) { return visitConstant(op); })
      .Case<tt::MakeRangeOp>([&](tt::MakeRangeOp op) {
        return build(type, [&](unsigned d) { return Axis{shapeOf(type)[d], powerOfTwoIn(op.getStart()), 1}; });
      })
      .Case<tt::SplatOp>([&](tt::SplatOp) {
        return build(
            type, [&](unsigned d) { return Axis{1, in[0]->getDivisibility(0), shapeOf(type)[d]}; },
            in[0]->getConstant());
      })
      .Case<tt::ExpandDimsOp>([&](tt::ExpandDimsOp op) { return visitExpandDims(op, *in[0]); })
      .Case<tt::BroadcastOp>([&](tt::BroadcastOp op) { return visitBroadcast(op, *in[0]); })
      .Case<arith::AddIOp, tt::AddPtrOp>([&](Operation *op) { return visitAddition(op, in, false); })
      .Case<arith::SubIOp>([&](Operation *op) { return visitAddition(op, in, true); })
      .Case<arith::MulIOp>([&](Operation *op) { return visitMultiplication(op, in); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](Operation *op) { return visitDivision(op, in); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *op) { return visitRemainder(op, in); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](Operation *op) { return visitShift(op, in); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](Operation *op) { return visitBitwise(op, in); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp op) { return visitComparison(op, in); })
      .Case<arith::SelectOp>([&](arith::SelectOp op) { return visitSelect(op, in); })
      .Case<arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>([&](Operation *) {
        int64_t divisibility = std::min(divisibilityOfAll(*in[0]), divisibilityOfAll(*in[1]));
        return build(type, [&](unsigned d) { return Axis{1, divisibility, commonConstancy(in, d)}; });
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp, ttg::ConvertLayoutOp>([&](Operation *) { return *in[0]; })
      .Case<arith::ExtUIOp, arith::TruncIOp>([&](Operation *) {
        // The low bits stay; the number need not.
        return build(type, [&](unsigned d) {
          return Axis{in[0]->getContiguity(d), in[0]->getDivisibility(d), in[0]->getConstancy(d)};
        });
      })
      .Case<tt::PtrToIntOp, tt::IntToPtrOp, tt::BitcastOp>([&](Operation *op) { return visitPointerCast(op, *in[0]); })
      .Case<tt::LoadOp>([&](tt::LoadOp) {
        return build(type, [&](unsigned d) { return Axis{1, 1, commonConstancy(in, d)}; });
      })
      .Default([&](Operation *op) {
        // Of an elementwise operation it is at least known that equal operands give equal results.
        if (op->hasTrait<OpTrait::Elementwise>() && llvm::all_of(op->getOperandTypes(), [&](Type operand) {
              return shapeOf(operand) == shapeOf(type);
            }))
          return build(type, [&](unsigned d) { return Axis{1, 1, commonConstancy(in, d)}; });
        return AxisInfo::pessimistic(op->getResult(0));
      });
}

using AxisLattice = dataflow::Lattice<AxisInfo>;

/// What an attribute promises: one integer for all axes, or one for each.
int64_t promised(Attribute attr, unsigned d) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return powerOfTwoIn(integer.getInt());
  if (auto list = dyn_cast_or_null<DenseIntElementsAttr>(attr))
    if (d < list.getNumElements())
      return powerOfTwoIn((*(list.getValues<APInt>().begin() + d)).getSExtValue());
  return 1;
}

template <typename GetAttr> AxisInfo applyPromises(Type type, const AxisInfo &info, GetAttr getAttr) {
  if (!getAttr("tt.divisibility") && !getAttr("tt.contiguity") && !getAttr("tt.constancy"))
    return info;
  return build(
      type,
      [&](unsigned d) {
        return Axis{std::max(info.getContiguity(d), promised(getAttr("tt.contiguity"), d)),
                    std::max(info.getDivisibility(d), promised(getAttr("tt.divisibility"), d)),
                    std::max(info.getConstancy(d), promised(getAttr("tt.constancy"), d))};
      },
      info.getConstant());
}

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
    for (auto [i, lattice] : llvm::enumerate(results)) {
      AxisInfo info = i == 0 ? transfer(op, in) : AxisInfo::pessimistic(lattice->getAnchor());
      info = applyPromises(lattice->getAnchor().getType(), info, [&](StringRef name) { return op->getAttr(name); });
      propagateIfChanged(lattice, lattice->join(info));
    }
    return success();
  }

  void setToEntryState(AxisLattice *lattice) override {
    Value value = lattice->getAnchor();
    AxisInfo info = AxisInfo::pessimistic(value);
    if (auto arg = dyn_cast<BlockArgument>(value))
      if (auto func = dyn_cast_or_null<FunctionOpInterface>(arg.getOwner()->getParentOp());
          func && arg.getOwner()->isEntryBlock())
        info = applyPromises(value.getType(), info,
                             [&](StringRef name) { return func.getArgAttr(arg.getArgNumber(), name); });
    propagateIfChanged(lattice, lattice->join(info));
  }

  /// A counter starts at the lower bound and moves by the step.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor, ArrayRef<AxisLattice *> lattices,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || firstIndex != 1)
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, lattices, firstIndex);
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &lower = getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(point, loop.getStep())->getValue();
    if (lower.isUninitialized() || step.isUninitialized())
      return;
    propagateIfChanged(lattices[0], lattices[0]->join(build(loop.getInductionVar().getType(), [&](unsigned) {
      return Axis{1, std::min(lower.getDivisibility(0), step.getDivisibility(0)), 1};
    })));
  }
};

} // namespace

AxisInfo AxisInfo::pessimistic(Value value) {
  SmallVector<int64_t> ones(shapeOf(value.getType()).size(), 1);
  return AxisInfo(ones, ones, ones);
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.isUninitialized() || rhs.isUninitialized())
    return lhs.isUninitialized() ? rhs : lhs;
  SmallVector<int64_t> contiguity, divisibility, constancy;
  for (unsigned d = 0; d < lhs.getRank(); ++d) {
    contiguity.push_back(std::min(lhs.contiguity[d], rhs.contiguity[d]));
    divisibility.push_back(std::min(divisibilityOfGroups(lhs, d, contiguity[d]),
                                    divisibilityOfGroups(rhs, d, contiguity[d])));
    constancy.push_back(std::min(lhs.constancy[d], rhs.constancy[d]));
  }
  return AxisInfo(contiguity, divisibility, constancy, lhs.constant == rhs.constant ? lhs.constant : std::nullopt);
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    os << name << " = [";
    llvm::interleaveComma(values, os);
    os << "]";
  };
  list("contiguity", contiguity);
  list(", divisibility", divisibility);
  list(", constancy", constancy);
  if (constant)
    os << ", constant = " << *constant;
}

AxisInfoAnalysis::AxisInfoAnalysis(Operation *root) : solver(std::make_unique<DataFlowSolver>()) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<AxisInfoDataflow>();
  // The analysis only sharpens: where it fails, every answer below is pessimistic.
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
