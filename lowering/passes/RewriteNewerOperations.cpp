//===- RewriteNewerOperations.cpp - replaces operations that Triton 3.6 does not have -----------------------------===//
//
// The dialects in this project are those of Triton 3.6. This pass runs as soon as IR has been read. It expresses the
// operations and attributes of newer versions (up to 3.9) by those of 3.6, so that no other pass has to handle them.
//
// Triton also converts between f16 and bf16, and rounds toward zero, with tt.fp_to_fp. No other pass handles these
// conversions, because the language expresses them by operations of arith. So they become such operations here.
//
// Atomic loads and stores become read-modify-write operations: an `or` with zero, and an exchange. tt.atomic_poll
// becomes a loop around such an atomic load, because PTX has no other way to wait for global memory; Triton does the
// same.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/NewerOps.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/Waits.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONREWRITENEWEROPERATIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

constexpr StringLiteral cachePolicyAttr = "cachePolicy";

/// Replaces the attribute `cachePolicy` by the two attributes that Triton 3.6 has for it.
template <class Op> void splitPolicy(Op op) {
  if (auto policy = op->template getAttrOfType<tt::CachePolicyAttr>(cachePolicyAttr)) {
    op.setCache(policy.getCacheModifier());
    op.setEvict(policy.getEvictionPolicy());
    op->removeAttr(cachePolicyAttr);
  }
}

/// Accesses elements as integers of the same width, because these read-modify-write operations require integers.
class AtomicAccess {
public:
  AtomicAccess(OpBuilder &builder, Operation *op, Value ptr)
      : builder(builder), op(op), loc(op->getLoc()), element(tt::getPointeeType(ptr.getType())) {
    unsigned bits = tt::getElementBits(getElementTypeOrSelf(element));
    if (bits != 32 && bits != 64)
      return;
    Type integer = builder.getIntegerType(bits);
    asInteger = tt::withElementType(element, integer);
    this->ptr = cast(ptr, tt::withElementType(ptr.getType(), tt::PointerType::get(integer)));
  }

  /// Returns true if there are read-modify-write operations for the type of the elements, and reports an error
  /// otherwise.
  bool exists() {
    if (!ptr)
      op->emitOpError("of ") << getElementTypeOrSelf(element) << " is not supported; it is for 32 and 64 bits";
    return bool(ptr);
  }

  Value load(Value mask, tt::MemSemantic sem, tt::MemSyncScope scope) {
    Value zero = arith::ConstantOp::create(builder, loc, asInteger, builder.getZeroAttr(asInteger));
    return cast(tt::AtomicRMWOp::create(builder, loc, asInteger, tt::RMWOp::OR, ptr, zero, mask, sem, scope), element);
  }

  void store(Value value, Value mask, tt::MemSemantic sem, tt::MemSyncScope scope) {
    tt::AtomicRMWOp::create(builder, loc, asInteger, tt::RMWOp::XCHG, ptr, cast(value, asInteger), mask, sem, scope);
  }

private:
  Value cast(Value value, Type type) {
    return value.getType() == type ? value : tt::BitcastOp::create(builder, loc, type, value).getResult();
  }

  OpBuilder &builder;
  Operation *op;
  Location loc;
  Type element, asInteger;
  Value ptr;
};

struct RewriteNewerOperations : tilecc::impl::TritonRewriteNewerOperationsBase<RewriteNewerOperations> {
  void runOnOperation() override {
    SmallVector<Operation *> newer;
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<tt::LoadOp>(op))
        splitPolicy(load);
      else if (auto store = dyn_cast<tt::StoreOp>(op))
        splitPolicy(store);
      else if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op))
        splitPolicy(copy);
      else if (isa<tt::ApproxDivFOp, tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp, tt::FpToFpOp,
                   tt::GridDependencyLaunchDependentsOp, ttg::BarrierOp>(op))
        newer.push_back(op);
    });
    for (Operation *op : newer)
      if (failed(rewrite(op)))
        signalPassFailure();
  }

private:
  static LogicalResult rewrite(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto quotient = dyn_cast<tt::ApproxDivFOp>(op)) {
      op->replaceAllUsesWith(arith::DivFOp::create(builder, loc, quotient.getX(), quotient.getY()));
    } else if (auto convert = dyn_cast<tt::FpToFpOp>(op)) {
      return rewrite(convert, builder);
    } else if (isa<tt::GridDependencyLaunchDependentsOp>(op)) {
      tt::GridDependencyLaunchOp::create(builder, loc);
    } else if (auto barrier = dyn_cast<ttg::BarrierOp>(op)) {
      if (barrier.getLocalOnly())
        ttg::LocalBarrierOp::create(builder, loc);
      else
        gpu::BarrierOp::create(builder, loc);
    } else if (auto load = dyn_cast<tt::AtomicLoadOp>(op)) {
      AtomicAccess access(builder, op, load.getPtr());
      if (!access.exists())
        return failure();
      op->getResult(0).replaceAllUsesWith(access.load(load.getMask(), load.getSem(), load.getScope()));
    } else if (auto store = dyn_cast<tt::AtomicStoreOp>(op)) {
      AtomicAccess access(builder, op, store.getPtr());
      if (!access.exists())
        return failure();
      access.store(store.getValue(), store.getMask(), store.getSem(), store.getScope());
    } else if (failed(rewrite(cast<tt::AtomicPollOp>(op), builder))) {
      return failure();
    }
    op->erase();
    return success();
  }

  /// Replaces a conversion of which neither type has 8 bits.
  static LogicalResult rewrite(tt::FpToFpOp convert, OpBuilder &builder) {
    Location loc = convert.getLoc();
    Value value = convert.getSrc();
    Type type = convert.getType(), f32 = tt::withElementType(type, builder.getF32Type());
    unsigned before = tt::getElementBits(getElementTypeOrSelf(value.getType()));
    unsigned after = tt::getElementBits(getElementTypeOrSelf(type));
    const bool truncates = convert.getRounding() == tt::RoundingMode::RTZ;
    if (before == 8 || after == 8)
      return truncates ? convert.emitOpError("with an 8-bit float rounds to nearest even only") : success();
    if (before == after && before == 16) { // all numbers of both types are also in f32
      value = arith::ExtFOp::create(builder, loc, f32, value);
      before = 32;
    }
    if (before < after)
      value = arith::ExtFOp::create(builder, loc, type, value);
    else if (before > after)
      value = truncates ? truncateTowardZero(builder, loc, type, value)
                        : arith::TruncFOp::create(builder, loc, type, value).getResult();
    convert.replaceAllUsesWith(value);
    convert.erase();
    return success();
  }

  /// Rounds to nearest, and takes the next smaller magnitude if that has increased the magnitude. This also turns
  /// an infinity that is not exact into the largest finite number.
  static Value truncateTowardZero(OpBuilder &builder, Location loc, Type type, Value exact) {
    Type integer = tt::withElementType(type, builder.getIntegerType(tt::getElementBits(getElementTypeOrSelf(type))));
    Value nearest = arith::TruncFOp::create(builder, loc, type, exact);
    Value rounded = arith::ExtFOp::create(builder, loc, exact.getType(), nearest);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(exact.getType()));
    auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, x, y);
    };
    Value isLarger = arith::SelectOp::create(builder, loc, compare(arith::CmpFPredicate::OGE, exact, zero),
                                             compare(arith::CmpFPredicate::OGT, rounded, exact),
                                             compare(arith::CmpFPredicate::OLT, rounded, exact));
    Value bits = tt::BitcastOp::create(builder, loc, integer, nearest);
    bits = arith::SubIOp::create(builder, loc, bits, arith::ExtUIOp::create(builder, loc, integer, isLarger));
    return tt::BitcastOp::create(builder, loc, type, bits);
  }

  /// Loads all elements repeatedly until each has been equal to its expected value.
  static LogicalResult rewrite(tt::AtomicPollOp poll, OpBuilder &builder) {
    Location loc = poll.getLoc();
    if (poll.getTimeout())
      return poll.emitOpError("with a timeout is not supported");
    if (auto tile = dyn_cast<RankedTensorType>(poll.getPtr().getType()); tile && tile.getEncoding())
      return poll.emitOpError("of a tile is supported in TTIR, not in TTGIR");
    AtomicAccess access(builder, poll, poll.getPtr());
    if (!access.exists())
      return failure();
    Type type = poll.getType();
    auto constant = [&](bool value) -> Value {
      auto tile = dyn_cast<RankedTensorType>(type);
      return arith::ConstantOp::create(builder, loc, type,
                                       tile ? TypedAttr(SplatElementsAttr::get(tile, value))
                                            : TypedAttr(builder.getBoolAttr(value)));
    };
    Value none = constant(false), all = constant(true);
    auto loop = scf::WhileOp::create(builder, loc, TypeRange{type}, ValueRange{none});
    Block *before = builder.createBlock(&loop.getBefore(), {}, type, loc);
    Block *after = builder.createBlock(&loop.getAfter(), {}, type, loc);
    builder.setInsertionPointToStart(after);
    scf::YieldOp::create(builder, loc, after->getArguments());
    builder.setInsertionPointToStart(before);
    Value missing = arith::XOrIOp::create(builder, loc, before->getArgument(0), all);
    Value loaded = access.load(missing, poll.getSem(), poll.getScope());
    Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, loaded, poll.getExpected());
    isEqual = arith::AndIOp::create(builder, loc, isEqual, missing);
    Value done = arith::OrIOp::create(builder, loc, before->getArgument(0), isEqual);
    missing = arith::XOrIOp::create(builder, loc, done, all);
    scf::ConditionOp::create(builder, loc, isAny(builder, loc, missing), ValueRange{done});
    poll.getResult().replaceAllUsesWith(loop.getResult(0));
    return success();
  }
};

} // namespace
