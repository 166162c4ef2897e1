//===- Distribution.cpp - distributes a tile over the thread blocks of a cluster ----------------------------------===//
//
// This file implements distributions. DistributionRules.cpp relates the distributions of operands and results.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/Distribution.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

std::optional<Distribution> Distribution::read(const LinearLayout &layout, unsigned bits) {
  unsigned blockBits = layout.getInBits(Dim::Block);
  if (!blockBits)
    return copies(bits);
  if (blockBits != bits)
    return std::nullopt;
  // For each axis, the lowest bit of a position that no bit of the block rank has selected so far.
  SmallVector<unsigned> next;
  for (LinearLayout::Extent out : layout.getOuts()) {
    next.push_back(out.bits);
    for (unsigned bit = 0; bit < bits; ++bit)
      next.back() -= layout.getBasis(Dim::Block, bit, out.dim) != 0;
  }
  SmallVector<int32_t> axes;
  for (unsigned bit = 0; bit < bits; ++bit) {
    int32_t divided = Copies;
    for (unsigned d = 0; d < next.size(); ++d)
      if (uint32_t basis = layout.getBasis(Dim::Block, bit, axis(d))) {
        if (divided != Copies || basis != 1u << next[d]++)
          return std::nullopt;
        divided = d;
      }
    axes.push_back(divided);
  }
  return Distribution(axes);
}

uint32_t Distribution::getBits(int32_t axis) const {
  uint32_t bits = 0;
  for (auto [bit, divided] : llvm::enumerate(axes))
    bits |= uint32_t(divided == axis) << bit;
  return bits;
}

Distribution Distribution::mapAxes(function_ref<int32_t(int32_t)> function) const {
  return Distribution(llvm::map_to_vector(axes, [&](int32_t axis) { return axis < 0 ? axis : function(axis); }));
}

Distribution Distribution::without(int32_t axis) const {
  return mapAxes([&](int32_t divided) { return divided == axis ? int32_t(Copies) : divided; });
}

bool Distribution::fits(ArrayRef<int64_t> shape) const {
  return llvm::all_of(axes, [&](int32_t axis) {
    return axis < 0 || (axis < int32_t(shape.size()) && shape[axis] >> llvm::popcount(getBits(axis)) > 0);
  });
}

SmallVector<int64_t> Distribution::getPart(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> part(shape);
  for (int32_t axis : axes)
    if (axis >= 0)
      part[axis] /= 2;
  return part;
}

static Attribute getPartEncoding(Attribute encoding) {
  if (auto layout = dyn_cast_or_null<ttg::LayoutEncoding>(encoding))
    return layout.getPartEncoding();
  auto shared = dyn_cast_or_null<ttg::SharedEncoding>(encoding);
  return shared ? shared.getPartEncoding() : encoding;
}

Type Distribution::getPart(Type type) const {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(getPart(tile.getShape()), tile.getElementType(), getPartEncoding(tile.getEncoding()));
  if (auto desc = dyn_cast<tt::TensorDescType>(type))
    return tt::TensorDescType::get(cast<RankedTensorType>(getPart(desc.getBlockType())));
  if (auto memory = dyn_cast<ttg::MemDescType>(type)) {
    auto partOf = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> tile) { // leading axes count slots
      SmallVector<int64_t> part(shape.drop_back(tile.size()));
      llvm::append_range(part, getPart(tile));
      return part;
    };
    return ttg::MemDescType::get(partOf(memory.getShape(), memory.getTileShape()), memory.getElementType(),
                                 getPartEncoding(memory.getEncoding()), memory.getMemorySpace(),
                                 memory.getMutableMemory(), partOf(memory.getAllocShape(), memory.getAllocTileShape()));
  }
  return type;
}

std::optional<ArrayRef<int64_t>> tilecc::getDistributedShape(Type type) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return tile.getShape();
  if (auto desc = dyn_cast<tt::TensorDescType>(type))
    return desc.getBlockType().getShape();
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return memory.getTileShape();
  return std::nullopt;
}

std::optional<LinearLayout> tilecc::getDistributedLayout(Type type) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type))
    return ttg::toLinearLayout(memory);
  auto tile = dyn_cast<RankedTensorType>(type);
  if (auto desc = dyn_cast<tt::TensorDescType>(type))
    tile = desc.getBlockType();
  if (!tile)
    return std::nullopt;
  if (auto shared = dyn_cast_or_null<ttg::SharedEncoding>(tile.getEncoding()))
    return shared.toLinearLayout(tile.getShape());
  return tile.getEncoding() ? std::optional(ttg::toLinearLayout(tile)) : std::nullopt;
}
