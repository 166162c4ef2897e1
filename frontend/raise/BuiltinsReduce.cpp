//===- BuiltinsReduce.cpp - operations whose elements a function computes ------------------------------------------===//
//
// The function arrives as an address. Its body is raised like a kernel's, into the operation's region, where it ends in
// builtin::yield. Such an operation may have several results: the call that makes it gives one opaque pointer, and
// builtin::result<I> takes the I-th result from that.
//
//===----------------------------------------------------------------------------------------------------------------===//

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

std::optional<LogicalResult> KernelRaiser::raiseElementBuiltin(llvm::CallInst &call, const BuiltinSignature &builtin) {
  StringRef name = builtin.name;
  Location loc = locate(call);
  if (name == "yield") {
    for (auto [argument, type] : llvm::zip(call.args(), builtin.params)) {
      yielded.push_back(valueOf(argument, convertType(type, builder.getContext()), loc));
      if (!yielded.back())
        return failure();
    }
    return success();
  }
  if (name != "reduce" && name != "scan" && name != "map_elementwise")
    return std::nullopt;
  auto sources = raiseOperands(call, builtin, 1);
  if (!sources)
    return failure();
  SmallVector<Type> elements;
  for (Value source : *sources)
    elements.push_back(getElementTypeOrSelf(source));
  if (name == "map_elementwise") {
    // What it returns is known when it has been raised.
    auto draft = tt::MapElementwiseOp::create(builder, loc, TypeRange(), *sources, /*pack=*/1);
    if (failed(raiseElementRegion(call, draft, elements)))
      return failure();
    SmallVector<Type> results;
    for (Block &block : draft.getScalarOp()) // one of them returns; the others branch still
      if (auto ret = dyn_cast<tt::MapElementwiseReturnOp>(block.getTerminator()))
        for (Type type : ret.getResult().getTypes())
          results.push_back(tt::withElementType(sources->front().getType(), type));
    auto map = tt::MapElementwiseOp::create(builder, loc, results, *sources, /*pack=*/1);
    map.getScalarOp().takeBody(draft.getScalarOp());
    draft.erase();
    groups[&call] = map;
    return success();
  }
  SmallVector<Type> twice(elements);
  twice.append(elements);
  int axis = static_cast<int>(builtin.constants[0]);
  Operation *op = name == "reduce"
                      ? tt::ReduceOp::create(builder, loc, *sources, axis).getOperation()
                      : tt::ScanOp::create(builder, loc, *sources, axis, builtin.constants[1] != 0).getOperation();
  return raiseElementRegion(call, op, twice);
}

} // namespace tilecc
