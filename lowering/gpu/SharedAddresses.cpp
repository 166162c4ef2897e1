//===- SharedAddresses.cpp - addresses of a thread's elements in shared memory ------------------------------------===//
//
// The offset of an element is linear in its location (register, lane, warp). So an address consists of a part for lane
// and warp, which is computed once, and a constant for the register. If both parts have bits in common, as in swizzled
// rows, these bits are combined by XOR, once for each value of the common bits. The rest of a register's part is a
// displacement in the instruction.
//
// Padding is not linear, but it is a function of the whole offset. It is added separately to the displacement and to
// the combination of the thread's part and the common bits.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

LinearLayout tilecc::getOffsetsInShared(RankedTensorType tile, ttg::MemDescType memory) {
  LinearLayout inMemory = ttg::toLinearLayout(memory);
  return ttg::toLinearLayout(tile).extendOuts(inMemory.getOuts()).compose(inMemory.invert());
}

unsigned tilecc::getUnpaddedElements(ttg::MemDescType memory) {
  unsigned elements = 1u << ttg::toLinearLayout(memory).getTotalInBits();
  for (auto [run, padding] : cast<ttg::SharedEncoding>(memory.getEncoding()).getPaddedRuns())
    elements = std::min({elements, run, padding}); // all are powers of two
  return elements;
}

SharedAddresses::SharedAddresses(OpBuilder &builder, Location loc, const LinearLayout &places, ttg::MemDescType memory,
                                 SharedTile tile, const TargetInfo &target, Unit unit)
    : builder(builder), loc(loc), base(tile.base) {
  unsigned elementBytes = getBytesInMemory(memory.getElementType());
  unsigned scale = unit == Unit::Bytes ? elementBytes : 1;
  counted = builder.getIntegerType(8 * elementBytes / scale);
  for (auto [run, padding] : cast<ttg::SharedEncoding>(memory.getEncoding()).getPaddedRuns())
    paddedRuns.push_back({run * scale, padding * scale});
  SmallVector<uint64_t> columns;
  for (LinearLayout::Extent in : places.getIns())
    for (uint64_t column : places.getColumns(in.dim))
      columns.push_back(column * scale);
  layout = LinearLayout(LinearLayout::Extents(places.getIns()),
                        {{Dim::Offset, places.getTotalOutBits() + llvm::Log2_32(scale)}}, columns);
  thread = applyLayout(builder, loc, layout, getThreadPosition(builder, loc, target));
  if (matchPattern(tile.offset, m_Zero())) {
    for (Dim dim : {Dim::Lane, Dim::Warp})
      for (uint64_t column : layout.getColumns(dim))
        threadBits |= column;
  } else {
    Value moved = tile.offset;
    if (scale > 1)
      moved = arith::MulIOp::create(builder, loc, moved, constantI32(builder, loc, scale));
    thread = arith::XOrIOp::create(builder, loc, thread, moved);
    threadBits = ~uint64_t(0);
  }
}

Value SharedAddresses::get(unsigned reg) {
  uint64_t part = layout.apply(uint64_t(reg));
  Value &from = bases[part & threadBits];
  if (!from) {
    Value offset = thread;
    if (uint64_t shared = part & threadBits)
      offset = arith::XOrIOp::create(builder, loc, offset, constantI32(builder, loc, shared));
    Value padded = offset;
    for (auto [run, padding] : paddedRuns) {
      Value runs = arith::ShRUIOp::create(builder, loc, offset, constantI32(builder, loc, llvm::Log2_32(run)));
      Value skipped = arith::MulIOp::create(builder, loc, runs, constantI32(builder, loc, padding));
      padded = arith::AddIOp::create(builder, loc, padded, skipped);
    }
    from = LLVM::GEPOp::create(builder, loc, base.getType(), counted, base, ArrayRef<LLVM::GEPArg>{padded});
  }
  // The rest has no bits in common with the part of any thread, so its padding can be added separately.
  uint64_t rest = part & ~threadBits, displacement = rest;
  for (auto [run, padding] : paddedRuns)
    displacement += rest / run * padding;
  if (!displacement)
    return from;
  return LLVM::GEPOp::create(builder, loc, base.getType(), counted, from,
                             ArrayRef<LLVM::GEPArg>{int32_t(displacement)});
}
