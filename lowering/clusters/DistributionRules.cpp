//===- DistributionRules.cpp - relates the distributions of operands and results ----------------------------------===//
//
// Operations that keep elements at their positions, according to their traits, require that all tiles have the same
// distribution. This file has a model for each of the other operations.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

#include "lowering/clusters/ClusterInterfaces.cpp.inc"

using Operands = std::optional<SmallVector<Distribution>>;
using Result = std::optional<Distribution>;

static ArrayRef<int64_t> shapeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getShape(); }

static SmallVector<Distribution> all(Operation *op, const Distribution &operand) {
  return SmallVector<Distribution>(op->getNumOperands(), operand);
}

//===--- queries --------------------------------------------------------------------------------------------------===//

static bool keepsElementsInPlace(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<tt::SameLayout>() || op->hasTrait<tt::NoTiles>();
}

bool tilecc::hasDistributionRules(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return isa<DistributionRules>(op) || keepsElementsInPlace(op) ||
         (llvm::none_of(op->getOperandTypes(), isTile) && llvm::none_of(op->getResultTypes(), isTile));
}

Operands tilecc::getOperandDistributions(Operation *op, const Distribution &result) {
  if (auto rules = dyn_cast<DistributionRules>(op))
    return rules.getOperandDistributions(result);
  return all(op, result);
}

Result tilecc::getResultDistribution(Operation *op, unsigned number, const Distribution &operand) {
  if (auto rules = dyn_cast<DistributionRules>(op))
    return rules.getResultDistribution(number, operand);
  return operand;
}

//===--- the models -----------------------------------------------------------------------------------------------===//

/// Returns the distribution of a tile of shape `to` in which each block has the same elements, in row-major order, as
/// in a tile of shape `from` with the distribution `given`. Returns nothing if there is no such distribution: each bit
/// that divides an axis of `from` must divide one axis of `to`.
static Result reshape(const Distribution &given, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  // The bits of an element's row-major index, and the rank bits that select them.
  SmallVector<int32_t> rankBits(llvm::Log2_64(ShapedType::getNumElements(from)), -1);
  auto forEachDivided = [](ArrayRef<int64_t> shape, auto function) {
    unsigned low = 0;
    for (int32_t axis = shape.size(); axis-- > 0;) {
      unsigned bits = llvm::Log2_64(shape[axis]);
      function(axis, low, low + bits);
      low += bits;
    }
  };
  forEachDivided(from, [&](int32_t axis, unsigned, unsigned high) {
    uint32_t bits = given.getBits(axis);
    for (unsigned place = high - llvm::popcount(bits); bits; bits &= bits - 1)
      rankBits[place++] = llvm::countr_zero(bits);
  });
  SmallVector<int32_t> axes(given.getAxes());
  bool fits = true;
  forEachDivided(to, [&](int32_t axis, unsigned low, unsigned high) {
    int32_t last = -1;
    for (unsigned place = low; place < high; ++place) {
      int32_t bit = rankBits[place];
      fits &= bit > last || (bit < 0 && last < 0); // must be the upper bits of an axis, in the order of the rank bits
      if (bit >= 0)
        axes[bit] = axis;
      last = bit;
    }
  });
  return fits ? std::optional(Distribution(axes)) : std::nullopt;
}

namespace {

/// The model of operations whose tiles all have the same distribution: each block works on its own part of every tile.
/// This includes accesses to memory, because pointers are distributed like the values that they access, and tt.cat,
/// which does not guarantee an order of elements. PlanCTA.cpp itself rewrites the other operations that have this
/// model.
template <typename Op> struct EachItsPart : DistributionRules::ExternalModel<EachItsPart<Op>, Op> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const { return all(op, result); }
  Result getResultDistribution(Operation *, unsigned, const Distribution &operand) const { return operand; }
};

struct Constants : DistributionRules::ExternalModel<Constants, arith::ConstantOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    auto elements = dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    bool dependsOnBlock =
        elements && !elements.isSplat(); // each block would need a different part of the list of elements
    return dependsOnBlock && result != Distribution::copies(result.getAxes().size()) ? Operands()
                                                                                     : Operands(all(op, result));
  }
  Result getResultDistribution(Operation *, unsigned, const Distribution &operand) const { return operand; }
};

struct ExpandDims : DistributionRules::ExternalModel<ExpandDims, tt::ExpandDimsOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    int32_t axis = cast<tt::ExpandDimsOp>(op).getAxis();
    return all(op, result.mapAxes([&](int32_t divided) { return divided - (divided > axis); }));
  }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    int32_t axis = cast<tt::ExpandDimsOp>(op).getAxis();
    return operand.mapAxes([&](int32_t divided) { return divided + (divided >= axis); });
  }
};

struct Broadcast : DistributionRules::ExternalModel<Broadcast, tt::BroadcastOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    ArrayRef<int64_t> shape = shapeOf(cast<tt::BroadcastOp>(op).getSrc());
    return all(op,
               result.mapAxes([&](int32_t axis) { return shape[axis] == 1 ? int32_t(Distribution::Copies) : axis; }));
  }
  /// If blocks have copies of the operand, the copies do not determine the distribution of the result: a block can
  /// compute any part of the result that users need.
  Result getResultDistribution(Operation *, unsigned, const Distribution &operand) const {
    return llvm::is_contained(operand.getAxes(), int32_t(Distribution::Copies)) ? Result() : Result(operand);
  }
};

struct Trans : DistributionRules::ExternalModel<Trans, tt::TransOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    return all(op, result.mapAxes([&](int32_t axis) { return cast<tt::TransOp>(op).getOrder()[axis]; }));
  }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    ArrayRef<int32_t> order = cast<tt::TransOp>(op).getOrder();
    return operand.mapAxes([&](int32_t axis) -> int32_t { return llvm::find(order, axis) - order.begin(); });
  }
};

struct Reshape : DistributionRules::ExternalModel<Reshape, tt::ReshapeOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    auto operand = reshape(result, shapeOf(op->getResult(0)), shapeOf(op->getOperand(0)));
    return operand ? Operands(all(op, *operand)) : std::nullopt;
  }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    return reshape(operand, shapeOf(op->getOperand(0)), shapeOf(op->getResult(0)));
  }
};

/// The pairs of a join or a split lie along the last axis of `pairs`, which must not be distributed.
static bool dividesPairs(const Distribution &distribution, Value pairs) {
  return distribution.divides(shapeOf(pairs).size() - 1);
}

struct Join : DistributionRules::ExternalModel<Join, tt::JoinOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    return dividesPairs(result, op->getResult(0)) ? Operands() : Operands(all(op, result));
  }
  Result getResultDistribution(Operation *, unsigned, const Distribution &operand) const { return operand; }
};

struct Split : DistributionRules::ExternalModel<Split, tt::SplitOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const { return all(op, result); }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    return dividesPairs(operand, op->getOperand(0)) ? Result() : Result(operand);
  }
};

struct Reduce : DistributionRules::ExternalModel<Reduce, tt::ReduceOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    int32_t axis = cast<tt::ReduceOp>(op).getAxis();
    return all(op, result.mapAxes([&](int32_t divided) { return divided + (divided >= axis); }));
  }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    int32_t axis = cast<tt::ReduceOp>(op).getAxis();
    return operand.without(axis).mapAxes([&](int32_t divided) { return divided - (divided > axis); });
  }
};

/// Elements along one axis depend on each other, so this axis must not be distributed.
template <typename Op> struct AlongAxis : DistributionRules::ExternalModel<AlongAxis<Op>, Op> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    return result.divides(cast<Op>(op).getAxis()) ? Operands() : Operands(all(op, result));
  }
  Result getResultDistribution(Operation *op, unsigned, const Distribution &operand) const {
    return operand.divides(cast<Op>(op).getAxis()) ? Result() : Result(operand);
  }
};

struct Histogram : DistributionRules::ExternalModel<Histogram, tt::HistogramOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    return result != Distribution::copies(result.getAxes().size()) ? Operands() : Operands(all(op, result));
  }
  Result getResultDistribution(Operation *, unsigned, const Distribution &) const { return std::nullopt; }
};

/// A block multiplies rows of a by columns of b. It needs all rows and columns on which its part of the accumulator
/// depends.
template <typename Op> struct Dot : DistributionRules::ExternalModel<Dot<Op>, Op> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    int32_t rank = shapeOf(cast<Op>(op).getD()).size();
    SmallVector<Distribution> operands = all(op, result);
    operands[0] = result.without(rank - 1);
    operands[1] = result.without(rank - 2);
    return operands;
  }
  Result getResultDistribution(Operation *, unsigned number, const Distribution &operand) const {
    constexpr unsigned accumulator = 2;
    return number == accumulator ? Result(operand) : Result();
  }
};

/// The two numbers of a byte are adjacent along an axis, so contiguous parts are computed from contiguous parts.
struct UnpackPairs : DistributionRules::ExternalModel<UnpackPairs, ttg::Fp4ToFpOp> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    return result.fits(shapeOf(op->getOperand(0))) ? Operands(all(op, result)) : std::nullopt;
  }
  Result getResultDistribution(Operation *, unsigned, const Distribution &operand) const { return operand; }
};

/// Accesses rows of a tensor by their numbers. The block of the descriptor is one row.
template <typename Op> struct RowAccess : DistributionRules::ExternalModel<RowAccess<Op>, Op> {
  Operands getOperandDistributions(Operation *op, const Distribution &result) const {
    SmallVector<Distribution> operands = all(op, result);
    operands[0] = result.without(0);
    operands[1] = result.without(1);
    return operands;
  }
  Result getResultDistribution(Operation *, unsigned, const Distribution &) const { return std::nullopt; }
};

/// Code for threads runs in a single block. PlanCTA reports an error for calls of such code.
struct CallThreads : DistributionRules::ExternalModel<CallThreads, tt::CallThreadsOp> {
  Operands getOperandDistributions(Operation *, const Distribution &) const { return std::nullopt; }
  Result getResultDistribution(Operation *, unsigned, const Distribution &) const { return std::nullopt; }
};

template <template <typename> class Model, typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

} // namespace

void tilecc::registerDistributionModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, arith::ArithDialect *) { arith::ConstantOp::attachInterface<Constants>(*context); });
  registry.addExtension(+[](MLIRContext *context, tt::TTDialect *) {
    tt::ExpandDimsOp::attachInterface<ExpandDims>(*context);
    tt::BroadcastOp::attachInterface<Broadcast>(*context);
    tt::TransOp::attachInterface<Trans>(*context);
    tt::ReshapeOp::attachInterface<Reshape>(*context);
    tt::JoinOp::attachInterface<Join>(*context);
    tt::SplitOp::attachInterface<Split>(*context);
    tt::ReduceOp::attachInterface<Reduce>(*context);
    tt::HistogramOp::attachInterface<Histogram>(*context);
    tt::CallThreadsOp::attachInterface<CallThreads>(*context);
    attach<AlongAxis, tt::ScanOp, tt::GatherOp>(context);
    attach<Dot, tt::DotOp>(context);
    attach<RowAccess, tt::DescriptorGatherOp, tt::DescriptorScatterOp>(context);
    attach<EachItsPart, tt::CatOp, tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp,
           tt::AtomicStoreOp, tt::AtomicPollOp, tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp,
           tt::DotScaledOp, tt::PrintOp, tt::AssertOp, tt::WaitSignalOp, tt::MultimemSumOp, tt::MultimemStoreOp,
           tt::MultimemAddOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, ttg::TTGDialect *) {
    ttg::Fp4ToFpOp::attachInterface<UnpackPairs>(*context);
    attach<EachItsPart, ttg::ConvertLayoutOp, ttg::LocalAllocOp, ttg::LocalLoadOp, ttg::LocalStoreOp,
           ttg::AsyncCopyGlobalToLocalOp, ttg::CompareReplicasOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, ttng::TTNGDialect *) {
    attach<Dot, ttng::WarpGroupDotOp>(context);
    attach<EachItsPart, ttng::WarpGroupDotWaitOp, ttng::AsyncTMAStoreTileOp, ttng::TensormapCreateOp,
           ttng::RedistributeOp, ttng::SumOverBlocksOp, ttng::SumOverClustersOp, ttng::TMEMAllocOp, ttng::TMEMLoadOp,
           ttng::TMEMStoreOp, ttng::ReserveTensorMemoryOp>(context);
  });
}
