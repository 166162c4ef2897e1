//===- TTGRules.cpp - rules for modules in TTGIR ------------------------------------------------------------------===//
//
// Module attributes, conversion of tile types to linear layouts, and the verification of layouts before tiles become
// registers.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

unsigned ttg::getNumWarps(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto warps = op->getAttrOfType<IntegerAttr>(numWarpsAttr))
      return warps.getInt();
    if (auto partitions = dyn_cast_or_null<WarpSpecializePartitionsOp>(op->getParentOp()))
      return partitions->getParentOfType<WarpSpecializeOp>()
          .getPartitionNumWarps()[op->getParentRegion()->getRegionNumber()];
  }
  return 4;
}

int64_t ttg::getModuleInteger(Operation *op, StringRef name, int64_t otherwise) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getInt() : otherwise;
}

LinearLayout ttg::toLinearLayout(RankedTensorType type) {
  return cast<LayoutEncoding>(type.getEncoding()).toLinearLayout(type.getShape()).removeZeroBases(Dim::Register);
}

unsigned ttg::getElementsPerThread(RankedTensorType type) {
  return 1u << toLinearLayout(type).getInBits(Dim::Register);
}

Attribute ttg::getItemsEncoding(Operation *op, RankedTensorType tile) {
  unsigned warps = getNumWarps(op), lanes = getThreadsPerWarp(op);
  unsigned items = std::max<int64_t>(tile.getNumElements() / (warps * lanes), 1);
  return BlockedEncodingAttr::get(tile.getContext(), tile.getShape(), {items}, {0}, warps, lanes);
}

/// Returns the layout, if there is one, of a tile in registers or in shared memory, or of a descriptor's tensor.
static std::optional<LinearLayout> getLayout(Type type) {
  if (auto memory = dyn_cast<MemDescType>(type); memory && isa<SharedEncoding>(memory.getEncoding()))
    return toLinearLayout(memory);
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && isa_and_nonnull<LayoutEncoding>(tile.getEncoding()) ? std::optional(toLinearLayout(tile))
                                                                     : std::nullopt;
}

static bool anyTile(Operation *root, function_ref<bool(Type)> predicate) {
  return root
      ->walk([&](Operation *op) {
        bool any = llvm::any_of(op->getOperandTypes(), predicate) || llvm::any_of(op->getResultTypes(), predicate);
        return any ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ttg::hasLayouts(Operation *root) {
  return anyTile(root, [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return isa<MemDescType>(type) || (tile && tile.getEncoding());
  });
}

bool ttg::hasBlocks(Operation *root) {
  llvm::SmallPtrSet<Type, 16> known;
  return anyTile(root, [&](Type type) {
    if (!known.insert(type).second)
      return false;
    std::optional<LinearLayout> layout = getLayout(type);
    return layout && layout->getInBits(Dim::Block);
  });
}

//===--- verification ---------------------------------------------------------------------------------------------===//

namespace {
class Verifier {
public:
  Verifier(unsigned threads, unsigned blocks) : threads(threads), blocks(blocks) {}

  LogicalResult verify(Operation *op) {
    unsigned warps = getNumWarps(op);
    for (Type type :
         llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())))
      if (auto tile = dyn_cast<RankedTensorType>(type); tile && failed(verify(op, tile, warps)))
        return failure();
    if (tt::acceptsAnyLayout(op))
      return success();
    if (auto rules = dyn_cast<tt::LayoutRules>(op))
      return rules.verifyLayouts();
    return tt::keepsElementsInPlace(op) ? tt::verifyLayoutsAgree(op) : success();
  }

private:
  LogicalResult verify(Operation *op, RankedTensorType tile, unsigned warps) {
    if (!verified.insert({tile, warps}).second)
      return success();
    auto layout = dyn_cast_or_null<LayoutEncoding>(tile.getEncoding());
    if (!layout)
      return op->emitOpError() << "has a tile without a layout: " << tile;
    if (layout.getThreadsAndWarps() != std::pair(threads, warps))
      return op->emitOpError() << "has a layout for " << layout.getThreadsAndWarps().second << " warps of "
                               << layout.getThreadsAndWarps().first << " threads in a module for " << warps << " of "
                               << threads << ": " << tile;
    unsigned itsBlocks = 1u << toLinearLayout(tile).getInBits(Dim::Block);
    if (itsBlocks != blocks)
      return op->emitOpError() << "has a layout for " << itsBlocks << " thread blocks where tiles are distributed over "
                               << blocks << ": " << tile;
    return success();
  }

  unsigned threads, blocks;
  DenseSet<std::pair<Type, unsigned>> verified;
};
} // namespace

LogicalResult ttg::verifyLayouts(Operation *root, unsigned blocks) {
  Verifier verifier(getThreadsPerWarp(root), blocks);
  return failure(root->walk([&](Operation *op) {
                       return succeeded(verifier.verify(op)) ? WalkResult::advance() : WalkResult::interrupt();
                     })
                     .wasInterrupted());
}
