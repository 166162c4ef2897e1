//===- BuiltinsProgram.cpp - the program, its loops, and assumptions ----------------------------------------------===//
//
// These are handlers for the table in Builtins.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/Kernel.h"
#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "frontend/raise/Ranges.h"

using namespace mlir;

namespace tilecc {

static FailureOr<int> getAxis(BuiltinCall &call) {
  auto *axis = llvm::dyn_cast<llvm::ConstantInt>(call.call.getArgOperand(0));
  if (axis && axis->getZExtValue() <= 2)
    return static_cast<int>(axis->getZExtValue());
  emitError(call.loc, "the axis of a grid must be a constant: 0, 1 or 2");
  return failure();
}

FailureOr<Value> raiseProgramId(KernelRaiser &, BuiltinCall &call) {
  FailureOr<int> axis = getAxis(call);
  if (failed(axis))
    return failure();
  return tt::GetProgramIdOp::create(call.builder, call.loc, *axis).getResult();
}

FailureOr<Value> raiseNumPrograms(KernelRaiser &, BuiltinCall &call) {
  FailureOr<int> axis = getAxis(call);
  if (failed(axis))
    return failure();
  return tt::GetNumProgramsOp::create(call.builder, call.loc, *axis).getResult();
}

/// Reports an error for the condition of a loop that could not be replaced by a comparison.
FailureOr<Value> raiseRangeGoesOn(KernelRaiser &, BuiltinCall &call) {
  emitError(call.loc) << findRangeMistake(call.call);
  return failure();
}

FailureOr<Value> raiseAssume(KernelRaiser &, BuiltinCall &call) {
  LLVM::AssumeOp::create(call.builder, call.loc, call.args[0]);
  return Value();
}

/// Records tiles that exceed their tensor, so that the driver can decide whether to warn.
FailureOr<Value> raiseWholeTile(KernelRaiser &, BuiltinCall &call) {
  auto *extent = llvm::dyn_cast<llvm::ConstantInt>(call.call.getArgOperand(1));
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(call.call.getArgOperand(2));
  if (extent && size && extent->getSExtValue() < size->getSExtValue()) {
    auto kernel = cast<tt::FuncOp>(call.builder.getInsertionBlock()->getParentOp());
    SmallVector<Attribute> notes;
    if (auto earlier = kernel->getAttrOfType<ArrayAttr>(narrowViewsAttr))
      notes.append(earlier.begin(), earlier.end());
    std::string text =
        ("dimension " + Twine(call.constant(0)) + " of the tensor has " + Twine(extent->getSExtValue()) +
         " elements, fewer than the " + Twine(size->getSExtValue()) + " of the tile, and nothing masks the access")
            .str();
    notes.push_back(NameLoc::get(call.builder.getStringAttr(text), call.loc));
    kernel->setAttr(narrowViewsAttr, call.builder.getArrayAttr(notes));
  }
  return call.args[0];
}

/// As in Triton, an assumption becomes an attribute of the operation or pointer parameter that defines the value, if
/// the definition is in the same block: then the assumption holds wherever the value is visible. Any other value, such
/// as a loop-carried value or a value from before a branch, is copied, and the copy gets the attribute. An integer
/// parameter is also copied, because an attribute of the parameter would imply a sign, too.
static Value attachHint(BuiltinCall &call, StringRef name) {
  OpBuilder &builder = call.builder;
  Value value = call.args[0];
  SmallVector<int32_t> numbers(call.signature.constants.begin(), call.signature.constants.end());
  auto type = RankedTensorType::get(numbers.size(), builder.getI32Type());
  Attribute hint = DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers));
  bool isHere = value.getParentBlock() == builder.getInsertionBlock();
  Operation *op = value.getDefiningOp();
  if (op && isHere && !op->hasAttr(name)) {
    op->setDiscardableAttr(name, hint);
    return value;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : tt::FuncOp();
  if (func && func.isKernel() && isHere && argument.getOwner()->isEntryBlock() &&
      isa<tt::PointerType>(value.getType()) && name == tt::divisibilityAttr &&
      !func.getArgAttr(argument.getArgNumber(), name)) {
    func.setArgAttr(argument.getArgNumber(), name, builder.getI32IntegerAttr(numbers[0]));
    return value;
  }
  auto copy = tt::BitcastOp::create(builder, call.loc, value.getType(), value);
  copy->setDiscardableAttr(name, hint);
  return copy;
}

FailureOr<Value> raiseMultipleOf(KernelRaiser &, BuiltinCall &call) { return attachHint(call, tt::divisibilityAttr); }
FailureOr<Value> raiseMaxContiguous(KernelRaiser &, BuiltinCall &call) { return attachHint(call, "tt.contiguity"); }
FailureOr<Value> raiseMaxConstancy(KernelRaiser &, BuiltinCall &call) { return attachHint(call, "tt.constancy"); }

} // namespace tilecc
