//===- AccessWidth.cpp - the width of accesses to global memory ---------------------------------------------------===//
//
// Several parts use the width of an access: coalescing, which chooses layouts; the pipeliner, which selects loads that
// are wide enough for asynchronous copies; and the lowering of loads, stores and asynchronous copies.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/DataMovement.h"

using namespace mlir;
using namespace tilecc;

int64_t tilecc::getAccessibleNeighbours(const AxisInfoAnalysis &axisInfo, Value ptr, Value mask, int64_t assumed) {
  unsigned fastest = axisInfo.getOrder(ptr)[0];
  int64_t count = std::max(axisInfo.getAlignedContiguity(ptr, fastest), assumed);
  count = std::min(count, cast<RankedTensorType>(ptr.getType()).getDimSize(fastest));
  return mask ? std::min(count, axisInfo.getMaskConstancy(mask, fastest)) : count;
}

int64_t tilecc::getAccessWidth(const AxisInfoAnalysis &axisInfo, Value ptr, Value mask, int64_t assumed) {
  auto type = dyn_cast<RankedTensorType>(ptr.getType());
  if (!type)
    return 1;
  SmallVector<Dim> outs;
  for (unsigned d : axisInfo.getOrder(ptr))
    outs.push_back(axis(d));
  LinearLayout layout = ttg::toLinearLayout(type).transposeOuts(outs);
  unsigned bits = getBytesInMemory(cast<tt::PointerType>(type.getElementType()).getPointeeType()) * 8;
  return std::min<int64_t>({getAccessibleNeighbours(axisInfo, ptr, mask, assumed), layout.getNumConsecutive(),
                            std::max(1u, widestAccessBits / bits)});
}
