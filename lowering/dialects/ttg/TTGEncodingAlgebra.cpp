//===- TTGEncodingAlgebra.cpp - derived encodings -----------------------------------------------------------------===//
//
// Implements tt's EncodingAlgebra for these encodings: slices when axes are removed or inserted, the encoding of a
// given layout, and the operands of dots.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static const Dim placesInBlock[] = {Dim::Register, Dim::Lane, Dim::Warp};

/// Returns the map from each block to its part of a tile, if the parts in `layout` are contiguous. Returns nothing
/// otherwise.
static std::optional<LinearLayout> blocksOf(const LinearLayout &layout) {
  unsigned blocks = layout.getInBits(Dim::Block);
  if (!blocks)
    return LinearLayout();
  LinearLayout::Extents outs;
  for (LinearLayout::Extent out : layout.getOuts()) {
    uint32_t selecting = 0;
    for (unsigned bit = 0; bit < blocks; ++bit)
      selecting |= layout.getBasis(Dim::Block, bit, out.dim);
    unsigned count = llvm::popcount(selecting);
    if (selecting != ((1u << count) - 1) << (out.bits - count))
      return std::nullopt;
    outs.push_back({out.dim, count});
  }
  SmallVector<uint64_t> columns;
  for (unsigned bit = 0; bit < blocks; ++bit) {
    uint64_t column = 0;
    unsigned shift = 0;
    for (auto [part, out] : llvm::zip_equal(outs, layout.getOuts())) {
      column |= uint64_t(layout.getBasis(Dim::Block, bit, out.dim) >> (out.bits - part.bits)) << shift;
      shift += part.bits;
    }
    columns.push_back(column);
  }
  return LinearLayout({{Dim::Block, blocks}}, outs, columns);
}

/// Returns the blocked encoding with layout `layout`, if its columns have that form.
static Attribute asBlocked(MLIRContext *context, const LinearLayout &layout, ArrayRef<int64_t> shape) {
  std::optional<LinearLayout> blocks = blocksOf(layout);
  if (!blocks)
    return {};
  unsigned rank = shape.size();
  llvm::SmallSetVector<unsigned, 4> order;
  SmallVector<unsigned> sizes[3], covered(rank, 1);
  for (auto [level, dim] : llvm::enumerate(placesInBlock)) {
    sizes[level].assign(rank, 1);
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      unsigned d = 0;
      while (d < rank && layout.getBasis(dim, bit, axis(d)) != covered[d])
        ++d;
      if (d == rank) {
        if (dim != Dim::Register)
          return {};
        break; // from here on, registers repeat the pattern
      }
      order.insert(d);
      sizes[level][d] *= 2;
      covered[d] *= 2;
    }
  }
  for (unsigned d = rank; d-- > 0;)
    order.insert(d);
  auto blocked = BlockedEncodingAttr::get(context, sizes[0], sizes[1], sizes[2], order.getArrayRef(), *blocks);
  return blocked.toLinearLayout(shape).removeZeroBases(Dim::Register) == layout ? Attribute(blocked) : Attribute();
}

/// Returns an encoding of tiles of `shape` with that layout, a blocked encoding if possible.
static Attribute encodingFor(MLIRContext *context, const LinearLayout &layout, ArrayRef<int64_t> shape) {
  if (Attribute blocked = asBlocked(context, layout, shape))
    return blocked;
  return LinearEncodingAttr::get(context, layout);
}

namespace {

struct Algebra : tt::EncodingAlgebra {
  using EncodingAlgebra::EncodingAlgebra;

  Attribute removeAxis(Attribute encoding, unsigned axis) const override {
    auto layout = dyn_cast<LayoutEncoding>(encoding);
    return layout && layout.getRank() > 1 ? SliceEncodingAttr::get(encoding.getContext(), axis, encoding) : Attribute();
  }

  Attribute insertAxis(Attribute encoding, unsigned axis) const override {
    auto slice = dyn_cast<SliceEncodingAttr>(encoding);
    return slice && slice.getDim() == axis ? slice.getParent() : Attribute();
  }

  Attribute transform(Attribute encoding, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                      Transform transform) const override {
    LinearLayout layout = cast<LayoutEncoding>(encoding).toLinearLayout(from).removeZeroBases(Dim::Register);
    std::optional<LinearLayout> transformed = transform(layout);
    return transformed ? encodingFor(encoding.getContext(), *transformed, to) : Attribute();
  }

  bool isInOrder(Attribute encoding) const override {
    while (auto slice = dyn_cast<SliceEncodingAttr>(encoding))
      encoding = slice.getParent();
    return isa<BlockedEncodingAttr>(encoding);
  }

  /// Verifies that either both operands are encoded as operands of this dot, or both have arbitrary layouts and pass
  /// through shared memory.
  LogicalResult verifyDot(tt::DotOp dot) const override {
    Attribute parent = dot.getType().getEncoding();
    DotOperandEncodingAttr encodings[2];
    for (unsigned i : {0, 1})
      encodings[i] =
          dyn_cast<DotOperandEncodingAttr>(cast<RankedTensorType>(dot->getOperand(i).getType()).getEncoding());
    if (!encodings[0] && !encodings[1] && isa<BlockedEncodingAttr>(parent))
      return success();
    for (unsigned i : {0, 1})
      if (!encodings[i] || encodings[i].getOpIdx() != i || encodings[i].getParent() != parent)
        return dot.emitOpError() << "needs operand " << i << " encoded as operand " << i << " of the result's layout";
    if (encodings[0].getKWidth() != encodings[1].getKWidth())
      return dot.emitOpError() << "needs one kWidth for both operands, and has " << encodings[0].getKWidth() << " and "
                               << encodings[1].getKWidth();
    return success();
  }
};

} // namespace

void TTGDialect::addEncodingAlgebra() { addInterfaces<Algebra>(); }
