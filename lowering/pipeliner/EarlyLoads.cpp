//===- EarlyLoads.cpp - where loads wait that start iterations before their use ----------------------------------------===//
//
// Operands of matrix units wait in shared memory, in the layout that the units read; so do other tiles in loops with
// products, from which operands are computed first. Everything else waits in registers.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/SharedEncodings.h"
#include "lowering/dialects/ttng/TTNG.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace {

/// The type of what a loaded tile is put into, if that is all that is done with it: an operand of warpgroups' products.
ttg::MemDescType getAllocatedType(scf::ForOp loop, tt::LoadOp load) {
  ttg::MemDescType type;
  for (Operation *user : load->getUsers()) {
    auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
    if (!alloc || alloc->getParentOp() != loop || alloc.getType().getMutableMemory() || (type && type != alloc.getType()))
      return {};
    type = alloc.getType();
  }
  return type;
}

/// The type that it is converted to for warps' products, if that is all that is done with it.
RankedTensorType getOperandType(scf::ForOp loop, tt::LoadOp load) {
  RankedTensorType operand;
  for (Operation *user : load->getUsers()) {
    auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
    auto encoding = convert ? dyn_cast<ttg::DotOperandEncodingAttr>(convert.getType().getEncoding()) : nullptr;
    if (!encoding || convert->getParentOp() != loop || !encoding.getMatrixUnit())
      return {};
    operand = convert.getType();
  }
  return operand;
}

bool hasProduct(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [](Operation &op) { return isa<tt::DotOp, ttng::WarpGroupDotOp>(op); });
}

} // namespace

void pipeline::chooseMemory(scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo) {
  auto type = dyn_cast<RankedTensorType>(early.load.getType());
  if (!type || type.getRank() < 2)
    return;
  early.contiguity = getAccessibleNeighbours(axisInfo, early.load.getPtr(), early.load.getMask());
  Attribute encoding;
  if (auto allocated = getAllocatedType(loop, early.load))
    encoding = allocated.getEncoding();
  else if (auto operand = getOperandType(loop, early.load))
    encoding = chooseSharedEncoding(operand, getMemoryOrder(type));
  if (!encoding && hasProduct(loop)) {
    encoding = ttg::SwizzledSharedEncodingAttr::get(loop.getContext(), /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1,
                                                    getMemoryOrder(type));
    early.isReadBack = true;
  }
  if (encoding)
    early.tile = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                       ttg::SharedMemorySpaceAttr::get(loop.getContext()), /*mutableMemory=*/true);
}
