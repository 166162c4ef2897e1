//===- RotateLoops.cpp - starts the next iteration's first dots before the last dots ------------------------------===//
//
// If one dot of an iteration depends on another (attention: p = softmax(q k), acc = acc * a + p v), the matrix units
// are idle during the computations between both dots. In a rotated loop, the last dot of an iteration runs while the
// threads compute on the result of the first dot of the next iteration:
//
//     for i:  s = q k(i)                          s = q k(0);  p, a = f(s);  acc' = acc * a
//             p, a = f(s)             becomes     for i, except the last:
//             acc = acc * a + p v(i)                  s = q k(i + 1)
//                                                     acc = acc' + p v(i)
//                                                     p, a = f(s);  acc' = acc * a
//                                                 acc = acc' + p v(last)
//
// The *late* part of an iteration consists of its last dots, and of the operations that only move operands of these
// dots to shared memory. Everything else is the *early* part, which runs one iteration ahead. Only the accumulators of
// late dots are passed from the late part to the early part, so the arithmetic is the same, in the same order.
//
// This is legal if only data dependencies order the operations of the loop: it may compute, load, and contain dots.
// Waits for tiles that other warps fill, and arrivals that release such tiles, belong to the part that reads the tiles.
// The sequence of tiles of a buffer does not change. No tile in memory may be read by both parts. Its slot would be in
// use for two iterations, so one copy less could run ahead. (In the backward pass of attention, one tile is an operand
// of both first and last dots. Rotation made it a sixth to two fifths slower on an H200.) Only warp-group dots are
// considered, since they run concurrently with the threads.
//
// scf::pipelineForLoop does not serve this purpose. If the trip count is unknown, it executes the early part of an
// iteration that does not exist, under predicates or with selects of whole accumulators, and it keeps both acc and acc'
// live around the loop. This pass only puts the loop into a branch, whose condition the loop needs anyway.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUROTATELOOPS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

class Rotation {
public:
  explicit Rotation(scf::ForOp loop) : loop(loop), body(loop.getBody()), loc(loop.getLoc()), builder(loop) {}

  /// Returns true if some dots of the loop depend on others, and the loop can be rotated. Determines both parts.
  bool analyze();
  void rewrite();

private:
  using Operations = llvm::SetVector<Operation *>;

  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// Returns the operation in the loop's block that computes `value`; null for block arguments and values from outside.
  Operation *getSource(Value value) {
    Operation *op = value.getDefiningOp();
    return op && isInside(value) ? body->findAncestorOpInBlock(*op) : nullptr;
  }
  /// Returns the wait for the data of `memory` in the body of the loop; null if there is none.
  Operation *getWait(Value memory) {
    for (Operation *user : memory.getUsers())
      if (isa<ttng::WaitBarrierOp>(user) && user->getBlock() == body)
        return user;
    return nullptr;
  }
  /// Returns the tiles that a wait or an arrival on an mbarrier guards.
  static ValueRange getTiles(Operation *op) {
    if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op))
      return wait.getDeps();
    if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
      return arrive.getRead();
    return {};
  }
  /// Adds `op`, and the operations on which `op` depends in the same iteration, to `needed`.
  void collectNeeded(Operation *op, Operations &needed);
  /// Adds the operations that depend on `value` in the same iteration.
  void collectUsers(Value value, DenseSet<Operation *> &users);
  /// Returns true if the given part of the iteration reads `memory` or a view of it.
  bool isRead(Value memory, bool byLate) {
    return llvm::any_of(memory.getUsers(), [&](Operation *user) {
      if (isa<ViewLikeOpInterface>(user))
        return isRead(user->getResult(0), byLate);
      return getTiles(user).empty() && late.contains(user) == byLate;
    });
  }
  bool isOrdered(Operation &op);
  void findLateDots();
  void addLateOperands();
  void addLateState();
  bool comesFromLate(unsigned number) const { return accumulators.contains(number) || lateOnly.contains(number); }
  /// Returns true if recomputing `value` in the late part is cheaper than carrying it there.
  bool isCheap(Value value);

  void emit(Operation *op, IRMapping &mapping) { builder.clone(*op, mapping); }
  void emitEarly(IRMapping &mapping, llvm::function_ref<void()> late);
  void emitLate(IRMapping &mapping);
  void recompute(Value value, IRMapping &mapping);
  void giveBack(scf::IfOp branch);

  scf::ForOp loop;
  Block *body;
  Location loc;
  OpBuilder builder;
  DenseSet<Operation *> late;
  /// Numbers of the carried values that the late part yields: accumulators, and values that only the late part needs.
  llvm::SmallDenseSet<unsigned> accumulators, lateOnly;
  Operations first; ///< the early dots, and the operations on which they depend
  DenseSet<Operation *> last; ///< in the early part: the operations that depend on late dots of the previous iteration
  llvm::SetVector<Value> handedOver; ///< the values passed from the early part of an iteration to its late part
  llvm::SetVector<Value> arguments; ///< carried values that the late part reads
};

void Rotation::collectNeeded(Operation *op, Operations &needed) {
  if (needed.contains(op))
    return;
  forEachInput(op, [&](Value input) {
    if (Operation *source = getSource(input))
      collectNeeded(source, needed);
    if (Operation *wait = isa<ttg::MemDescType>(input.getType()) ? getWait(input) : nullptr; wait && wait != op)
      collectNeeded(wait, needed);
  });
  needed.insert(op);
}

void Rotation::collectUsers(Value value, DenseSet<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    Operation *own = body->findAncestorOpInBlock(*user);
    if (own && own != body->getTerminator() && users.insert(own).second)
      for (Value result : own->getResults())
        collectUsers(result, users);
  }
}

/// Returns true if the operation must keep its order relative to other operations with effects.
bool Rotation::isOrdered(Operation &op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile();
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return !alloc.getSrc() || alloc.getType().getMutableMemory();
  // Waits and arrivals are not ordered here, because they go into the same part as the operations that read the tile.
  return !isa<ttng::WarpGroupDotOp, tt::DescriptorLoadOp>(op) && !isMemoryEffectFree(&op) && getTiles(&op).empty();
}

/// Finds the dots that depend on other dots of their iteration and have results that only the next iteration uses.
void Rotation::findLateDots() {
  for (auto dot : body->getOps<ttng::WarpGroupDotOp>()) {
    Operations needed;
    collectNeeded(dot, needed);
    needed.remove(dot);
    bool follows = llvm::any_of(needed, [](Operation *op) { return isa<ttng::WarpGroupDotOp>(op); });
    if (!follows || !dot.getD().hasOneUse())
      continue;
    OpOperand &use = *dot.getD().use_begin();
    if (use.getOwner() != body->getTerminator())
      continue;
    late.insert(dot);
    accumulators.insert(use.getOperandNumber());
  }
}

/// Adds the operations that only move operands of late dots to shared memory. The registers that these operations read
/// are passed from the early part.
void Rotation::addLateOperands() {
  for (size_t before = 0; before != late.size();) {
    before = late.size();
    for (Operation &op : llvm::reverse(body->without_terminator())) {
      if (late.contains(&op) || op.getNumRegions())
        continue;
      if (ValueRange tiles = getTiles(&op); !tiles.empty()) {
        if (llvm::all_of(tiles, [&](Value tile) { return late.contains(tile.getDefiningOp()); }))
          late.insert(&op);
        continue;
      }
      bool isRead = false;
      bool isOnlyForLate = llvm::all_of(op.getUses(), [&](OpOperand &use) {
        if (llvm::is_contained(getTiles(use.getOwner()), use.get()))
          return true; // it is in the same part as the operations that read the tile
        isRead = true;
        auto dot = dyn_cast<ttng::WarpGroupDotOp>(use.getOwner());
        bool isRegisters = dot && isa<RankedTensorType>(use.get().getType());
        return late.contains(use.getOwner()) && !isRegisters;
      });
      if (isRead && isOnlyForLate && (isLoad(&op) || isa<ttg::LocalAllocOp>(op) || isMemoryEffectFree(&op)))
        late.insert(&op);
    }
  }
}

/// Adds the carried values that only the late part needs, such as a pointer that it advances.
void Rotation::addLateState() {
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    unsigned number = argument.getArgNumber() - 1;
    DenseSet<Operation *> users;
    bool isLate = !accumulators.contains(number), isRead = false;
    std::function<void(Value)> follow = [&](Value value) {
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        if (late.contains(user)) {
          isRead = true;
          continue;
        }
        if (user == body->getTerminator() && use.getOperandNumber() == number)
          continue;
        isLate &= user->getBlock() == body && isRepeatable(user);
        if (isLate && users.insert(user).second)
          for (Value result : user->getResults())
            follow(result);
      }
    };
    follow(argument);
    Operation *next = getSource(loop.getTiedLoopYieldedValue(argument)->get());
    if (!isLate || !isRead || !next || !users.contains(next))
      continue;
    late.insert(users.begin(), users.end());
    lateOnly.insert(number);
  }
}

bool Rotation::isCheap(Value value) {
  Operations needed;
  if (Operation *source = getSource(value))
    collectNeeded(source, needed);
  return llvm::all_of(needed, [](Operation *op) {
    return isRepeatable(op) && !op->getNumRegions() && !isa<ttng::WarpGroupDotOp, ttg::ConvertLayoutOp>(op);
  });
}

bool Rotation::analyze() {
  if (llvm::any_of(body->without_terminator(), [&](Operation &op) { return isOrdered(op); }))
    return false;
  findLateDots();
  if (late.empty())
    return false;
  addLateOperands();
  addLateState();

  for (auto dot : body->getOps<ttng::WarpGroupDotOp>())
    if (!late.contains(dot))
      collectNeeded(dot, first);
  for (unsigned number : accumulators)
    collectUsers(loop.getRegionIterArg(number), last);
  // Dots that need the result of a late dot cannot start before it.
  if (llvm::any_of(first, [&](Operation *op) { return last.contains(op); }))
    return false;

  for (Operation &op : body->without_terminator()) {
    if (!late.contains(&op))
      continue;
    forEachInput(&op, [&](Value input) {
      Operation *source = getSource(input);
      if (!isInside(input) || input == loop.getInductionVar() || (source && late.contains(source)))
        return;
      if (!source) {
        arguments.insert(input);
        return;
      }
      if (!isCheap(input)) {
        handedOver.insert(input);
        return;
      }
      Operations needed;
      collectNeeded(source, needed);
      for (Operation *each : needed)
        forEachInput(each, [&](Value inner) {
          if (isInside(inner) && inner != loop.getInductionVar() && !getSource(inner))
            arguments.insert(inner);
        });
    });
  }
  for (Operation &op : body->without_terminator())
    if (op.getNumResults() == 1 && isa<ttg::MemDescType>(op.getResult(0).getType()) &&
        isRead(op.getResult(0), /*byLate=*/true) && isRead(op.getResult(0), /*byLate=*/false))
      return false;
  // If only its dot reads an accumulator, the accumulator is passed from the previous execution of the dot. No other
  // late operation may read it.
  for (Value argument : arguments) {
    unsigned number = cast<BlockArgument>(argument).getArgNumber() - 1;
    Value yielded = loop.getTiedLoopYieldedValue(cast<BlockArgument>(argument))->get();
    bool isOfItsDot = llvm::all_of(argument.getUsers(), [&](Operation *user) {
      auto dot = dyn_cast<ttng::WarpGroupDotOp>(user);
      return dot && late.contains(dot) && dot.getC() == argument && dot.getD() == yielded;
    });
    if (accumulators.contains(number) && !isOfItsDot)
      return false;
  }
  // Execute conversions for the late dots last, because their results may use registers that those dots still read.
  for (Value value : handedOver)
    if (Operation *op = getSource(value); op && !first.contains(op))
      for (; op && isa<tt::FpToFpOp, arith::TruncFOp, ttg::ConvertLayoutOp>(op) && op->getResult(0).hasOneUse();
           op = getSource(op->getOperand(0)))
        last.insert(op);
  return true;
}

/// Emits the early part. Calls `late` after the first dots, to emit the late part of the previous iteration there.
void Rotation::emitEarly(IRMapping &mapping, llvm::function_ref<void()> late) {
  auto emitIf = [&](llvm::function_ref<bool(Operation *)> isWanted) {
    for (Operation &op : body->without_terminator())
      if (!this->late.contains(&op) && isWanted(&op))
        emit(&op, mapping);
  };
  emitIf([&](Operation *op) { return first.contains(op); });
  late();
  emitIf([&](Operation *op) { return !first.contains(op) && !last.contains(op); });
  emitIf([&](Operation *op) { return !first.contains(op) && last.contains(op); });
}

void Rotation::recompute(Value value, IRMapping &mapping) {
  Operation *source = getSource(value);
  if (!source || mapping.contains(value))
    return;
  forEachInput(source, [&](Value input) { recompute(input, mapping); });
  emit(source, mapping);
}

void Rotation::emitLate(IRMapping &mapping) {
  for (Operation &op : body->without_terminator()) {
    if (!late.contains(&op))
      continue;
    forEachInput(&op, [&](Value input) { recompute(input, mapping); });
    emit(&op, mapping);
  }
}

/// Tiles that are invariant in the loop (attention's queries) are released after the loop. If the late part does not
/// read such a tile, this function moves its release into `branch`, to the builder's position before the last late
/// part, so that other warps can overwrite the tile earlier.
void Rotation::giveBack(scf::IfOp branch) {
  for (Operation *op = loop->getNextNode(); op && (isMemoryEffectFree(op) || isa<ttng::ArriveBarrierOp>(op));) {
    auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op);
    op = op->getNextNode();
    auto isFree = [&](Value tile) { return !isRead(tile, /*byLate=*/true); };
    if (!arrive || arrive.getRead().empty() || !llvm::all_of(arrive.getRead(), isFree))
      continue;
    Operation *barrier = arrive.getAlloc().getDefiningOp();
    if (barrier && barrier->getBlock() == loop->getBlock() && loop->isBeforeInBlock(barrier)) {
      if (!isRepeatable(barrier) || !llvm::all_of(barrier->getOperands(), [&](Value operand) {
            Operation *source = operand.getDefiningOp();
            return !source || source->getBlock() != loop->getBlock() || source->isBeforeInBlock(loop);
          }))
        continue;
      barrier->moveBefore(branch);
    }
    builder.clone(*arrive);
    OpBuilder::atBlockTerminator(branch.elseBlock()).clone(*arrive);
    arrive->erase();
  }
}

void Rotation::rewrite() {
  ValueRange yielded = body->getTerminator()->getOperands();
  unsigned count = loop.getNumResults();
  Value runs = isBelow(builder, loop, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
  builder.setInsertionPointToStart(branch.thenBlock());

  // Emit the early part of the first iteration.
  IRMapping early;
  early.map(loop.getInductionVar(), loop.getLowerBound());
  early.map(ValueRange(loop.getRegionIterArgs()), ValueRange(loop.getInitArgs()));
  emitEarly(early, [] {});

  // The loop carries four kinds of values: those that the early part yields, those that the late part needs from the
  // early part of its iteration, the carried values that the late part reads, and the induction variable.
  SmallVector<unsigned> own;
  SmallVector<Value> inits;
  for (unsigned number = 0; number < count; ++number)
    if (!comesFromLate(number)) {
      own.push_back(number);
      inits.push_back(early.lookupOrDefault(yielded[number]));
    }
  for (Value value : handedOver)
    inits.push_back(early.lookup(value));
  for (Value argument : arguments)
    inits.push_back(loop.getTiedLoopInit(cast<BlockArgument>(argument))->get());
  inits.push_back(loop.getLowerBound());
  auto mapCarried = [&](ValueRange carried, IRMapping &mapping) {
    carried = carried.drop_front(own.size());
    for (Value value : handedOver)
      mapping.map(value, carried.front()), carried = carried.drop_front();
    for (Value argument : arguments)
      mapping.map(argument, carried.front()), carried = carried.drop_front();
    mapping.map(loop.getInductionVar(), carried.front());
  };

  Value end = getUpperBoundOf(builder, loop, /*ahead=*/1);
  auto rotated = scf::ForOp::create(builder, loc, loop.getLowerBound(), end, loop.getStep(), inits);
  rotated.setUnsignedCmp(loop.getUnsignedCmp());
  rotated->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  builder.setInsertionPointToStart(rotated.getBody());
  IRMapping next, now;
  Value iteration = arith::AddIOp::create(builder, loc, rotated.getInductionVar(), loop.getStep());
  next.map(loop.getInductionVar(), iteration);
  for (auto [position, number] : llvm::enumerate(own))
    next.map(loop.getRegionIterArg(number), rotated.getRegionIterArg(position));
  mapCarried(rotated.getRegionIterArgs(), now);
  now.map(loop.getInductionVar(), rotated.getInductionVar());
  emitEarly(next, [&] {
    emitLate(now);
    for (unsigned number : accumulators)
      next.map(loop.getRegionIterArg(number), now.lookup(yielded[number]));
  });
  SmallVector<Value> yields;
  for (unsigned number : own)
    yields.push_back(next.lookupOrDefault(yielded[number]));
  for (Value value : handedOver)
    yields.push_back(next.lookup(value));
  for (Value argument : arguments) {
    unsigned number = cast<BlockArgument>(argument).getArgNumber() - 1;
    yields.push_back(comesFromLate(number) ? now.lookup(yielded[number]) : next.lookup(argument));
  }
  yields.push_back(iteration);
  scf::YieldOp::create(builder, loc, yields);

  // Emit the late part of the last iteration, after the release of tiles that it does not read.
  builder.setInsertionPointAfter(rotated);
  giveBack(branch);
  IRMapping rest;
  mapCarried(rotated.getResults(), rest);
  emitLate(rest);
  SmallVector<Value> results(count);
  for (auto [position, number] : llvm::enumerate(own))
    results[number] = rotated.getResult(position);
  for (unsigned number = 0; number < count; ++number)
    if (comesFromLate(number))
      results[number] = rest.lookupOrDefault(yielded[number]);
  scf::YieldOp::create(builder, loc, results);
  loop->replaceAllUsesWith(branch.getResults());
  loop->erase();
}

struct RotateLoops : tilecc::impl::TritonGPURotateLoopsBase<RotateLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Rotation rotation(loop); rotation.analyze())
        rotation.rewrite();
  }
};

} // namespace
