//===- TTGMovement.cpp - what reshapes, transpositions, joins and splits do to layouts -------------------------------===//
//
// To rename the coordinates of a tile is to rename the outputs of its layout: no element moves. A reshape cuts the bits of
// an element's row-major number elsewhere, a transposition orders the axes anew, a join puts a register bit in front that
// selects the side, and a split removes that bit. So these operations are free in any layout of their operands, but that a
// split needs both sides in one thread.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static const Dim places[] = {Dim::Register, Dim::Lane, Dim::Warp};

static LinearLayout::Extents extentsOf(ArrayRef<int64_t> shape) {
  LinearLayout::Extents extents;
  for (auto [d, size] : llvm::enumerate(shape))
    extents.push_back({axis(d), llvm::Log2_64(size)});
  return extents;
}

static LinearLayout reshaped(const LinearLayout &layout, ArrayRef<int64_t> shape) {
  // The first output owns the lowest bits, the last axis the lowest of an element's number.
  SmallVector<Dim> before, after;
  for (unsigned d = layout.getOuts().size(); d-- > 0;)
    before.push_back(axis(d));
  for (unsigned d = 0; d < shape.size(); ++d)
    after.push_back(axis(d));
  LinearLayout::Extents outs(llvm::reverse(extentsOf(shape)));
  return layout.transpose(places, before).reshapeOuts(outs).transpose(places, after);
}

static LinearLayout transposed(const LinearLayout &layout, ArrayRef<int32_t> order) {
  SmallVector<Dim> outs;
  LinearLayout::Extents renamed;
  for (auto [to, from] : llvm::enumerate(order)) {
    outs.push_back(axis(from));
    renamed.push_back({axis(to), layout.getOutBits(axis(from))});
  }
  return layout.transpose(places, outs).reshapeOuts(renamed);
}

static LinearLayout joined(const LinearLayout &layout) {
  SmallVector<Dim> natural;
  for (unsigned d = 0; d <= layout.getOuts().size(); ++d)
    natural.push_back(axis(d));
  LinearLayout side = LinearLayout::identity(1, Dim::Register, natural.back());
  return (side * layout).transpose(places, natural);
}

static std::optional<LinearLayout> split(const LinearLayout &layout) {
  unsigned last = layout.getOuts().size() - 1, selecting = 0;
  SmallVector<Dim> kept;
  for (unsigned d = 0; d < last; ++d)
    kept.push_back(axis(d));
  for (Dim dim : places)
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      if (!layout.getBasis(dim, bit, axis(last)))
        continue;
      bool isAlone = dim == Dim::Register;
      for (Dim other : kept)
        isAlone &= layout.getBasis(dim, bit, other) == 0;
      if (!isAlone || ++selecting > 1)
        return std::nullopt;
    }
  return layout.sublayout(places, kept).removeZeroBases(Dim::Register);
}

std::optional<LinearLayout> ttg::moveLayout(Operation *op, const LinearLayout &operand) {
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return reshaped(operand, reshape.getType().getShape());
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return transposed(operand, trans.getOrder());
  if (isa<tt::JoinOp>(op))
    return joined(operand);
  return split(operand);
}

std::optional<LinearLayout> ttg::moveLayoutBack(Operation *op, const LinearLayout &result) {
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return reshaped(result, reshape.getSrc().getType().getShape());
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    SmallVector<int32_t> order(trans.getOrder().size());
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      order[from] = to;
    return transposed(result, order);
  }
  if (isa<tt::JoinOp>(op))
    return split(result);
  return joined(result);
}

/// The blocked encoding whose layout is `layout`, if there is one that can be read off its columns.
static Attribute asBlocked(MLIRContext *context, const LinearLayout &layout, ArrayRef<int64_t> shape) {
  unsigned rank = shape.size();
  llvm::SmallSetVector<unsigned, 4> order;
  SmallVector<unsigned> sizes[3], covered(rank, 1);
  for (auto [level, dim] : llvm::enumerate(places)) {
    sizes[level].assign(rank, 1);
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      unsigned d = 0;
      while (d < rank && layout.getBasis(dim, bit, axis(d)) != covered[d])
        ++d;
      if (d == rank) {
        if (dim != Dim::Register)
          return {};
        break; // from here on registers repeat the pattern
      }
      order.insert(d);
      sizes[level][d] *= 2;
      covered[d] *= 2;
    }
  }
  for (unsigned d = rank; d-- > 0;)
    order.insert(d);
  auto blocked = BlockedEncodingAttr::get(context, sizes[0], sizes[1], sizes[2], order.getArrayRef());
  return blocked.toLinearLayout(shape).removeZeroBases(Dim::Register) == layout ? Attribute(blocked) : Attribute();
}

Attribute ttg::encodingFor(MLIRContext *context, const LinearLayout &layout, ArrayRef<int64_t> shape) {
  if (Attribute blocked = asBlocked(context, layout, shape))
    return blocked;
  return LinearEncodingAttr::get(context, layout);
}
