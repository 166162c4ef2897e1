//===- PlanCTA.cpp - distributes every tile over the thread blocks of a cluster -----------------------------------===//
//
// This pass rewrites the kernel so that each block computes parts of tiles instead of whole tiles. (GSPMD does the same
// for whole arrays: Xu et al., 2021.) Ranges and accesses through descriptors depend on the block's rank. All other
// operations are the same operations on smaller tiles, so later passes need not know about blocks. DistributionPlan
// chooses the distribution of each tile, or reads it from the encodings of TTGIR. If an operation needs a tile in
// another distribution, a block recomputes its part if that is cheap; otherwise the blocks exchange their parts
// (ttng.redistribute). For a reduction, each block reduces its part, the blocks exchange their partial results, and
// each block combines them. The first block executes the operations that must be executed once per program (atomic
// accesses, messages). If the tile of such an operation is distributed, each part is handled by the first of the blocks
// that have copies of the part.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/Distributor.h"
#include "lowering/clusters/ProgramBlock.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUPLANCTA
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

bool isDistributed(Value value) { return getDistributedShape(value.getType()).has_value(); }
bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

class Distributor {
public:
  Distributor(tt::FuncOp func, DistributionPlan plan, unsigned bits)
      : func(func), plan(std::move(plan)), everywhere(Distribution::copies(bits)), hasLayouts(ttg::hasLayouts(func)) {}

  LogicalResult run() {
    Region whole;
    whole.takeBody(func.getBody());
    OpBuilder builder(func.getContext());
    Block *entry = builder.createBlock(&func.getBody());
    for (BlockArgument argument : whole.front().getArguments())
      defineCarried(argument, entry->addArgument(plan.get(argument).getPart(argument.getType()), argument.getLoc()));
    thisBlock.emplace(builder, func, hasLayouts);
    LogicalResult result = distribute(whole, func.getBody());
    if (failed(result)) { // the new body may lack a terminator
      func.getBody().getBlocks().clear();
      func.getBody().takeBody(whole);
      return failure();
    }
    func.setFunctionType(builder.getFunctionType(entry->getArgumentTypes(), func.getResultTypes()));
    whole.dropAllReferences();
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func.getBody());
    return success();
  }

private:
  //===--- tiles in several distributions -------------------------------------------------------------------------===//

  struct Version {
    Distribution distribution;
    Value value;
  };

  void define(Value old, const Distribution &distribution, Value value) {
    plan.set(old, distribution);
    versions[old].push_back({distribution, value});
  }

  /// Returns `old`, whose definition has been rewritten, in the distribution `wanted`.
  Value get(Value old, const Distribution &wanted) {
    if (!isDistributed(old))
      return values.lookup(old);
    for (const Version &version : versions[old])
      if (version.distribution == wanted)
        return version.value;
    Version made = versions[old].front();
    if (!isTile(old)) // tiles in shared memory and descriptors have one version
      return made.value;
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfterValue(made.value);
    Operation *op = old.getDefiningOp();
    if (op && plan.isCheap(old) && getOperandDistributions(op, wanted)) {
      for (auto [result, part] : llvm::zip_equal(op->getResults(), create(builder, op, wanted)))
        versions[result].push_back({wanted, part});
      return versions[old].back().value;
    }
    Value moved = thisBlock->redistribute(builder, old.getLoc(), made.value, made.distribution, wanted);
    versions[old].push_back({wanted, moved});
    return moved;
  }

  //===--- operations ---------------------------------------------------------------------------------------------===//

  /// Creates `op` on parts of its operands, such that its results have the distribution `distribution`.
  SmallVector<Value> create(OpBuilder &builder, Operation *op, const Distribution &distribution) {
    Location loc = op->getLoc();
    SmallVector<Value> operands;
    for (auto [operand, wanted] : llvm::zip_equal(op->getOperands(), *getOperandDistributions(op, distribution)))
      operands.push_back(get(operand, wanted));
    Operation *part = created = clone(builder, op);
    part->setOperands(operands);
    for (Value result : part->getResults())
      result.setType(distribution.getPart(result.getType()));
    limitHints(part);
    if (auto constant = dyn_cast<arith::ConstantOp>(part); constant && isTile(constant))
      if (auto elements = cast<DenseElementsAttr>(constant.getValue()); elements.isSplat())
        constant.setValueAttr(elements.resizeSplat(cast<ShapedType>(constant.getType())));
    auto range = dyn_cast<tt::MakeRangeOp>(part);
    if (!range)
      return SmallVector<Value>(part->getResults());
    int64_t length = range.getType().getDimSize(0);
    range.setEnd(range.getStart() + length);
    Value begin = thisBlock->getPartBegin(builder, loc, distribution, 0, length);
    if (!begin)
      return {range.getResult()};
    return {arith::AddIOp::create(builder, loc, range, tt::SplatOp::create(builder, loc, range.getType(), begin))};
  }

  /// Clones `op` with the scalars that it uses. A region is cloned anew each time.
  Operation *clone(OpBuilder &builder, Operation *op) {
    if (op->getNumRegions() == 0)
      return builder.clone(*op, values);
    IRMapping scalars = values;
    return builder.clone(*op, scalars);
  }

  /// Limits hints about adjacent elements to the size of the block's part.
  static void limitHints(Operation *part) {
    if (part->getNumResults() == 0 || !isTile(part->getResult(0)))
      return;
    ArrayRef<int64_t> shape = *getDistributedShape(part->getResult(0).getType());
    for (StringRef name : {"tt.contiguity", "tt.constancy"}) {
      Attribute hint = part->getAttr(name);
      if (auto all = dyn_cast_or_null<IntegerAttr>(hint)) {
        int64_t most = *llvm::min_element(shape);
        part->setAttr(name, IntegerAttr::get(all.getType(), std::min(all.getInt(), most)));
      } else if (auto each = dyn_cast_or_null<DenseIntElementsAttr>(hint);
                 each && each.size() == int64_t(shape.size())) {
        const int64_t *most = shape.begin();
        part->setAttr(name, each.mapValues(each.getElementType(), [&](const APInt &value) {
          return APInt(value.getBitWidth(), std::min<int64_t>(value.getSExtValue(), *most++));
        }));
      }
    }
  }

  /// Returns the tile in shared memory from or to which `op` copies a tile, or null if `op` is no such copy. Each block
  /// accesses its own part of that tile.
  static Value getAccessedMemory(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<ttg::LocalLoadOp>([](auto load) { return load.getSrc(); })
        .Case<ttg::LocalStoreOp>([](auto store) { return store.getDst(); })
        .Case<ttg::AsyncCopyGlobalToLocalOp>([](auto copy) { return copy.getResult(); })
        .Default([](Operation *) { return Value(); });
  }

  /// Reports an error for tiles in shared memory that `op` accesses with a distribution other than `distribution`.
  LogicalResult verifyMemory(Operation *op, const Distribution &distribution) {
    SmallVector<std::pair<Value, Distribution>> accessed;
    if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op)) {
      auto operands = *getOperandDistributions(op, distribution);
      accessed = {{dot.getA(), operands[0]}, {dot.getB(), operands[1]}};
    } else if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op)) {
      accessed = {{copy.getResult(), distribution}};
    } else if (auto copy = dyn_cast<ttng::AsyncTMACopyLocalToGlobalOp>(op)) {
      accessed = {{copy.getSrc(), distribution}};
    } else if (auto reduce = dyn_cast<ttng::AsyncTMAReduceOp>(op)) {
      accessed = {{reduce.getSrc(), distribution}};
    }
    for (auto &[memory, wanted] : accessed)
      if (isa<ttg::MemDescType>(memory.getType()) && plan.get(memory) != wanted)
        return op->emitError("the blocks of a program (ttg.num-ctas) would access what others have in shared memory");
    return success();
  }

  /// Returns the distribution in which blocks compute `op`: the planned distribution, if that is possible.
  Distribution choose(Operation *op) {
    auto planned = [&]() -> Distribution {
      if (Value memory = getAccessedMemory(op))
        return plan.get(memory);
      for (Value result : op->getResults())
        if (isDistributed(result))
          return plan.get(result);
      for (Value operand : op->getOperands())
        if (isDistributed(operand))
          return plan.get(operand);
      return everywhere;
    }();
    if (op->hasTrait<tt::AccessesTensor>()) // a descriptor has one distribution
      return followDescriptor(op, planned);
    if (getOperandDistributions(op, planned))
      return planned;
    if (auto scan = dyn_cast<tt::ScanOp>(op))
      return planned.without(scan.getAxis());
    if (auto gather = dyn_cast<tt::GatherOp>(op))
      return planned.without(gather.getAxis());
    return everywhere;
  }

  Distribution followDescriptor(Operation *op, const Distribution &planned) {
    Distribution ofDescriptor = versions[op->getOperand(0)].front().distribution;
    if (!isa<tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op))
      return ofDescriptor;
    SmallVector<int32_t> axes(ofDescriptor.getAxes()); // of one row; the rows have the planned distribution
    for (auto [axis, wanted] : llvm::zip_equal(axes, planned.getAxes()))
      if (axis == Distribution::Copies && wanted == 0)
        axis = 0;
    return Distribution(axes);
  }

  void defineAll(Operation *op, const Distribution &distribution, ValueRange parts) {
    for (auto [result, part] : llvm::zip(op->getResults(), parts)) {
      if (isDistributed(result))
        define(result, distribution, part);
      else
        values.map(result, part);
    }
  }

  LogicalResult rewrite(OpBuilder &builder, Operation *op) {
    Location loc = op->getLoc();
    if (isa<tt::CallOp>(op))
      return op->emitError("a program of several thread blocks (num_ctas) cannot call functions that are not inlined");
    if (isa<tt::CallThreadsOp>(op))
      return emitError(loc) << "a program of several thread blocks ([[tt::num_ctas]]) cannot call code for threads, "
                               "which is for one block";
    bool isControlFlow = isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) || op->hasTrait<OpTrait::IsTerminator>();
    if (!isControlFlow && !hasDistributionRules(op))
      return op->emitError() << "'" << op->getName()
                             << "' has no rule for how its tiles are distributed over the thread blocks of a "
                                "program (num_ctas)";
    if (op->hasTrait<OpTrait::IsTerminator>())
      return rewriteTerminator(builder, op);
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return rewriteStructured(builder, op);
    if (isa<ttg::WarpSpecializeOp, ttng::AsyncBulkCopyGlobalToLocalOp>(op))
      return op->emitError("is not supported where tiles are distributed over the blocks of a program (ttg.num-ctas)");
    if (isa<ttng::WarpGroupDotWaitOp>(op))
      return passThrough(builder, op), success();
    if (auto reduce = dyn_cast<tt::ReduceOp>(op))
      return rewriteReduce(builder, reduce), success();
    Distribution distribution = choose(op);
    if (failed(verifyMemory(op, distribution)))
      return failure();
    auto createPart = [&](OpBuilder &builder) { return create(builder, op, distribution); };
    if (isa<gpu::BarrierOp>(op)) {
      ttng::createClusterBarrier(builder, loc);
      return success();
    }
    // All blocks use one tensor map. So wait until no block uses the map any more, and again until it has been written.
    if (isa<ttng::TensormapCreateOp>(op)) {
      ttng::createClusterBarrier(builder, loc);
      thisBlock->createForFirst(builder, op, everywhere, createPart);
      ttng::createClusterBarrier(builder, loc);
      return success();
    }
    if (isa<tt::PrintOp>(op)) {
      distribution = everywhere;
      thisBlock->createForFirst(builder, op, everywhere, createPart);
      return success();
    }
    if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op)) {
      tt::MemSemantic order =
          isa<tt::AtomicRMWOp>(op) ? cast<tt::AtomicRMWOp>(op).getSem() : cast<tt::AtomicCASOp>(op).getSem();
      if (order != tt::MemSemantic::RELAXED)
        ttng::createClusterBarrier(builder, loc); // release: orders the accesses of all blocks before this one
      defineAll(op, distribution, thisBlock->createForFirst(builder, op, distribution, createPart));
      if (order != tt::MemSemantic::RELAXED && (op->use_empty() || !distribution.hasCopies()))
        ttng::createClusterBarrier(builder, loc); // acquire, unless distributing the result synchronizes anyway
      return success();
    }
    if (isa<tt::WaitSignalOp, tt::MultimemStoreOp, tt::MultimemAddOp>(op)) {
      thisBlock->createForFirst(builder, op, distribution, createPart);
      if (isa<tt::WaitSignalOp>(op)) // acquire
        ttng::createClusterBarrier(builder, loc);
      return success();
    }
    if (op->hasTrait<tt::AccessesTensor>()) {
      bool isRead = op->getNumResults() > 0 || isa<ttng::AsyncTMACopyGlobalToLocalOp>(op);
      auto access = [&](OpBuilder &builder) { return createTensorAccess(builder, op, distribution); };
      defineAll(op, distribution,
                isRead ? access(builder) : thisBlock->createForFirst(builder, op, distribution, access));
      return success();
    }
    SmallVector<Value> parts = create(builder, op, distribution);
    if (auto store = dyn_cast<tt::StoreOp>(op)) {
      if (distribution.hasCopies())
        thisBlock->limitToFirst(cast<tt::StoreOp>(created), distribution);
    } else if (auto load = dyn_cast<tt::LoadOp>(op); load && distribution.hasCopies()) {
      parts[0].getDefiningOp()->setAttr(ttg::isSharedByBlocksAttr, builder.getUnitAttr());
      if (load.getIsVolatile()) // blocks that load at different times may load different values
        parts[0] = thisBlock->takeFromFirst(builder, loc, parts[0], distribution);
    }
    defineAll(op, distribution, parts);
    return success();
  }

  /// Rewrites an operation that waits and then returns its operands. Each operand keeps its distribution.
  void passThrough(OpBuilder &builder, Operation *op) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return get(operand, plan.get(operand)); });
    Operation *part = clone(builder, op);
    part->setOperands(operands);
    for (auto [operand, result, made] : llvm::zip_equal(op->getOperands(), op->getResults(), part->getResults())) {
      made.setType(plan.get(operand).getPart(result.getType()));
      define(result, plan.get(operand), made);
    }
  }

  SmallVector<Value> createTensorAccess(OpBuilder &builder, Operation *op, const Distribution &distribution) {
    SmallVector<Value> parts = create(builder, op, distribution);
    Operation *part = created;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(part);
    SmallVector<int64_t> lengths = distribution.getPart(*getDistributedShape(op->getOperand(0).getType()));
    auto moveIndex = [&](OpOperand &index, int32_t axis) {
      if (Value begin = thisBlock->getPartBegin(builder, op->getLoc(), distribution, axis, lengths[axis]))
        index.set(arith::AddIOp::create(builder, op->getLoc(), index.get(), begin));
    };
    llvm::TypeSwitch<Operation *>(part)
        .Case<tt::DescriptorGatherOp, tt::DescriptorScatterOp>(
            [&](auto access) { moveIndex(access.getYOffsetMutable(), 1); })
        .Case<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp>([&](auto access) {
          for (auto [axis, index] : llvm::enumerate(access.getIndicesMutable()))
            moveIndex(index, axis);
        })
        .Case<ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp>(
            [&](auto access) {
              for (auto [axis, index] : llvm::enumerate(access.getCoordMutable()))
                moveIndex(index, axis);
            });
    return parts;
  }

  void rewriteReduce(OpBuilder &builder, tt::ReduceOp op) {
    Location loc = op.getLoc();
    int32_t axis = op.getAxis();
    Distribution distribution = plan.get(op.getSrcs()[0]), combined = *getResultDistribution(op, 0, distribution);
    auto reduce = [&](ValueRange operands) {
      Operation *part = clone(builder, op);
      part->setOperands(operands);
      for (Value result : part->getResults())
        result.setType(combined.getPart(result.getType()));
      return SmallVector<Value>(part->getResults());
    };
    SmallVector<Value> parts =
        reduce(llvm::map_to_vector(op.getSrcs(), [&](Value operand) { return get(operand, distribution); }));
    if (distribution.divides(axis)) {
      auto type = cast<RankedTensorType>(distribution.getPart(op.getSrcs()[0].getType()));
      for (Value &part : parts) {
        if (isTile(part))
          part = tt::ExpandDimsOp::create(builder, loc, widen(part.getType(), axis, type), part, axis);
        else
          part = tt::SplatOp::create(builder, loc, thisBlock->getTileOfOne(part.getType()), part);
        part = thisBlock->redistribute(builder, loc, part, distribution, distribution.without(axis));
      }
      parts = reduce(parts);
    }
    defineAll(op, combined, parts);
  }

  /// Returns the type of a `reduced` tile with its reduced axis restored, in the encoding of `whole`.
  static Type widen(Type reduced, int32_t axis, RankedTensorType whole) {
    SmallVector<int64_t> shape(whole.getShape());
    shape[axis] = 1;
    return RankedTensorType::get(shape, cast<RankedTensorType>(reduced).getElementType(), whole.getEncoding());
  }

  //===--- control flow -------------------------------------------------------------------------------------------===//

  /// Creates `op` with other operands and result types, and empty regions.
  Operation *createShell(OpBuilder &builder, Operation *op, ValueRange operands, TypeRange types) {
    OperationState state(op->getLoc(), op->getName(), operands, types);
    state.attributes = NamedAttrList(op->getDiscardableAttrDictionary());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    return builder.create(state);
  }

  LogicalResult rewriteStructured(OpBuilder &builder, Operation *op) {
    SmallVector<Value> receivers(op->getNumOperands()), operands;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::copy(loop.getResults(), receivers.begin() + loop.getNumControlOperands());
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      llvm::copy(loop.getBeforeArguments(), receivers.begin());
    for (auto [operand, receiver] : llvm::zip_equal(op->getOperands(), receivers))
      operands.push_back(pass(operand, receiver));
    SmallVector<Type> types =
        llvm::map_to_vector(op->getResults(), [&](Value result) { return plan.get(result).getPart(result.getType()); });
    Operation *made = createShell(builder, op, operands, types);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions()))
      if (failed(distribute(from, to)))
        return failure();
    for (auto [result, part] : llvm::zip_equal(op->getResults(), made->getResults()))
      defineCarried(result, part);
    return success();
  }

  LogicalResult rewriteTerminator(OpBuilder &builder, Operation *op) {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(pass(operand.get(), getReceiver(operand)));
    clone(builder, op)->setOperands(operands);
    return success();
  }

  /// Returns the value to which a terminator passes `operand`; null if there is none.
  static Value getReceiver(OpOperand &operand) {
    Operation *op = operand.getOwner(), *parent = op->getParentOp();
    unsigned number = operand.getOperandNumber();
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(number))
        return *argument;
    if (isa<scf::ConditionOp>(op))
      return number ? parent->getResult(number - 1) : Value();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return loop.getBeforeArguments()[number];
    return isa<scf::YieldOp>(op) ? parent->getResult(number) : Value();
  }

  Value pass(Value old, Value receiver) {
    if (!isDistributed(old))
      return values.lookup(old);
    Distribution wanted = receiver ? plan.get(receiver) : everywhere;
    return isTile(old) ? get(old, wanted)
                       // An access uses the distribution of the descriptor, wherever the descriptor is passed.
                       : versions[old].front().value;
  }

  void defineCarried(Value old, Value part) {
    if (isDistributed(old))
      define(old, plan.get(old), part);
    else
      values.map(old, part);
  }

  LogicalResult distribute(Region &from, Region &to) {
    OpBuilder builder(func.getContext());
    bool hasEntry = !to.empty();
    for (Block &block : from) {
      if (hasEntry && block.isEntryBlock()) {
        values.map(&block, &to.front());
        continue;
      }
      Block *made = builder.createBlock(&to, to.end());
      for (BlockArgument argument : block.getArguments())
        defineCarried(argument, made->addArgument(plan.get(argument).getPart(argument.getType()), argument.getLoc()));
      values.map(&block, made);
    }
    if (from.empty())
      return success();
    llvm::ReversePostOrderTraversal<Region *> order(&from);
    for (Block *block : order) { // definitions before their uses
      builder.setInsertionPointToEnd(values.lookup(block));
      for (Operation &op : *block)
        if (failed(rewrite(builder, &op)))
          return failure();
    }
    return success();
  }

  tt::FuncOp func;
  DistributionPlan plan;
  Distribution everywhere;
  bool hasLayouts; ///< the kernel is TTGIR
  std::optional<ProgramBlock> thisBlock;
  Operation *created = nullptr; ///< the operation that the last call of create() has created
  IRMapping values; ///< values that are not distributed
  DenseMap<Value, SmallVector<Version, 1>> versions;
};

} // namespace

LogicalResult tilecc::distributeTiles(tt::FuncOp func, DistributionPlan plan, unsigned bits) {
  return Distributor(func, std::move(plan), bits).run();
}

namespace {

struct TritonGPUPlanCTA : tilecc::impl::TritonGPUPlanCTABase<TritonGPUPlanCTA> {
  using TritonGPUPlanCTABase::TritonGPUPlanCTABase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool hasLayouts = ttg::hasLayouts(module);
    if (hasLayouts && !ttg::hasBlocks(module)) // a single block has whole tiles, or the tiles are parts already
      return;
    int64_t blocks = hasLayouts ? ttg::getModuleInteger(module, ttg::numCTAsAttr, 1) : numCTAs;
    if (blocks < 1 || !llvm::isPowerOf2_64(blocks) || blocks > 16) {
      module.emitError() << "the thread blocks of a program must be a power of two up to 16, not " << blocks;
      return signalPassFailure();
    }
    if (hasLayouts && failed(ttg::verifyLayouts(module, blocks)))
      return signalPassFailure();
    if (blocks == 1 && !hasLayouts)
      return;
    for (auto func : module.getOps<tt::FuncOp>())
      if (func.isKernel() && failed(distribute(func, llvm::Log2_64(blocks), hasLayouts)))
        signalPassFailure();
  }

  static LogicalResult distribute(tt::FuncOp func, unsigned bits, bool hasLayouts) {
    if (llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<RankedTensorType>))
      return func.emitError("a kernel takes no tiles; of several thread blocks (num_ctas) each would have a part");
    FailureOr<DistributionPlan> plan = hasLayouts ? DistributionPlan::read(func, bits)
                                                  : FailureOr<DistributionPlan>(DistributionPlan::decide(func, bits));
    return failed(plan) ? failure() : distributeTiles(func, std::move(*plan), bits);
  }
};

} // namespace
