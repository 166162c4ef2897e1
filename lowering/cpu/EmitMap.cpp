//===- EmitMap.cpp - functions of single elements ----------------------------------------------------------------===//
//
// tt.map_elementwise, whose function may have control flow.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

void cpu::emitMap(const RootParts &parts, tt::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return parts.ctx.reject(op, "of several elements at a time ");
  SmallVector<Value> demands(op.getSrcs());
  SmallVector<Buffer> results;
  for (Value result : op.getResults())
    results.push_back(parts.buffers.destinationOf(result));
  auto body = [&](const Chunk &c) {
    Values args = parts.vec(op.getSrcs(), c);
    Values values = parts.regions.apply(op.getScalarOp(), args);
    for (auto [buffer, value] : llvm::zip_equal(results, values)) {
      if (c.isVector() && !value->getType()->isVectorTy()) // does not depend on the elements
        value = parts.ctx.splat(value, c.lanes);
      parts.buffers.write(buffer, c, value);
    }
  };
  int vecDim = isVectorizable(op.getScalarOp()) ? Nest::choose : -1;
  parts.nests.emit({op, tileType(op.getSrcs().front()).getShape(), demands, vecDim, body});
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    parts.buffers.set(result, buffer);
}
