//===- PartialReductions.cpp - reductions within threads ----------------------------------------------------------===//
//
// If a thread holds several adjacent elements along the reduced axis, the tile is reshaped so that these elements have
// an axis of their own. A reduction along this axis stays within threads and needs neither shuffles nor shared memory.
// Loops that accumulate carry these partial results.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/PartialReductions.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilecc;

std::optional<uint64_t> tilecc::getBitsOfThreads(tt::ReduceOp reduce) {
  LinearLayout layout = ttg::toLinearLayout(cast<RankedTensorType>(reduce.getSrcs()[0].getType()));
  uint64_t ofThreads = 0;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      uint32_t step = layout.getBasis(dim, bit, axis(reduce.getAxis()));
      if (step && !llvm::isPowerOf2_32(step))
        return std::nullopt;
      if (dim != Dim::Register)
        ofThreads |= step;
    }
  return ofThreads;
}

Value tilecc::createReduce(OpBuilder &builder, tt::ReduceOp like, Value source, unsigned along) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + along);
  Type reduced = type.getElementType();
  if (!shape.empty())
    reduced = RankedTensorType::get(shape, reduced,
                                    ttg::SliceEncodingAttr::get(type.getContext(), along, type.getEncoding()));
  IRMapping mapping;
  mapping.map(like.getSrcs()[0], source);
  auto reduce = cast<tt::ReduceOp>(builder.clone(*like, mapping));
  reduce.setAxis(along);
  reduce.getResult()[0].setType(reduced);
  return reduce.getResult()[0];
}

Value tilecc::createReduceWithinThreads(OpBuilder &builder, tt::ReduceOp reduce, uint64_t ofThreads) {
  Value source = reduce.getSrcs()[0];
  unsigned along = reduce.getAxis();
  auto type = cast<RankedTensorType>(source.getType());
  // Split the axis into several: one for each sequence of coordinate bits that lane and warp determine, and one for
  // each sequence of bits that the register determines.
  SmallVector<int64_t> runs;
  SmallVector<bool> isThreads;
  for (unsigned bit = llvm::Log2_64(type.getDimSize(along)); bit-- > 0;) {
    bool isTheirs = ofThreads >> bit & 1;
    if (isThreads.empty() || isThreads.back() != isTheirs) {
      isThreads.push_back(isTheirs);
      runs.push_back(1);
    }
    runs.back() *= 2;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + along);
  shape.insert(shape.begin() + along, runs.begin(), runs.end());
  auto reshape = [&](Value tile, ArrayRef<int64_t> to) -> Value {
    auto from = cast<RankedTensorType>(tile.getType());
    if (from.getShape() == to)
      return tile;
    auto bare = RankedTensorType::get(to, from.getElementType());
    auto op = tt::ReshapeOp::create(builder, reduce.getLoc(), bare, tile, /*allow_reorder=*/false,
                                    /*efficient_layout=*/false);
    LinearLayout layout = *op.transformLayout(ttg::toLinearLayout(from));
    op.getResult().setType(bare.cloneWithEncoding(ttg::LinearEncodingAttr::get(builder.getContext(), layout)));
    return op;
  };
  Value part = reshape(source, shape);
  for (unsigned run = runs.size(); run-- > 0;)
    if (!isThreads[run])
      part = createReduce(builder, reduce, part, along + run);
  // If lane and warp determine several sequences of bits, merge their axes into one again.
  SmallVector<int64_t> left(type.getShape());
  left[along] = int64_t(1) << llvm::popcount(ofThreads);
  return reshape(part, left);
}
