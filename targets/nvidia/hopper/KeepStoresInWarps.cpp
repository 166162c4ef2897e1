//===- KeepStoresInWarps.cpp - makes every warp store its own rows of a dot's result ------------------------------===//
//
// The result of a dot is stored in a layout in which each thread holds adjacent elements, and adjacent lanes hold
// adjacent groups of elements. In a blocked layout, warps cover the remaining rows, so each warp stores rows that other
// warps hold. The conversion to that layout then needs two barriers of all threads per round, which also brings warp
// groups into lockstep that had drifted apart. With this pass, each warp stores the rows that it holds: a lane stores
// several of the warp's rows, one register after the other. The accesses of each warp are as wide as before, and the
// conversion stays within warps (ConversionPlan).
//
// The pass applies to results of warp-group dots, of which a warp holds 16 whole rows or a large part of each row. The
// store must be in a loop around the loop of the dots (as in persistent kernels). On an H200, attention with 1024
// tokens becomes 1 to 4 % faster, and multiplications of 4096^3 become 0 to 1 % faster. A program with a single tile
// becomes 0 to 2 % slower.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/StoreLayout.h"
#include "lowering/passes/Rematerialization.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUKEEPSTORESINWARPS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// A warp should store at least this many bytes of a row at once: a whole cache line.
constexpr unsigned leastBytesOfRow = 128;

void keepInWarps(tt::StoreOp store) {
  auto convert = store.getValue().getDefiningOp<ttg::ConvertLayoutOp>();
  auto blocked = convert ? dyn_cast<ttg::BlockedEncodingAttr>(convert.getType().getEncoding()) : nullptr;
  RankedTensorType source = convert ? convert.getSrc().getType() : nullptr;
  auto product = source ? dyn_cast<ttg::NvidiaMmaEncodingAttr>(source.getEncoding()) : nullptr;
  if (!blocked || !product || product.getVersionMajor() != 3 || source.getRank() != 2)
    return;
  unsigned vector = blocked.getSizePerThread()[blocked.getOrder()[0]];
  if (llvm::product_of(blocked.getSizePerThread()) != vector)
    return;
  Attribute aligned = nvidia::alignWarps(source, blocked.getOrder(), vector, leastBytesOfRow);
  if (!aligned)
    return;
  OpBuilder builder(store);
  auto convertTo = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto wanted = RankedTensorType::get(type.getShape(), type.getElementType(), aligned);
    return ttg::ConvertLayoutOp::create(builder, store.getLoc(), wanted, value);
  };
  // Compute addresses and masks in the new layout too. If that is not possible, change nothing.
  SmallVector<std::pair<OpOperand *, Value>> before;
  for (OpOperand &operand : store->getOpOperands()) {
    before.push_back({&operand, operand.get()});
    bool isValue = operand.get() == convert.getResult();
    auto converted = convertTo(isValue ? convert.getSrc() : operand.get());
    operand.set(converted);
    if (isValue || rematerialize(converted))
      continue;
    for (auto [changed, value] : before)
      changed->set(value);
    return;
  }
}

struct KeepStoresInWarps : tilecc::impl::TritonGPUKeepStoresInWarpsBase<KeepStoresInWarps> {
  void runOnOperation() override {
    SmallVector<tt::StoreOp> stores;
    getOperation().walk([&](tt::StoreOp store) {
      auto around = dyn_cast<scf::ForOp>(store->getParentOp());
      if (around && containsLoopOfDots(around))
        stores.push_back(store);
    });
    llvm::for_each(stores, keepInWarps);
  }
};

} // namespace
