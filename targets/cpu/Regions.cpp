//===- Regions.cpp - regions on elements -------------------------------------------------------------------------===//
//
// This file applies regions to vectors, if the regions are formulas (see Schedule.h), or block by block to scalars.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Regions.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Values Regions::apply(Region &region, ArrayRef<llvm::Value *> args) {
  Block &block = region.front();
  auto *vector = dyn_cast<llvm::FixedVectorType>(args.front()->getType());
  if (!isVectorizable(region)) {
    Loops::Scope scope(loops);
    for (auto [arg, value] : llvm::zip_equal(block.getArguments(), args))
      ctx.setScalar(arg, value);
    blocks.emitBlock(block);
    return llvm::map_to_vector<4>(block.getTerminator()->getOperands(), [&](Value v) { return ctx.scalar(v); });
  }
  llvm::DenseMap<Value, llvm::Value *> values;
  for (auto [arg, value] : llvm::zip_equal(block.getArguments(), args))
    values[arg] = value;
  auto lookup = [&](Value v) {
    if (llvm::Value *known = values.lookup(v))
      return known;
    llvm::Value *outer = ctx.scalar(v);
    return vector ? ctx.splat(outer, vector->getNumElements()) : outer;
  };
  for (Operation &inner : block.without_terminator()) {
    llvm::Value *result = elementwise.emit(&inner, llvm::map_to_vector<4>(inner.getOperands(), lookup));
    if (vector && !result->getType()->isVectorTy()) // constants
      result = ctx.splat(result, vector->getNumElements());
    values[inner.getResult(0)] = result;
  }
  return llvm::map_to_vector<4>(block.getTerminator()->getOperands(), lookup);
}

Values Regions::combine(Region &combiner, ArrayRef<llvm::Value *> lhs, ArrayRef<llvm::Value *> rhs) {
  Values args(lhs);
  args.append(rhs.begin(), rhs.end());
  return apply(combiner, args);
}
