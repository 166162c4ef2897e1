//===- AxisInfoMath.h - shared helpers of AxisInfo ------------------------------------------------------*- C++ -*-===//
//
// The dataflow analysis (AxisInfo.cpp) and the transfer functions of operations (AxisInfoInference.cpp) use these
// helpers.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AXISINFOMATH_H
#define TILECC_LOWERING_ANALYSIS_AXISINFOMATH_H

#include "lowering/analysis/AxisInfo.h"
#include "llvm/Support/MathExtras.h"

namespace tilecc::axis_info {

/// Larger divisibility is not useful, and the limit keeps products within 64 bits.
inline constexpr int64_t maxDivisibility = int64_t(1) << 30;

inline int64_t clampDivisibility(int64_t value) { return std::min(value, maxDivisibility); }

/// Returns the largest power of two that divides `value`.
inline int64_t powerOfTwoIn(int64_t value) {
  return value == 0 ? maxDivisibility : clampDivisibility(int64_t(uint64_t(value) & -uint64_t(value)));
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  static constexpr int64_t one = 1;
  auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tile && tile.getRank() ? tile.getShape() : llvm::ArrayRef(one);
}

/// Returns the bytes from one pointee to the next, or 1 for integers.
inline int64_t strideOf(mlir::Type type) {
  auto ptr = llvm::dyn_cast<tt::PointerType>(mlir::getElementTypeOrSelf(type));
  return ptr ? std::max(1u, tt::getElementBits(ptr.getPointeeType()) / 8) : 1;
}

/// Returns a number that divides every element.
inline int64_t divisibilityOfAll(const AxisInfo &info) {
  int64_t result = 1;
  for (unsigned d = 0; d < info.getRank(); ++d)
    if (info.getContiguity(d) == 1)
      result = std::max(result, info.getDivisibility(d));
  return result;
}

/// Returns a number that divides the first element of each group of `size` along `d`. If `size` is smaller than the
/// contiguity, the contiguous groups are split, and the new first elements lie at multiples of `size` from the old
/// ones.
inline int64_t divisibilityOfGroups(const AxisInfo &info, unsigned d, int64_t size, int64_t stride = 1) {
  int64_t known = info.getDivisibility(d);
  return size >= info.getContiguity(d) ? known : std::min(known, size * stride);
}

/// Builds the facts about a value of type `type`, axis by axis. If the value is a constant, all other facts follow from
/// it.
inline AxisInfo build(mlir::Type type, llvm::function_ref<AxisInfo::Axis(unsigned)> axisAt,
                      std::optional<int64_t> constant = std::nullopt, bool nonNegative = false) {
  llvm::SmallVector<AxisInfo::Axis> axes;
  for (auto [d, size] : llvm::enumerate(shapeOf(type))) {
    AxisInfo::Axis axis = constant ? AxisInfo::Axis{1, powerOfTwoIn(*constant), size} : axisAt(d);
    axes.push_back(
        {std::min(axis.contiguity, size), clampDivisibility(axis.divisibility), std::min(axis.constancy, size)});
  }
  return AxisInfo(axes, constant, nonNegative);
}

} // namespace tilecc::axis_info

#endif
