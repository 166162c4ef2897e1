//===- CompareReplicas.cpp - lets the emulator compare copies held by several threads -----------------------------===//
//
// tritongpu-check-replicas has inserted comparisons where differing copies would matter. Each comparison becomes
// annotations in the PTX for the emulator, one for each register. An annotation has the bits of a thread's number that
// do not select the element, that is, the bits in which threads with copies differ.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns the bits of `dim` that do not affect the element that a location holds.
uint32_t getIdleBits(const LinearLayout &layout, Dim dim) {
  uint32_t bits = 0;
  for (auto [bit, column] : llvm::enumerate(layout.getColumns(dim)))
    if (column == 0)
      bits |= uint32_t(1) << bit;
  return bits;
}

struct CompareReplicasPattern : TilePattern<ttg::CompareReplicasOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::CompareReplicasOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ThreadPosition position = getThreadPosition(rewriter, loc, target);
    unsigned threads = ttg::getNumWarps(op) * target.facts.warpSize;
    uint32_t copies = threads - 1, idleRegisters = 0;
    if (auto type = dyn_cast<RankedTensorType>(op.getSrc().getType())) {
      LinearLayout layout = ttg::toLinearLayout(type);
      copies = getIdleBits(layout, Dim::Lane) | getIdleBits(layout, Dim::Warp) << position.laneBits;
      idleRegisters = getIdleBits(layout, Dim::Register);
    }
    // Each program of a block has copies of its own.
    bool isPartition = op->getParentOfType<FunctionOpInterface>()->hasAttr(ttg::partitionAttr);
    unsigned programs = isPartition ? 1 : ttg::getProgramsPerBlock(op);
    Value thread = programs > 1 ? getThreadInBlock(rewriter, loc) : position.thread;
    if (copies)
      for (auto [reg, value] : llvm::enumerate(adaptor.getSrc()))
        if (!(reg & idleRegisters))
          emitComparison(rewriter, loc, toWord(rewriter, loc, value), thread, copies, threads * programs);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Informs the emulator that threads hold copies of `value`, an integer of 32 or 64 bits, if their numbers (`thread`,
  /// i32) differ only in the bits `copies`. There are `threads` threads.
  static void emitComparison(OpBuilder &builder, Location loc, Value value, Value thread, uint32_t copies,
                             unsigned threads) {
    // This is a comment to ptxas.
    bool isWide = value.getType().isInteger(64);
    std::string text = emulatorMark.str() + " replicas." + (isWide ? "b64" : "b32") + " $0, $1, " +
                       std::to_string(copies) + ", " + std::to_string(threads) + ";";
    assembly(builder, loc, TypeRange(), {value, thread}, text, isWide ? "l,r" : "r,r");
  }

  /// Returns the bits of `value` as an integer of 32 or 64 bits.
  static Value toWord(OpBuilder &builder, Location loc, Value value) {
    value = toMemory(builder, loc, value);
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (isa<FloatType>(value.getType()))
      value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(bits), value);
    return bits < 32 ? arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value).getResult() : value;
  }
};

} // namespace

void tilecc::populateReplicaPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                     const LoweringContext &lowering) {
  patterns.add<CompareReplicasPattern>(types, patterns.getContext(), lowering);
}
