//===- AxisInfoInference.cpp - transfer functions for contiguity, divisibility and constancy ----------------------===//
//
// There is one function for each kind of operation. Most of the reasoning is about aligned groups. An aligned group
// consists of a power of two of adjacent elements along an axis, and begins at a multiple of its size. If a group of g
// elements contains consecutive numbers, the first of which is a multiple of g, then these numbers do not cross any
// other multiple of g. So they do not cross the bound of a mask that is a multiple of g, the point where a narrow
// integer wraps around, or zero.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AxisInfoMath.h"
#include "lowering/analysis/Models.h"
#include "lowering/dialects/tt/SignalOps.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::axis_info;

namespace {

using Axis = AxisInfo::Axis;
using Infos = ArrayRef<const AxisInfo *>;

unsigned bitsOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IndexType>(element) ? 64 : tt::getElementBits(element);
}

/// Wraps `value` to a signed integer of `type`'s width.
int64_t wrap(Type type, int64_t value) {
  unsigned bits = bitsOf(type);
  return bits >= 64 ? value : llvm::SignExtend64(uint64_t(value), bits);
}
uint64_t asUnsigned(Type type, int64_t value) {
  unsigned bits = bitsOf(type);
  return bits >= 64 ? uint64_t(value) : uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(bits);
}

int64_t commonConstancy(Infos operands, unsigned d) {
  int64_t result = std::numeric_limits<int64_t>::max();
  for (const AxisInfo *info : operands)
    result = std::min(result, info->getConstancy(d));
  return result;
}

/// Folds an operation with `compute` if all of its operands are known.
template <typename F> std::optional<int64_t> fold(Type type, Infos in, F compute) {
  if (!in[0]->getConstant() || !in[1]->getConstant())
    return std::nullopt;
  std::optional<int64_t> value = compute(*in[0]->getConstant(), *in[1]->getConstant());
  return value ? std::optional(wrap(type, *value)) : std::nullopt;
}

bool bothNonNegative(Infos in) { return in[0]->isNonNegative() && in[1]->isNonNegative(); }

/// Returns the facts of `info` along axis `d`, with groups of at most `size` elements.
Axis cut(const AxisInfo &info, unsigned d, int64_t size, int64_t stride = 1) {
  int64_t contiguity = std::min(info.getContiguity(d), size);
  return {contiguity, divisibilityOfGroups(info, d, contiguity, stride), info.getConstancy(d)};
}

/// Returns the same facts for a value of another type.
AxisInfo renamed(Type type, const AxisInfo &info) {
  return build(type, [&](unsigned d) { return info.getAxis(d); }, info.getConstant(), info.isNonNegative());
}

//===--- sources --------------------------------------------------------------------------------------------------===//

AxisInfo inferConstant(arith::ConstantOp op, Infos) {
  Attribute value = op.getValue();
  Type type = op.getType();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return build(type, [](unsigned) { return Axis(); }, integer.getValue().getSExtValue());
  if (isa<FloatAttr>(value))
    return build(type, [&](unsigned d) { return Axis{1, 1, shapeOf(type)[d]}; });
  return AxisInfo::pessimistic(op.getResult());
}

AxisInfo inferRange(tt::MakeRangeOp op, Infos) {
  int64_t start = int32_t(op.getStart());
  std::optional<int64_t> constant;
  if (shapeOf(op.getType())[0] == 1)
    constant = start;
  return build(
      op.getType(), [&](unsigned d) { return Axis{shapeOf(op.getType())[d], powerOfTwoIn(start), 1}; }, constant,
      start >= 0);
}

//===--- arithmetic -----------------------------------------------------------------------------------------------===//

AxisInfo inferAddition(Operation *op, Infos in) {
  const AxisInfo &lhs = *in[0], &rhs = *in[1];
  bool subtract = isa<arith::SubIOp>(op);
  Type type = op->getResult(0).getType();
  int64_t stride = strideOf(type); // an addptr's offset counts elements
  std::optional<int64_t> constant;
  if (!isa<tt::AddPtrOp>(op))
    constant = fold(type, in, [&](int64_t a, int64_t b) {
      return int64_t(subtract ? uint64_t(a) - uint64_t(b) : uint64_t(a) + uint64_t(b));
    });
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
      constant, !subtract && bothNonNegative(in));
}

AxisInfo inferMultiplication(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  for (unsigned i : {0, 1})
    if (in[1 - i]->getConstant() == 1)
      return *in[i];
  for (const AxisInfo *info : in)
    if (info->getConstant() == 0)
      return *info;
  int64_t divisibility = divisibilityOfAll(*in[0]) * divisibilityOfAll(*in[1]);
  return build(
      type, [&](unsigned d) { return Axis{1, divisibility, commonConstancy(in, d)}; },
      fold(type, in, [](int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }), bothNonNegative(in));
}

/// Returns the size g of groups along `d` that start at a multiple of g, are contiguous in `lhs`, and have a single
/// right-hand side, which is a multiple of g. In each such group, the quotient is constant, the remainder increases by
/// 1 from element to element, and a comparison whose boundary is the right-hand side is constant.
int64_t alignedGroups(const AxisInfo &lhs, const AxisInfo &rhs, unsigned d) {
  return std::min({lhs.getContiguity(d), lhs.getDivisibility(d), rhs.getConstancy(d), divisibilityOfAll(rhs)});
}

/// Returns true if quotients are rounded down, so that they are constant between two multiples of the divisor. (In C,
/// quotients are rounded towards zero: -4/4, -3/4, -2/4 are -1, 0, 0.)
bool roundsDown(Operation *op, Infos in) {
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return true;
  if (isa<arith::FloorDivSIOp>(op))
    return in[1]->isNonNegative(); // for any sign of the dividend
  return in[0]->isNonNegative(); // for any sign of the divisor
}

std::optional<int64_t> divide(Operation *op, int64_t a, int64_t b) {
  Type type = op->getResult(0).getType();
  if (b == 0 || (b == -1 && a == wrap(type, int64_t(1) << std::min(63u, bitsOf(type) - 1))))
    return std::nullopt; // undefined
  if (isa<arith::DivUIOp>(op))
    return int64_t(asUnsigned(type, a) / asUnsigned(type, b));
  if (isa<arith::RemUIOp>(op))
    return int64_t(asUnsigned(type, a) % asUnsigned(type, b));
  if (isa<arith::RemSIOp>(op))
    return a % b;
  int64_t quotient = a / b;
  bool inexact = a % b != 0, negative = (a < 0) != (b < 0);
  if (isa<arith::FloorDivSIOp>(op))
    return quotient - (inexact && negative);
  if (isa<arith::CeilDivSIOp>(op))
    return quotient + (inexact && !negative);
  return quotient;
}

AxisInfo inferDivision(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  if (in[1]->getConstant() == 1)
    return *in[0];
  bool groups = roundsDown(op, in) && !isa<arith::CeilDivSIOp>(op);
  int64_t divisibility = 1; // the divisibility of quotients without remainder
  if (std::optional<int64_t> by = in[1]->getConstant(); by && *by > 0 && llvm::isPowerOf2_64(*by))
    divisibility = std::max<int64_t>(1, divisibilityOfAll(*in[0]) / *by);
  return build(
      type,
      [&](unsigned d) {
        int64_t constancy = commonConstancy(in, d);
        return Axis{1, divisibility, groups ? std::max(constancy, alignedGroups(*in[0], *in[1], d)) : constancy};
      },
      fold(type, in, [&](int64_t a, int64_t b) { return divide(op, a, b); }),
      // A divisor that is not known to be negative is assumed not to be negative (see AxisInfo.h).
      in[0]->isNonNegative() && in[1]->getConstant().value_or(1) > 0);
}

AxisInfo inferRemainder(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  bool groups = roundsDown(op, in), isUnsigned = isa<arith::RemUIOp>(op);
  return build(
      type,
      [&](unsigned d) {
        int64_t contiguity = groups ? alignedGroups(*in[0], *in[1], d) : 1;
        return Axis{contiguity, std::min(divisibilityOfGroups(*in[0], d, contiguity), divisibilityOfAll(*in[1])),
                    commonConstancy(in, d)};
      },
      fold(type, in, [&](int64_t a, int64_t b) { return divide(op, a, b); }),
      in[0]->isNonNegative() || (isUnsigned && in[1]->isNonNegative()));
}

AxisInfo inferShift(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  unsigned bits = bitsOf(type);
  std::optional<int64_t> by = in[1]->getConstant();
  if (by == 0)
    return *in[0];
  if (by && (*by < 0 || *by >= bits))
    by = std::nullopt; // undefined
  bool left = isa<arith::ShLIOp>(op), logical = isa<arith::ShRUIOp>(op);
  int64_t all = divisibilityOfAll(*in[0]);
  std::optional<int64_t> constant;
  if (by && in[0]->getConstant()) {
    int64_t value = *in[0]->getConstant();
    constant = wrap(type, left      ? int64_t(uint64_t(value) << *by)
                          : logical ? int64_t(asUnsigned(type, value) >> *by)
                                    : value >> *by);
  }
  return build(
      type,
      [&](unsigned d) {
        int64_t constancy = commonConstancy(in, d);
        if (left) // a left shift by any amount keeps all factors of two
          return Axis{1, by && *by < 30 ? all << *by : all, constancy};
        if (!by)
          return Axis{1, 1, constancy};
        int64_t group = std::min({in[0]->getContiguity(d), in[0]->getDivisibility(d),
                                  *by < 62 ? int64_t(1) << *by : std::numeric_limits<int64_t>::max()});
        return Axis{1, std::max<int64_t>(1, *by < 62 ? all >> *by : 1), std::max(constancy, group)};
      },
      constant, in[0]->isNonNegative() || (logical && by));
}

AxisInfo inferBitwise(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  bool isAnd = isa<arith::AndIOp>(op), isOr = isa<arith::OrIOp>(op);
  std::optional<int64_t> constant = fold(type, in, [&](int64_t a, int64_t b) {
    return isAnd ? a & b : isOr ? a | b : a ^ b;
  });
  int64_t divisibility[] = {divisibilityOfAll(*in[0]), divisibilityOfAll(*in[1])};
  int64_t all = isAnd ? std::max(divisibility[0], divisibility[1]) : std::min(divisibility[0], divisibility[1]);
  bool nonNegative = isAnd ? in[0]->isNonNegative() || in[1]->isNonNegative() : bothNonNegative(in);
  return build(
      type,
      [&](unsigned d) {
        Axis axis{1, all, commonConstancy(in, d)};
        for (unsigned i : {0, 1}) {
          std::optional<int64_t> mask = in[1 - i]->getConstant();
          if (!isAnd || !mask)
            continue;
          const AxisInfo &x = *in[i];
          int64_t aligned = std::min(x.getContiguity(d), x.getDivisibility(d));
          // x & (2^k - 1) is a remainder, and x & -2^k rounds x down to a multiple of 2^k. If the mask has none of the
          // bits that change within a group, the group is constant.
          if (*mask > 0 && llvm::isPowerOf2_64(uint64_t(*mask) + 1)) {
            axis.contiguity = std::min(aligned, *mask + 1);
            axis.divisibility = std::max(all, std::min(divisibilityOfGroups(x, d, axis.contiguity), *mask + 1));
          }
          axis.constancy = std::max(axis.constancy, std::min(aligned, powerOfTwoIn(*mask)));
        }
        return axis;
      },
      constant, nonNegative);
}

/// Infers the facts of a minimum or maximum. Only facts that hold for both operands are kept, because the selected
/// operand may change from element to element.
AxisInfo inferMinMax(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  bool isMax = isa<arith::MaxSIOp, arith::MaxUIOp>(op), isUnsigned = isa<arith::MaxUIOp, arith::MinUIOp>(op);
  int64_t divisibility = std::min(divisibilityOfAll(*in[0]), divisibilityOfAll(*in[1]));
  bool either = in[0]->isNonNegative() || in[1]->isNonNegative();
  return build(
      type, [&](unsigned d) { return Axis{1, divisibility, commonConstancy(in, d)}; },
      fold(type, in,
           [&](int64_t a, int64_t b) {
             bool less = isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
             return less == isMax ? b : a;
           }),
      isMax != isUnsigned ? either : bothNonNegative(in));
}

//===--- comparison and selection ---------------------------------------------------------------------------------===//

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  uint64_t x = a, y = b; // sign extension also preserves the order of unsigned numbers
  switch (predicate) {
  case arith::CmpIPredicate::eq: return a == b;
  case arith::CmpIPredicate::ne: return a != b;
  case arith::CmpIPredicate::slt: return a < b;
  case arith::CmpIPredicate::sle: return a <= b;
  case arith::CmpIPredicate::sgt: return a > b;
  case arith::CmpIPredicate::sge: return a >= b;
  case arith::CmpIPredicate::ult: return x < y;
  case arith::CmpIPredicate::ule: return x <= y;
  case arith::CmpIPredicate::ugt: return x > y;
  case arith::CmpIPredicate::uge: return x >= y;
  }
  llvm_unreachable("all predicates are listed");
}

AxisInfo inferComparison(arith::CmpIOp op, Infos in) {
  // In `x < n` the result changes directly before n, and in `x <= n` directly after it.
  bool before = false, behind = false;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::uge: before = true; break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::ule: behind = true; break;
  default: break;
  }
  Type type = op.getType();
  // Returns the size of groups of x within which the comparison with n does not change. If n is a multiple of g, the
  // boundary before n does not divide a group of size g. The boundary after n is the boundary before n + 1. The
  // divisibility of n + 1 is known only if n is a constant.
  auto uncut = [&](const AxisInfo &x, const AxisInfo &n, bool isBefore, unsigned d) -> int64_t {
    if (isBefore)
      return alignedGroups(x, n, d);
    if (!n.getConstant())
      return 1;
    int64_t next = wrap(op.getLhs().getType(), int64_t(uint64_t(*n.getConstant()) + 1));
    return std::min({x.getContiguity(d), x.getDivisibility(d), powerOfTwoIn(next)});
  };
  return build(
      type,
      [&](unsigned d) {
        int64_t constancy = commonConstancy(in, d);
        if (before || behind) // n > x also changes at n, with the operands exchanged
          constancy = std::max({constancy, uncut(*in[0], *in[1], before, d), uncut(*in[1], *in[0], behind, d)});
        return Axis{1, 1, constancy};
      },
      fold(type, in, [&](int64_t a, int64_t b) { return compare(op.getPredicate(), a, b) ? -1 : 0; }));
}

AxisInfo inferSelect(arith::SelectOp op, Infos in) {
  const AxisInfo &yes = *in[1], &no = *in[2];
  if (std::optional<int64_t> condition = in[0]->getConstant())
    return *condition ? yes : no;
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
        return Axis{
            contiguity,
            std::min(divisibilityOfGroups(yes, d, contiguity, stride), divisibilityOfGroups(no, d, contiguity, stride)),
            std::min({yes.getConstancy(d), no.getConstancy(d), limit})};
      },
      constant, yes.isNonNegative() && no.isNonNegative());
}

//===--- casts ----------------------------------------------------------------------------------------------------===//

AxisInfo inferExtUI(arith::ExtUIOp op, Infos operands) {
  const AxisInfo &in = *operands[0];
  std::optional<int64_t> constant;
  if (in.getConstant())
    constant = asUnsigned(op.getIn().getType(), *in.getConstant());
  return build(op.getType(), [&](unsigned d) { return in.getAxis(d); }, constant, true);
}

AxisInfo inferTrunc(arith::TruncIOp op, Infos operands) {
  const AxisInfo &in = *operands[0];
  std::optional<int64_t> constant;
  if (in.getConstant())
    constant = wrap(op.getType(), *in.getConstant());
  // The low bits do not change. A group as large as half of the narrow type's range would wrap to negative numbers.
  int64_t largest = int64_t(1) << std::min(62u, bitsOf(op.getType()) - 1);
  return build(op.getType(), [&](unsigned d) { return cut(in, d, largest); }, constant);
}

/// Handles reinterpretations of bits. If pointers are cast to larger elements, only their alignment is preserved.
AxisInfo inferBitcast(Operation *op, Infos operands) {
  const AxisInfo &in = *operands[0];
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  auto isNumber = [](Type type) { return isa<IntegerType, IndexType>(getElementTypeOrSelf(type)); };
  auto isPointer = [](Type type) { return isa<tt::PointerType>(getElementTypeOrSelf(type)); };
  if (!(isNumber(from) || isPointer(from)) || !(isNumber(to) || isPointer(to)))
    return build(to, [&](unsigned d) { return Axis{1, 1, in.getConstancy(d)}; });
  if (strideOf(from) == strideOf(to))
    return renamed(to, in);
  return build(to, [&](unsigned d) { return cut(in, d, 1, strideOf(from)); });
}

//===--- shapes ---------------------------------------------------------------------------------------------------===//

/// Handles operations that move elements of the operand, and may repeat them.
AxisInfo inferMoved(AffineMap map, Type type, const AxisInfo &in) {
  SmallVector<Axis> axes;
  for (int64_t size : shapeOf(type)) // the element does not depend on the other coordinates
    axes.push_back({1, divisibilityOfAll(in), size});
  for (auto [from, coordinate] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(coordinate))
      axes[dim.getPosition()] = in.getAxis(from);
  return build(type, [&](unsigned d) { return axes[d]; }, in.getConstant(), in.isNonNegative());
}

/// Infers the facts of tt.join: the facts in `both` hold for both sides.
AxisInfo inferJoin(tt::JoinOp op, Infos in) {
  AxisInfo both = AxisInfo::join(*in[0], *in[1]);
  return build(
      op.getType(),
      [&](unsigned d) { return d < both.getRank() ? both.getAxis(d) : Axis{1, divisibilityOfAll(both), 1}; },
      both.getConstant(), both.isNonNegative());
}

/// Infers the facts of tt.reshape. Elements that are consecutive along an axis of the result are consecutive along an
/// axis of the source, namely the axis that is followed by axes with the same number of elements. Groups are limited to
/// the smaller of both axes.
AxisInfo inferReshape(tt::ReshapeOp op, Infos operands) {
  const AxisInfo &in = *operands[0];
  ArrayRef<int64_t> from = shapeOf(op.getSrc().getType()), to = shapeOf(op.getType());
  auto elementsBehind = [](ArrayRef<int64_t> shape, unsigned d) {
    int64_t count = 1;
    for (int64_t size : shape.drop_front(d + 1))
      count *= size;
    return count;
  };
  return build(
      op.getType(),
      [&](unsigned d) {
        Axis axis{1, divisibilityOfAll(in), 1};
        for (unsigned source = 0; source < from.size() && !op.getAllowReorder(); ++source) {
          if (from[source] == 1 || elementsBehind(from, source) != elementsBehind(to, d))
            continue;
          int64_t reach = std::min(from[source], to[d]);
          axis = cut(in, source, reach);
          axis.constancy = std::min(axis.constancy, reach);
        }
        return axis;
      },
      in.getConstant(), in.isNonNegative());
}

//===--- everything else ------------------------------------------------------------------------------------------===//

AxisInfo inferNothing(Operation *op, Infos) { return AxisInfo::pessimistic(op->getResult(0)); }

AxisInfo inferGridNumber(Operation *op, Infos) {
  return build(op->getResult(0).getType(), [](unsigned) { return Axis(); }, std::nullopt, /*nonNegative=*/true);
}

AxisInfo inferSplat(Operation *op, Infos in) {
  Type type = op->getResult(0).getType();
  return build(
      type, [&](unsigned d) { return Axis{1, divisibilityOfAll(*in[0]), shapeOf(type)[d]}; }, in[0]->getConstant(),
      in[0]->isNonNegative());
}

AxisInfo inferGather(tt::GatherOp op, Infos in) {
  return build(
      op.getType(), [&](unsigned) { return Axis{1, divisibilityOfAll(*in[0]), 1}; }, in[0]->getConstant(),
      in[0]->isNonNegative());
}

AxisInfo inferAbs(math::AbsIOp op, Infos in) {
  return build(
      op.getType(), [&](unsigned d) { return Axis{1, divisibilityOfAll(*in[0]), in[0]->getConstancy(d)}; },
      std::nullopt,
      /*nonNegative=*/true);
}

AxisInfo inferSame(Operation *op, Infos in) { return renamed(op->getResult(0).getType(), *in[0]); }

AxisInfo inferIndexCast(arith::IndexCastOp op, Infos in) {
  // Truncation may remove bits of the numbers.
  return bitsOf(op.getType()) < bitsOf(op.getIn().getType()) ? inferNothing(op, in) : inferSame(op, in);
}

/// Infers only constancy: equal operands give equal results.
AxisInfo inferConstancy(Operation *op, Infos in) {
  return build(op->getResult(0).getType(), [&](unsigned d) { return Axis{1, 1, commonConstancy(in, d)}; });
}

/// Infers the facts of tt.load: equal pointers give equal elements.
AxisInfo inferLoad(tt::LoadOp op, Infos in) {
  return op.getIsVolatile() ? inferNothing(op, in) : inferConstancy(op, in);
}

//===--- rules of each operation ----------------------------------------------------------------------------------===//

template <typename OpT, auto infer> struct Rules : AxisInfoRules::ExternalModel<Rules<OpT, infer>, OpT> {
  AxisInfo inferAxisInfo(Operation *op, Infos in) const { return infer(cast<OpT>(op), in); }
};

template <auto infer, typename... OpT> void attach(MLIRContext *context) {
  (OpT::template attachInterface<Rules<OpT, infer>>(*context), ...);
}

} // namespace

#include "lowering/analysis/AnalysisInterfaces.cpp.inc"
#include "lowering/dialects/ttng/TTNG.h"

void tilecc::registerAxisInfoModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<inferConstant, arith::ConstantOp>(context);
    attach<inferAddition, arith::AddIOp, arith::SubIOp>(context);
    attach<inferMultiplication, arith::MulIOp>(context);
    attach<inferDivision, arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(context);
    attach<inferRemainder, arith::RemSIOp, arith::RemUIOp>(context);
    attach<inferShift, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(context);
    attach<inferBitwise, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(context);
    attach<inferMinMax, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>(context);
    attach<inferComparison, arith::CmpIOp>(context);
    attach<inferSelect, arith::SelectOp>(context);
    attach<inferSame, arith::ExtSIOp>(context);
    attach<inferIndexCast, arith::IndexCastOp>(context);
    attach<inferExtUI, arith::ExtUIOp>(context);
    attach<inferTrunc, arith::TruncIOp>(context);
    attach<inferBitcast, arith::BitcastOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) { attach<inferAbs, math::AbsIOp>(context); });
  registry.addExtension(+[](MLIRContext *context, tt::TTDialect *) {
    attach<inferRange, tt::MakeRangeOp>(context);
    attach<inferGridNumber, tt::GetProgramIdOp, tt::GetNumProgramsOp>(context);
    attach<inferSplat, tt::SplatOp, tt::UnsplatOp>(context);
    attach<inferReshape, tt::ReshapeOp>(context);
    attach<inferJoin, tt::JoinOp>(context);
    attach<inferGather, tt::GatherOp>(context);
    attach<inferAddition, tt::AddPtrOp>(context);
    attach<inferBitcast, tt::PtrToIntOp, tt::IntToPtrOp, tt::BitcastOp>(context);
    attach<inferLoad, tt::LoadOp>(context);
    attach<inferNothing, tt::CatOp, tt::HistogramOp, tt::DotOp, tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp,
           tt::AtomicRMWOp, tt::AtomicCASOp, tt::ElementwiseInlineAsmOp, tt::CallThreadsOp, tt::MakeTensorDescOp,
           tt::DescriptorLoadOp, tt::DescriptorGatherOp, tt::MakeTensorPtrOp, tt::AdvanceOp, tt::DotScaledOp,
           tt::ApproxDivFOp, tt::AtomicLoadOp, tt::AtomicPollOp, tt::MultimemSumOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, ttg::TTGDialect *) {
    attach<inferSame, ttg::ConvertLayoutOp>(context);
    attach<inferNothing, ttg::LocalLoadOp, ttg::Fp4ToFpOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, ttng::TTNGDialect *) {
    attach<inferGridNumber, ttng::BlockRankOp, ttng::BlockCountOp, ttng::ProgramInBlockOp>(context);
    attach<inferNothing, ttng::RedistributeOp, ttng::SumOverBlocksOp, ttng::SumOverClustersOp,
           ttng::ReserveTensorMemoryOp>(context);
  });
}

AxisInfo tilecc::inferAxisInfo(OpResult result, Infos in) {
  Operation *op = result.getOwner();
  Type type = result.getType();
  if (auto moving = dyn_cast<tt::IndexingMap>(op))
    return inferMoved(moving.getIndexingMap(result.getResultNumber()), type, *in[0]);
  if (auto rules = dyn_cast<AxisInfoRules>(op); rules && result.getResultNumber() == 0)
    return rules.inferAxisInfo(in);
  bool sameShapes =
      llvm::all_of(op->getOperandTypes(), [&](Type operand) { return shapeOf(operand) == shapeOf(type); });
  if (op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) && op->getNumOperands() > 0 && sameShapes)
    return inferConstancy(op, in);
  return AxisInfo::pessimistic(result);
}
