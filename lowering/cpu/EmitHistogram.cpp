//===- EmitHistogram.cpp - histograms ----------------------------------------------------------------------------===//
//
// Bins are found for a vector of elements at once, and counted element by element, since two may have the same bin.
// What is not counted goes to a bin behind the last. Neighbours count in different copies of the bins, so that equal
// ones, which are common, do not wait for each other's sums.
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
  auto source = tileType(op.getSrc());
  const int64_t numBins = bins.type.getNumElements(), stride = llvm::alignTo(numBins + 1, 16);
  // Of few elements it would take longer to clear copies than to count.
  const unsigned copies = source.getNumElements() >= 4 * numBins ? 4 : 1;
  llvm::Type *i32 = b.getInt32Ty();
  Buffers::Scope scope(parts.buffers);
  Buffer counters = parts.buffers.allocate(RankedTensorType::get({copies * stride}, bins.type.getElementType()));
  b.CreateMemSet(counters.ptr, b.getInt8(0), copies * stride * sizeof(int32_t), llvm::Align(64));

  SmallVector<Value> demands(op->getOperands());
  auto count = [&](const Chunk &c) {
    llvm::Value *bin = parts.vec(op.getSrc(), c);
    if (source.getElementTypeBitWidth() < 32)
      bin = b.CreateSExt(bin, ctx.vectorType(i32, c));
    llvm::Value *none = llvm::ConstantInt::get(bin->getType(), numBins);
    bin = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bin, none);
    if (op.getMask())
      bin = b.CreateSelect(parts.vec(op.getMask(), c), bin, none);
    bin = b.CreateTrunc(bin, ctx.vectorType(i32, c));
    // Through scratch memory, which stays memory: taking a vector apart in registers costs more than a load for each element.
    llvm::Value *places = parts.buffers.allocateBytes(c.lanes * sizeof(int32_t));
    b.CreateStore(bin, places);
    for (unsigned k = 0; k < c.lanes; ++k) {
      llvm::Value *place =
          b.CreateZExt(b.CreateLoad(i32, b.CreateConstInBoundsGEP1_64(i32, places, k)), b.getInt64Ty());
      llvm::Value *counter =
          b.CreateInBoundsGEP(i32, b.CreateConstInBoundsGEP1_64(i32, counters.ptr, k % copies * stride), place);
      b.CreateStore(b.CreateAdd(b.CreateLoad(i32, counter), b.getInt32(1)), counter);
    }
  };
  parts.nests.emit({op, source.getShape(), demands, Nest::choose, count});

  const unsigned lanes = std::min<int64_t>(ctx.target.lanes(), numBins);
  llvm::Type *vector = llvm::FixedVectorType::get(i32, lanes);
  parts.loops.loop(numBins, lanes, [&](llvm::Value *first) {
    llvm::Value *sum = nullptr;
    for (unsigned copy = 0; copy < copies; ++copy) {
      llvm::Value *from =
          b.CreateInBoundsGEP(i32, b.CreateConstInBoundsGEP1_64(i32, counters.ptr, copy * stride), first);
      llvm::Value *part = b.CreateAlignedLoad(vector, from, llvm::Align(4));
      sum = sum ? b.CreateAdd(sum, part) : part;
    }
    b.CreateAlignedStore(sum, b.CreateInBoundsGEP(i32, bins.ptr, first), llvm::Align(4));
  });
  parts.buffers.set(op.getResult(), bins);
}
