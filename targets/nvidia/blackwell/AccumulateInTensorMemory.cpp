//===- AccumulateInTensorMemory.cpp - puts accumulators of dots into tensor memory --------------------------------===//
//
// Passes.td describes the effect of this pass. Before the pass, a dot is a function of values, so that earlier passes
// treat wgmma and tcgen05 alike:
//
//     for ... iter_args(acc = 0)                       %acc = tmem_alloc
//       d = warp_group_dot a, b, acc {isAsync}         for ... iter_args(n = 0)
//       w = warp_group_dot_wait d {pendings = 1}  ->     tc_gen5_mma a, b, %acc, n != 0, %done[n % 2] {is_async}
//       yield w                                          wait_barrier %done[(n - 1) % 2]
//                                                      tile = tmem_load %acc
//
// **Allocations.** The accumulator operand of a dot, its result, and the value that a loop carries from one dot to the
// next share an allocation in tensor memory, provided that each value is passed to only one operation, in its own
// block. So do the sum that a loop returns, and the result of a branch or of partitioned code around that loop. If the
// initial value of an allocation is computed by threads, they store it directly before the dot or the loop; the other
// value of a branch, at the end of its block. If threads compute with a value in an allocation, they load it directly
// after it is computed, before a later dot overwrites it.
//
// **Scales.** Threads store the scales of a scaled dot directly before the dot. If the dot of the previous iteration
// may still be in flight at that point, the scales have two allocations, which iterations use alternately.
//
// DotWaits.cpp replaces the waits.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/blackwell/DotWaits.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::blackwell;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUACCUMULATEINTENSORMEMORY
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

using Dots = SmallVector<ttng::WarpGroupDotOp>;

bool isOurs(Operation *op) {
  auto dot = dyn_cast<ttng::WarpGroupDotOp>(op);
  return dot && ttng::accumulatesInTensorMemory(dot);
}

class TensorMemoryAllocator {
public:
  TensorMemoryAllocator(tt::FuncOp func, Completions &completions)
      : func(func), completions(completions), builder(OpBuilder::atBlockBegin(&func.getBody().front())) {}

  void run() {
    func.walk([&](Operation *op) {
      if (isOurs(op))
        dots.push_back(cast<ttng::WarpGroupDotOp>(op));
    });
    find();
    allocate();
    for (Value value : members.getArrayRef())
      loadWhereUsed(value);
    for (Carried &each : carried)
      if (!isSame(each.argument, each.loop.getInitArgs()[each.number]) && !startsFromNothing(each))
        storeBefore(each.loop, each.loop.getInitArgs()[each.number], getAllocation(each.argument));
    for (OpResult result : passed)
      if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
        scf::YieldOp otherwise = branch.elseYield();
        storeBefore(otherwise, otherwise.getOperand(result.getResultNumber()), getAllocation(result));
      }
    for (ttng::WarpGroupDotOp dot : dots)
      replace(dot);
    // Loops and regions no longer pass on values in tensor memory (canonicalization removes the unused values), and
    // waits no longer return values.
    auto createNothing = [&](Operation *before, Type type) -> Value {
      builder.setInsertionPoint(before);
      return arith::ConstantOp::create(builder, before->getLoc(), builder.getZeroAttr(type));
    };
    for (Carried &each : carried) {
      each.loop.getInitArgsMutable()[each.number].set(createNothing(each.loop, each.argument.getType()));
      each.loop.getBody()->getTerminator()->setOperand(each.number, each.argument);
    }
    for (OpResult result : passed) {
      Value nothing = createNothing(result.getOwner(), result.getType());
      if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
        branch.elseYield()->setOperand(result.getResultNumber(), nothing);
      getYielded(result).set(nothing);
    }
    func.walk([&](ttng::WarpGroupDotWaitOp wait) {
      if (llvm::any_of(wait.getResults(), [&](Value result) { return members.contains(result); })) {
        wait->replaceAllUsesWith(wait.getInputs());
        wait.erase();
      }
    });
    for (ttng::WarpGroupDotOp dot : llvm::reverse(dots)) {
      dot->dropAllUses();
      dot.erase();
    }
  }

private:
  /// A loop-carried value that stays in one allocation.
  struct Carried {
    scf::ForOp loop;
    unsigned number;
    BlockArgument argument;
  };

  //===--- values that share an allocation ------------------------------------------------------------------------===//

  static void *key(Value value) { return value.getAsOpaquePointer(); }
  bool isSame(Value x, Value y) {
    return members.contains(x) && members.contains(y) && classes.isEquivalent(key(x), key(y));
  }
  void add(Value value) {
    members.insert(value);
    classes.insert(key(value));
  }
  void unite(Value x, Value y) { classes.unionSets(key(x), key(y)); }

  /// Returns true if `use` overwrites the allocation of the value, or accumulates into it.
  static bool isTakenOver(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(user))
      return use.getOperandNumber() == 2 && isOurs(dot);
    return isa<ttng::WarpGroupDotWaitOp, scf::ForOp>(user) ||
           (isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp()));
  }
  /// Returns true if only one operation takes over the allocation, and executes as often as the value is computed.
  static bool isTakenOverOnce(Value value) {
    auto uses = llvm::make_filter_range(value.getUses(), isTakenOver);
    return llvm::hasSingleElement(uses) && (*uses.begin()).getOwner()->getBlock() == value.getParentBlock();
  }

  void find() {
    for (ttng::WarpGroupDotOp dot : dots)
      add(dot.getD());
    for (size_t known = 0; known != members.size();) {
      known = members.size();
      func.walk([&](ttng::WarpGroupDotWaitOp wait) {
        for (auto [input, output] : llvm::zip_equal(wait.getInputs(), wait.getOutputs()))
          if (members.contains(input) && isTakenOverOnce(input)) {
            add(output);
            unite(input, output);
          }
      });
      for (ttng::WarpGroupDotOp dot : dots)
        if (members.contains(dot.getC()) && isTakenOverOnce(dot.getC()))
          unite(dot.getC(), dot.getD());
      func.walk([&](scf::ForOp loop) { // inner loops first
        for (unsigned i = 0; i < loop.getInitArgs().size(); ++i)
          if (!members.contains(loop.getRegionIterArg(i)) && isCarriedInPlace(loop, i))
            carry(loop, i);
      });
    }
    for (Carried &each : carried)
      if (Value init = each.loop.getInitArgs()[each.number]; members.contains(init) && isTakenOverOnce(init))
        unite(init, each.argument);
    func.walk([&](Operation *op) { // inner regions first
      if (isa<scf::IfOp, ttg::WarpSpecializeOp>(op))
        for (OpResult result : op->getResults())
          if (isPassedInPlace(result)) {
            add(result);
            unite(result, getYielded(result).get());
            passed.push_back(result);
          }
    });
  }

  /// Returns the operand of the first region's terminator that becomes `result`.
  static OpOperand &getYielded(OpResult result) {
    return result.getOwner()->getRegion(0).front().getTerminator()->getOpOperand(result.getResultNumber());
  }

  /// Returns true if `result` is a sum that a loop in the first region has accumulated, and threads compute with it.
  /// They can then load it after the operation. (If the last dot follows a loop, as in attention, the allocation would
  /// be live longer than now.)
  bool isPassedInPlace(OpResult result) {
    auto sum = dyn_cast<OpResult>(getYielded(result).get());
    if (!sum || sum.getOwner()->getParentRegion() != &result.getOwner()->getRegion(0) || !members.contains(sum))
      return false;
    auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(sum.getOwner());
    return (llvm::is_contained(passed, sum) ||
            (wait && wait.getInputs()[sum.getResultNumber()].getDefiningOp<scf::ForOp>())) &&
           llvm::none_of(sum.getUses(), isTakenOver) && llvm::none_of(result.getUses(), isTakenOver);
  }

  /// Returns true if the value that an iteration yields is in an allocation that no other carried value uses.
  bool isCarriedInPlace(scf::ForOp loop, unsigned number) {
    BlockArgument argument = loop.getRegionIterArg(number);
    Value yielded = loop.getYieldedValues()[number];
    if (!members.contains(yielded) || !isTakenOverOnce(yielded) || llvm::count_if(argument.getUses(), isTakenOver) > 1)
      return false;
    for (Value value = yielded; members.contains(value);) {
      auto result = dyn_cast<OpResult>(value);
      if (!result || result.getOwner()->getParentOp() != loop)
        return false;
      Value before;
      if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(result.getOwner()))
        before = wait.getInputs()[result.getResultNumber()];
      else if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(result.getOwner()))
        before = dot.getC();
      else
        before = cast<scf::ForOp>(result.getOwner()).getInitArgs()[result.getResultNumber()];
      if (before == argument)
        return true;
      auto other = dyn_cast<BlockArgument>(before);
      if (other && other.getOwner() == loop.getBody())
        return false;
      value = before;
    }
    // The yielded value has an allocation of its own. A dot that accumulates onto the argument would use the same
    // allocation at the same time.
    return llvm::none_of(argument.getUses(), isTakenOver);
  }

  void carry(scf::ForOp loop, unsigned number) {
    BlockArgument argument = loop.getRegionIterArg(number);
    add(argument);
    add(loop.getResult(number));
    unite(argument, loop.getResult(number));
    unite(argument, loop.getYieldedValues()[number]);
    for (OpOperand &use : argument.getUses())
      if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(use.getOwner()); dot && isTakenOver(use))
        unite(argument, dot.getD());
    carried.push_back({loop, number, argument});
  }

  //===--- accesses -----------------------------------------------------------------------------------------------===//

  Value constant(bool value, Location loc) {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  }

  /// Allocates memory for `tile` before `op`.
  Value allocateBefore(Operation *op, Value tile) {
    builder.setInsertionPoint(op);
    ttg::MemDescType type = ttng::getTensorMemoryType(cast<RankedTensorType>(tile.getType()));
    return ttng::TMEMAllocOp::create(builder, op->getLoc(), type, Value(), Value());
  }

  /// Creates each allocation before the first operation that accesses it, in a block that encloses all accesses.
  void allocate() {
    DenseMap<void *, SmallVector<Operation *>> accesses;
    auto access = [&](Value value, Operation *op) { accesses[classes.getLeaderValue(key(value))].push_back(op); };
    for (ttng::WarpGroupDotOp dot : dots)
      access(dot.getD(), dot);
    for (Carried &each : carried)
      access(each.argument, each.loop);
    for (OpResult result : passed)
      access(result, result.getOwner());
    for (ttng::WarpGroupDotOp dot : dots) {
      void *leader = classes.getLeaderValue(key(dot.getD()));
      if (allocations.contains(leader))
        continue;
      Operation *first = nullptr;
      for (Block *block = dot->getBlock(); !first; block = block->getParentOp()->getBlock())
        for (Operation *op : accesses[leader]) {
          Operation *inBlock = block->findAncestorOpInBlock(*op);
          if (!inBlock) {
            first = nullptr;
            break;
          }
          if (!first || inBlock->isBeforeInBlock(first))
            first = inBlock;
        }
      allocations[leader] = allocateBefore(first, dot.getD());
    }
  }

  Value getAllocation(Value member) { return allocations.at(classes.getLeaderValue(key(member))); }

  void store(Value tile, Value allocation, Location loc) {
    ttng::TMEMStoreOp::create(builder, loc, tile, allocation, constant(true, loc));
  }
  void storeBefore(Operation *op, Value tile, Value allocation) {
    builder.setInsertionPoint(op);
    store(tile, allocation, op->getLoc());
  }

  /// Returns true if the loop starts from zero and its first iteration only adds a dot to the accumulator. If so, makes
  /// that dot ignore the accumulator in the first iteration, so that threads need not store zeros.
  bool startsFromNothing(Carried &each) {
    scf::ForOp loop = each.loop;
    auto dot = each.argument.hasOneUse() ? dyn_cast<ttng::WarpGroupDotOp>(*each.argument.user_begin()) : nullptr;
    Value init = loop.getInitArgs()[each.number];
    if (!dot || dot->getBlock() != loop.getBody() || dot.getC() != each.argument || dot.getUseC() ||
        !(matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero())) || !hasIterations(loop))
      return false;
    builder.setInsertionPoint(dot);
    dot.getUseCMutable().assign(arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::ne,
                                                      loop.getInductionVar(), loop.getLowerBound()));
    return true;
  }

  /// Returns true if the loop is known to have iterations, because it is inside a branch that tests for them.
  static bool hasIterations(scf::ForOp loop) {
    APInt begin, end;
    if (matchPattern(loop.getLowerBound(), m_ConstantInt(&begin)) &&
        matchPattern(loop.getUpperBound(), m_ConstantInt(&end)))
      return loop.getUnsignedCmp() ? begin.ult(end) : begin.slt(end);
    auto branch = dyn_cast<scf::IfOp>(loop->getParentOp());
    auto compare = branch ? branch.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    return compare && loop->getBlock() == branch.thenBlock() && compare.getPredicate() == less &&
           compare.getLhs() == loop.getLowerBound() && compare.getRhs() == loop.getUpperBound();
  }

  /// Returns true if the use accesses the allocation directly.
  bool isInPlace(OpOperand &use) {
    Operation *user = use.getOwner();
    if (llvm::any_of(passed, [&](OpResult result) { return &getYielded(result) == &use; }))
      return true;
    if (!isTakenOver(use))
      return false;
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(user))
      return isSame(use.get(), dot.getD());
    if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(user))
      return isSame(use.get(), wait.getOutputs()[use.getOperandNumber()]);
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
      return argument && isSame(use.get(), argument);
    }
    auto loop = cast<scf::ForOp>(user->getParentOp());
    return isSame(use.get(), loop.getRegionIterArg(use.getOperandNumber()));
  }

  /// Loads `value` directly after it is computed, for the users that need it in registers.
  void loadWhereUsed(Value value) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!isInPlace(use))
        uses.push_back(&use);
    if (uses.empty())
      return;
    if (auto result = dyn_cast<OpResult>(value); result && isa<scf::ForOp>(result.getOwner())) {
      // Load after the loop and the wait for its dots.
      builder.setInsertionPointAfter(result.getOwner());
    } else {
      builder.setInsertionPointAfterValue(value);
    }
    Value tile = ttng::TMEMLoadOp::create(builder, value.getLoc(), value.getType(), getAllocation(value));
    for (OpOperand *use : uses)
      use->set(tile);
  }

  void replace(ttng::WarpGroupDotOp dot) {
    builder.setInsertionPoint(dot);
    Location loc = dot.getLoc();
    Value accumulator = getAllocation(dot.getD()), adds = dot.getUseC();
    if (!adds)
      adds = constant(true, loc);
    if (!isSame(dot.getC(), dot.getD()) && !matchPattern(adds, m_Zero()))
      store(dot.getC(), accumulator, loc);
    Value left = dot.getA();
    if (isa<RankedTensorType>(left.getType())) {
      left = allocateBefore(dot, left);
      store(dot.getA(), left, loc);
    }
    SmallVector<Value> accessed = {accumulator, left}, scales;
    for (Value scale : {dot.getAScale(), dot.getBScale()})
      if (scale) {
        auto [all, allocation] = allocateScales(dot, scale);
        accessed.push_back(all);
        scales.push_back(allocation);
      }
    Value always = constant(true, loc), barrier = completions[dot].barrier;
    for (ttng::WaitBarrierOp wait : completions[dot].waits)
      for (Value allocation : accessed)
        if (ttng::isInTensorMemory(cast<ttg::MemDescType>(allocation.getType())) &&
            allocation.getParentRegion()->isAncestor(wait->getParentRegion()))
          wait.getDepsMutable().append(allocation);
    ValueRange barriers = barrier ? barrier : ValueRange(), predicates = barrier ? always : ValueRange();
    bool isAsync = barrier || dot.getIsAsync();
    if (scales.empty())
      ttng::TCGen5MMAOp::create(builder, loc, left, dot.getB(), accumulator, adds, always, barriers, predicates,
                                isAsync,
                                /*two_ctas=*/false);
    else
      ttng::TCGen5MMAScaledOp::create(builder, loc, left, dot.getB(), accumulator, scales[0], scales[1],
                                      *dot.getAType(), *dot.getBType(), adds, always, barriers, predicates, isAsync,
                                      /*two_ctas=*/false);
  }

  /// Stores scales before `dot`. Returns their allocation and the part of it that the dot reads.
  std::pair<Value, Value> allocateScales(ttng::WarpGroupDotOp dot, Value scale) {
    Location loc = dot.getLoc();
    ttg::MemDescType one = ttng::getTensorMemoryScalesType(cast<RankedTensorType>(scale.getType()));
    Value slot = completions[dot].slot;
    if (!slot) {
      builder.setInsertionPoint(dot);
      Value allocation = ttng::TMEMAllocOp::create(builder, loc, one, Value(), Value());
      store(scale, allocation, loc);
      return {allocation, allocation};
    }
    SmallVector<int64_t> shape = {2};
    llvm::append_range(shape, one.getShape());
    auto both = ttg::MemDescType::get(shape, one.getElementType(), one.getEncoding(), one.getMemorySpace(),
                                      /*mutableMemory=*/true, shape);
    builder.setInsertionPoint(dot->getParentOfType<scf::ForOp>());
    Value all = ttng::TMEMAllocOp::create(builder, loc, both, Value(), Value());
    builder.setInsertionPoint(dot);
    Value allocation = ttg::MemDescIndexOp::create(builder, loc, one, all, slot);
    store(scale, allocation, loc);
    return {all, allocation};
  }

  tt::FuncOp func;
  Completions &completions;
  OpBuilder builder;
  Dots dots;
  SmallVector<Carried> carried;
  SmallVector<OpResult> passed; ///< results of branches and of partitioned code that stay in one allocation
  llvm::SetVector<Value> members;
  llvm::EquivalenceClasses<void *> classes;
  DenseMap<void *, Value> allocations;
};

struct AccumulateInTensorMemory : tilecc::impl::TritonNvidiaGPUAccumulateInTensorMemoryBase<AccumulateInTensorMemory> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      auto findOurs = [](Operation *op) { return isOurs(op) ? WalkResult::interrupt() : WalkResult::advance(); };
      if (!func.walk(findOurs).wasInterrupted())
        continue;
      SmallVector<scf::ForOp> loops;
      func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      Completions completions;
      for (scf::ForOp loop : loops)
        replaceWaits(loop, completions);
      TensorMemoryAllocator(func, completions).run();
      SmallVector<ttng::ArriveBarrierOp> arrivals;
      func.walk([&](ttng::ArriveBarrierOp arrive) {
        if (arrive.getByDots())
          arrivals.push_back(arrive);
      });
      llvm::for_each(arrivals, arriveByDot);
    }
  }
};

} // namespace
