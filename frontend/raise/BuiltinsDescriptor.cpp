//===- BuiltinsDescriptor.cpp - tensor descriptors ----------------------------------------------------------------===//
//
// These are handlers for the table in Builtins.cpp. A descriptor is created at each use, from the members of the
// variable in the source. CSE merges equal descriptors, and descriptors are hoisted out of loops.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "llvm/IR/Constants.h"

using namespace mlir;

namespace tilecc {

/// The operands are the address, the sizes and the strides.
FailureOr<Value> raiseMakeTensorDescriptor(KernelRaiser &, BuiltinCall &call) {
  ValueRange args = call.args;
  size_t rank = (args.size() - 1) / 2;
  return tt::MakeTensorDescOp::create(call.builder, call.loc, cast<tt::TensorDescType>(call.result), args.front(),
                                      args.slice(1, rank), args.drop_front(1 + rank),
                                      static_cast<tt::PaddingOption>(call.constant(0)))
      .getResult();
}

/// Checks that the last stride of a descriptor is 1, as every target requires.
FailureOr<Value> raiseUnitStride(KernelRaiser &, BuiltinCall &call) {
  auto *stride = llvm::dyn_cast<llvm::ConstantInt>(call.call.getArgOperand(0));
  if (stride && stride->isOne())
    return Value();
  emitError(call.loc, "the last stride of a tensor descriptor is the constant 1: its rows are contiguous");
  return failure();
}

FailureOr<Value> raiseDescriptorLoad(KernelRaiser &, BuiltinCall &call) {
  return tt::DescriptorLoadOp::create(call.builder, call.loc, call.result, call.args[0],
                                      ValueRange(call.args).drop_front())
      .getResult();
}

FailureOr<Value> raiseDescriptorStore(KernelRaiser &, BuiltinCall &call) {
  tt::DescriptorStoreOp::create(call.builder, call.loc, call.args[0], call.args[1],
                                ValueRange(call.args).drop_front(2));
  return Value();
}

FailureOr<Value> raiseDescriptorReduce(KernelRaiser &, BuiltinCall &call) {
  tt::DescriptorReduceOp::create(call.builder, call.loc, static_cast<tt::DescriptorReduceKind>(call.constant(0)),
                                 call.args[0], call.args[1], ValueRange(call.args).drop_front(2));
  return Value();
}

FailureOr<Value> raiseDescriptorGather(KernelRaiser &, BuiltinCall &call) {
  return tt::DescriptorGatherOp::create(call.builder, call.loc, call.result, call.args[0], call.args[1], call.args[2])
      .getResult();
}

FailureOr<Value> raiseDescriptorScatter(KernelRaiser &, BuiltinCall &call) {
  tt::DescriptorScatterOp::create(call.builder, call.loc, call.args[0], call.args[1], call.args[2], call.args[3]);
  return Value();
}

} // namespace tilecc
