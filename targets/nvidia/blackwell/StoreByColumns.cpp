//===- StoreByColumns.cpp - stores results in tensor memory a few columns at a time -------------------------------===//
//
// A thread that loads its whole row of an accumulator needs a register for each of up to 256 columns. If the
// accumulator is only stored, after elementwise operations, this pass divides the load, the operations and the store
// into parts of 32 columns for each thread:
//
//     tile = tmem_load acc          part = tmem_load (tmem_subslice acc, 0)
//     store p, f(tile)        ->    store p', f(part)
//                                   part = tmem_load (tmem_subslice acc, 32)
//                                   store p", f(part)
//                                   ...
//
// The other operands of these operations (addresses, masks, vectors that are added to each row) are recomputed for each
// part. A vector along the columns that cannot be recomputed, such as one that is loaded, goes through shared memory.
// The threads store a part in a layout in which each warp has its own rows, so that no warp waits for another.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/WorkCost.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/StoreLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUSTOREBYCOLUMNS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// The columns of a part that each thread holds, which is also the number of registers of one tcgen05.ld.
constexpr int64_t columnsOfThread = 32;

/// Returns true if `op` may overwrite tensor memory, or release it.
bool changesTensorMemory(Operation *op) {
  if (isMemoryEffectFree(op))
    return false;
  auto effects = getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<ttng::TensorMemory>(effect.getResource()) && !isa<MemoryEffects::Read>(effect.getEffect());
  });
}

class DividedStore {
public:
  explicit DividedStore(tt::StoreOp store) : store(store), builder(store) {}

  /// Returns true if the store can and should be divided.
  bool analyze() {
    auto pointers = dyn_cast<RankedTensorType>(store.getPtr().getType());
    auto blocked = pointers ? dyn_cast<ttg::BlockedEncodingAttr>(pointers.getEncoding()) : nullptr;
    if (!blocked || pointers.getRank() != 2 || !dependsOnLoad(store.getValue()))
      return false;
    shape = pointers.getShape();
    unsigned numWarps = ttg::getNumWarps(store);
    ofLoads = ttng::getRowEncoding(store.getContext(), shape, numWarps);
    int64_t ofThread = ofLoads.getSizePerThread()[1];
    if (ofThread <= columnsOfThread || !llvm::all_of(loads, [&](ttng::TMEMLoadOp load) { return canDivide(load); }) ||
        !llvm::all_of(dependent, [&](Operation *op) { return areUsersDependent(op); }))
      return false;
    columns = shape[1] * columnsOfThread / ofThread;
    ofLoadedParts = ttng::getRowEncoding(store.getContext(), {shape[0], columns}, numWarps);
    ofStoredParts = chooseStoreEncoding(blocked);
    return ofStoredParts &&
           llvm::all_of(store->getOperands(), [&](Value operand) { return canTake(operand, ofStoredParts); });
  }

  void run() {
    for (part = 0; part < shape[1] / columns; ++part) {
      ofPart.clear();
      SmallVector<Value> operands;
      for (Value operand : store->getOperands())
        operands.push_back(take(operand, ofStoredParts));
      builder.clone(*store)->setOperands(operands);
    }
    store.erase();
  }

private:
  /// How a value varies within the tile that is stored.
  enum class Extent { Scalar, Rows, Columns, Tile };

  //===--- analysis -----------------------------------------------------------------------------------------------===//

  /// Returns true if `value` is computed from a load of tensor memory in the block of the store. Collects such loads,
  /// and the operations between them and the store.
  bool dependsOnLoad(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != store->getBlock())
      return false;
    if (dependent.contains(op) || !visited.insert(op).second)
      return dependent.contains(op);
    bool depends = false;
    if (auto load = dyn_cast<ttng::TMEMLoadOp>(op)) {
      depends = true;
      loads.insert(load);
    } else if (isa<ttg::ConvertLayoutOp>(op) || isElementwise(op)) {
      for (Value operand : op->getOperands())
        depends |= dependsOnLoad(operand);
    }
    if (depends)
      dependent.insert(op);
    return depends;
  }

  static bool isElementwise(Operation *op) {
    return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
           op->getNumResults() == 1;
  }

  bool areUsersDependent(Operation *op) {
    return llvm::all_of(op->getResult(0).getUses(), [&](OpOperand &use) {
      return dependent.contains(use.getOwner()) || (use.getOwner() == store && use.get() == store.getValue());
    });
  }

  bool canDivide(ttng::TMEMLoadOp load) {
    ttg::MemDescType memory = load.getSrc().getType();
    auto encoding = dyn_cast<ttng::TensorMemoryEncodingAttr>(memory.getEncoding());
    if (load.getType().getShape() != shape || load.getType().getEncoding() != ofLoads || !encoding ||
        encoding.getBlockN() < shape[1] || memory.getShape() != memory.getAllocShape())
      return false;
    for (Operation *op = load->getNextNode(); op != store; op = op->getNextNode())
      if (changesTensorMemory(op))
        return false;
    return true;
  }

  /// Returns the layout in which threads store a part, or null if there is none.
  Attribute chooseStoreEncoding(ttg::BlockedEncodingAttr blocked) {
    constexpr int64_t bytesOfLine = 128;
    // If elements are adjacent along the axis of the rows, the lanes of a warp already hold neighbours.
    if (blocked == ofLoads || blocked.getOrder()[0] == 0)
      return ofLoadedParts;
    auto value = cast<RankedTensorType>(store.getValue().getType());
    int64_t bits = tt::getElementBits(value.getElementType());
    if (bits < 8 || blocked.getSizePerThread()[0] != 1)
      return {};
    auto ofPart = RankedTensorType::get({shape[0], columns}, value.getElementType(), ofLoadedParts);
    return nvidia::alignWarps(ofPart, blocked.getOrder(), blocked.getSizePerThread()[1],
                              std::min(bytesOfLine, columnsOfThread * bits / 8));
  }

  /// Returns how `value` varies, if its parts are encoded as `encoding`; nothing if it is not a part of the tile.
  std::optional<Extent> getExtent(Value value, Attribute encoding) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return Extent::Scalar;
    if (type.getRank() == 2)
      return type.getDimSize(1) == 1 ? Extent::Rows : type.getDimSize(0) == 1 ? Extent::Columns : Extent::Tile;
    auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding);
    if (!slice || type.getRank() != 1)
      return std::nullopt;
    return slice.getDim() == 0 ? Extent::Columns : Extent::Rows;
  }

  /// Returns the encoding that tile operands need so that the result of `op` has `encoding`; null if `op` must not be
  /// repeated for each part.
  static Attribute getOperandEncoding(Operation *op, Attribute encoding) {
    if (!op || !(isElementwise(op) ||
                 isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, tt::BroadcastOp, tt::ExpandDimsOp>(op)))
      return {};
    return getOperandEncodingForRecomputing(op, encoding);
  }

  /// Returns true if parts of `value` can be computed in `encoding`.
  bool canTake(Value value, Attribute encoding) {
    auto known = takeable.find({value, encoding});
    if (known != takeable.end())
      return known->second;
    bool can = findWhetherCanTake(value, encoding);
    takeable[{value, encoding}] = can;
    return can;
  }
  bool findWhetherCanTake(Value value, Attribute encoding) {
    std::optional<Extent> extent = getExtent(value, encoding);
    if (!extent)
      return false;
    Operation *op = value.getDefiningOp();
    if (*extent == Extent::Scalar)
      return true;
    if (isa_and_nonnull<ttng::TMEMLoadOp>(op)) // other memory may have changed since it was loaded
      return dependent.contains(op);
    if (auto convert = dyn_cast_or_null<ttg::ConvertLayoutOp>(op)) {
      if (!dependent.contains(op))
        return canTake(convert.getSrc(), encoding);
      return convert.getSrc().getType().getEncoding() == ofLoads && canTake(convert.getSrc(), ofLoadedParts);
    }
    Attribute forOperands = getOperandEncoding(op, encoding);
    if (forOperands && llvm::all_of(op->getOperands(), [&](Value operand) { return canTake(operand, forOperands); }))
      return true;
    return *extent == Extent::Rows || (*extent == Extent::Columns && canBeInShared(value));
  }

  static bool canBeInShared(Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() && tt::getElementBits(element) >= 8;
  }

  //===--- parts --------------------------------------------------------------------------------------------------===//

  RankedTensorType getPartType(RankedTensorType type, Extent extent, Attribute encoding) {
    SmallVector<int64_t> ofPart(type.getShape());
    if (extent == Extent::Columns || extent == Extent::Tile)
      ofPart.back() = columns;
    return RankedTensorType::get(ofPart, type.getElementType(), encoding);
  }

  /// Returns the current part of `value`, encoded as `encoding`.
  Value take(Value value, Attribute encoding) {
    Extent extent = *getExtent(value, encoding);
    if (extent == Extent::Scalar)
      return value;
    Parts &known = extent == Extent::Rows ? ofAllParts : ofPart;
    if (Value taken = known.lookup({value, encoding}))
      return taken;
    Value taken = create(value, extent, encoding);
    known[{value, encoding}] = taken;
    return taken;
  }

  Value create(Value value, Extent extent, Attribute encoding) {
    Location loc = value.getLoc();
    Operation *op = value.getDefiningOp();
    RankedTensorType type = getPartType(cast<RankedTensorType>(value.getType()), extent, encoding);
    if (auto load = dyn_cast_or_null<ttng::TMEMLoadOp>(op)) {
      Value memory = ttng::TMEMSubSliceOp::create(builder, loc, load.getSrc(), part * columns, columns);
      return ttng::TMEMLoadOp::create(builder, loc, type, memory);
    }
    if (auto convert = dyn_cast_or_null<ttg::ConvertLayoutOp>(op))
      return dependent.contains(op)
                 ? builder.createOrFold<ttg::ConvertLayoutOp>(loc, type, take(convert.getSrc(), ofLoadedParts))
                 : take(convert.getSrc(), encoding);
    Attribute forOperands = getOperandEncoding(op, encoding);
    if (!forOperands || !llvm::all_of(op->getOperands(), [&](Value operand) { return canTake(operand, forOperands); }))
      return extent == Extent::Rows ? builder.createOrFold<ttg::ConvertLayoutOp>(loc, type, value)
                                    : loadFromShared(value, type);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(take(operand, forOperands));
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(type);
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
    if (auto range = dyn_cast<tt::MakeRangeOp>(clone); range && extent == Extent::Columns) {
      range.setStart(range.getStart() + part * columns);
      range.setEnd(range.getStart() + columns);
    }
    return clone->getResult(0);
  }

  /// Returns the part of `value`, a vector along the columns, that is encoded as `type`.
  Value loadFromShared(Value value, RankedTensorType type) {
    Location loc = value.getLoc();
    auto vector = cast<RankedTensorType>(value.getType());
    SmallVector<unsigned> order = {0};
    SmallVector<int32_t> offsets = {int32_t(part * columns)};
    if (vector.getRank() == 2) {
      order = {1, 0};
      offsets.insert(offsets.begin(), 0);
    }
    auto encoding = ttg::SwizzledSharedEncodingAttr::get(builder.getContext(), /*vec=*/1, /*perPhase=*/1,
                                                         /*maxPhase=*/1, order);
    auto space = ttg::SharedMemorySpaceAttr::get(builder.getContext());
    Value &memory = inShared[value];
    if (!memory)
      memory = ttg::LocalAllocOp::create(
          builder, loc, ttg::MemDescType::get(vector.getShape(), vector.getElementType(), encoding, space), value,
          IntegerAttr());
    auto ofPart = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding, space,
                                        /*mutableMemory=*/false, vector.getShape());
    Value partly = ttg::MemDescSubsliceOp::create(builder, loc, ofPart, memory, offsets);
    return ttg::LocalLoadOp::create(builder, loc, type, partly, Value());
  }

  tt::StoreOp store;
  OpBuilder builder;
  ArrayRef<int64_t> shape;
  int64_t columns = 0, part = 0; ///< the columns of a part, and the number of the current part
  ttg::BlockedEncodingAttr ofLoads;
  Attribute ofLoadedParts, ofStoredParts;
  DenseSet<Operation *> visited;
  llvm::SetVector<Operation *> dependent;
  llvm::SetVector<ttng::TMEMLoadOp> loads;
  using Parts = DenseMap<std::pair<Value, Attribute>, Value>;
  Parts ofAllParts, ofPart;
  DenseMap<std::pair<Value, Attribute>, bool> takeable;
  DenseMap<Value, Value> inShared;
};

struct StoreByColumns : tilecc::impl::TritonNvidiaGPUStoreByColumnsBase<StoreByColumns> {
  void runOnOperation() override {
    SmallVector<tt::StoreOp> stores;
    getOperation().walk([&](tt::StoreOp store) { stores.push_back(store); });
    for (tt::StoreOp store : stores)
      if (DividedStore divided(store); divided.analyze())
        divided.run();
  }
};

} // namespace
