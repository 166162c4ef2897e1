//===- EmitHistogram.cpp - histograms ----------------------------------------------------------------------------===//
//
// Bins are computed for a vector of elements at once, and counted element by element, because two elements may have the
// same bin. Elements that are not counted go to an extra bin at the end. Adjacent elements use different copies of the
// bins, so that an addition need not wait for the previous one if elements are equal, which is common.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

void cpu::emitHistogram(const RootParts &parts, tt::HistogramOp op) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  Buffer bins = parts.buffers.destinationOf(op.getResult());
  auto source = tileType(op.getSrc());
  const int64_t numBins = bins.type.getNumElements(), stride = llvm::alignTo(numBins + 1, 16);
  // For few elements, clearing the copies would take longer than counting.
  const unsigned copies = source.getNumElements() >= 4 * numBins ? 4 : 1;
  llvm::Type *i32 = b.getInt32Ty();
  Buffers::Scope scope(parts.buffers);
  Buffer counters = parts.buffers.allocate(RankedTensorType::get({copies * stride}, bins.type.getElementType()));
  b.CreateMemSet(counters.ptr, b.getInt8(0), copies * stride * sizeof(int32_t), llvm::Align(64));

  // The numbers of bins go through scratch memory, because extracting lanes from registers costs more than one load per
  // element. The batch is large enough that no load waits for a vector that has just been stored.
  const int64_t size = source.getNumElements(), batch = std::min<int64_t>(size, 256);
  SmallVector<Value> demands(op->getOperands());
  llvm::Value *places = parts.buffers.allocateBytes(batch * sizeof(int32_t));
  auto findBins = [&](const Chunk &c, llvm::Value *target) {
    llvm::Value *bin = parts.vec(op.getSrc(), c);
    if (source.getElementTypeBitWidth() < 32)
      bin = b.CreateSExt(bin, ctx.vectorType(i32, c));
    llvm::Value *none = llvm::ConstantInt::get(bin->getType(), numBins);
    bin = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bin, none);
    if (op.getMask())
      bin = b.CreateSelect(parts.vec(op.getMask(), c), bin, none);
    b.CreateAlignedStore(b.CreateTrunc(bin, ctx.vectorType(i32, c)), target, llvm::Align(4));
  };
  const int64_t atOnce = std::min<int64_t>(batch, 16);
  auto countBins = [&](llvm::Value *first) {
    for (int64_t k = 0; k < atOnce; ++k) {
      llvm::Value *place = b.CreateInBoundsGEP(i32, places, b.CreateAdd(first, ctx.index(k)));
      llvm::Value *bin = b.CreateZExt(b.CreateLoad(i32, place), b.getInt64Ty());
      llvm::Value *counter =
          b.CreateInBoundsGEP(i32, b.CreateConstInBoundsGEP1_64(i32, counters.ptr, k % copies * stride), bin);
      b.CreateStore(b.CreateAdd(b.CreateLoad(i32, counter), b.getInt32(1)), counter);
    }
  };
  Chunk first = ctx.firstChunk(source.getShape(), parts.nests.chooseVecDim(source.getShape(), demands));
  parts.nests.versioned(op, first, demands, [&] {
    Chunk c = first;
    c.lanes = parts.nests.wideLanes(first, size);
    parts.loops.loop(size, batch, [&](llvm::Value *begin) {
      parts.loops.loop(batch, c.lanes, [&](llvm::Value *i) {
        c.index[0] = b.CreateAdd(begin, i);
        findBins(c, b.CreateInBoundsGEP(i32, places, i));
      });
      parts.loops.loop(batch, atOnce, countBins);
    });
    return Values();
  });

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
