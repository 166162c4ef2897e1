//===- DivideTiles.cpp - kernels with smaller tiles, for launches of few programs ---------------------------------===//
//
// See the header.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/DivideTiles.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/DotChains.h"
#include "lowering/clusters/Distributor.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUDIVIDETILES
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The number of rows that a warp-group instruction computes.
constexpr int64_t leastRows = 64;
/// The number of columns of a part if there are few rows. Nearly all copied bytes are then weights, and narrower copies
/// are slower.
constexpr int64_t columnsOfFewRows = 128;

constexpr int32_t rowAxis = 0, columnAxis = 1;

/// Returns the only dot of `kernel` if it multiplies matrices (not batches); null otherwise.
tt::DotOp getOnlyDot(tt::FuncOp kernel) {
  SmallVector<tt::DotOp> dots;
  kernel.walk([&](tt::DotOp dot) { dots.push_back(dot); });
  return dots.size() == 1 && dots[0].getType().getRank() == 2 ? dots[0] : tt::DotOp();
}

/// Returns the distribution of the dot's result over 2^bits parts, or nothing if the parts would be too small.
std::optional<Distribution> divide(tt::DotOp dot, unsigned bits, int64_t leastElements) {
  SmallVector<int64_t> shape(dot.getType().getShape());
  SmallVector<int32_t> axes;
  for (unsigned bit = 0; bit < bits; ++bit) {
    int32_t axis = shape[rowAxis] > shape[columnAxis] ? rowAxis : columnAxis;
    shape[axis] /= 2;
    axes.push_back(axis);
  }
  if (shape[rowAxis] < leastRows || ShapedType::getNumElements(shape) < leastElements)
    return std::nullopt;
  return Distribution(axes);
}

/// Returns false for operations that distributeTiles() would report as errors.
bool isDistributable(Operation *op) {
  bool isControlFlow = isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) || op->hasTrait<OpTrait::IsTerminator>();
  return isControlFlow || (hasDistributionRules(op) && !isa<tt::CallOp, tt::CallThreadsOp>(op));
}

/// Rewrites `kernel` according to `plan`, for the part whose number `createNumber` returns. Returns false if the parts
/// would have to exchange elements.
bool rewrite(tt::FuncOp kernel, DistributionPlan plan, unsigned bits, function_ref<Value(OpBuilder &)> createNumber) {
  auto isForeign = [&](Operation *op) {
    return op == kernel || isDistributable(op) ? WalkResult::advance() : WalkResult::interrupt();
  };
  if (kernel.walk(isForeign).wasInterrupted() || failed(distributeTiles(kernel, std::move(plan), bits)))
    return false;
  auto dependsOnOther = [](Operation *op) {
    return isa<ttng::RedistributeOp, ttng::ClusterArriveOp, ttng::ClusterWaitOp>(op) ? WalkResult::interrupt()
                                                                                     : WalkResult::advance();
  };
  if (kernel.walk(dependsOnOther).wasInterrupted())
    return false;
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value number = createNumber(builder);
  kernel.walk([&](Operation *op) {
    op->removeAttr(ttg::isSharedByBlocksAttr);
    if (auto rank = dyn_cast<ttng::BlockRankOp>(op)) {
      rank.replaceAllUsesWith(number);
      rank.erase();
    }
  });
  return true;
}

/// Divides the results of all operations of type `Op` for the axis x by 2^`bits`. Returns the undivided result.
template <class Op> Value divideAlongX(OpBuilder &builder, tt::FuncOp kernel, unsigned bits) {
  Location loc = kernel.getLoc();
  SmallVector<Op> replaced;
  kernel.walk([&](Op op) {
    if (op.getAxis() == tt::ProgramIDDim::X)
      replaced.push_back(op);
  });
  Value whole = Op::create(builder, loc, builder.getI32Type(), tt::ProgramIDDim::X);
  Value shift = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), bits);
  Value quotient = arith::ShRUIOp::create(builder, loc, whole, shift);
  for (Op op : replaced) {
    op.replaceAllUsesWith(quotient);
    op.erase();
  }
  return whole;
}

/// Rewrites `kernel` for a grid with 2^`bits` times as many programs along x. Returns the number of the program's part.
Value createPartNumber(OpBuilder &builder, tt::FuncOp kernel, unsigned bits) {
  Type i32 = builder.getI32Type();
  if (bits == 0)
    return arith::ConstantIntOp::create(builder, kernel.getLoc(), i32, 0);
  Value program = divideAlongX<tt::GetProgramIdOp>(builder, kernel, bits);
  divideAlongX<tt::GetNumProgramsOp>(builder, kernel, bits);
  Value mask = arith::ConstantIntOp::create(builder, kernel.getLoc(), i32, (1 << bits) - 1);
  return arith::AndIOp::create(builder, kernel.getLoc(), program, mask);
}

/// Finds the argument that limits the rows in the mask of every store and atomic access. (The axis of rows is the axis
/// along which the highest bit of a part's number selects under `plan`.) Returns nothing if the argument does not limit
/// the writes to the first part: if one of these accesses may write rows outside that part although the argument is at
/// most the number of its rows.
std::optional<unsigned> findRowLimit(tt::FuncOp kernel, const DistributionPlan &plan,
                                     function_ref<bool(BlockArgument)> isNonNegativeArgument) {
  std::optional<unsigned> limit;
  auto isLimited = [&](Operation *op) {
    if (isa<tt::AssertOp>(op)) // an assertion may also check rows that are no longer computed
      return false;
    std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op);
    if (!access || !access->isWrite)
      return !op->hasTrait<tt::AccessesTensor>() || isMemoryEffectFree(op) || isa<tt::DescriptorLoadOp>(op);
    int32_t axis = plan.get(access->pointers).getAxes().back();
    std::optional<TileMask> mask = access->mask && axis >= 0 ? getTileMask(access->mask) : std::nullopt;
    if (!mask)
      return false;
    return llvm::any_of(mask->bounds, [&](const TileMask::Bound &bound) {
      auto argument = dyn_cast_or_null<BlockArgument>(getNumber(bound.limit).value);
      // The index begins at a number that is not negative, and increases by 1.
      if (int32_t(bound.axis) != axis || bound.isInclusive || !argument || getNumber(bound.limit).factor != 1 ||
          argument.getOwner() != &kernel.getBody().front() || !argument.getType().isInteger() ||
          (limit && *limit != argument.getArgNumber()) || !isNonNegative(bound.index, isNonNegativeArgument))
        return false;
      limit = argument.getArgNumber();
      return true;
    });
  };
  auto visit = [&](Operation *op) { return isLimited(op) ? WalkResult::advance() : WalkResult::interrupt(); };
  return kernel.walk(visit).wasInterrupted() ? std::nullopt : limit;
}

} // namespace

bool tilecc::dividePrograms(tt::FuncOp kernel, unsigned bits, int64_t leastElements) {
  tt::DotOp dot = getOnlyDot(kernel);
  std::optional<Distribution> distribution = dot ? divide(dot, bits, leastElements) : std::nullopt;
  if (!distribution)
    return false;
  return rewrite(kernel, DistributionPlan::follow(kernel, dot.getD(), *distribution), bits,
                 [&](OpBuilder &builder) { return createPartNumber(builder, kernel, bits); });
}

bool tilecc::divideRows(tt::FuncOp kernel, unsigned bits) {
  SmallVector<DotChain> chains = findDotChains(kernel);
  Distribution rows(SmallVector<int32_t>(bits, rowAxis));
  if (chains.empty() || !rows.fits(chains[0].second.getType().getShape()))
    return false;
  auto plan = DistributionPlan::follow(kernel, chains[0].second.getD(), rows);
  auto computesAllRows = [&](DotChain chain) { return plan.get(chain.second.getD()) != rows; };
  if (llvm::any_of(chains, computesAllRows))
    return false;
  return rewrite(kernel, std::move(plan), bits,
                 [&](OpBuilder &builder) { return createPartNumber(builder, kernel, bits); });
}

std::optional<FirstRows> tilecc::keepFirstRows(tt::FuncOp kernel, int64_t rows,
                                               function_ref<bool(BlockArgument)> isNonNegativeArgument) {
  tt::DotOp dot = getOnlyDot(kernel);
  int64_t allRows = dot ? dot.getType().getDimSize(rowAxis) : 0;
  if (allRows <= rows)
    return std::nullopt;
  // The highest bits of a part's number, which would select rows, are 0.
  unsigned bits = llvm::Log2_64(std::max<int64_t>(dot.getType().getDimSize(columnAxis) / columnsOfFewRows, 1));
  SmallVector<int32_t> axes(bits, columnAxis);
  axes.append(llvm::Log2_64(allRows / rows), rowAxis);
  auto plan = DistributionPlan::follow(kernel, dot.getD(), Distribution(axes));
  std::optional<unsigned> argument = findRowLimit(kernel, plan, isNonNegativeArgument);
  auto createNumber = [&](OpBuilder &builder) { return createPartNumber(builder, kernel, bits); };
  if (!argument || !rewrite(kernel, std::move(plan), axes.size(), createNumber))
    return std::nullopt;
  return FirstRows{*argument, rows, bits};
}

namespace {
struct TritonGPUDivideTiles : tilecc::impl::TritonGPUDivideTilesBase<TritonGPUDivideTiles> {
  using TritonGPUDivideTilesBase::TritonGPUDivideTilesBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      if (!func.isKernel())
        continue;
      auto isNonNegative = [&](BlockArgument argument) {
        return func.getArgAttr(argument.getArgNumber(), tt::divisibilityAttr) != nullptr;
      };
      const unsigned bits = llvm::Log2_32(parts);
      if (firstRows ? keepFirstRows(func, firstRows, isNonNegative).has_value()
          : chains  ? divideRows(func, bits)
                    : dividePrograms(func, bits))
        continue;
      func.emitError("a part of its dot's result cannot be computed alone");
      signalPassFailure();
    }
  }
};
} // namespace
