//===- BuiltinsReduce.cpp - operations that apply a function to elements ------------------------------------------===//
//
// The function is passed as an address. Its body is raised like that of a kernel, into the region of the operation, and
// ends in builtin::yield. Such an operation may have several results: the call that creates the operation returns an
// opaque pointer, from which builtin::result<I> extracts the I-th result.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tilecc {

LogicalResult KernelRaiser::raiseElementRegion(llvm::CallInst &call, Operation *op, ArrayRef<Type> arguments) {
  auto *function = llvm::dyn_cast<llvm::Function>(call.getArgOperand(0));
  if (!function || function->isDeclaration())
    return emitError(op->getLoc(), "the combine function of a reduction must be a lambda without captures");
  groups[&call] = op;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(arguments.size(), op->getLoc());
  return KernelRaiser(tiles, builder, op).raiseBody(*function, op->getRegion(0), arguments, locs);
}

static SmallVector<Type> elementsOf(ArrayRef<Value> tiles) {
  SmallVector<Type> elements;
  for (Value tile : tiles)
    elements.push_back(getElementTypeOrSelf(tile));
  return elements;
}

/// Raises an operation that combines pairs of elements.
static FailureOr<Value> raiseCombination(KernelRaiser &raiser, BuiltinCall &call, Operation *op) {
  SmallVector<Type> twice = elementsOf(call.args);
  twice.append(elementsOf(call.args));
  if (failed(raiser.raiseElementRegion(call.call, op, twice)))
    return failure();
  return Value();
}

FailureOr<Value> raiseReduce(KernelRaiser &raiser, BuiltinCall &call) {
  int axis = static_cast<int>(call.constant(0));
  return raiseCombination(raiser, call, tt::ReduceOp::create(call.builder, call.loc, call.args, axis));
}

FailureOr<Value> raiseScan(KernelRaiser &raiser, BuiltinCall &call) {
  int axis = static_cast<int>(call.constant(0));
  bool reverse = call.constant(1) != 0;
  return raiseCombination(raiser, call, tt::ScanOp::create(call.builder, call.loc, call.args, axis, reverse));
}

FailureOr<Value> raiseMapElementwise(KernelRaiser &raiser, BuiltinCall &call) {
  // The result types are known only after raising the function.
  auto draft = tt::MapElementwiseOp::create(call.builder, call.loc, TypeRange(), call.args, /*pack=*/1);
  if (failed(raiser.raiseElementRegion(call.call, draft, elementsOf(call.args))))
    return failure();
  SmallVector<Type> results;
  for (Block &block : draft.getScalarOp()) // only one block returns
    if (auto ret = dyn_cast<tt::MapElementwiseReturnOp>(block.getTerminator()))
      for (Type type : ret.getResult().getTypes())
        results.push_back(tt::withElementType(call.args.front().getType(), type));
  auto map = tt::MapElementwiseOp::create(call.builder, call.loc, results, call.args, /*pack=*/1);
  map.getScalarOp().takeBody(draft.getScalarOp());
  draft.erase();
  raiser.groups[&call.call] = map;
  return Value();
}

FailureOr<Value> raiseYield(KernelRaiser &raiser, BuiltinCall &call) {
  raiser.yielded = call.args;
  return Value();
}

FailureOr<Value> raiseResult(KernelRaiser &raiser, BuiltinCall &call) {
  Operation *group = raiser.groups.lookup(call.call.getArgOperand(0));
  if (!group)
    reportBug(call.loc, "the results of an operation do not come from its call");
  return Value(group->getResult(static_cast<unsigned>(call.constant(0))));
}

} // namespace tilecc
