//===- MemoryBarrierPatterns.cpp - barriers in shared memory, and turns -------------------------------------------===//
//
// An mbarrier counts arrivals of threads and copies. A wait specifies the parity of the phase that must end (PTX ISA,
// mbarrier). Arrivals release and waits acquire at block scope, which is the default; wider scopes would flush caches.
// Block scope also suffices for arrivals in the other block of a pair. Such an arrival only orders asynchronous
// accesses: reads by dots, which have ended before the arrival, and copies, which start after the wait.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NamedBarriers.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns the barrier's address in shared memory.
Value getAddress(ValueRange memdesc) { return SharedTile(memdesc).base; }

template <class Op> struct BarrierPattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;

  /// Returns an i1 that is true in one thread of the program.
  Value isFirstThread(OpBuilder &builder, Location loc) const {
    return tilecc::isFirstThread(builder, loc, this->target);
  }
  /// Returns an i1 that is true in one thread of each warp.
  Value isFirstLane(OpBuilder &builder, Location loc) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                 getThreadPosition(builder, loc, this->target).lane, constantI32(builder, loc, 0));
  }
  void emit(OpBuilder &builder, Location loc, ValueRange operands, const Twine &text, StringRef constraints) const {
    assembly(builder, loc, TypeRange(), operands, text.str(), constraints.str() + ",~{memory}");
  }
};

struct InitBarrierPattern : BarrierPattern<ttng::InitBarrierOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::InitBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The fence makes the initialized barrier visible to asynchronous copies, which will arrive on it.
    Location loc = op.getLoc();
    SmallVector<Value> operands = {getAddress(adaptor.getAlloc())};
    std::string count = std::to_string(op.getCount());
    if (op.getPerBlock()) {
      Value blocks = ttng::BlockCountOp::create(rewriter, loc, rewriter.getI32Type());
      operands.push_back(arith::MulIOp::create(rewriter, loc, blocks, constantI32(rewriter, loc, op.getCount())));
      count = "$1";
    }
    createForOneThread(rewriter, loc, target, /*predicate=*/Value(), [&] {
      emit(rewriter, loc, operands,
           "mbarrier.init.shared::cta.b64 [$0], " + Twine(count) + ";\n\tfence.mbarrier_init.release.cluster;",
           op.getPerBlock() ? "r,r" : "r");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct InvalBarrierPattern : BarrierPattern<ttng::InvalBarrierOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::InvalBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    createForOneThread(rewriter, op.getLoc(), target, /*predicate=*/Value(), [&] {
      emit(rewriter, op.getLoc(), {getAddress(adaptor.getAlloc())}, "mbarrier.inval.shared::cta.b64 [$0];", "r");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitBarrierPattern : BarrierPattern<ttng::WaitBarrierOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::WaitBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value predicate = op.getPred() ? adaptor.getPred()[0] : Value();
    auto create = [&] { wait(rewriter, op, adaptor, predicate); };
    if (op.getFirstWarp()) // all lanes of the warp wait, because elect.sync requires that they stay converged
      createForFirstWarp(rewriter, op.getLoc(), target, create);
    else
      create();
    rewriter.eraseOp(op);
    return success();
  }

private:
  void wait(OpBuilder &builder, ttng::WaitBarrierOp op, OneToNOpAdaptor adaptor, Value predicate) const {
    SmallVector<Value> operands = {getAddress(adaptor.getAlloc()), adaptor.getPhase()[0]};
    std::string skip;
    if (predicate) {
      operands.push_back(predicate);
      skip = "@!$2 bra done;\n\t";
    }
    // The loop is not busy: a failed try_wait has already waited for some time.
    emit(builder, op.getLoc(), operands,
         "{\n\t.reg .pred p;\n\t" + Twine(skip) +
             "wait:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;\n\t@!p bra wait;\n\tdone:\n\t}",
         predicate ? "r,r,b" : "r,r");
  }
};

struct ArriveBarrierPattern : BarrierPattern<ttng::ArriveBarrierOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::ArriveBarrierOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (op.getByDots())
      return op.emitOpError("is executed by asynchronous dots, and no dot that accumulates in tensor memory takes it");
    // The arrival also signals that the other lanes of the warp have finished reading. So the arriving lane must wait
    // for them.
    if (op.getPerWarp())
      NVVM::SyncWarpOp::create(rewriter, loc, constantI32(rewriter, loc, -1));
    if (op.getAllBlocks()) {
      if (!op.getPerWarp())
        return op.emitOpError("arrives in all blocks by lanes, which requires perWarp");
      arriveInAllBlocks(rewriter, op, getAddress(adaptor.getAlloc()), op.getPred() ? adaptor.getPred()[0] : Value());
      rewriter.eraseOp(op);
      return success();
    }
    Value arrives = op.getPerWarp() ? isFirstLane(rewriter, loc) : isFirstThread(rewriter, loc);
    if (op.getPred())
      arrives = arith::AndIOp::create(rewriter, loc, arrives, adaptor.getPred()[0]);
    emit(rewriter, loc, {getAddress(adaptor.getAlloc()), arrives},
         "@$1 mbarrier.arrive.shared::cta.b64 _, [$0], " + Twine(op.getCount()) + ";", "r,b");
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Lane i of a warp arrives in block i of the cluster.
  void arriveInAllBlocks(OpBuilder &builder, ttng::ArriveBarrierOp op, Value address, Value predicate) const {
    Location loc = op.getLoc();
    Value lane = getThreadPosition(builder, loc, target).lane;
    Value blocks = ttng::BlockCountOp::create(builder, loc, builder.getI32Type());
    Value arrives = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane, blocks);
    if (predicate)
      arrives = arith::AndIOp::create(builder, loc, arrives, predicate);
    emit(builder, loc, {address, lane, arrives},
         "{\n\t.reg .b32 to;\n\t@$2 mapa.shared::cluster.u32 to, $0, $1;\n\t"
         "@$2 mbarrier.arrive.shared::cluster.b64 _, [to], " +
             Twine(op.getCount()) + ";\n\t}",
         "r,r,b");
  }
};

struct ExpectPattern : BarrierPattern<ttng::BarrierExpectOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::BarrierExpectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    createForOneThread(rewriter, loc, target, adaptor.getPred()[0], [&] {
      emit(rewriter, loc, {getAddress(adaptor.getAlloc())},
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], " + Twine(op.getSize()) + ";", "r");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct AsyncCopyMbarrierArrivePattern : BarrierPattern<ttng::AsyncCopyMbarrierArriveOp> {
  using BarrierPattern::BarrierPattern;
  LogicalResult matchAndRewrite(ttng::AsyncCopyMbarrierArriveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emit(rewriter, op.getLoc(), {getAddress(adaptor.getBarrier())},
         Twine("cp.async.mbarrier.arrive") + (op.getNoIncrement() ? ".noinc" : "") + ".shared::cta.b64 [$0];", "r");
    rewriter.eraseOp(op);
    return success();
  }
};

/// Lowers ttng.take_turn and ttng.pass_turn, by which warp groups issue their dots one after the other, to named
/// barriers. There is one barrier for each warp group. In take_turn, the group waits on its barrier; in pass_turn, it
/// arrives on the barrier of the next group.
template <class Op, bool takes> struct TurnPattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor, ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned groupWarps = 4, threads = 256;
    Location loc = op.getLoc();
    unsigned groups = ttg::getNumWarps(op) * ttg::getProgramsPerBlock(op) / groupWarps;
    if (groups > nvidia::maxTurns)
      return op.emitOpError("is executed by ")
             << groups << " warp groups, and a block has barriers for turns of " << nvidia::maxTurns;
    auto constant = [&](int32_t value) { return constantI32(rewriter, loc, value); };
    Value group = arith::DivUIOp::create(rewriter, loc, getThreadInBlock(rewriter, loc),
                                         constant(groupWarps * this->target.facts.warpSize));
    Value whose = group;
    if constexpr (!takes) {
      Value next = arith::AddIOp::create(rewriter, loc, group, constant(1));
      Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, next, constant(groups));
      whose = arith::SelectOp::create(rewriter, loc, isLast, constant(0), next);
    }
    Value barrier = arith::AddIOp::create(rewriter, loc, whose, constant(nvidia::TurnBarrier));
    SmallVector<Value> operands = {barrier};
    std::string guard, constraints = "r";
    bool once = op->hasAttr(takes ? "last" : "first");
    if (once) { // the first group's first pass_turn and last take_turn are outside the loop
      operands.push_back(arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, whose, constant(0)));
      guard = "@$1 ";
      constraints += ",b";
    }
    assembly(rewriter, loc, TypeRange(), operands,
             guard + (takes ? "bar.sync" : "bar.arrive") + " $0, " + std::to_string(threads) + ";",
             constraints + ",~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateMemoryBarrierPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                           const LoweringContext &lowering) {
  patterns
      .add<InitBarrierPattern, InvalBarrierPattern, WaitBarrierPattern, ArriveBarrierPattern, ExpectPattern,
           AsyncCopyMbarrierArrivePattern, TurnPattern<ttng::TakeTurnOp, true>, TurnPattern<ttng::PassTurnOp, false>>(
          types, patterns.getContext(), lowering);
}
