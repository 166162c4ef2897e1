//===- TensorCopies.cpp - copies of blocks by the tensor memory accelerator ------------------------------------------------===//
//
// One thread starts a copy; what arrives counts itself at a barrier in memory (PTX ISA, cp.async.bulk.tensor). A block lies in shared
// memory as boxes of rows as long as the swizzle, one behind the other, each of which is a copy of its own.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/nvidia/NvidiaAccess.h"
#include "lowering/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

struct LoadBlockPattern : TilePattern<ttng::AsyncTMACopyGlobalToLocalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::AsyncTMACopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ttg::MemDescType memory = op.getResult().getType();
    auto encoding = cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
    int64_t columns = memory.getShape().back(), rows = memory.getNumElements() / columns;
    int64_t boxColumns = encoding.getRowElements(), boxBytes = rows * encoding.getRowBytes();
    SmallVector<Value> coordinates;
    for (ValueRange coordinate : llvm::reverse(adaptor.getCoord()))
      coordinates.push_back(coordinate[0]);
    Value acts = arith::AndIOp::create(rewriter, loc, isFirstThread(rewriter, loc, target), adaptor.getPred()[0]);
    Value tile = SharedTile(adaptor.getResult()).base;
    for (int64_t column = 0, box = 0; column < columns; column += boxColumns, ++box) {
      Value to = LLVM::GEPOp::create(rewriter, loc, tile.getType(), rewriter.getI8Type(), tile,
                                     ArrayRef<LLVM::GEPArg>{int32_t(box * boxBytes)});
      SmallVector<Value> operands = {to, adaptor.getDesc()[0], SharedTile(adaptor.getBarrier()).base, acts};
      std::string names, constraints = "r,l,r,b";
      for (auto [axis, coordinate] : llvm::enumerate(coordinates)) {
        names += (axis ? ", $" : "$") + std::to_string(operands.size());
        constraints += ",r";
        operands.push_back(axis || !column ? coordinate
                                           : arith::AddIOp::create(rewriter, loc, coordinate,
                                                                   constantI32(rewriter, loc, column)).getResult());
      }
      assembly(rewriter, loc, TypeRange(), operands,
               "@$3 cp.async.bulk.tensor." + std::to_string(coordinates.size()) +
                   "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {" + names + "}], [$2];",
               constraints + ",~{memory}");
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateTensorCopyPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<LoadBlockPattern>(types, patterns.getContext(), lowering);
}
