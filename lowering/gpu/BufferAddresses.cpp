//===- BufferAddresses.cpp - addresses as a common base and offsets of 32 bits ------------------------------------===//
//
// Some GPUs access global memory through a buffer: a base address that all threads share, and bounds. A thread adds an
// offset of 32 bits. If it is out of bounds, loads return 0 and stores do nothing, so an offset that is out of bounds
// serves as a mask, without a branch:
//
//     for ... { if (mask) *p = x; p += n; ... }                 // p: 64 bits in each thread
//     for ... { buffer(base)[mask ? offset : 2^31] = x; base += n; ... }
//
// All addresses of a tile must be within 2^31 bytes of its first address. This is known if the strides are constants,
// or arguments with a limit (tt.at_most). The base is the first address of the tile, which scalar code computes; it is
// not in general an argument, whose distance may be larger.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/CarriedValues.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/gpu/Lowering.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

//===--- which accesses use buffers -------------------------------------------------------------------------------===//

static constexpr int64_t maxSpan = int64_t(1) << 31;

/// Returns the pointers of an access that needs a predicate, or null for other operations.
static Value getPredicatedPointers(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getMask() && !load.getIsVolatile() ? load.getPtr() : Value();
  auto store = dyn_cast<tt::StoreOp>(op);
  auto type = store ? dyn_cast<RankedTensorType>(store.getPtr().getType()) : nullptr;
  if (!type)
    return {};
  LinearLayout layout = ttg::toLinearLayout(type);
  bool hasCopies = layout.getFreeBits(Dim::Lane) || layout.getFreeBits(Dim::Warp);
  return store.getMask() || hasCopies ? store.getPtr() : Value();
}

/// Returns the largest value of a stride whose smallest value is at least 0, or nothing if it is not known.
static std::optional<int64_t> getLargest(const Stride &stride) {
  if (stride.factor < 0)
    return std::nullopt;
  if (!stride.value)
    return stride.factor;
  auto argument = dyn_cast<BlockArgument>(stride.value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  auto limit = func ? func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tt::atMostAttr) : IntegerAttr();
  int64_t product;
  if (!limit || llvm::MulOverflow(stride.factor, limit.getInt(), product))
    return std::nullopt;
  return product;
}

static bool fitsBuffer(RankedTensorType type, ArrayRef<Stride> strides) {
  int64_t last = 0, elementBytes = getBytesInMemory(tt::getPointeeType(type.getElementType()));
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    std::optional<int64_t> largest = getLargest(stride);
    if (!largest || *largest > maxSpan)
      return false;
    last += *largest * (type.getDimSize(axis) - 1); // tiles are small, so the sum does not overflow
  }
  return last < maxSpan / elementBytes && registersAreDisjoint(ttg::toLinearLayout(type));
}

namespace {
/// Creates the scalar code that computes the first elements of tiles, each in front of the tile's operation.
class FirstElements {
public:
  explicit FirstElements(MLIRContext *context) : builder(context) {}

  /// Makes control flow carry the first elements of all tiles from which `tile` is computed, as far as it carries the
  /// tiles.
  void carry(Value tile) {
    llvm::SetVector<Value> reached;
    reached.insert(tile);
    SmallVector<BlockArgument> added;
    for (unsigned i = 0; i < reached.size(); ++i) { // `reached` grows
      Value value = reached[i];
      if (!isa<RankedTensorType>(value.getType()) || mapping.contains(value))
        continue;
      if (Operation *op = value.getDefiningOp()) {
        reached.insert_range(op->getOperands());
        continue;
      }
      auto argument = cast<BlockArgument>(value);
      mapping.map(value, argument.getOwner()->addArgument(getElementTypeOrSelf(value), value.getLoc()));
      added.push_back(argument);
      reached.insert_range(getIncoming(value));
    }
    for (BlockArgument argument : added) {
      llvm::SetVector<Block *> predecessors(argument.getOwner()->pred_begin(), argument.getOwner()->pred_end());
      for (Block *predecessor : predecessors) {
        auto branch = cast<BranchOpInterface>(predecessor->getTerminator());
        for (unsigned i = 0; i < predecessor->getNumSuccessors(); ++i)
          if (predecessor->getSuccessor(i) == argument.getOwner()) {
            SuccessorOperands operands = branch.getSuccessorOperands(i);
            operands.append(get(operands[argument.getArgNumber()]));
          }
      }
    }
  }

  Value get(Value tile) {
    if (Value known = mapping.lookupOrNull(tile))
      return known;
    if (!isa<RankedTensorType>(tile.getType())) {
      mapping.map(tile, tile);
      return tile;
    }
    Operation *op = tile.getDefiningOp();
    for (Value operand : op->getOperands())
      get(operand);
    builder.setInsertionPoint(op);
    return createFirstElement(builder, tile, mapping);
  }

private:
  OpBuilder builder;
  IRMapping mapping;
};
} // namespace

BufferTiles tilecc::createBufferTiles(ModuleOp module) {
  llvm::SmallMapVector<Value, SmallVector<Stride>, 8> found;
  module.walk([&](Operation *op) {
    Value pointers = getPredicatedPointers(op);
    auto type = pointers ? dyn_cast<RankedTensorType>(pointers.getType()) : nullptr;
    std::optional<SmallVector<Stride>> strides = type ? getStrides(pointers) : std::nullopt;
    if (strides && fitsBuffer(type, *strides))
      found.insert({pointers, *strides});
  });
  FirstElements elements(module.getContext());
  for (auto &[pointers, strides] : found)
    elements.carry(pointers);
  BufferTiles tiles;
  for (auto &[pointers, strides] : found)
    tiles[pointers] = {elements.get(pointers), strides};
  return tiles;
}

//===--- addresses ------------------------------------------------------------------------------------------------===//

BufferAddresses::BufferAddresses(ConversionPatternRewriter &rewriter, Location loc, Value pointers,
                                 const BufferTile &tile, const LoweringContext &lowering)
    : rewriter(rewriter), loc(loc), tile(tile) {
  auto type = cast<RankedTensorType>(pointers.getType());
  layout = ttg::toLinearLayout(type);
  elementBytes = getBytesInMemory(tt::getPointeeType(type.getElementType()));
  base = rewriter.getRemappedValue(tile.base);
  ThreadPosition position = getThreadPosition(rewriter, loc, lowering.target);
  for (unsigned i = 0; i < tile.strides.size(); ++i)
    if (!tile.strides[i].isZero())
      ofThread = add(ofThread, scale(applyLayout(rewriter, loc, layout.sublayout({axis(i)}), position), i));
  if (!ofThread)
    ofThread = constantI32(rewriter, loc, 0);
}

Value BufferAddresses::add(Value sum, Value part) {
  return sum ? arith::AddIOp::create(rewriter, loc, sum, part).getResult() : part;
}

/// Returns the number of bytes by which `index` (i32) along an axis changes the address.
Value BufferAddresses::scale(Value index, unsigned axis) {
  const Stride &stride = tile.strides[axis];
  if (stride.value) {
    Value value = rewriter.getRemappedValue(stride.value);
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (bits > 32)
      value = arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), value);
    else if (bits < 32)
      value = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), value);
    index = arith::MulIOp::create(rewriter, loc, index, value);
  }
  return arith::MulIOp::create(rewriter, loc, index, constantI32(rewriter, loc, int32_t(stride.factor * elementBytes)));
}

BufferAddress BufferAddresses::get(unsigned reg) {
  BufferAddress address = {base, ofThread, {}, 0};
  unsigned variable = 0;
  SmallVector<int32_t> indices(tile.strides.size());
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Register); ++bit) {
    if (!(reg >> bit & 1))
      continue;
    for (auto [i, stride] : llvm::enumerate(tile.strides)) {
      uint32_t index = layout.getBasis(Dim::Register, bit, axis(i));
      if (!index || stride.isZero())
        continue;
      if (!stride.value) {
        address.constant += uint32_t(index * stride.factor * elementBytes);
        continue;
      }
      variable |= 1u << bit;
      indices[i] += index;
    }
  }
  if (!variable)
    return address;
  Value &part = ofRegisters[variable];
  if (!part)
    for (auto [number, index] : llvm::enumerate(indices))
      if (index)
        part = add(part, scale(constantI32(rewriter, loc, index), number));
  address.ofProgram = part;
  return address;
}
