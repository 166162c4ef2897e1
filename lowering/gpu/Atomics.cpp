//===- Atomics.cpp - atomic accesses to global memory -------------------------------------------------------------===//
//
// If several threads hold copies of an element, one of them executes the access. If the other threads need the old
// value, that thread writes it to scratch space, and all threads read it after a barrier.
//
// An access through a single pointer acts for the whole program. If it has release semantics, it first waits for all
// threads, so that the writes of all threads become visible with it. (After an acquire, all threads pass the barrier
// that distributes the result before they read anything.)
//
// If the target supports it, additions whose old values are not used are done for several adjacent elements at once.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/gpu/Lowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace {

template <typename OpT> struct AtomicPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  using Adaptor = typename TilePattern<OpT>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(OpT op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const TargetInfo &target = this->target;
    AtomicPlan plan(op);
    ThreadPosition place = getThreadPosition(rewriter, loc, target);
    Value acts; // null: every thread
    if (plan.layout) {
      acts = isRepresentative(rewriter, loc, *plan.layout, place);
    } else {
      acts = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, target.getThreadId(rewriter, loc),
                                   constantI32(rewriter, loc, 0));
      if (op.getSem() == tt::MemSemantic::RELEASE || op.getSem() == tt::MemSemantic::ACQUIRE_RELEASE)
        target.barrier(rewriter, loc);
    }
    if (unsigned width = getWidth(op); width > 1) {
      addVectors(op, adaptor, width, acts, rewriter);
      rewriter.eraseOp(op);
      return success();
    }
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); ++reg)
      results.push_back(access(op, adaptor, reg, acts, rewriter));
    if (plan.needsScratch())
      results = share(op, plan, results, acts, place, rewriter);
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }

private:
  /// Returns the number of elements that one access covers.
  unsigned getWidth(tt::AtomicCASOp) const { return 1; }
  unsigned getWidth(tt::AtomicRMWOp op) const {
    if (!op->use_empty() || op.getAtomicRmwOp() != tt::RMWOp::FADD || !isa<RankedTensorType>(op.getType()))
      return 1;
    unsigned width = getAccessWidth(this->lowering.axisInfo, op.getPtr(), op.getMask());
    return width > 1 ? std::min(width, this->target.facts.getMostAdded(getElementTypeOrSelf(op.getType()))) : 1;
  }

  void addVectors(tt::AtomicCASOp, tt::AtomicCASOp::GenericAdaptor<ArrayRef<ValueRange>>, unsigned, Value,
                  OpBuilder &) const {
    llvm_unreachable("is no sum");
  }
  void addVectors(tt::AtomicRMWOp op, tt::AtomicRMWOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor, unsigned width,
                  Value acts, OpBuilder &builder) const {
    for (unsigned reg = 0; reg < adaptor.getPtr().size(); reg += width)
      this->target.addVector(builder, op.getLoc(), adaptor.getPtr()[reg], adaptor.getVal().slice(reg, width),
                             getPredicate(op, adaptor, reg, acts, builder), op.getSem(), op.getScope());
  }

  Value getPredicate(tt::AtomicRMWOp op, tt::AtomicRMWOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor, unsigned reg,
                     Value acts, OpBuilder &builder) const {
    if (adaptor.getMask().empty() || matchPattern(op.getMask(), m_One()))
      return acts;
    Value mask = adaptor.getMask()[reg];
    return acts ? arith::AndIOp::create(builder, op.getLoc(), acts, mask).getResult() : mask;
  }

  Value access(tt::AtomicRMWOp op, tt::AtomicRMWOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor, unsigned reg,
               Value acts, OpBuilder &builder) const {
    return this->target.atomicRMW(builder, op.getLoc(), op.getAtomicRmwOp(), adaptor.getPtr()[reg],
                                  adaptor.getVal()[reg], getPredicate(op, adaptor, reg, acts, builder), op.getSem(),
                                  op.getScope());
  }
  Value access(tt::AtomicCASOp op, tt::AtomicCASOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor, unsigned reg,
               Value acts, OpBuilder &builder) const {
    return this->target.atomicCAS(builder, op.getLoc(), adaptor.getPtr()[reg], adaptor.getCmp()[reg],
                                  adaptor.getVal()[reg], acts, op.getSem(), op.getScope());
  }

  /// Distributes the values that the executing threads have read to all threads.
  SmallVector<Value> share(Operation *op, const AtomicPlan &plan, ValueRange read, Value acts, ThreadPosition place,
                           OpBuilder &builder) const {
    Location loc = op->getLoc();
    Type element = read[0].getType(), inMemory = getMemoryType(element);
    Value scratch = getScratch(builder, op, this->target);
    auto addressOf = [&](Value base, unsigned reg) -> Value {
      if (!plan.layout)
        return scratch;
      Value position = addRegister(builder, loc, *plan.layout, base, reg);
      return LLVM::GEPOp::create(builder, loc, scratch.getType(), inMemory, scratch, ArrayRef<LLVM::GEPArg>{position});
    };
    Value base = plan.layout ? applyLayout(builder, loc, *plan.layout, place) : Value();
    for (auto [reg, value] : llvm::enumerate(read))
      this->target.store(builder, loc, packVector(builder, loc, toMemory(builder, loc, value)), addressOf(base, reg),
                         acts);
    this->target.barrier(builder, loc);
    SmallVector<Value> results;
    for (unsigned reg = 0; reg < read.size(); ++reg) {
      Value loaded = LLVM::LoadOp::create(builder, loc, inMemory, addressOf(base, reg));
      results.push_back(fromMemory(builder, loc, loaded, element));
    }
    return results;
  }
};

} // namespace

void tilecc::populateAtomicPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering) {
  patterns.add<AtomicPattern<tt::AtomicRMWOp>, AtomicPattern<tt::AtomicCASOp>>(types, patterns.getContext(), lowering);
}
