//===- BuiltinsShape.cpp - creation, shape, order and products ----------------------------------------------------===//
//
// These are handlers for the table in Builtins.cpp, for operations that have constants in addition to operands.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"

using namespace mlir;

namespace tilecc {

static IntegerAttr attribute(BuiltinCall &call, unsigned i) {
  return call.builder.getI32IntegerAttr(static_cast<int32_t>(call.constant(i)));
}

FailureOr<Value> raiseMakeRange(KernelRaiser &, BuiltinCall &call) {
  return tt::MakeRangeOp::create(call.builder, call.loc, call.result, attribute(call, 0), attribute(call, 1))
      .getResult();
}

FailureOr<Value> raiseExpandDims(KernelRaiser &, BuiltinCall &call) {
  return tt::ExpandDimsOp::create(call.builder, call.loc, call.result, call.args[0], attribute(call, 0)).getResult();
}

FailureOr<Value> raiseReshape(KernelRaiser &, BuiltinCall &call) {
  return tt::ReshapeOp::create(call.builder, call.loc, call.result, call.args[0],
                               /*allow_reorder=*/call.constant(0) != 0, /*efficient_layout=*/false)
      .getResult();
}

FailureOr<Value> raiseTrans(KernelRaiser &, BuiltinCall &call) {
  return tt::TransOp::create(call.builder, call.loc, call.result, call.args[0],
                             llvm::to_vector_of<int32_t>(call.signature.constants))
      .getResult();
}

/// Creates an operation for each half. CSE merges equal operations.
FailureOr<Value> raiseSplit(KernelRaiser &, BuiltinCall &call) {
  auto split = tt::SplitOp::create(call.builder, call.loc, call.result, call.result, call.args[0]);
  return split->getResult(static_cast<unsigned>(call.constant(0)));
}

FailureOr<Value> raiseGather(KernelRaiser &, BuiltinCall &call) {
  return tt::GatherOp::create(call.builder, call.loc, call.result, call.args[0], call.args[1],
                              static_cast<int32_t>(call.constant(0)), /*efficient_layout=*/false)
      .getResult();
}

FailureOr<Value> raiseHistogram(KernelRaiser &, BuiltinCall &call) {
  Value mask = call.args.size() > 1 ? call.args[1] : Value();
  return tt::HistogramOp::create(call.builder, call.loc, call.result, call.args[0], mask).getResult();
}

FailureOr<Value> raiseDot(KernelRaiser &, BuiltinCall &call) {
  return tt::DotOp::create(call.builder, call.loc, call.result, call.args[0], call.args[1], call.args[2],
                           static_cast<tt::InputPrecision>(call.constant(0)), static_cast<int32_t>(call.constant(1)))
      .getResult();
}

FailureOr<Value> raiseDotScaled(KernelRaiser &, BuiltinCall &call) {
  auto scales = ArrayRef<Value>(call.args).drop_front(3);
  auto takeScales = [&](bool isScaled) { return isScaled ? scales.consume_front() : Value(); };
  Value aScale = takeScales(call.constant(2)), bScale = takeScales(call.constant(3));
  return tt::DotScaledOp::create(call.builder, call.loc, call.result, call.args[0], call.args[1], call.args[2], aScale,
                                 bScale, static_cast<tt::ScaleDotElemType>(call.constant(0)),
                                 static_cast<tt::ScaleDotElemType>(call.constant(1)), /*fastMath=*/false)
      .getResult();
}

} // namespace tilecc
