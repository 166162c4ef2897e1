//===- AccumulateInTensorMemory.cpp - puts accumulators of dots into tensor memory --------------------------------===//
//
// See the pass's description. Until here a dot is a function of values, so that earlier passes treat wgmma and tcgen05
// alike:
//
//     for ... iter_args(acc = 0)                       %acc = tmem_alloc
//       d = warp_group_dot a, b, acc {isAsync}         for ... iter_args(n = 0)
//       w = warp_group_dot_wait d {pendings = 1}  ->     tc_gen5_mma a, b, %acc, n != 0, %done[n % 2] {is_async}
//       yield w                                          wait_barrier %done[(n - 1) % 2]
//                                                      tile = tmem_load %acc
//
// **Places.** The accumulator operand of a dot, its result, and what a loop carries from one dot to the next share a
// place in tensor memory, provided that each value is passed on to only one operation, in its own block. If the value
// of a place comes from elsewhere, threads store it right before the dot or the loop. If threads compute with the value
// of a place, they load it right after it is computed, before a later dot changes it.
//
// **Scales.** Threads store the scales of a scaled dot right before it. If the dot of the previous iteration may still
// be pending then, there are two places for them, used by turns.
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

using Products = SmallVector<ttng::WarpGroupDotOp>;

bool isOurs(Operation *op) {
  auto dot = dyn_cast<ttng::WarpGroupDotOp>(op);
  return dot && ttng::accumulatesInTensorMemory(dot);
}

class Places {
public:
  Places(tt::FuncOp func, Completions &completions)
      : func(func), completions(completions), builder(OpBuilder::atBlockBegin(&func.getBody().front())) {}

  void run() {
    func.walk([&](Operation *op) {
      if (isOurs(op))
        products.push_back(cast<ttng::WarpGroupDotOp>(op));
    });
    find();
    allocate();
    for (Value value : members.getArrayRef())
      loadWhereUsed(value);
    for (Carried &each : carried)
      if (!isSame(each.argument, each.loop.getInitArgs()[each.number]) && !startsFromNothing(each))
        storeBefore(each.loop, each.loop.getInitArgs()[each.number], getPlace(each.argument));
    for (ttng::WarpGroupDotOp product : products)
      replace(product);
    // Values that are in places are no longer carried (canonicalization removes the rest), and waits pass nothing on.
    for (Carried &each : carried) {
      builder.setInsertionPoint(each.loop);
      TypedAttr zero = builder.getZeroAttr(each.argument.getType());
      Value nothing = arith::ConstantOp::create(builder, each.loop.getLoc(), zero);
      each.loop.getInitArgsMutable()[each.number].set(nothing);
      each.loop.getBody()->getTerminator()->setOperand(each.number, each.argument);
    }
    func.walk([&](ttng::WarpGroupDotWaitOp wait) {
      if (llvm::any_of(wait.getResults(), [&](Value result) { return members.contains(result); })) {
        wait->replaceAllUsesWith(wait.getInputs());
        wait.erase();
      }
    });
    for (ttng::WarpGroupDotOp product : llvm::reverse(products)) {
      product->dropAllUses();
      product.erase();
    }
  }

private:
  /// A loop-carried value that stays in a place.
  struct Carried {
    scf::ForOp loop;
    unsigned number;
    BlockArgument argument;
  };

  //===--- which values are in one place --------------------------------------------------------------------------===//

  static void *key(Value value) { return value.getAsOpaquePointer(); }
  bool isSame(Value x, Value y) {
    return members.contains(x) && members.contains(y) && classes.isEquivalent(key(x), key(y));
  }
  void add(Value value) {
    members.insert(value);
    classes.insert(key(value));
  }
  void unite(Value x, Value y) { classes.unionSets(key(x), key(y)); }

  /// Returns true if `use` continues the place of the value.
  static bool isTakenOver(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(user))
      return use.getOperandNumber() == 2 && isOurs(dot);
    return isa<ttng::WarpGroupDotWaitOp, scf::ForOp>(user) ||
           (isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp()));
  }
  /// Returns true if one operation continues it, which executes as often as the value is computed.
  static bool isTakenOverOnce(Value value) {
    auto uses = llvm::make_filter_range(value.getUses(), isTakenOver);
    return llvm::hasSingleElement(uses) && (*uses.begin()).getOwner()->getBlock() == value.getParentBlock();
  }

  void find() {
    for (ttng::WarpGroupDotOp product : products)
      add(product.getD());
    for (size_t known = 0; known != members.size();) {
      known = members.size();
      func.walk([&](ttng::WarpGroupDotWaitOp wait) {
        for (auto [input, output] : llvm::zip_equal(wait.getInputs(), wait.getOutputs()))
          if (members.contains(input) && isTakenOverOnce(input)) {
            add(output);
            unite(input, output);
          }
      });
      for (ttng::WarpGroupDotOp product : products)
        if (members.contains(product.getC()) && isTakenOverOnce(product.getC()))
          unite(product.getC(), product.getD());
      func.walk([&](scf::ForOp loop) { // inner loops first
        for (unsigned i = 0; i < loop.getInitArgs().size(); ++i)
          if (!members.contains(loop.getRegionIterArg(i)) && isCarriedInPlace(loop, i))
            carry(loop, i);
      });
    }
    for (Carried &each : carried)
      if (Value init = each.loop.getInitArgs()[each.number]; members.contains(init) && isTakenOverOnce(init))
        unite(init, each.argument);
  }

  /// Returns true if the value that an iteration yields is in a place, which no other carried value has.
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
      else if (auto product = dyn_cast<ttng::WarpGroupDotOp>(result.getOwner()))
        before = product.getC();
      else
        before = cast<scf::ForOp>(result.getOwner()).getInitArgs()[result.getResultNumber()];
      if (before == argument)
        return true;
      auto other = dyn_cast<BlockArgument>(before);
      if (other && other.getOwner() == loop.getBody())
        return false;
      value = before;
    }
    // The yielded value starts a new place; a dot that continues from the argument would use the same place at the same
    // time.
    return llvm::none_of(argument.getUses(), isTakenOver);
  }

  void carry(scf::ForOp loop, unsigned number) {
    BlockArgument argument = loop.getRegionIterArg(number);
    add(argument);
    add(loop.getResult(number));
    unite(argument, loop.getResult(number));
    unite(argument, loop.getYieldedValues()[number]);
    for (OpOperand &use : argument.getUses())
      if (auto product = dyn_cast<ttng::WarpGroupDotOp>(use.getOwner()); product && isTakenOver(use))
        unite(argument, product.getD());
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

  /// Allocates each place before the first operation that accesses it, in a block that encloses all accesses.
  void allocate() {
    DenseMap<void *, SmallVector<Operation *>> accesses;
    auto access = [&](Value value, Operation *op) { accesses[classes.getLeaderValue(key(value))].push_back(op); };
    for (ttng::WarpGroupDotOp product : products)
      access(product.getD(), product);
    for (Carried &each : carried)
      access(each.argument, each.loop);
    for (ttng::WarpGroupDotOp product : products) {
      void *leader = classes.getLeaderValue(key(product.getD()));
      if (places.contains(leader))
        continue;
      Operation *first = nullptr;
      for (Block *block = product->getBlock(); !first; block = block->getParentOp()->getBlock())
        for (Operation *op : accesses[leader]) {
          Operation *inBlock = block->findAncestorOpInBlock(*op);
          if (!inBlock) {
            first = nullptr;
            break;
          }
          if (!first || inBlock->isBeforeInBlock(first))
            first = inBlock;
        }
      places[leader] = allocateBefore(first, product.getD());
    }
  }

  Value getPlace(Value member) { return places.at(classes.getLeaderValue(key(member))); }

  void store(Value tile, Value place, Location loc) {
    ttng::TMEMStoreOp::create(builder, loc, tile, place, constant(true, loc));
  }
  void storeBefore(Operation *op, Value tile, Value place) {
    builder.setInsertionPoint(op);
    store(tile, place, op->getLoc());
  }

  /// Returns true if the loop starts from zero, and its first iteration only adds a dot to it. If so, makes that dot
  /// ignore its accumulator, so that threads need not store zeros.
  bool startsFromNothing(Carried &each) {
    scf::ForOp loop = each.loop;
    auto product = each.argument.hasOneUse() ? dyn_cast<ttng::WarpGroupDotOp>(*each.argument.user_begin()) : nullptr;
    Value init = loop.getInitArgs()[each.number];
    if (!product || product->getBlock() != loop.getBody() || product.getC() != each.argument || product.getUseC() ||
        !(matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero())) || !hasIterations(loop))
      return false;
    builder.setInsertionPoint(product);
    product.getUseCMutable().assign(arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::ne,
                                                          loop.getInductionVar(), loop.getLowerBound()));
    return true;
  }

  /// Returns true if the loop is known to have iterations: it is inside a branch that tests for them.
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

  /// Returns true if the use accesses the place directly.
  bool isInPlace(OpOperand &use) {
    Operation *user = use.getOwner();
    if (!isTakenOver(use))
      return false;
    if (auto product = dyn_cast<ttng::WarpGroupDotOp>(user))
      return isSame(use.get(), product.getD());
    if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(user))
      return isSame(use.get(), wait.getOutputs()[use.getOperandNumber()]);
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
      return argument && isSame(use.get(), argument);
    }
    auto loop = cast<scf::ForOp>(user->getParentOp());
    return isSame(use.get(), loop.getRegionIterArg(use.getOperandNumber()));
  }

  /// Loads `value`, where it is computed, for users that need it in registers.
  void loadWhereUsed(Value value) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!isInPlace(use))
        uses.push_back(&use);
    if (uses.empty())
      return;
    if (auto result = dyn_cast<OpResult>(value); result && isa<scf::ForOp>(result.getOwner())) {
      // Load behind the loop, where its pending dots have been waited for.
      builder.setInsertionPointAfter(result.getOwner());
    } else {
      builder.setInsertionPointAfterValue(value);
    }
    Value tile = ttng::TMEMLoadOp::create(builder, value.getLoc(), value.getType(), getPlace(value));
    for (OpOperand *use : uses)
      use->set(tile);
  }

  void replace(ttng::WarpGroupDotOp product) {
    builder.setInsertionPoint(product);
    Location loc = product.getLoc();
    Value sums = getPlace(product.getD()), adds = product.getUseC();
    if (!adds)
      adds = constant(true, loc);
    if (!isSame(product.getC(), product.getD()) && !matchPattern(adds, m_Zero()))
      store(product.getC(), sums, loc);
    Value left = product.getA();
    if (isa<RankedTensorType>(left.getType())) {
      left = allocateBefore(product, left);
      store(product.getA(), left, loc);
    }
    SmallVector<Value> accessed = {sums, left}, scales;
    for (Value scale : {product.getAScale(), product.getBScale()})
      if (scale) {
        auto [all, place] = placeScales(product, scale);
        accessed.push_back(all);
        scales.push_back(place);
      }
    Value always = constant(true, loc), barrier = completions[product].barrier;
    for (ttng::WaitBarrierOp wait : completions[product].waits)
      for (Value place : accessed)
        if (ttng::isInTensorMemory(cast<ttg::MemDescType>(place.getType())) &&
            place.getParentRegion()->isAncestor(wait->getParentRegion()))
          wait.getDepsMutable().append(place);
    ValueRange barriers = barrier ? barrier : ValueRange(), predicates = barrier ? always : ValueRange();
    bool isAsync = barrier || product.getIsAsync();
    if (scales.empty())
      ttng::TCGen5MMAOp::create(builder, loc, left, product.getB(), sums, adds, always, barriers, predicates, isAsync,
                                /*two_ctas=*/false);
    else
      ttng::TCGen5MMAScaledOp::create(builder, loc, left, product.getB(), sums, scales[0], scales[1],
                                      *product.getAType(), *product.getBType(), adds, always, barriers, predicates,
                                      isAsync, /*two_ctas=*/false);
  }

  /// Stores scales before `product`. Returns their allocation, and the part of it that the dot reads.
  std::pair<Value, Value> placeScales(ttng::WarpGroupDotOp product, Value scale) {
    Location loc = product.getLoc();
    ttg::MemDescType one = ttng::getTensorMemoryScalesType(cast<RankedTensorType>(scale.getType()));
    Value slot = completions[product].slot;
    if (!slot) {
      builder.setInsertionPoint(product);
      Value place = ttng::TMEMAllocOp::create(builder, loc, one, Value(), Value());
      store(scale, place, loc);
      return {place, place};
    }
    SmallVector<int64_t> shape = {2};
    llvm::append_range(shape, one.getShape());
    auto both = ttg::MemDescType::get(shape, one.getElementType(), one.getEncoding(), one.getMemorySpace(),
                                      /*mutableMemory=*/true, shape);
    builder.setInsertionPoint(product->getParentOfType<scf::ForOp>());
    Value all = ttng::TMEMAllocOp::create(builder, loc, both, Value(), Value());
    builder.setInsertionPoint(product);
    Value place = ttg::MemDescIndexOp::create(builder, loc, one, all, slot);
    store(scale, place, loc);
    return {all, place};
  }

  tt::FuncOp func;
  Completions &completions;
  OpBuilder builder;
  Products products;
  SmallVector<Carried> carried;
  llvm::SetVector<Value> members;
  llvm::EquivalenceClasses<void *> classes;
  DenseMap<void *, Value> places;
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
      Places(func, completions).run();
      SmallVector<ttng::ArriveBarrierOp> arrivals;
      func.walk([&](ttng::ArriveBarrierOp arrive) {
        if (arrive.getByProducts())
          arrivals.push_back(arrive);
      });
      llvm::for_each(arrivals, arriveByProduct);
    }
  }
};

} // namespace
