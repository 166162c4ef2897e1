//===- SpecializedLoop.cpp - a loop whose operands producer warps load --------------------------------------------===//
//
// This implements the class that the header describes. SpecializeLoops.cpp shows the resulting code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/SpecializedLoop.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

/// The numbers of registers that a thread of the partition needs: if it copies tiles itself; if it only starts tensor
/// copies; if it starts them for programs with different bounds; and if it starts them together with the other block of
/// a pair.
static constexpr int32_t copyingRegisters = 40, startingRegisters = 24, unevenRegisters = 32, pairedRegisters = 32;

//===--- analysis -------------------------------------------------------------------------------------------------===//

bool pipeline::wantsPartition(scf::ForOp loop) {
  auto isDot = [](Operation *op) { return isa<ttng::WarpGroupDotOp>(op); };
  auto dots = loop.getBody()->getOps<ttng::WarpGroupDotOp>();
  if (dots.empty())
    return false;
  if (auto asked = loop->getAttrOfType<BoolAttr>(tt::warpSpecializeAttr))
    return asked.getValue();
  if (ttg::getProgramsPerBlock(loop) > 1)
    return true;
  if (llvm::any_of(dots, [&](ttng::WarpGroupDotOp dot) { return followsFrom(loop, dot, isDot); }))
    return ttg::getNumWarps(loop) > 4;
  // Without a partition, every warp would wait in each iteration, both for the copies and for the thread that starts
  // the dots.
  return llvm::all_of(dots, ttng::accumulatesInTensorMemory);
}

bool SpecializedLoop::analyze() {
  if (!wantsPartition(loop))
    return false;
  for (Operation &op : *loop.getBody())
    if (ttg::MemDescType tile = isLoad(&op) ? getAllocatedType(loop, &op) : ttg::MemDescType())
      sources.push_back({&op, op.getLoc(), isa<tt::DescriptorLoadOp>(op), tile});
  if (sources.empty() || !llvm::all_of(sources, [&](Source &source) { return canMove(source); }) ||
      (programs > 1 && !canShare()))
    return false;
  bool stores = programs == 1 && llvm::any_of(*loop.getBody(), [](Operation &op) {
                  return isa<tt::StoreOp, tt::AtomicRMWOp, tt::DescriptorReduceOp, tt::DescriptorStoreOp>(op);
                });
  for (auto load : loop.getBody()->getOps<tt::LoadOp>())
    if (stores && isLine(load) && addresses.add(load.getPtr())) {
      auto type = cast<RankedTensorType>(load.getType());
      auto encoding = ttg::SwizzledSharedEncodingAttr::get(loop.getContext(), /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1,
                                                           /*order=*/{0});
      auto tile = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                        ttg::SharedMemorySpaceAttr::get(loop.getContext()), /*mutableMemory=*/true);
      sources.push_back({load, load.getLoc(), /*isOneThreads=*/true, tile});
      joinTile(sources.size() - 1);
    }
  joinOperands();
  return true;
}

/// Makes a line (a tile of rank 1) share the barriers of a tile whose slot is full while the line is read, so that both
/// are filled and released together. Separate waits and arrivals for the line would be on the critical path between
/// dots.
void SpecializedLoop::joinTile(size_t line) {
  Operation *load = sources[line].load;
  for (Source &source : sources)
    if (!source.isLine() && source.isOneThreads && source.load->isBeforeInBlock(load) &&
        llvm::any_of(source.load->getUsers(),
                     [&](Operation *alloc) { return load->isBeforeInBlock(getLastDot(alloc->getResult(0))); })) {
      source.joined.push_back(line);
      sources[line].isJoined = true;
      return;
    }
}

/// Makes the operands of the only dot of a loop share barriers, if nothing but the dot reads them. The thread that
/// starts the dots then waits once per iteration, and the dot arrives once.
void SpecializedLoop::joinOperands() {
  if (programs > 1 || !llvm::hasSingleElement(loop.getBody()->getOps<ttng::WarpGroupDotOp>()) ||
      !llvm::all_of(sources, [&](const Source &source) {
        return isForDots(source) && source.isOneThreads == sources.front().isOneThreads;
      }))
    return;
  for (size_t number = 1; number < sources.size(); ++number) {
    sources.front().joined.push_back(number);
    sources[number].isJoined = true;
  }
}

bool SpecializedLoop::analyzeAround(LoopGroup &group) {
  if (programs > 1)
    return false;
  for (auto &each : group.getLoops()) {
    bool known = llvm::all_of(each->sources, [&](Source &source) {
      auto load = dyn_cast<tt::DescriptorLoadOp>(source.load);
      return mayRunAhead(loop, source.load) && (!load || !isInside(load.getDesc()));
    });
    if (!known || !llvm::all_of(each->getScalars(), [&](Value scalar) { return addresses.add(scalar); }))
      return false;
  }
  for (Operation &op : *loop.getBody())
    if (ttg::MemDescType tile = isLoad(&op) ? getAllocatedType(loop, &op) : ttg::MemDescType()) {
      auto before = std::tuple(tiles, addresses);
      Source source{&op, op.getLoc(), isa<tt::DescriptorLoadOp>(op), tile};
      if (canMove(source))
        sources.push_back(source);
      else
        std::tie(tiles, addresses) = before;
    }
  inner.emplace(std::move(group));
  if (canPair())
    for (Source &source : inner->getLoops().front()->sources)
      source.isPaired = true;
  return true;
}

/// Returns true if the blocks of a pair can load tiles together: they fill the same slots in the same order, and the
/// partition can compute which tiles both need.
bool SpecializedLoop::canPair() {
  auto isProgram = [](Operation *op) { return isa<tt::GetProgramIdOp>(op); };
  if (!loop->hasAttr(ttng::programLoopAttr) || inner->getLoops().size() != 1 || !sources.empty() || tiles.isCarried() ||
      addresses.isCarried())
    return false;
  SpecializedLoop &each = *inner->getLoops().front();
  return !each.inner &&
         llvm::all_of(ArrayRef<Value>{each.loop.getLowerBound(), each.loop.getUpperBound(), each.loop.getStep()},
                      [&](Value bound) { return isCommon(bound, each.loop, isProgram); }) &&
         llvm::all_of(each.sources, [&](const Source &source) {
           return isa<tt::DescriptorLoadOp>(source.load) && source.joined.empty() && !isForDots(source);
         });
}

/// Returns true if the partition can load for all programs of the block.
bool SpecializedLoop::canShare() {
  return isa<tt::FuncOp>(loop->getParentOp()) && iterations.analyze(axisInfo, /*mayBegin=*/!addresses.isCarried()) &&
         llvm::all_of(sources, [&](Source &source) {
           auto load = dyn_cast<tt::DescriptorLoadOp>(source.load);
           return load && llvm::all_of(load.getIndices(), [&](Value index) { return isCommon(index, loop); });
         });
}

/// Returns true if the partition can issue this load. Adds the values that the partition must compute for the load to
/// `addresses` or `tiles`.
bool SpecializedLoop::canMove(Source &source) {
  if (!isWide(source.load, axisInfo) || !mayRunAhead(loop, source.load))
    return false;
  // If another block of the program stores the data, only the program waits for that store, and the partition does not.
  if (source.load->hasAttr(ttg::isSharedByBlocksAttr) && mayBeWritten(cast<tt::LoadOp>(source.load)))
    return false;
  if (auto load = dyn_cast<tt::DescriptorLoadOp>(source.load))
    return llvm::all_of(load.getIndices(), [&](Value index) { return addresses.add(index); });
  auto load = cast<tt::LoadOp>(source.load);
  Value mask = load.getMask(), other = load.getOther();
  bool isZero = !other || matchPattern(other, m_PosZeroFloat()) || matchPattern(other, m_Zero());
  return isZero && tiles.add(load.getPtr()) && (!mask || tiles.add(mask));
}

/// Returns true if `load` loads a tile of rank 1, of which each thread holds many elements, from contiguous memory that
/// one bulk copy can transfer.
bool SpecializedLoop::isLine(tt::LoadOp load) {
  constexpr unsigned fewElements = 4, unitBits = 128;
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || type.getRank() != 1 || load.getMask() || ttg::getElementsPerThread(type) <= fewElements ||
      !mayRunAhead(loop, load))
    return false;
  unsigned bits = tt::getElementBits(type.getElementType());
  auto strides = getStrides(load.getPtr());
  return bits >= 8 && strides && strides->front() == Stride{1, Value()} &&
         type.getNumElements() * bits % unitBits == 0 &&
         getAccessibleNeighbours(axisInfo, load.getPtr()) * bits >= unitBits;
}

SmallVector<Operation *> SpecializedLoop::findOwnLoads() {
  llvm::SetVector<Operation *> found;
  for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
    for (Value operand : dot->getOperands().take_front(2)) {
      auto alloc = operand.getDefiningOp<ttg::LocalAllocOp>();
      auto load = alloc && alloc.getSrc() ? alloc.getSrc().getDefiningOp<tt::LoadOp>() : nullptr;
      if (!load || load->getBlock() != loop->getBlock() || alloc->getBlock() != loop->getBlock() ||
          load.getIsVolatile() || !load->hasOneUse())
        continue;
      bool isRead = llvm::all_of(llvm::make_range(std::next(load->getIterator()), loop->getIterator()),
                                 [](Operation &between) { return !writesGlobalMemory(&between); });
      bool isEarly = llvm::any_of(alloc->getUsers(), [&](Operation *user) {
        Operation *own = loop->getBlock()->findAncestorOpInBlock(*user);
        return own && own->isBeforeInBlock(loop);
      });
      if (isRead && !isEarly) {
        found.insert(load);
        found.insert(alloc);
      }
    }
  return found.takeVector();
}

bool pipeline::writesGlobalMemory(Operation *op) {
  if (isMemoryEffectFree(op))
    return false;
  auto effects = getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) && !isa<ttg::SharedMemory>(effect.getResource());
  });
}

bool SpecializedLoop::isPaired() const {
  auto isPaired = [](const Source &source) { return source.isPaired; };
  return llvm::any_of(sources, isPaired) || (inner && inner->isPaired());
}

int32_t SpecializedLoop::getRegisters() const {
  if (isPaired())
    return pairedRegisters;
  bool copies = llvm::any_of(sources, [](const Source &source) { return !source.isOneThreads; });
  int32_t own = copies ? copyingRegisters : iterations.areSame() ? startingRegisters : unevenRegisters;
  return inner ? std::max(own, inner->getRegisters()) : own;
}

llvm::SetVector<Value> SpecializedLoop::getScalars() {
  llvm::SetVector<Value> scalars;
  scalars.insert_range(tiles.getCaptures());
  scalars.insert_range(addresses.getCaptures());
  scalars.insert_range(ArrayRef<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  return scalars;
}

bool SpecializedLoop::isOrderedBy(Operation &op) const {
  return llvm::any_of(sources, [&](const Source &source) { return orders(&op, source.load); });
}

//===--- slots ----------------------------------------------------------------------------------------------------===//

bool SpecializedLoop::canUseSlotsOf(const SpecializedLoop &other) const {
  return !inner && !other.inner && slots == other.slots &&
         llvm::equal(sources, other.sources, [](const Source &x, const Source &y) {
           return x.tile == y.tile && x.isOneThreads == y.isOneThreads && x.joined == y.joined;
         });
}

void SpecializedLoop::prepare(OpBuilder &at, const SpecializedLoop *other) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(at.saveInsertionPoint());
  iterations.create(builder);
  if (inner)
    inner->prepare(at);
  if (other) {
    for (auto [source, same] : llvm::zip_equal(sources, other->sources))
      std::tie(source.tile, source.tiles, source.barriers) = std::tie(same.tile, same.tiles, same.barriers);
    return;
  }
  for (Source &source : sources)
    allocate(source);
}

bool SpecializedLoop::hasAcceleratorCopy() const {
  return (inner && inner->hasAcceleratorCopy()) ||
         llvm::any_of(sources, [](const Source &source) { return source.isOneThreads; });
}

void SpecializedLoop::destroySlots(OpBuilder &at) {
  for (Source &source : sources) {
    if (source.barriers)
      source.barriers->destroy(at, loc);
    ttg::LocalDeallocOp::create(at, loc, source.tiles);
  }
  if (inner)
    inner->destroySlots(at);
}

void SpecializedLoop::allocate(Source &source) {
  SmallVector<int64_t> shape = {slots};
  llvm::append_range(shape, source.tile.getShape());
  source.tile = ttg::MemDescType::get(source.tile.getShape(), source.tile.getElementType(), source.tile.getEncoding(),
                                      source.tile.getMemorySpace(), /*mutableMemory=*/true);
  auto all = ttg::MemDescType::get(shape, source.tile.getElementType(), source.tile.getEncoding(),
                                   source.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
  source.tiles = ttg::LocalAllocOp::create(builder, source.loc, all, Value(), IntegerAttr());
  if (source.isJoined)
    return;
  int64_t fillers = source.isOneThreads ? 1 : loadingWarps * ttg::getThreadsPerWarp(loop);
  SlotReaders readers{programs, isForDots(source), source.isPaired};
  if (!readers.areDots)
    readers.count *= ttg::getNumWarps(loop);
  source.barriers.emplace(builder, loc, slots, fillers, readers, /*ofBlock=*/programs > 1);
}

/// Returns true if the slots are read only by dots that one thread starts.
bool SpecializedLoop::isForDots(const Source &source) const {
  std::function<bool(Operation *)> isRead = [&](Operation *user) {
    if (isa<ttg::LocalAllocOp, ViewLikeOpInterface>(user))
      return llvm::all_of(user->getUsers(), isRead);
    auto dot = dyn_cast<ttng::WarpGroupDotOp>(user);
    return dot && ttng::accumulatesInTensorMemory(dot);
  };
  return !source.isLine() && llvm::all_of(source.load->getUsers(), isRead) &&
         llvm::all_of(source.joined, [&](size_t number) { return isForDots(sources[number]); });
}

Value SpecializedLoop::integer(int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

SpecializedLoop::Position SpecializedLoop::getPosition(Value position, Source &source, Value tiles) {
  Value next = createNextSlot(builder, loc, position, 2 * slots);
  Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, position, integer(slots));
  Value slot = arith::SelectOp::create(builder, loc, isOdd,
                                       arith::SubIOp::create(builder, loc, position, integer(slots)), position);
  Value parity = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isOdd);
  return {position, next, slot, parity, getSlot(source, tiles, slot)};
}

/// Returns slot `slot` of `tiles`, the source's buffer.
Value SpecializedLoop::getSlot(Source &source, Value tiles, Value slot) {
  return ttg::MemDescIndexOp::create(builder, source.loc, source.tile, tiles, slot);
}

//===--- the partition --------------------------------------------------------------------------------------------===//

/// Collects the scalars from outside the partition that the partition uses, and the buffers that it fills.
void SpecializedLoop::collectCaptures(llvm::SetVector<Value> &captured) {
  for (Value bound : {iterations.getBegin(), iterations.getEnd(), loop.getStep()})
    if (!matchPattern(bound, m_Constant()))
      captured.insert(bound);
  captured.insert_range(iterations.getCaptures());
  captured.insert_range(tiles.getCaptures());
  captured.insert_range(addresses.getCaptures());
  for (Source &source : sources) {
    captured.insert(source.tiles);
    if (source.barriers)
      captured.insert_range(ArrayRef<Value>{source.barriers->getFull(), source.barriers->getEmpty()});
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(source.load))
      captured.insert(load.getDesc());
  }
  if (!inner)
    return;
  llvm::SetVector<Value> ofInner;
  inner->collectCaptures(ofInner);
  for (Value value : ofInner)
    if (!isInside(value))
      captured.insert(value);
}

SmallVector<Value> SpecializedLoop::writePartition(OpBuilder &at, const IRMapping &known, ValueRange filled) {
  builder.restoreInsertionPoint(at.saveInsertionPoint());
  IRMapping ofTiles = known, ofAddresses = known;
  SmallVector<Value> inits = tiles.createInits(builder, ofTiles);
  size_t carriedTiles = inits.size();
  llvm::append_range(inits, addresses.createInits(builder, ofAddresses));
  size_t carried = inits.size();
  llvm::append_range(inits, filled);
  while (inits.size() < carried + getNumFilled())
    inits.push_back(integer(0));
  auto bound = [&](Value value) { return createFirstElement(builder, value, ofAddresses); };
  Value begin = bound(iterations.getBegin()), end = bound(iterations.getEnd()), step = bound(loop.getStep());
  auto loading = scf::ForOp::create(builder, loc, begin, end, step, inits);
  loading.setUnsignedCmp(loop.getUnsignedCmp());
  builder.setInsertionPointToStart(loading.getBody());
  ValueRange arguments = loading.getRegionIterArgs();
  tiles.mapCarried(arguments.take_front(carriedTiles), ofTiles);
  addresses.mapCarried(arguments.take_front(carried).drop_front(carriedTiles), ofAddresses);
  for (IRMapping *mapping : {&ofTiles, &ofAddresses})
    mapping->map(loop.getInductionVar(), loading.getInductionVar());
  ValueRange positions = arguments.drop_front(carried);
  SmallVector<Value> next;
  Value isMade = iterations.createIsMade(builder, loading.getInductionVar(), ofAddresses);
  for (Source &source : sources) {
    if (source.isJoined)
      continue;
    Position position = getPosition(positions.front(), source, ofTiles.lookup(source.tiles));
    SlotBarriers barriers = source.barriers->in(ofTiles);
    // The wait is for the opposite parity: in the first pass over the slots, no slot has been read yet.
    Value before = arith::XOrIOp::create(builder, loc, position.parity, integer(1));
    SmallVector<Value> filled = {position.tile};
    for (size_t other : source.joined)
      filled.push_back(getSlot(sources[other], ofTiles.lookup(sources[other].tiles), position.slot));
    barriers.waitUntilEmpty(builder, loc, position.slot, before, filled, /*byFirstWarp=*/source.isOneThreads);
    if (source.isOneThreads) {
      startCopies(source, position, ArrayRef(filled).drop_front(), barriers, ofAddresses, isMade);
    } else {
      copy(source, position.tile, ofTiles);
      for (auto [other, slot] : llvm::zip_equal(source.joined, ArrayRef(filled).drop_front()))
        copy(sources[other], slot, ofTiles);
      barriers.arriveWhenCopied(builder, loc, position.slot);
    }
    next = {position.next};
  }
  if (inner) {
    llvm::SetVector<Value> ofInner;
    inner->collectCaptures(ofInner);
    IRMapping inside;
    for (Value value : ofInner)
      inside.map(value, isInside(value) ? addresses.create(builder, value, ofAddresses) : ofAddresses.lookup(value));
    if (inner->isPaired())
      compareWithPair(loading, known, ofAddresses);
    llvm::append_range(next, inner->writePartition(builder, inside, positions.take_back(inner->getNumFilled())));
  }
  SmallVector<Value> yields = tiles.createYields(builder, ofTiles);
  llvm::append_range(yields, addresses.createYields(builder, ofAddresses));
  llvm::append_range(yields, next);
  scf::YieldOp::create(builder, loc, yields);
  at.setInsertionPointAfter(loading);
  return llvm::to_vector_of<Value>(loading.getResults().drop_front(carried));
}

/// Computes which tiles the other block of the pair needs as well, for the program whose number is the induction
/// variable of `loading`. A tile is common if all values from which the inner loop computes the tile's coordinates are
/// the same for both blocks. `known` maps the captured values; `own` also maps the values that belong to this block's
/// program.
void SpecializedLoop::compareWithPair(scf::ForOp loading, const IRMapping &known, IRMapping &own) {
  Value rank = ttng::BlockRankOp::create(builder, loc, builder.getI32Type());
  Value blocks = ttng::BlockCountOp::create(builder, loc, builder.getI32Type());
  Value number = loading.getInductionVar();
  // The first block of a pair runs the program with the even number.
  Value toOther =
      arith::SubIOp::create(builder, loc, integer(1), arith::MulIOp::create(builder, loc, rank, integer(2)));
  auto toInteger = [&](Value value) -> Value { // coordinates may depend on addresses
    bool isPointer = isa<tt::PointerType>(value.getType());
    return isPointer ? tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), value).getResult() : value;
  };
  IRMapping others = known;
  others.map(loop.getInductionVar(), arith::AddIOp::create(builder, loc, number, toOther));
  for (SpecializedLoop &each = *inner->getLoops().front(); Source &source : each.sources) {
    LoopSlice slice(each.loop, /*warps=*/0);
    for (Value index : cast<tt::DescriptorLoadOp>(source.load).getIndices())
      slice.add(index);
    source.isCommon = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, blocks, integer(2));
    for (Value value : slice.getCaptures()) {
      if (!isInside(value))
        continue;
      Value here = toInteger(addresses.create(builder, value, own));
      Value there = toInteger(addresses.create(builder, value, others));
      Value isSame = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, here, there);
      source.isCommon = arith::AndIOp::create(builder, loc, source.isCommon, isSame);
    }
  }
}

/// Creates the copy of a tile to `slot` by all threads of the partition.
void SpecializedLoop::copy(Source &source, Value slot, IRMapping &mapping) {
  auto load = cast<tt::LoadOp>(source.load);
  Value ptr = tiles.create(builder, load.getPtr(), mapping), mask = load.getMask();
  if (mask)
    mask = tiles.create(builder, mask, mapping);
  ttg::AsyncCopyGlobalToLocalOp::create(builder, load.getLoc(), ttg::AsyncTokenType::get(loop.getContext()), ptr, slot,
                                        mask, /*other=*/Value(), load.getCache(), load.getEvict(), load.getIsVolatile(),
                                        getAccessibleNeighbours(axisInfo, load.getPtr(), load.getMask()));
}

/// Creates the copies that one thread starts. They are started if `isMade`, which is true if any program executes the
/// iteration (null: always true). The sources that are joined to this one are copied to the slots `joined`.
void SpecializedLoop::startCopies(Source &source, const Position &position, ValueRange joined, SlotBarriers &barriers,
                                  IRMapping &mapping, Value isMade) {
  auto copyLine = [&](Source &line, Value slot, Value full) {
    Value first = addresses.create(builder, cast<tt::LoadOp>(line.load).getPtr(), mapping);
    Value always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    ttng::AsyncBulkCopyGlobalToLocalOp::create(builder, line.loc, first, full, slot, always);
  };
  int64_t bytes = ttg::getTileBytes(source.tile);
  if (source.isLine()) {
    copyLine(source, position.tile, barriers.expectCopies(builder, loc, position.slot, bytes));
    return;
  }
  auto load = cast<tt::DescriptorLoadOp>(source.load);
  auto getIndices = [&](tt::DescriptorLoadOp of) {
    SmallVector<Value> indices;
    for (Value index : of.getIndices())
      indices.push_back(addresses.create(builder, index, mapping));
    return indices;
  };
  SmallVector<Value> indices = getIndices(load);
  for (size_t other : source.joined)
    bytes += ttg::getTileBytes(sources[other].tile);
  Value full = barriers.expectCopies(builder, loc, position.slot, bytes, isMade, position.tile);
  Value map = mapping.lookup(load.getDesc());
  if (source.isPaired) {
    Value holds = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    isMade = arith::XOrIOp::create(builder, loc, source.isCommon, holds);
    // The two blocks of the pair load common tiles alternately.
    Value rank = ttng::BlockRankOp::create(builder, loc, builder.getI32Type());
    Value turn = arith::AndIOp::create(builder, loc, position.current, integer(1));
    Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, turn, rank);
    Value toPair = arith::AndIOp::create(builder, loc, source.isCommon, isOwn);
    createTensorCopy(builder, load, map, indices, position.tile, full, toPair, /*toPair=*/true);
  }
  createTensorCopy(builder, load, map, indices, position.tile, full, isMade);
  for (auto [other, slot] : llvm::zip_equal(source.joined, joined)) {
    if (auto tile = dyn_cast<tt::DescriptorLoadOp>(sources[other].load))
      createTensorCopy(builder, tile, mapping.lookup(tile.getDesc()), getIndices(tile), slot, full, isMade);
    else
      copyLine(sources[other], slot, full);
  }
}

//===--- the program's loop ---------------------------------------------------------------------------------------===//

SmallVector<Value> SpecializedLoop::writeProgram(ValueRange read) {
  builder.setInsertionPoint(loop);
  SmallVector<Value> positions(read);
  while (positions.size() < getNumRead())
    positions.push_back(integer(0));
  if (!iterations.areSame())
    positions = skipSlots(iterations.getBegin(), iterations.getOwnBegin(), positions);
  IRRewriter rewriter(loop.getContext());
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, positions, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> next;
        for (Source &source : sources)
          if (source.isJoined && source.isLine())
            readLine(source, source.slot);
          else if (source.isJoined)
            readTile(source, source.slot);
          else
            next.push_back(readSlots(source, arguments[next.size()]));
        if (inner)
          llvm::append_range(next, inner->writeProgram(ValueRange(arguments.drop_front(next.size()))));
        return next;
      }));
  loop->removeAttr(tt::warpSpecializeAttr);
  builder.setInsertionPointAfter(loop);
  if (!iterations.areSame()) {
    loop->setAttr(ttng::unevenAttr, builder.getUnitAttr());
    return skipSlots(iterations.getOwnEnd(), iterations.getEnd(), loop.getResults().take_back(getNumOwnRead()));
  }
  return llvm::to_vector_of<Value>(loop.getResults().take_back(getNumRead()));
}

/// Handles the iterations from `begin` to `end`, which only other programs of the block execute: waits for the slots of
/// these iterations and releases them. Returns the positions after these iterations.
SmallVector<Value> SpecializedLoop::skipSlots(Value begin, Value end, ValueRange positions) {
  auto skipping = scf::ForOp::create(builder, loc, begin, end, loop.getStep(), positions);
  skipping->setAttr(ttng::othersIterationsAttr, builder.getUnitAttr());
  builder.setInsertionPointToStart(skipping.getBody());
  SmallVector<Value> next;
  for (auto [source, argument] : llvm::zip_equal(sources, skipping.getRegionIterArgs())) {
    Position position = getPosition(argument, source, source.tiles);
    source.barriers->waitUntilFull(builder, loc, position.slot, position.parity, position.tile);
    source.barriers->leave(builder, loc, position.slot, position.tile);
    next.push_back(position.next);
  }
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointAfter(skipping);
  return SmallVector<Value>(skipping.getResults());
}

/// Replaces the load of `source` by the slot that holds its data. Returns the position for the next iteration.
Value SpecializedLoop::readSlots(Source &source, Value argument) {
  builder.setInsertionPoint(source.load);
  Position position = getPosition(argument, source, source.tiles);
  SmallVector<Value> filled = {position.tile};
  for (size_t other : source.joined)
    filled.push_back(sources[other].slot = getSlot(sources[other], sources[other].tiles, position.slot));
  source.barriers->waitUntilFull(builder, source.loc, position.slot, position.parity, filled);
  if (source.isLine()) {
    builder.setInsertionPointAfter(getFirstReader(source.load));
    source.barriers->free(builder, source.loc, position.slot, position.tile);
    readLine(source, position.tile);
    return position.next;
  }
  readTile(source, position.tile);
  Operation *last = getLastDot(position.tile);
  builder.setInsertionPointAfter(last);
  source.barriers->free(builder, last->getLoc(), position.slot, filled);
  return position.next;
}

/// Replaces the load of a tile, and the allocations of shared memory that it fills, by `slot`.
void SpecializedLoop::readTile(Source &source, Value slot) {
  for (Operation *alloc : llvm::make_early_inc_range(source.load->getUsers())) {
    retype(alloc->getResult(0));
    alloc->replaceAllUsesWith(ValueRange{slot});
    alloc->erase();
  }
  source.load->erase();
  source.load = nullptr;
}

void SpecializedLoop::readLine(Source &source, Value slot) {
  builder.setInsertionPoint(source.load);
  Value line = ttg::LocalLoadOp::create(builder, source.loc, cast<tt::LoadOp>(source.load).getType(), slot, Value());
  source.load->getResult(0).replaceAllUsesWith(line);
  source.load->erase();
  source.load = nullptr;
}

/// Marks `memory` and its views as mutable.
void SpecializedLoop::retype(Value memory) {
  auto type = cast<ttg::MemDescType>(memory.getType());
  memory.setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                       type.getMemorySpace(),
                                       /*mutableMemory=*/true, type.getAllocShape()));
  for (Operation *user : memory.getUsers())
    if (isa<ViewLikeOpInterface>(user))
      retype(user->getResult(0));
}

/// Returns the first operation of the loop that computes with the result of `op`.
Operation *SpecializedLoop::getFirstReader(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    bool isView = isa<tt::ExpandDimsOp, tt::BroadcastOp>(user) && user->getBlock() == op->getBlock();
    Operation *reader = isView ? getFirstReader(user) : op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || reader->isBeforeInBlock(first))
      first = reader;
  }
  return first ? first : op;
}

/// Returns the last operation of the loop that reads `memory`.
Operation *SpecializedLoop::getLastDot(Value memory) {
  Operation *last = memory.getDefiningOp();
  for (Operation *user : memory.getUsers()) {
    if (isa<ttng::WaitBarrierOp>(user))
      continue;
    Operation *own = isa<ViewLikeOpInterface>(user) ? getLastDot(user->getResult(0))
                                                    : last->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(own))
      last = own;
  }
  return last;
}
