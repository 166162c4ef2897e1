//===- EmitHistogram.cpp - histograms ----------------------------------------------------------------------------===//
//
// Element by element: two of a vector may be counted in the same bin.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

void cpu::emitHistogram(const RootParts &parts, tt::HistogramOp op) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  Buffer bins = parts.buffers.destinationOf(op.getResult());
  int64_t numBins = bins.type.getNumElements();
  llvm::Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  b.CreateMemSet(bins.ptr, b.getInt8(0), numBins * sizeof(int32_t), llvm::Align(64));
  SmallVector<Value> demands(op->getOperands());
  auto count = [&](const Chunk &c) {
    llvm::Value *values = parts.vec(op.getSrc(), c), *counted = op.getMask() ? parts.vec(op.getMask(), c) : nullptr;
    auto lane = [&](llvm::Value *v, unsigned k) { return c.isVector() ? b.CreateExtractElement(v, k) : v; };
    for (unsigned k = 0; k < c.lanes; ++k) {
      llvm::Value *value = b.CreateSExtOrTrunc(lane(values, k), i64);
      llvm::Value *isCounted = b.CreateICmpULT(value, ctx.index(numBins));
      if (counted)
        isCounted = b.CreateAnd(isCounted, lane(counted, k));
      // No branch: what is not counted adds nothing to some bin.
      llvm::Value *bin = b.CreateInBoundsGEP(i32, bins.ptr, b.CreateAnd(value, ctx.index(numBins - 1)));
      b.CreateStore(b.CreateAdd(b.CreateLoad(i32, bin), b.CreateZExt(isCounted, i32)), bin);
    }
  };
  parts.nests.emit({op, tileType(op.getSrc()).getShape(), demands, Nest::choose, count});
  parts.buffers.set(op.getResult(), bins);
}
