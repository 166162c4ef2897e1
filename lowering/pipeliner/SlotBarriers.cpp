//===- SlotBarriers.cpp - barriers to fill and release the slots of a buffer --------------------------------------===//
//
// The first use of a slot waits for parity 0 of its barriers. A slot that has never been filled counts as released,
// because a wait for parity 1 on a new barrier returns at once.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/SlotBarriers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

static Value constant(OpBuilder &builder, Location loc, int32_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

SlotBarriers::SlotBarriers(OpBuilder &builder, Location loc, int64_t count, int64_t fillers, SlotReaders readers,
                           bool ofBlock)
    : count(count), ofBlock(ofBlock), readByDots(readers.areDots), inAllBlocks(readers.inAllBlocks) {
  MLIRContext *context = builder.getContext();
  auto encoding =
      ttg::SwizzledSharedEncodingAttr::get(context, /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1, /*order=*/{0});
  one = ttg::MemDescType::get({1}, builder.getI64Type(), encoding, ttg::SharedMemorySpaceAttr::get(context),
                              /*mutableMemory=*/true);
  full = allocate(builder, loc, fillers, /*perBlock=*/false);
  if (readers.count)
    empty = allocate(builder, loc, readers.count, inAllBlocks);
}

SlotBarriers SlotBarriers::in(const IRMapping &mapping) const {
  SlotBarriers others = *this;
  others.full = mapping.lookup(full);
  others.empty = mapping.lookup(empty);
  return others;
}

Value SlotBarriers::allocate(OpBuilder &builder, Location loc, int64_t arrivals, bool perBlock) const {
  SmallVector<int64_t> shape = {count, 1};
  auto type = ttg::MemDescType::get(shape, one.getElementType(), one.getEncoding(), one.getMemorySpace(),
                                    /*mutableMemory=*/true, shape);
  Value barriers = ttg::LocalAllocOp::create(builder, loc, type, Value(), IntegerAttr());
  doOnce(builder, loc, [&] {
    for (int64_t slot = 0; slot < count; ++slot)
      ttng::InitBarrierOp::create(builder, loc, at(builder, loc, barriers, constant(builder, loc, slot)), arrivals,
                                  perBlock);
  });
  return barriers;
}

void SlotBarriers::doOnce(OpBuilder &builder, Location loc, llvm::function_ref<void()> create) const {
  if (!ofBlock)
    return create();
  Value program = ttng::ProgramInBlockOp::create(builder, loc, builder.getI32Type());
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, program, constant(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  create();
}

Value SlotBarriers::at(OpBuilder &builder, Location loc, Value barriers, Value slot) const {
  return ttg::MemDescIndexOp::create(builder, loc, one, barriers, slot);
}

void SlotBarriers::arriveWhenCopied(OpBuilder &builder, Location loc, Value slot) const {
  ttng::AsyncCopyMbarrierArriveOp::create(builder, loc, at(builder, loc, full, slot), /*noIncrement=*/true);
}

Value SlotBarriers::expectCopies(OpBuilder &builder, Location loc, Value slot, int64_t bytes, Value condition,
                                 Value absent) const {
  Value barrier = at(builder, loc, full, slot);
  Value holds = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  ttng::BarrierExpectOp::create(builder, loc, barrier, bytes, condition ? condition : holds);
  if (condition && absent)
    ttng::ArriveBarrierOp::create(builder, loc, barrier, /*count=*/1,
                                  arith::XOrIOp::create(builder, loc, condition, holds), ValueRange{absent},
                                  /*perWarp=*/false);
  return barrier;
}

void SlotBarriers::waitUntilFull(OpBuilder &builder, Location loc, Value slot, Value phase, ValueRange tiles) const {
  // If only dots read the slot, only the first warp waits. The producer does not wait for the other warps. If these
  // waited too, a warp that is two phases late would see the parity that it is not waiting for, and would wait for a
  // third phase.
  ttng::WaitBarrierOp::create(builder, loc, at(builder, loc, full, slot), phase, Value(), tiles,
                              /*firstWarp=*/readByDots);
}

void SlotBarriers::waitUntilEmpty(OpBuilder &builder, Location loc, Value slot, Value phase, ValueRange tiles,
                                  bool byFirstWarp) const {
  ttng::WaitBarrierOp::create(builder, loc, at(builder, loc, empty, slot), phase, Value(), tiles, byFirstWarp,
                              inAllBlocks);
}

void SlotBarriers::free(OpBuilder &builder, Location loc, Value slot, ValueRange tiles) const {
  ttng::ArriveBarrierOp::create(builder, loc, at(builder, loc, empty, slot), /*count=*/1, Value(), tiles,
                                /*perWarp=*/!readByDots, readByDots, inAllBlocks);
}

void SlotBarriers::leave(OpBuilder &builder, Location loc, Value slot, ValueRange tiles) const {
  ttng::ArriveBarrierOp::create(builder, loc, at(builder, loc, empty, slot), /*count=*/1, Value(), tiles,
                                /*perWarp=*/!readByDots);
}

void SlotBarriers::destroy(OpBuilder &builder, Location loc) const {
  for (Value barriers : {full, empty}) {
    if (!barriers)
      continue;
    doOnce(builder, loc, [&] {
      for (int64_t slot = 0; slot < count; ++slot)
        ttng::InvalBarrierOp::create(builder, loc, at(builder, loc, barriers, constant(builder, loc, slot)));
    });
    ttg::LocalDeallocOp::create(builder, loc, barriers);
  }
}

Value pipeline::createNextPhase(OpBuilder &builder, Location loc, Value slot, Value phase) {
  Value starts = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, constant(builder, loc, 0));
  return arith::XOrIOp::create(builder, loc, phase, arith::ExtUIOp::create(builder, loc, phase.getType(), starts));
}

void pipeline::createTensorCopy(OpBuilder &builder, tt::DescriptorLoadOp load, Value map, ValueRange indices,
                                Value tile, Value barrier, Value condition, bool toPair) {
  Location loc = load.getLoc();
  if (!condition)
    condition = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  auto copy = ttng::AsyncTMACopyGlobalToLocalOp::create(builder, loc, map, indices, barrier, tile, condition,
                                                        load.getCache(), load.getEvict(), /*isVolatile=*/false, toPair);
  if (Attribute outside = load->getAttr(ttng::mayBeginOutsideAttr))
    copy->setAttr(ttng::mayBeginOutsideAttr, outside);
}
