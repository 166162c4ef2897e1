//===- PrepareChecks.cpp - checks whether offsets have overflowed -------------------------------------------------===//
//
// This supports -fsanitize=tile. C++ computes `program_id(0) * stride + arange` in 32 bits. In a tensor of more than
// 2^31 elements, an offset may therefore overflow, and the access go to addresses before the tensor or to wrong
// elements. This file computes the offsets of an access again in 64 bits and compares. (It does not compare addresses,
// because the CPU target computes addresses of affine tiles in 64 bits, unlike GPUs.) CpuLowering.cpp calls
// prepareAccessChecks().
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/PrepareTTIR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static Type withElement(Type type, Type element) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? Type(RankedTensorType::get(tile.getShape(), element)) : element;
}

namespace {
/// Computes the 64-bit values for one access.
class Widener {
public:
  explicit Widener(Operation *access) : builder(access) {}

  /// Returns a tile of i1 that is true for each element of `pointer` for which no offset has overflowed. Returns null
  /// if no offset can overflow.
  Value isExact(Value pointer);

private:
  /// Returns the integer in 64 bits. Sums and products are computed again, and other values are extended.
  Value widen(Value value);

  OpBuilder builder;
  DenseMap<Value, Value> widened;
};
} // namespace

Value Widener::widen(Value value) {
  if (Value known = widened.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  Type element = getElementTypeOrSelf(value), i64 = builder.getI64Type(), type = withElement(value.getType(), i64);
  Value result;
  if (isa_and_nonnull<arith::ExtSIOp>(op) && getElementTypeOrSelf(op->getOperand(0)).isInteger(32)) {
    result = widen(op->getOperand(0));
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, tt::SplatOp, tt::BroadcastOp,
                             tt::ExpandDimsOp>(op)) {
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, widen(operand));
    result = builder.clone(*op, operands)->getResult(0);
    result.setType(type);
  } else {
    result = element == i64 ? value : Value(arith::ExtSIOp::create(builder, value.getLoc(), type, value));
  }
  return widened[value] = result;
}

/// Returns true if a 32-bit computation of `offset` may overflow.
static bool mayOverflow(Value offset) {
  Operation *op = offset.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) && getElementTypeOrSelf(offset).isInteger(32))
    return true;
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp, tt::SplatOp, tt::BroadcastOp,
                         tt::ExpandDimsOp>(op) &&
         llvm::any_of(op->getOperands(), mayOverflow);
}

Value Widener::isExact(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  if (auto add = dyn_cast_or_null<tt::AddPtrOp>(op)) {
    Value exact = isExact(add.getPtr()), offset = add.getOffset();
    if (!mayOverflow(offset))
      return exact;
    Value wide = widen(offset);
    if (offset.getType() != wide.getType())
      offset = arith::ExtSIOp::create(builder, add.getLoc(), wide.getType(), offset);
    Value fits = arith::CmpIOp::create(builder, add.getLoc(), arith::CmpIPredicate::eq, offset, wide);
    return exact ? arith::AndIOp::create(builder, add.getLoc(), exact, fits) : fits;
  }
  if (!isa_and_nonnull<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp>(op))
    return {};
  Value source = isExact(op->getOperand(0));
  if (!source)
    return {};
  IRMapping operand;
  operand.map(op->getOperand(0), source);
  Value result = builder.clone(*op, operand)->getResult(0);
  result.setType(withElement(pointer.getType(), builder.getI1Type()));
  return result;
}

AccessChecks cpu::prepareAccessChecks(tt::FuncOp func) {
  AccessChecks checks;
  func.walk([&](Operation *op) {
    if (std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op))
      if (Value exact = Widener(op).isExact(access->pointers))
        checks.exact[op] = exact;
  });
  return checks;
}
