//===- OverlapProducts.cpp - products by warpgroups beside what the threads compute ------------------------------------===//
//
// A product by warpgroups runs beside the threads that started it until they wait. In loops the wait goes as far back as
// the result allows:
//
// - A product whose result is only the next iteration's accumulator is left under way until that one has started, so
//   that the matrix units do not run dry between iterations. All products of the loop have to be like that, since products
//   end in the order they start in, and what they read has to stay: both operands in shared memory, in slots of a
//   pipelined buffer or from outside of the loop. An operand that is computed (weights of few bits) gets slots for that, so that
//   one iteration's is computed beside the product of the one before. The slots of a specialized loop are freed one iteration
//   late, behind the wait for the product that read them.
// - Otherwise a product is waited for before the first use of its result, before the threads change what it
//   reads, and at the end of the iteration.
//
// The registers of a left operand are read until the wait, too. Its next value is carried to the next iteration, and may get
// the very same registers; so it is made behind the wait (else ptxas serializes all products: C7513).
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUOVERLAPPRODUCTS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

using Products = SmallVector<ttng::WarpGroupDotOp>;

//===--- across iterations ------------------------------------------------------------------------------------------===//

/// Whether the tile that a product reads is still there in the next iteration.
bool livesOn(scf::ForOp loop, Value operand) {
  ViewedTile tile = getViewedTile(operand);
  return isa<ttg::MemDescType>(operand.getType()) && loop.isDefinedOutsideOfLoop(tile.memory) &&
         (tile.index || loop.isDefinedOutsideOfLoop(operand));
}

/// Where an iteration puts a tile that it has computed for products; null if `operand` is none.
ttg::LocalAllocOp getComputedTile(scf::ForOp loop, Value operand) {
  auto alloc = operand.getDefiningOp<ttg::LocalAllocOp>();
  bool isComputed = alloc && alloc->getParentOp() == loop && alloc.getSrc() && !alloc.getType().getMutableMemory() &&
                    llvm::all_of(alloc->getUsers(), [](Operation *user) { return isa<ttng::WarpGroupDotOp>(user); });
  return isComputed ? alloc : ttg::LocalAllocOp();
}

bool onlyAccumulates(scf::ForOp loop, ttng::WarpGroupDotOp dot, bool keepComputed) {
  return isRunningSum(loop, dot) &&
         llvm::all_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
           return livesOn(loop, operand) || (keepComputed && getComputedTile(loop, operand));
         });
}

/// Gives what iterations compute for their products slots of a buffer. A tile is read until the next iteration's product has
/// started, and all threads know so at the barrier in front of the one behind: three slots need no other.
scf::ForOp keepComputedTiles(scf::ForOp loop, const Products &products) {
  constexpr int64_t count = 3;
  llvm::SetVector<ttg::LocalAllocOp> tiles;
  for (ttng::WarpGroupDotOp dot : products)
    for (Value operand : {dot.getA(), Value(dot.getB())})
      if (ttg::LocalAllocOp tile = getComputedTile(loop, operand))
        tiles.insert(tile);
  if (tiles.empty())
    return loop;
  IRRewriter builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> buffers;
  for (ttg::LocalAllocOp tile : tiles) {
    ttg::MemDescType type = tile.getType();
    SmallVector<int64_t> shape = {count};
    llvm::append_range(shape, type.getShape());
    auto buffer = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                                        /*mutableMemory=*/true, shape);
    buffers.push_back(ttg::LocalAllocOp::create(builder, tile.getLoc(), buffer, Value(), IntegerAttr()));
  }
  Value last = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(count - 1)), slot;
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      builder, last, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &atEnd, Location, ArrayRef<BlockArgument> arguments) {
        OpBuilder::InsertionGuard guard(atEnd);
        atEnd.setInsertionPointToStart(arguments[0].getOwner());
        slot = createNextSlot(atEnd, loc, arguments[0], count);
        return SmallVector<Value>{slot};
      }));
  for (auto [tile, buffer] : llvm::zip_equal(tiles.takeVector(), buffers)) {
    builder.setInsertionPoint(tile);
    ttg::MemDescType type = tile.getType();
    auto view = ttg::MemDescIndexOp::create(
        builder, tile.getLoc(),
        ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(), type.getMemorySpace(), /*mutableMemory=*/true),
        buffer, slot);
    ttg::LocalStoreOp::create(builder, tile.getLoc(), tile.getSrc(), view);
    builder.replaceOp(tile, view);
    builder.setInsertionPointAfter(loop);
    ttg::LocalDeallocOp::create(builder, loc, buffer);
  }
  return loop;
}

/// Whether the products free every slot that they read and the loop fills again, so that no thread has to wait for them.
bool haveTilesGivenBack(scf::ForOp loop, const Products &products) {
  return llvm::all_of(products, [&](ttng::WarpGroupDotOp dot) {
    return ttng::accumulatesInTensorMemory(dot) && llvm::all_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
      ViewedTile tile = getViewedTile(operand);
      return loop.isDefinedOutsideOfLoop(operand) ||
             llvm::any_of(loop.getBody()->getOps<ttng::ArriveBarrierOp>(), [&](ttng::ArriveBarrierOp arrive) {
               return arrive.getByProducts() && llvm::any_of(arrive.getRead(), [&](Value read) {
                        return getViewedTile(read).memory == tile.memory;
                      });
             });
    });
  });
}

/// The arrivals by which the warps of a specialized loop free the slots that the products of an iteration have read.
class SlotReleases {
public:
  explicit SlotReleases(scf::ForOp loop) {
    for (auto arrive : loop.getBody()->getOps<ttng::ArriveBarrierOp>())
      if (!arrive.getByProducts())
        arrivals.push_back(arrive);
  }

  bool empty() const { return arrivals.empty(); }

  /// Returns true if each of them can be postponed to the next iteration: it frees a slot among several.
  bool canBePostponed() const {
    return llvm::all_of(arrivals, [](ttng::ArriveBarrierOp arrive) {
      auto barrier = arrive.getAlloc().getDefiningOp<ttg::MemDescIndexOp>();
      return barrier && !arrive.getPred() && barrier.getSrc().getType().getNumTiles() > 1 &&
             llvm::all_of(arrive.getRead(), [&](Value read) {
               auto tile = read.getDefiningOp<ttg::MemDescIndexOp>();
               return tile && tile.getIndex() == barrier.getIndex();
             });
    });
  }

  /// Has `loop` carry the slots that an iteration reads to the next one. Returns the new loop.
  scf::ForOp carrySlots(scf::ForOp loop) {
    if (empty())
      return loop;
    for (ttng::ArriveBarrierOp arrive : arrivals)
      slots.insert(getSlot(arrive));
    IRRewriter builder(loop);
    Value none = arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
    firstNumber = loop.getNumResults();
    return cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        builder, SmallVector<Value>(slots.size(), none), /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>(slots.getArrayRef()); }));
  }

  /// Frees, where `builder` is, the slots of the iteration before, if there was one.
  void freePrevious(OpBuilder &builder, scf::ForOp loop) {
    if (empty())
      return;
    Value hasPrevious = arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::ne, loop.getInductionVar(),
                                              loop.getLowerBound());
    free(builder, ValueRange(loop.getRegionIterArgs()).drop_front(firstNumber), hasPrevious);
  }

  /// Frees, behind the loop, the slots of its last iteration, and removes the arrivals of each iteration.
  void freeLast(OpBuilder &builder, scf::ForOp loop) {
    free(builder, loop.getResults().drop_front(firstNumber), /*predicate=*/{});
    for (ttng::ArriveBarrierOp arrive : arrivals)
      arrive.erase();
  }

private:
  static Value getSlot(ttng::ArriveBarrierOp arrive) {
    return arrive.getAlloc().getDefiningOp<ttg::MemDescIndexOp>().getIndex();
  }

  void free(OpBuilder &builder, ValueRange carried, Value predicate) {
    for (ttng::ArriveBarrierOp arrive : arrivals) {
      Value slot = carried[llvm::find(slots, getSlot(arrive)) - slots.begin()];
      auto moveTo = [&](Value view) -> Value {
        auto index = view.getDefiningOp<ttg::MemDescIndexOp>();
        return ttg::MemDescIndexOp::create(builder, index.getLoc(), index.getType(), index.getSrc(), slot);
      };
      SmallVector<Value> read = llvm::map_to_vector(arrive.getRead(), moveTo);
      ttng::ArriveBarrierOp::create(builder, arrive.getLoc(), moveTo(arrive.getAlloc()), arrive.getCount(), predicate, read,
                                    arrive.getPerWarp());
    }
  }

  SmallVector<ttng::ArriveBarrierOp> arrivals;
  llvm::SetVector<Value> slots; ///< of an iteration
  unsigned firstNumber = 0;     ///< of the values by which the loop carries them
};

/// The loop and its last wait go into a branch of their own, taken if there are iterations: no way then leads from where
/// nothing is under way to the wait, on which ptxas would serialize the products (C7515).
void leaveUnderWay(scf::ForOp loop, const Products &products) {
  SlotReleases releases(loop);
  loop = releases.carrySlots(loop);
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> sums;
  SmallVector<unsigned> numbers;
  for (ttng::WarpGroupDotOp dot : products) {
    dot.setIsAsync(true);
    sums.push_back(dot.getD());
    numbers.push_back(cast<BlockArgument>(dot.getC()).getArgNumber() - 1);
  }
  if (!haveTilesGivenBack(loop, products)) {
    builder.setInsertionPointAfter(products.back());
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(sums)), sums, products.size());
    for (auto [number, sum] : llvm::zip_equal(numbers, wait.getOutputs()))
      loop.getBody()->getTerminator()->setOperand(number, sum);
    releases.freePrevious(builder, loop);
  }

  builder.setInsertionPoint(loop);
  Value runs = isBelow(builder, loop, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs, /*withElseRegion=*/true);
  loop->replaceAllUsesWith(branch.getResults());
  loop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  builder.setInsertionPointToEnd(branch.thenBlock());
  SmallVector<Value> results(loop.getResults());
  for (auto [number, sum] : llvm::zip_equal(numbers, sums))
    sum = results[number];
  auto last = ttng::WarpGroupDotWaitOp::create(builder, loc, TypeRange(ValueRange(sums)), sums, /*pendings=*/0);
  for (auto [number, sum] : llvm::zip_equal(numbers, last.getOutputs()))
    results[number] = sum;
  releases.freeLast(builder, loop);
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
}

//===--- within an iteration ----------------------------------------------------------------------------------------===//

class Iteration {
public:
  explicit Iteration(scf::ForOp loop) : loop(loop) {}

  void overlap() {
    for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
      // Who arrives says that it has read: once the product has ended.
      if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op);
          arrive && !arrive.getByProducts() && isReadByProducts(arrive)) {
        arrivals.push_back(arrive);
        continue;
      }
      // Products end in the order they start in.
      unsigned done = 0;
      for (auto [position, dot] : llvm::enumerate(underWay))
        if (op.hasTrait<OpTrait::IsTerminator>() || uses(&op, dot.getD()) || disturbs(&op, dot))
          done = position + 1;
      if (done)
        waitFor(done, &op);
      if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
        underWay.push_back(dot);
    }
  }

private:
  static bool uses(Operation *op, Value value) {
    bool found = false;
    forEachInput(op, [&](Value input) { found |= input == value; });
    return found;
  }

  static bool reads(ttng::WarpGroupDotOp dot, ttng::ArriveBarrierOp arrive) {
    return llvm::any_of(arrive.getRead(), [&](Value tile) {
      return mayBeSame(tile, dot.getA()) || mayBeSame(tile, dot.getB());
    });
  }
  bool isReadByProducts(ttng::ArriveBarrierOp arrive) {
    return llvm::any_of(underWay, [&](ttng::WarpGroupDotOp dot) { return reads(dot, arrive); });
  }

  /// Whether `op` changes what a product under way reads, or may.
  bool disturbs(Operation *op, ttng::WarpGroupDotOp dot) {
    if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
      return arrive.getRead().empty();
    if (op->getNumRegions() && !isMemoryEffectFree(op))
      return true;
    return llvm::any_of(ttg::getSharedEffects(op), [&](const ttg::SharedEffect &effect) {
      return effect.isWrite && (mayBeSame(effect.memory, dot.getA()) || mayBeSame(effect.memory, dot.getB()));
    });
  }
  static bool mayBeSame(Value written, Value read) {
    if (!isa<ttg::MemDescType>(read.getType()))
      return false;
    SmallVector<Operation *> owners = getAllocations(written), others = getAllocations(read);
    if (owners.size() != 1 || others.size() != 1 || !owners[0] || !others[0])
      return true;
    if (owners[0] != others[0])
      return false;
    // A pipelined loop fills the slot before the one that it reads.
    ttg::MemDescIndexOp to = getViewedTile(written).index, from = getViewedTile(read).index;
    int64_t count = to ? to.getSrc().getType().getNumTiles() : 1;
    return !to || !from || count == 1 || matchNextSlot(from.getIndex(), count) != to.getIndex();
  }

  /// The oldest `count` are waited for before `op`.
  void waitFor(unsigned count, Operation *op) {
    Products done(underWay.begin(), underWay.begin() + count);
    underWay.erase(underWay.begin(), underWay.begin() + count);
    if (underWay.empty() && arrivals.empty() && count == 1 && done[0]->getNextNode() == op)
      return; // nothing lies between
    OpBuilder builder(op);
    SmallVector<Value> waiting;
    for (ttng::WarpGroupDotOp dot : done)
      waiting.push_back(dot.getD());
    SmallVector<Operation *> conversions;
    for (ttng::WarpGroupDotOp dot : done) {
      if (Value source = getNextSource(dot, op, conversions))
        waiting.push_back(source);
      // A tile of this iteration alone lives until the wait.
      for (Value operand : {dot.getA(), Value(dot.getB())})
        if (isa<ttg::MemDescType>(operand.getType()) && !loop.isDefinedOutsideOfLoop(getViewedTile(operand).memory))
          waiting.push_back(operand);
    }
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, done.back().getLoc(), TypeRange(ValueRange(waiting)), waiting,
                                                 underWay.size());
    Operation *last = wait;
    for (Operation *conversion : conversions) {
      conversion->moveAfter(last);
      last = conversion;
    }
    for (ttng::ArriveBarrierOp arrive : llvm::to_vector(arrivals))
      if (!isReadByProducts(arrive)) {
        arrive->moveAfter(last);
        last = arrive;
        llvm::erase(arrivals, arrive);
      }
    for (ttng::WarpGroupDotOp dot : done)
      dot.setIsAsync(true);
    for (auto [value, after] : llvm::zip_equal(waiting, wait.getOutputs()))
      if (isa<RankedTensorType>(value.getType()))
        value.replaceUsesWithIf(after, [&](OpOperand &use) {
          Operation *user = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
          return !user || wait->isBeforeInBlock(user);
        });
  }

  /// What the next value of a left operand in registers is converted from, if it is there before `op`; adds the conversions.
  Value getNextSource(ttng::WarpGroupDotOp dot, Operation *op, SmallVectorImpl<Operation *> &conversions) {
    SmallVector<Operation *> backwards;
    auto argument = dyn_cast<BlockArgument>(dot.getA());
    if (!argument || argument.getOwner() != loop.getBody())
      return {};
    Value source = loop.getTiedLoopYieldedValue(argument)->get();
    Operation *made = source.getDefiningOp();
    while (made && made->getBlock() == loop.getBody() && made->getResult(0).hasOneUse() &&
           isa<tt::FpToFpOp, arith::TruncFOp, ttg::ConvertLayoutOp>(made)) {
      backwards.push_back(made);
      source = made->getOperand(0);
      made = source.getDefiningOp();
    }
    bool fillsRegisters = tt::getElementBits(cast<RankedTensorType>(source.getType()).getElementType()) == 32;
    if (!made || made->getBlock() != loop.getBody() || !made->isBeforeInBlock(op) || !fillsRegisters)
      return {};
    conversions.append(backwards.rbegin(), backwards.rend());
    return source;
  }

  scf::ForOp loop;
  Products underWay; ///< oldest first
  SmallVector<ttng::ArriveBarrierOp> arrivals; ///< that products under way hold up
};

//===--- turns ------------------------------------------------------------------------------------------------------===//

/// Where warpgroups compute beside their products, those that issue their products in turn compute while others multiply, and the
/// matrix units change hands instead of being fought for. Two or three do so; of four, two are better let go at the same time
/// (measured by hand-written kernels). A turn is the start of all products of an iteration and nothing else: what waits for a
/// product gains nothing, and a barrier of all threads would never be reached by those whose turn it is not.
/// Programs that share a block take their turns also in iterations that only others make, so that all have as many: a rotated loop
/// has one less than iterations, if it has any.
void takeTurns(scf::ForOp loop) {
  unsigned groups = ttg::getNumWarps(loop) * ttg::getProgramsPerBlock(loop) / 4;
  Products products(loop.getBody()->getOps<ttng::WarpGroupDotOp>());
  if (groups < 2 || groups > 3 || !loop->getParentOfType<ttg::WarpSpecializeOp>() ||
      llvm::any_of(products, ttng::accumulatesInTensorMemory)) // one thread starts products of all warpgroups
    return;
  bool computesBeside = llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotWaitOp>(),
                                     [](ttng::WarpGroupDotWaitOp wait) { return wait.getPendings() > 0; });
  auto turn = llvm::make_range(products.front()->getIterator(), products.back()->getIterator());
  bool startsAlone = llvm::all_of(turn, [](Operation &op) {
    return isa<ttng::WarpGroupDotOp, ttng::WaitBarrierOp>(op) ||
           (isMemoryEffectFree(&op) && !getScratchBytes(&op) && !op.getNumRegions());
  });
  if (!computesBeside || !startsAlone)
    return;
  Block &program = loop->getParentOfType<ttg::WarpSpecializeOp>().getDefaultRegion().front();
  Operation *own = program.findAncestorOpInBlock(*loop), *before = own, *behind = own;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto takeAndPass = [&] {
    ttng::TakeTurnOp::create(builder, loc, /*last=*/false);
    ttng::PassTurnOp::create(builder, loc, /*first=*/false);
  };
  if (loop->hasAttr(ttng::unevenAttr)) {
    while (!before->hasAttr(ttng::othersIterationsAttr))
      before = before->getPrevNode();
    while (!behind->hasAttr(ttng::othersIterationsAttr))
      behind = behind->getNextNode();
    auto first = cast<scf::ForOp>(before), last = cast<scf::ForOp>(behind);
    builder.setInsertionPointToStart(first.getBody());
    takeAndPass();
    builder.setInsertionPointToStart(last.getBody());
    bool isRotated = own != loop.getOperation(); // it stands in a branch
    if (isRotated) {
      Value isBehind =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, last.getInductionVar(), first.getLowerBound());
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isBehind, /*withElseRegion=*/false).thenBlock());
    }
    takeAndPass();
  }
  builder.setInsertionPoint(products.front());
  ttng::TakeTurnOp::create(builder, loc, /*last=*/false);
  builder.setInsertionPointAfter(products.back());
  ttng::PassTurnOp::create(builder, loc, /*first=*/false);
  // The turn that a loop before has left over is this one's first.
  auto turns = llvm::make_filter_range(program.getOps<ttng::TakeTurnOp>(), [](ttng::TakeTurnOp turn) { return turn.getLast(); });
  if (!turns.empty()) {
    (*turns.begin())->moveAfter(behind);
    return;
  }
  builder.setInsertionPoint(before);
  ttng::PassTurnOp::create(builder, loc, /*first=*/true);
  builder.setInsertionPointAfter(behind);
  ttng::TakeTurnOp::create(builder, loc, /*last=*/true);
}

struct OverlapProducts : tilecc::impl::TritonNvidiaGPUOverlapProductsBase<OverlapProducts> {
  using TritonNvidiaGPUOverlapProductsBase::TritonNvidiaGPUOverlapProductsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      Products products(loop.getBody()->getOps<ttng::WarpGroupDotOp>());
      if (llvm::any_of(products, [](ttng::WarpGroupDotOp dot) { return dot.getIsAsync(); }))
        continue; // whoever wrote the loop has decided
      SlotReleases releases(loop);
      if (!products.empty() && releases.canBePostponed() && llvm::all_of(products, [&](auto dot) { return onlyAccumulates(loop, dot, keepComputed); }))
        leaveUnderWay(keepComputedTiles(loop, products), products);
      else if (!products.empty()) {
        Iteration(loop).overlap();
        takeTurns(loop);
      }
    }
  }
};

} // namespace
