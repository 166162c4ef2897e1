//===- InThreadTranspose.cpp - lets threads load blocks of operands that are stored across the contracted axis ----===//
//
// Passes.td describes the pass. Lanes and warps are assigned as for wide loads of rows. Only the elements of a thread
// change: its rows are adjacent instead of distant.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "targets/amd/Passes.h"

using namespace mlir;

namespace tilecc::amd {

#define GEN_PASS_DEF_TRITONAMDGPUINTHREADTRANSPOSE
#include "targets/amd/Passes.h.inc"

namespace {

/// Follows the operand of a dot to the load from which it is computed by elementwise operations, without other users on
/// the way. Sets `contracted` to the corresponding axis of the load. Returns null if there is no such load.
tt::LoadOp findLoad(Value operand, unsigned &contracted) {
  while (Operation *op = operand.getDefiningOp()) {
    if (!operand.hasOneUse())
      return {};
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return load;
    auto isTile = [](Value value) { return isa<RankedTensorType>(value.getType()); };
    if (auto trans = dyn_cast<tt::TransOp>(op))
      contracted = trans.getOrder()[contracted];
    else if (!isa<ttg::ConvertLayoutOp>(op) && !op->hasTrait<OpTrait::Elementwise>())
      return {};
    if (llvm::count_if(op->getOperands(), isTile) != 1)
      return {};
    operand = *llvm::find_if(op->getOperands(), isTile);
  }
  return {};
}

/// Returns the layout in which a thread holds adjacent elements along `contracted`: as many as are stored at once, or
/// as many as the thread has rows. Returns null if `layout` already has this property, or if these elements do not fill
/// a register.
ttg::BlockedEncodingAttr transposeInThread(RankedTensorType tile, unsigned contracted) {
  auto layout = dyn_cast<ttg::BlockedEncodingAttr>(tile.getEncoding());
  if (!layout || layout.getOrder()[0] == contracted || layout.getSizePerThread()[contracted] > 1)
    return {};
  constexpr int64_t maxBytes = 16, leastBytes = 4;
  int64_t rows =
      tile.getDimSize(contracted) / (layout.getThreadsPerWarp()[contracted] * layout.getWarpsPerCTA()[contracted]);
  int64_t elementBytes = getBytesInMemory(tile.getElementType());
  rows = std::min(rows, maxBytes / elementBytes);
  if (rows < 2 || rows * elementBytes < leastBytes)
    return {};
  SmallVector<unsigned> sizes(layout.getSizePerThread());
  sizes[contracted] = rows;
  return ttg::BlockedEncodingAttr::get(tile.getContext(), sizes, layout.getThreadsPerWarp(), layout.getWarpsPerCTA(),
                                       layout.getOrder());
}

void changeLayout(tt::LoadOp load, Attribute layout) {
  OpBuilder builder(load);
  auto convert = [&](Value value, Attribute encoding) -> Value {
    auto type = cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding);
    return builder.createOrFold<ttg::ConvertLayoutOp>(load.getLoc(), type, value);
  };
  Attribute before = cast<RankedTensorType>(load.getType()).getEncoding();
  for (OpOperand &operand : load->getOpOperands())
    operand.set(convert(operand.get(), layout));
  Value result = load.getResult();
  result.setType(cast<RankedTensorType>(result.getType()).cloneWithEncoding(layout));
  builder.setInsertionPointAfter(load);
  Value converted = convert(result, before);
  result.replaceAllUsesExcept(converted, converted.getDefiningOp());
}

struct InThreadTranspose : impl::TritonAMDGPUInThreadTransposeBase<InThreadTranspose> {
  void runOnOperation() override {
    getOperation().walk([&](tt::DotOp dot) {
      for (Value operand : {dot.getA(), dot.getB()}) {
        auto encoding = dyn_cast<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(operand.getType()).getEncoding());
        if (!encoding || !encoding.getMatrixUnit())
          continue;
        unsigned contracted = encoding.getContractedAxis();
        tt::LoadOp load = findLoad(operand, contracted);
        if (!load)
          continue;
        if (Attribute layout = transposeInThread(cast<RankedTensorType>(load.getType()), contracted))
          changeLayout(load, layout);
      }
    });
  }
};

} // namespace

} // namespace tilecc::amd
