//===- AsyncCopy.cpp - asynchronous copies from global to shared memory -------------------------------------------===//
//
// Each thread copies its part of the pointers' layout, in pieces of 4, 8 or 16 bytes that are contiguous in both
// memories. If the mask is false, the hardware copies no bytes and writes zeros; the thread itself stores any other
// value. Narrower pieces, which the hardware cannot copy, go through registers. They are complete at once, so the wait
// for them costs nothing.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Starts a copy of 4, 8 or 16 `bytes` from global to shared memory if `predicate` (i1, may be null) is true. If `mask`
/// (i1, may be null) is false, the copy writes zeros and reads nothing. Copies of 16 bytes bypass the first-level
/// cache, since nothing else reads the data from there.
void copyAsync(OpBuilder &builder, Location loc, Value to, Value from, unsigned bytes, Value mask, Value predicate) {
  SmallVector<Value> operands = {to, from};
  std::string constraints = "r,l";
  std::string text =
      std::string("cp.async.") + (bytes == 16 ? "cg" : "ca") + ".shared.global [$0], [$1], " + std::to_string(bytes);
  if (mask) {
    operands.push_back(
        LLVM::SelectOp::create(builder, loc, mask, constantI32(builder, loc, bytes), constantI32(builder, loc, 0)));
    text += ", $2";
    constraints += ",r";
  }
  text += ";";
  if (predicate) {
    text = "@$" + std::to_string(operands.size()) + " " + text;
    operands.push_back(predicate);
    constraints += ",b";
  }
  assembly(builder, loc, TypeRange(), operands, text, constraints + ",~{memory}");
}

struct AsyncCopyPattern : TilePattern<ttg::AsyncCopyGlobalToLocalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ttg::AsyncCopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getSrc().getType());
    ttg::MemDescType memory = op.getResult().getType();
    Type element = types.convertElement(memory.getElementType()), inMemory = getMemoryType(element);
    unsigned bytes = inMemory.getIntOrFloatBitWidth() / 8;
    LinearLayout source = ttg::toLinearLayout(type);
    LinearLayout places = getOffsetsInShared(type, memory);
    unsigned width = getWidth(op, places);
    SharedAddresses addresses(rewriter, loc, places, memory, SharedTile(adaptor.getResult()), target,
                              SharedAddresses::Unit::Elements);
    Value acts = isRepresentative(rewriter, loc, source, getThreadPosition(rewriter, loc, target));
    GlobalAddresses from(rewriter, loc, op.getSrc(), adaptor.getSrc(), types, lowering);
    bool fillsZero = !storesOther(op);
    for (unsigned reg = 0; reg < adaptor.getSrc().size(); reg += width) {
      Value to = addresses.get(reg);
      Value mask = adaptor.getMask().empty() ? Value() : adaptor.getMask()[reg];
      Value ptr = from.get(reg);
      if (width * bytes < 4) {
        Value other = adaptor.getOther().empty() ? Value() : adaptor.getOther()[reg];
        copyThroughRegisters(rewriter, loc, VectorType::get(width, inMemory), ptr, to, mask, other, acts);
        continue;
      }
      if (fillsZero) {
        copyAsync(rewriter, loc, to, ptr, width * bytes, mask, acts);
        continue;
      }
      copyAsync(rewriter, loc, to, ptr, width * bytes, Value(), both(rewriter, loc, mask, acts));
      if (!mask)
        continue;
      Value off = arith::XOrIOp::create(rewriter, loc, mask, constantI1(rewriter, loc, true));
      SmallVector<Value> values;
      for (Value value : adaptor.getOther().slice(reg, width))
        values.push_back(toMemory(rewriter, loc, value));
      target.store(rewriter, loc, packVector(rewriter, loc, values), to, both(rewriter, loc, off, acts));
    }
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }

  static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
    return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : a ? a : b;
  }

  /// Returns the number of elements of a piece. These elements are contiguous in global and in shared memory, and have
  /// the same mask bit.
  unsigned getWidth(ttg::AsyncCopyGlobalToLocalOp op, const LinearLayout &places) const {
    return std::min<int64_t>({getAccessWidth(lowering.axisInfo, op.getSrc(), op.getMask(), op.getContiguity()),
                              places.getNumConsecutive(), int64_t(getUnpaddedElements(op.getResult().getType()))});
  }

  void copyThroughRegisters(OpBuilder &builder, Location loc, VectorType type, Value ptr, Value to, Value mask,
                            Value other, Value acts) const {
    unsigned alignment = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    Value vector;
    if (mask) {
      Value otherwise = LLVM::ZeroOp::create(builder, loc, type);
      if (other)
        otherwise = packVector(builder, loc, SmallVector<Value>(type.getNumElements(), toMemory(builder, loc, other)));
      Value masks = packVector(builder, loc, SmallVector<Value>(type.getNumElements(), mask));
      vector = LLVM::MaskedLoadOp::create(builder, loc, type, ptr, masks, otherwise,
                                          builder.getI32IntegerAttr(alignment), UnitAttr());
    } else {
      vector = LLVM::LoadOp::create(builder, loc, type, ptr, alignment);
    }
    target.store(builder, loc, vector, to, acts);
  }
};

struct AsyncCommitPattern : TilePattern<ttg::AsyncCommitGroupOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::AsyncCommitGroupOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

struct AsyncWaitPattern : TilePattern<ttg::AsyncWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::AsyncWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), op.getNum());
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

} // namespace

bool tilecc::storesOther(ttg::AsyncCopyGlobalToLocalOp copy) {
  return copy.getOther() && !matchPattern(copy.getOther(), m_PosZeroFloat()) &&
         !matchPattern(copy.getOther(), m_Zero());
}

void tilecc::populateAsyncCopyPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<AsyncCopyPattern, AsyncCommitPattern, AsyncWaitPattern>(types, patterns.getContext(), lowering);
}
