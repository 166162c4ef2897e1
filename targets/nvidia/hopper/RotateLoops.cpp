//===- RotateLoops.cpp - the next iteration's first products before this iteration's last -----------------------------===//
//
// Where one product of an iteration is computed from another (attention: p = softmax(q k), acc = acc * a + p v), the matrix
// units wait for what is computed between the two. Rotated, they have the last product of an iteration under way while
// the threads compute on the first product of the next:
//
//     for i:  s = q k(i)                          s = q k(0);  p, a = f(s);  acc' = acc * a
//             p, a = f(s)             becomes     for i, but the last:
//             acc = acc * a + p v(i)                  s = q k(i + 1)
//                                                     acc = acc' + p v(i)
//                                                     p, a = f(s);  acc' = acc * a
//                                                 acc = acc' + p v(last)
//
// The *late* part of an iteration is its last products, and what only brings their operands to shared memory; all else
// is the early part, which runs one iteration ahead. A late product's accumulator is the only thing that comes back
// from the late part to the early one, so the arithmetic is the same, in the same order.
//
// Legal where nothing in the loop is ordered but by its operands: it computes, loads, and has products. Waits for tiles that
// other warps fill, and arrivals that give them back, belong to those who read the tiles; the sequence of one buffer's tiles
// stays as it is. No tile in memory is read by both parts: it would be two iterations' at once, with slots for one copy ahead
// less (attention's backward, where one tile is an operand of first and last products, lost a sixth to two fifths by it on an
// H200). It is done for products by warpgroups only, which run beside their threads.
//
// Not by scf::pipelineForLoop: with a number of iterations that is not known it computes the early part of an iteration that
// is not one, under predicates or selects of whole accumulators, and keeps both acc and acc' alive around the loop.
// Here a loop of any number of iterations has the one test in front that it had anyway.
//
//===---------------------------------------------------------------------------------------------------------------===//

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

  /// Whether the loop has products that follow from others, and may be rotated. Finds the parts.
  bool analyze();
  void rewrite();

private:
  using Operations = llvm::SetVector<Operation *>;

  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// The operation of the loop's own block that `value` comes from; null for what the block begins with.
  Operation *getSource(Value value) {
    Operation *op = value.getDefiningOp();
    return op && isInside(value) ? body->findAncestorOpInBlock(*op) : nullptr;
  }
  /// The wait for what `memory` is filled with; null where there is none.
  Operation *getWait(Value memory) {
    for (Operation *user : memory.getUsers())
      if (isa<ttng::WaitBarrierOp>(user) && user->getBlock() == body)
        return user;
    return nullptr;
  }
  /// The tiles that a wait or an arrival at a barrier in memory is about.
  static ValueRange getTiles(Operation *op) {
    if (auto wait = dyn_cast<ttng::WaitBarrierOp>(op))
      return wait.getDeps();
    if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
      return arrive.getRead();
    return {};
  }
  /// Adds `op` and what of the loop it needs in the same iteration.
  void collectNeeded(Operation *op, Operations &needed);
  /// Adds what follows from `value` in the same iteration.
  void collectUsers(Value value, DenseSet<Operation *> &users);
  /// Whether a part of the iteration reads `memory`, or a view of it.
  bool isRead(Value memory, bool byLate) {
    return llvm::any_of(memory.getUsers(), [&](Operation *user) {
      if (isa<ViewLikeOpInterface>(user))
        return isRead(user->getResult(0), byLate);
      return getTiles(user).empty() && late.contains(user) == byLate;
    });
  }
  bool isOrdered(Operation &op);
  void findLateProducts();
  void addLateOperands();
  void addLateState();
  bool comesFromLate(unsigned number) const { return accumulators.contains(number) || lateOnly.contains(number); }
  /// Whether `value` is cheaper computed again in the late part than carried there.
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
  /// Carried values, by number, that the late part yields: accumulators, and what only it needs.
  llvm::SmallDenseSet<unsigned> accumulators, lateOnly;
  Operations first;                  ///< the early products, and what they need
  DenseSet<Operation *> last;        ///< of the early part: what needs the late products of the iteration before
  llvm::SetVector<Value> handedOver; ///< by the early part of an iteration to its late part
  llvm::SetVector<Value> arguments;  ///< carried values that the late part reads
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

/// Whether it has to stay where it is among others that have effects.
bool Rotation::isOrdered(Operation &op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile();
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return !alloc.getSrc() || alloc.getType().getMutableMemory();
  // Waits and arrivals go with those who read the tile.
  return !isa<ttng::WarpGroupDotOp, tt::DescriptorLoadOp>(op) && !isMemoryEffectFree(&op) && getTiles(&op).empty();
}

/// Products that follow from others of their iteration and lead to nothing in it.
void Rotation::findLateProducts() {
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

/// What only brings operands to shared memory for late products. What they take from registers is handed over.
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
          return true; // goes with the tile's readers
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

/// What a loop carries only for the late part (a pointer that it moves on) is the late part's to carry.
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
  findLateProducts();
  if (late.empty())
    return false;
  addLateOperands();
  addLateState();

  for (auto dot : body->getOps<ttng::WarpGroupDotOp>())
    if (!late.contains(dot))
      collectNeeded(dot, first);
  for (unsigned number : accumulators)
    collectUsers(loop.getRegionIterArg(number), last);
  // Products that need the result of a late one cannot start before it.
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
  // An accumulator that nobody but its product reads comes to it from the product before; nothing else may read one late.
  for (Value argument : arguments) {
    unsigned number = cast<BlockArgument>(argument).getArgNumber() - 1;
    Value yielded = loop.getTiedLoopYieldedValue(cast<BlockArgument>(argument))->get();
    bool isOfItsProduct = llvm::all_of(argument.getUsers(), [&](Operation *user) {
      auto dot = dyn_cast<ttng::WarpGroupDotOp>(user);
      return dot && late.contains(dot) && dot.getC() == argument && dot.getD() == yielded;
    });
    if (accumulators.contains(number) && !isOfItsProduct)
      return false;
  }
  // What is converted for the late products comes last: it may take the registers of what they still read.
  for (Value value : handedOver)
    if (Operation *op = getSource(value); op && !first.contains(op))
      for (; op && isa<tt::FpToFpOp, arith::TruncFOp, ttg::ConvertLayoutOp>(op) && op->getResult(0).hasOneUse();
           op = getSource(op->getOperand(0)))
        last.insert(op);
  return true;
}

/// The early part; `late` goes behind its products.
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

/// Tiles that stay the same for all iterations (attention's queries) are given back behind the loop: by those in the `branch` where the
/// builder is, if the late part leaves them alone, so that others may write there beside it.
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

  // The early part of the first iteration.
  IRMapping early;
  early.map(loop.getInductionVar(), loop.getLowerBound());
  early.map(ValueRange(loop.getRegionIterArgs()), ValueRange(loop.getInitArgs()));
  emitEarly(early, [] {});

  // A loop carries: what the early part yields, then what the late part of its iteration needs of it, what the late part reads
  // of the carried values, and the iteration's number.
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

  // The late part of the last iteration, behind what gives tiles back that it does not read.
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
