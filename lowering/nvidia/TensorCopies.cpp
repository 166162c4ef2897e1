//===- TensorCopies.cpp - copies of blocks by the tensor memory accelerator ------------------------------------------------===//
//
// One thread starts a copy; what arrives counts itself at a barrier in memory (PTX ISA, cp.async.bulk.tensor). A block lies in shared
// memory as boxes of rows as long as the swizzle, one behind the other, each of which is a copy of its own.
//
// What of a box lies outside of the tensor is zero. But an H200 looks at where the tensor begins if the box does not begin inside of
// it, and a map that begins at address 0 has nothing there: such a box is a copy of zeros instead.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/nvidia/NvidiaAccess.h"
#include "lowering/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// So many zeros in global memory, at most.
constexpr int64_t mostZeros = 256 * 128;

Value constantTrue(OpBuilder &builder, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
}

struct LoadBlockPattern : TilePattern<ttng::AsyncTMACopyGlobalToLocalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::AsyncTMACopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ttg::MemDescType memory = op.getResult().getType();
    auto encoding = cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
    int64_t columns = memory.getShape().back(), rows = memory.getNumElements() / columns;
    int64_t boxColumns = encoding.getRowElements(), boxBytes = rows * encoding.getRowBytes();
    // As the instruction has them: the axis that varies fastest first.
    SmallVector<Value> coordinates;
    for (ValueRange coordinate : llvm::reverse(adaptor.getCoord()))
      coordinates.push_back(coordinate[0]);
    Value acts = arith::AndIOp::create(rewriter, loc, isFirstThread(rewriter, loc, target), adaptor.getPred()[0]);
    Value tile = SharedTile(adaptor.getResult()).base, barrier = SharedTile(adaptor.getBarrier()).base;
    for (int64_t column = 0, box = 0; column < columns; column += boxColumns, ++box) {
      Value to = LLVM::GEPOp::create(rewriter, loc, tile.getType(), rewriter.getI8Type(), tile,
                                     ArrayRef<LLVM::GEPArg>{int32_t(box * boxBytes)});
      SmallVector<Value> at(coordinates);
      if (column)
        at[0] = arith::AddIOp::create(rewriter, loc, at[0], constantI32(rewriter, loc, column));
      Value copies = acts;
      if (op->hasAttr(ttng::mayBeginOutsideAttr)) {
        Value begins = beginsInside(rewriter, loc, at, op.getDesc().getType().getBlockType().getShape());
        copies = arith::AndIOp::create(rewriter, loc, acts, begins);
        Value clears = arith::AndIOp::create(
            rewriter, loc, acts, arith::XOrIOp::create(rewriter, loc, begins, constantTrue(rewriter, loc)));
        assembly(rewriter, loc, TypeRange(), {to, getZeros(rewriter, op), barrier, clears},
                 "@$3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], " +
                     std::to_string(boxBytes) + ", [$2];",
                 "r,l,r,b,~{memory}");
      }
      SmallVector<Value> operands = {to, adaptor.getDesc()[0], barrier, copies};
      std::string names, constraints = "r,l,r,b";
      for (auto [axis, coordinate] : llvm::enumerate(at)) {
        names += (axis ? ", $" : "$") + std::to_string(operands.size());
        constraints += ",r";
        operands.push_back(coordinate);
      }
      assembly(rewriter, loc, TypeRange(), operands,
               "@$3 cp.async.bulk.tensor." + std::to_string(at.size()) +
                   "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {" + names + "}], [$2];",
               constraints + ",~{memory}");
    }
    rewriter.eraseOp(op);
    return success();
  }

  /// Of the first two axes; indices are not negative.
  static Value beginsInside(OpBuilder &builder, Location loc, ArrayRef<Value> at, ArrayRef<int64_t> shape) {
    Value inside = constantTrue(builder, loc);
    for (unsigned axis : {0, 1}) {
      Value size = constantI32(builder, loc, shape[shape.size() - 1 - axis]);
      Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, at[axis], size);
      inside = arith::AndIOp::create(builder, loc, inside, below);
    }
    return inside;
  }

  /// The address of zeros in global memory, as many as a box has bytes.
  Value getZeros(OpBuilder &builder, Operation *op) const {
    auto module = op->getParentOfType<ModuleOp>();
    constexpr StringLiteral symbol = "tilecc.zeros";
    unsigned space = target.getGlobalAddressSpace();
    if (!module.lookupSymbol(symbol)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), mostZeros);
      auto global = LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/true, LLVM::Linkage::Internal,
                                           symbol, LLVM::ZeroAttr::get(module.getContext()), /*alignment=*/16, space);
      global.setUnnamedAddr(LLVM::UnnamedAddr::Global); // those of several kernels are one
    }
    return LLVM::AddressOfOp::create(builder, op->getLoc(), LLVM::LLVMPointerType::get(op->getContext(), space), symbol);
  }
};

} // namespace

void tilecc::populateTensorCopyPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<LoadBlockPattern>(types, patterns.getContext(), lowering);
}
