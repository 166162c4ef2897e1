//===- LoopSlice.cpp - recomputes values of a loop in another loop ------------------------------------------------===//
//
// This implements the class that the header describes. Scalars from outside the loop are captured; tiles are
// recomputed.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/LoopSlice.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Returns true if neither `op` nor its regions use tiles. Such a branch is cloned as a whole.
static bool isOfScalars(Operation *op) {
  return !op->walk([](Operation *inner) {
              bool hasTiles = llvm::any_of(inner->getOperands(), isTile) || llvm::any_of(inner->getResults(), isTile);
              return hasTiles ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

bool LoopSlice::add(Value value) {
  if (computed.contains(value))
    return true;
  if (!getType(value.getType()))
    return false;
  if (!isTile(value) && (isInPlace || !isInside(value))) {
    if (!matchPattern(value, m_Constant()))
      captures.insert(value);
    return true;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != loop.getBody())
      return false;
    computed.insert(value);
    if (argument == loop.getInductionVar())
      return true;
    carried.push_back(argument.getArgNumber() - 1);
    return add(loop.getTiedLoopInit(argument)->get()) && add(loop.getTiedLoopYieldedValue(argument)->get());
  }
  Operation *op = value.getDefiningOp();
  if (!isRepeatable(op) || (op->getNumRegions() && !isOfScalars(op)) || (isInside(value) && op->getParentOp() != loop))
    return false;
  if (warps == 0 && !isTile(value) && llvm::any_of(op->getOperands(), isTile))
    return false; // the scalar may depend on more than the first element of a tile
  computed.insert(value);
  bool added = true;
  forEachInput(op, [&](Value input) { added = added && add(input); });
  return added;
}

SmallVector<Value> LoopSlice::createInits(OpBuilder &builder, IRMapping &mapping) {
  for (Value value : computed)
    if (!isInside(value))
      create(builder, value, mapping);
  SmallVector<Value> inits;
  for (unsigned number : carried)
    inits.push_back(create(builder, loop.getInitArgs()[number], mapping));
  return inits;
}

void LoopSlice::mapCarried(ValueRange arguments, IRMapping &mapping) {
  for (auto [number, argument] : llvm::zip_equal(carried, arguments))
    mapping.map(loop.getRegionIterArg(number), argument);
}

SmallVector<Value> LoopSlice::createYields(OpBuilder &builder, IRMapping &mapping) {
  SmallVector<Value> yields;
  for (unsigned number : carried)
    yields.push_back(create(builder, loop.getYieldedValues()[number], mapping));
  return yields;
}

Value LoopSlice::create(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (warps == 0) {
    if (isInPlace)
      mapScalars(value, mapping);
    return createFirstElement(builder, value, mapping);
  }
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  forEachInput(op, [&](Value input) { create(builder, input, mapping); });
  Operation *clone = builder.clone(*op, mapping);
  for (Value result : clone->getResults())
    result.setType(getType(result.getType()));
  if (auto constant = dyn_cast<arith::ConstantOp>(clone))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      constant.setValueAttr(splat.resizeSplat(cast<ShapedType>(constant.getType())));
  return mapping.lookup(value);
}

Type LoopSlice::getType(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || warps == 0)
    return getElementTypeOrSelf(type);
  Attribute encoding = getEncoding(tile.getEncoding());
  return encoding ? RankedTensorType::get(tile.getShape(), tile.getElementType(), encoding) : Type();
}

Attribute LoopSlice::getEncoding(Attribute encoding) {
  if (auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding)) {
    Attribute parent = getEncoding(slice.getParent());
    return parent ? ttg::SliceEncodingAttr::get(encoding.getContext(), slice.getDim(), parent) : Attribute();
  }
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(encoding);
  if (!blocked)
    return {};
  // Reduce the number of warps along the slowest axes first, so that the accesses of each warp do not change.
  SmallVector<unsigned> along(blocked.getWarpsPerCTA());
  unsigned all = llvm::product_of(along);
  for (unsigned axis : llvm::reverse(blocked.getOrder()))
    while (all > warps && along[axis] > 1)
      along[axis] /= 2, all /= 2;
  along[blocked.getOrder().back()] *= warps / all;
  return ttg::BlockedEncodingAttr::get(encoding.getContext(), blocked.getSizePerThread(), blocked.getThreadsPerWarp(),
                                       along, blocked.getOrder());
}
