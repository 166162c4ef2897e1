//===- CombinerRegion.cpp - applies the region of a reduction or scan ---------------------------------------------===//
//
// The lowerings of reductions and scans use class Combiner, which also exchanges elements between lanes and warps.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/CombinerRegion.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilecc;

Elements Combiner::combine(const Elements &lhs, const Elements &rhs, bool roundsEach) {
  Block &body = region.front();
  IRMapping mapping;
  mapping.map(body.getArguments().take_front(lhs.size()), lhs);
  mapping.map(body.getArguments().take_back(rhs.size()), rhs);
  for (Operation &inner : body.without_terminator()) {
    Operation *clone = builder.clone(inner, mapping);
    if (roundsEach)
      clone->setAttr(tt::roundsEachAttr, builder.getUnitAttr());
  }
  Elements result;
  for (Value value : body.getTerminator()->getOperands())
    result.push_back(mapping.lookupOrDefault(value));
  return result;
}

Elements Combiner::shuffle(const Elements &elements, llvm::function_ref<Value(Value)> shuffle) {
  Elements result;
  for (Value element : elements)
    result.push_back(shuffleAnyType(builder, loc, element, shuffle));
  return result;
}

Elements Combiner::select(Value condition, const Elements &yes, const Elements &no) {
  Elements result;
  for (auto [x, y] : llvm::zip_equal(yes, no))
    result.push_back(arith::SelectOp::create(builder, loc, condition, x, y));
  return result;
}

Value Combiner::addressOf(unsigned operand, Type inMemory, Value position) {
  Value base = getScratch(builder, op, target, scratchOffsets[operand]);
  return LLVM::GEPOp::create(builder, loc, base.getType(), inMemory, base, ArrayRef<LLVM::GEPArg>{position});
}

void Combiner::storeScratch(const Elements &elements, Value position, Value predicate) {
  for (auto [i, element] : llvm::enumerate(elements))
    target.store(builder, loc, packVector(builder, loc, toMemory(builder, loc, element)),
                 addressOf(i, getMemoryType(element.getType()), position), predicate);
}

SmallVector<Elements> Combiner::loadScratch(Value position, unsigned count, const Elements &like) {
  SmallVector<Elements> loaded(count);
  for (auto [i, element] : llvm::enumerate(like)) {
    Type inMemory = getMemoryType(element.getType());
    unsigned bytes = inMemory.getIntOrFloatBitWidth() / 8, width = std::min(count, 16 / bytes);
    Value first = addressOf(i, inMemory, position);
    for (unsigned part = 0; part < count; part += width) {
      Value from =
          LLVM::GEPOp::create(builder, loc, first.getType(), inMemory, first, ArrayRef<LLVM::GEPArg>{int32_t(part)});
      Value vector = LLVM::LoadOp::create(builder, loc, VectorType::get(width, inMemory), from, width * bytes);
      for (auto [j, value] : llvm::enumerate(unpackVector(builder, loc, vector)))
        loaded[part + j].push_back(fromMemory(builder, loc, value, element.getType()));
    }
  }
  return loaded;
}

Value Combiner::hasBits(Value index, uint32_t mask, uint32_t value) {
  Value bits = arith::AndIOp::create(builder, loc, index, constant(mask));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, constant(value));
}

LinearLayout tilecc::sliceCoordinates(const LinearLayout &source, unsigned axisIndex) {
  SmallVector<Dim> kept;
  for (unsigned d = source.getOuts().size(); d-- > 0;)
    if (d != axisIndex)
      kept.push_back(axis(d));
  LinearLayout part = source.sublayout(kept);
  return part.reshapeOuts({{Dim::Offset, part.getTotalOutBits()}});
}
