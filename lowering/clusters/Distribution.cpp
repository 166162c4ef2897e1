//===- Distribution.cpp - which part of a tile each thread block of a cluster has ----------------------------------===//
//
// Operations that work on elements in the same place want all tiles distributed alike. For the others, the rule stands
// here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

std::optional<Distribution> Distribution::read(const LinearLayout &layout, unsigned bits) {
  unsigned blockBits = layout.getInBits(Dim::Block);
  if (!blockBits)
    return copies(bits);
  if (blockBits != bits)
    return std::nullopt;
  // Along each axis, the lowest bit of a position that none of the blocks' bits has selected so far.
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
    auto partOf = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> tile) { // axes in front count tiles
      SmallVector<int64_t> part(shape.drop_back(tile.size()));
      llvm::append_range(part, getPart(tile));
      return part;
    };
    return ttg::MemDescType::get(partOf(memory.getShape(), memory.getTileShape()), memory.getElementType(),
                                 getPartEncoding(memory.getEncoding()), memory.getMemorySpace(), memory.getMutableMemory(),
                                 partOf(memory.getAllocShape(), memory.getAllocTileShape()));
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

//===--- the rules ------------------------------------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getShape(); }

/// How a tile of shape `to` is distributed so that blocks have the same elements of it, in row-major order, as of one
/// of shape `from` that is distributed as `given`: what halves an axis has to halve one of the other shape.
static std::optional<Distribution> reshape(const Distribution &given, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  // The bits of an element's number, and which of them are the rank's.
  SmallVector<int32_t> rankBits(llvm::Log2_64(ShapedType::getNumElements(from)), -1);
  auto forEachDivided = [](ArrayRef<int64_t> shape, auto function) {
    unsigned low = 0;
    for (int32_t axis = shape.size(); axis-- > 0;) {
      unsigned bits = llvm::Log2_64(shape[axis]);
      function(axis, low, low + bits);
      low += bits;
    }
  };
  forEachDivided(from, [&](int32_t axis, unsigned, unsigned high) {
    uint32_t bits = given.getBits(axis);
    for (unsigned place = high - llvm::popcount(bits); bits; bits &= bits - 1)
      rankBits[place++] = llvm::countr_zero(bits);
  });
  SmallVector<int32_t> axes(given.getAxes());
  bool fits = true;
  forEachDivided(to, [&](int32_t axis, unsigned low, unsigned high) {
    int32_t last = -1;
    for (unsigned place = low; place < high; ++place) {
      int32_t bit = rankBits[place];
      fits &= bit > last || (bit < 0 && last < 0); // the uppermost of an axis, in the order of the rank's
      if (bit >= 0)
        axes[bit] = axis;
      last = bit;
    }
  });
  return fits ? std::optional(Distribution(axes)) : std::nullopt;
}

std::optional<SmallVector<Distribution>> tilecc::getOperandDistributions(Operation *op, const Distribution &result) {
  using Result = std::optional<SmallVector<Distribution>>;
  auto all = [&](const Distribution &operand) { return SmallVector<Distribution>(op->getNumOperands(), operand); };
  auto unless = [&](bool crosses, const Distribution &operand) { return crosses ? Result() : Result(all(operand)); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp constant) { // a part of listed elements would depend on the block
        auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
        return unless(elements && !elements.isSplat() && result != Distribution::copies(result.getAxes().size()), result);
      })
      .Case([&](tt::ExpandDimsOp expand) {
        int32_t axis = expand.getAxis();
        return all(result.mapAxes([&](int32_t divided) { return divided - (divided > axis); }));
      })
      .Case([&](tt::BroadcastOp broadcast) {
        ArrayRef<int64_t> shape = shapeOf(broadcast.getSrc());
        return all(
            result.mapAxes([&](int32_t axis) { return shape[axis] == 1 ? int32_t(Distribution::Copies) : axis; }));
      })
      .Case(
          [&](tt::TransOp trans) { return all(result.mapAxes([&](int32_t axis) { return trans.getOrder()[axis]; })); })
      .Case([&](tt::ReshapeOp op) -> Result {
        auto operand = reshape(result, shapeOf(op.getResult()), shapeOf(op.getSrc()));
        return operand ? Result(all(*operand)) : std::nullopt;
      })
      .Case([&](tt::JoinOp join) { return unless(result.divides(shapeOf(join.getResult()).size() - 1), result); })
      .Case([&](tt::ReduceOp reduce) {
        int32_t axis = reduce.getAxis();
        return all(result.mapAxes([&](int32_t divided) { return divided + (divided >= axis); }));
      })
      .Case([&](tt::ScanOp scan) { return unless(result.divides(scan.getAxis()), result); })
      .Case([&](tt::GatherOp gather) { return unless(result.divides(gather.getAxis()), result); })
      .Case([&](tt::HistogramOp) { return unless(result != Distribution::copies(result.getAxes().size()), result); })
      .Case<tt::DotOp, ttng::WarpGroupDotOp>([&](auto dot) {
        int32_t rank = shapeOf(dot.getD()).size();
        SmallVector<Distribution> operands = all(result);
        operands[0] = result.without(rank - 1);
        operands[1] = result.without(rank - 2);
        return operands;
      })
      .Case<tt::DescriptorGatherOp, tt::DescriptorScatterOp>([&](auto access) {
        SmallVector<Distribution> operands = all(result);
        operands[0] = result.without(0); // the block has one row
        operands[1] = result.without(1);
        return operands;
      })
      .Default([&](Operation *) { return all(result); });
}

std::optional<Distribution> tilecc::getResultDistribution(Operation *op, unsigned number, const Distribution &operand) {
  using Result = std::optional<Distribution>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](tt::ExpandDimsOp expand) {
        int32_t axis = expand.getAxis();
        return operand.mapAxes([&](int32_t divided) { return divided + (divided >= axis); });
      })
      .Case([&](tt::BroadcastOp) { // who uses copies broadcast may want any part of the result, which it then is at once
        return llvm::is_contained(operand.getAxes(), int32_t(Distribution::Copies)) ? Result() : Result(operand);
      })
      .Case([&](tt::TransOp trans) {
        return operand.mapAxes(
            [&](int32_t axis) -> int32_t { return llvm::find(trans.getOrder(), axis) - trans.getOrder().begin(); });
      })
      .Case([&](tt::ReshapeOp op) { return reshape(operand, shapeOf(op.getSrc()), shapeOf(op.getResult())); })
      .Case([&](tt::SplitOp split) {
        return operand.divides(shapeOf(split.getSrc()).size() - 1) ? Result() : Result(operand);
      })
      .Case([&](tt::ReduceOp reduce) {
        int32_t axis = reduce.getAxis();
        return operand.without(axis).mapAxes([&](int32_t divided) { return divided - (divided > axis); });
      })
      .Case([&](tt::ScanOp scan) { return operand.divides(scan.getAxis()) ? Result() : Result(operand); })
      .Case([&](tt::GatherOp gather) { return operand.divides(gather.getAxis()) ? Result() : Result(operand); })
      .Case<tt::DotOp, ttng::WarpGroupDotOp>([&](auto) { return number == 2 ? Result(operand) : Result(); })
      .Case<tt::HistogramOp, tt::DescriptorGatherOp, tt::DescriptorScatterOp>([](auto) { return Result(); })
      .Default([&](Operation *) { return Result(operand); });
}
