//===- Work.cpp - counts the arithmetic and the memory traffic of a kernel ----------------------------------------===//
//
// Work is counted on TTIR, which has the operations of the source and none that the compiler adds. The numbers of
// iterations are not known, so each loop is counted separately. The ratio of FLOPs and bytes is the arithmetic
// intensity on the GPU's roofline.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Work.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilecc::page {

static uint64_t countElements(mlir::Type type) {
  auto tile = dyn_cast<mlir::RankedTensorType>(type);
  return tile ? tile.getNumElements() : 1;
}

uint64_t countBytes(mlir::Operation *op) {
  std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op);
  if (!access)
    return 0;
  mlir::Type type = access->pointers.getType();
  auto pointer = dyn_cast<tt::PointerType>(mlir::getElementTypeOrSelf(type));
  if (!pointer || !pointer.getPointeeType().isIntOrFloat())
    return 0;
  return divideCeil(countElements(type) * pointer.getPointeeType().getIntOrFloatBitWidth(), 8);
}

static uint64_t countMatrixFlops(mlir::Operation *op) {
  auto count = [](mlir::Type left, mlir::Type result) {
    return 2 * countElements(result) * cast<mlir::RankedTensorType>(left).getShape().back();
  };
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return count(dot.getA().getType(), dot.getType());
  if (auto dot = dyn_cast<tt::DotScaledOp>(op))
    return count(dot.getA().getType(), dot.getType()) * (dot.getAElemType() == tt::ScaleDotElemType::E2M1 ? 2 : 1);
  return 0;
}

/// Returns the number of floating-point operations of `op`. Moves and conversions do not count.
static uint64_t countOtherFlops(mlir::Operation *op) {
  if (op->getNumResults() != 1 || !isa<mlir::FloatType>(mlir::getElementTypeOrSelf(op->getResult(0).getType())))
    return 0;
  if (isa<tt::ReduceOp, tt::ScanOp>(op))
    return countElements(op->getOperand(0).getType());
  if (isa<mlir::math::FmaOp>(op))
    return 2 * countElements(op->getResult(0).getType());
  bool isArithmetic = op->hasTrait<mlir::OpTrait::Elementwise>() && op->getNumOperands() > 0 &&
                      op->getOperand(0).getType() == op->getResult(0).getType() && !isa<mlir::arith::SelectOp>(op);
  return isArithmetic ? countElements(op->getResult(0).getType()) : 0;
}

std::vector<OpWork> countWork(mlir::ModuleOp module) {
  std::vector<OpWork> parts;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    OpWork work{nullptr, countMatrixFlops(op), countOtherFlops(op), countBytes(op)};
    if (work.getFlops() + work.bytes) {
      work.loop = op->getParentOfType<mlir::LoopLikeOpInterface>();
      auto part = find_if(parts, [&](const OpWork &part) { return part.loop == work.loop; });
      if (part == parts.end())
        part = parts.insert(parts.end(), {work.loop});
      part->matrixFlops += work.matrixFlops;
      part->otherFlops += work.otherFlops;
      part->bytes += work.bytes;
    }
    return op->hasTrait<tt::ComputesElements>() ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
  });
  return parts;
}

OpWork getBusiestWork(mlir::ModuleOp module) {
  std::vector<OpWork> parts = countWork(module);
  auto busiest = max_element(parts, [](const OpWork &a, const OpWork &b) {
    return std::pair(a.getFlops(), a.bytes) < std::pair(b.getFlops(), b.bytes);
  });
  return busiest == parts.end() ? OpWork() : *busiest;
}

} // namespace tilecc::page
