//===- ProgramBlock.cpp - code that depends on a block's rank in its program --------------------------------------===//
//
// See the header.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/ProgramBlock.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
}

static Value createZero(OpBuilder &builder, Location loc, Type type) {
  if (!isa<tt::PointerType>(getElementTypeOrSelf(type)))
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Type address = tt::withElementType(type, builder.getI64Type());
  return tt::IntToPtrOp::create(builder, loc, type,
                                arith::ConstantOp::create(builder, loc, builder.getZeroAttr(address)));
}

ProgramBlock::ProgramBlock(OpBuilder &builder, tt::FuncOp func, bool hasLayouts)
    : func(func), hasLayouts(hasLayouts),
      rank(ttng::BlockRankOp::create(builder, func.getLoc(), builder.getI32Type())) {}

/// Returns the number of the part that this block has along `axis`.
Value ProgramBlock::getPartNumber(OpBuilder &builder, Location loc, const Distribution &distribution,
                                  int32_t axis) const {
  Value number;
  unsigned place = 0;
  for (uint32_t bits = distribution.getBits(axis); bits;) { // handle a run of bits at a time
    unsigned first = llvm::countr_zero(bits), count = llvm::countr_one(bits >> first);
    Value part = first ? arith::ShRUIOp::create(builder, loc, rank, constant(builder, loc, first)).getResult() : rank;
    part = arith::AndIOp::create(builder, loc, part, constant(builder, loc, (1 << count) - 1));
    if (place)
      part = arith::ShLIOp::create(builder, loc, part, constant(builder, loc, place));
    number = number ? arith::OrIOp::create(builder, loc, number, part).getResult() : part;
    place += count;
    bits &= ~(((1u << count) - 1) << first);
  }
  return number;
}

Value ProgramBlock::getPartBegin(OpBuilder &builder, Location loc, const Distribution &distribution, int32_t axis,
                                 int64_t length) const {
  Value number = getPartNumber(builder, loc, distribution, axis);
  return number ? arith::MulIOp::create(builder, loc, number, constant(builder, loc, length)).getResult() : number;
}

Value ProgramBlock::isFirst(OpBuilder &builder, Location loc, const Distribution &distribution) const {
  uint32_t copies = distribution.getBits(Distribution::Copies);
  if (!copies)
    return {};
  Value others = arith::AndIOp::create(builder, loc, rank, constant(builder, loc, copies));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, others, constant(builder, loc, 0));
}

SmallVector<Value> ProgramBlock::createForFirst(OpBuilder &builder, Operation *op, const Distribution &distribution,
                                                function_ref<SmallVector<Value>(OpBuilder &)> create) const {
  Value first = isFirst(builder, op->getLoc(), distribution);
  if (!first)
    return create(builder);
  Location loc = op->getLoc();
  SmallVector<Type> types;
  if (!op->use_empty())
    for (Type type : op->getResultTypes())
      types.push_back(distribution.getPart(type));
  auto branch = scf::IfOp::create(builder, loc, types, first, /*withElseRegion=*/!types.empty());
  OpBuilder inside = branch.getThenBodyBuilder();
  SmallVector<Value> made = create(inside);
  if (types.empty())
    return {};
  scf::YieldOp::create(inside, loc, made);
  OpBuilder otherwise = branch.getElseBodyBuilder();
  scf::YieldOp::create(otherwise, loc,
                       llvm::map_to_vector(types, [&](Type type) { return createZero(otherwise, loc, type); }));
  return llvm::map_to_vector(branch.getResults(),
                             [&](Value result) { return takeFromFirst(builder, loc, result, distribution); });
}

void ProgramBlock::limitToFirst(tt::StoreOp part, const Distribution &distribution) const {
  OpBuilder before(part);
  Location loc = part.getLoc();
  Value mask = isFirst(before, loc, distribution);
  if (isa<RankedTensorType>(part.getPtr().getType()))
    mask = tt::SplatOp::create(before, loc, tt::getMaskType(part.getPtr().getType()), mask);
  if (part.getMask())
    mask = arith::AndIOp::create(before, loc, part.getMask(), mask);
  part.getMaskMutable().assign(mask);
  part->setAttr(ttg::isSharedByBlocksAttr, before.getUnitAttr());
}

Value ProgramBlock::redistribute(OpBuilder &builder, Location loc, Value part, const Distribution &from,
                                 const Distribution &to) const {
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (int32_t axis : from.getAxes())
    if (axis >= 0)
      shape[axis] *= 2;
  return ttng::RedistributeOp::create(builder, loc, type.clone(to.getPart(shape)), part, from.getAxes(), to.getAxes(),
                                      /*lasting=*/false);
}

RankedTensorType ProgramBlock::getTileOfOne(Type type) const {
  Attribute encoding = hasLayouts ? ttg::BlockedEncodingAttr::get(type.getContext(), {1}, {1}, {0},
                                                                  ttg::getNumWarps(func), ttg::getThreadsPerWarp(func))
                                  : Attribute();
  return RankedTensorType::get({1}, type, encoding);
}

Value ProgramBlock::takeFromFirst(OpBuilder &builder, Location loc, Value part,
                                  const Distribution &distribution) const {
  SmallVector<int32_t> from(distribution.getAxes());
  llvm::replace(from, int32_t(Distribution::Copies), int32_t(Distribution::First));
  if (isa<RankedTensorType>(part.getType()))
    return ttng::RedistributeOp::create(builder, loc, part.getType(), part, from, distribution.getAxes(),
                                        /*lasting=*/false);
  RankedTensorType tile = getTileOfOne(part.getType());
  Value all = tt::SplatOp::create(builder, loc, tile, part);
  all = ttng::RedistributeOp::create(builder, loc, tile, all, from, distribution.getAxes(), /*lasting=*/false);
  return tt::UnsplatOp::create(builder, loc, all);
}
