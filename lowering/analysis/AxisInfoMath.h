//===- AxisInfoMath.h - numbers that AxisInfo's parts share -------------------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_ANALYSIS_AXISINFOMATH_H
#define TILECC_LOWERING_ANALYSIS_AXISINFOMATH_H

#include "lowering/analysis/AxisInfo.h"
#include "llvm/Support/MathExtras.h"

namespace tilecc::axis_info {

/// Beyond this, more divisibility is of no use; it keeps products inside 64 bits.
inline constexpr int64_t maxDivisibility = int64_t(1) << 30;

inline int64_t clampDivisibility(int64_t value) { return std::min(value, maxDivisibility); }

/// The largest power of two that divides `value`.
inline int64_t powerOfTwoIn(int64_t value) {
  return value == 0 ? maxDivisibility : clampDivisibility(int64_t(uint64_t(value) & -uint64_t(value)));
}

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  static constexpr int64_t one = 1;
  auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tile && tile.getRank() ? tile.getShape() : llvm::ArrayRef(one);
}

/// Bytes between what a pointer and the one after it point to; 1 for numbers.
inline int64_t strideOf(mlir::Type type) {
  auto ptr = llvm::dyn_cast<tt::PointerType>(mlir::getElementTypeOrSelf(type));
  return ptr ? std::max(1u, tt::getElementBits(ptr.getPointeeType()) / 8) : 1;
}

/// What every element is a multiple of.
inline int64_t divisibilityOfAll(const AxisInfo &info) {
  int64_t result = 1;
  for (unsigned d = 0; d < info.getRank(); ++d)
    if (info.getContiguity(d) == 1)
      result = std::max(result, info.getDivisibility(d));
  return result;
}

/// What the first element of each group of `size` along `d` is a multiple of. Cutting contiguous groups into smaller
/// ones gives new first elements, a multiple of `size` further on.
inline int64_t divisibilityOfGroups(const AxisInfo &info, unsigned d, int64_t size, int64_t stride = 1) {
  int64_t known = info.getDivisibility(d);
  return size >= info.getContiguity(d) ? known : std::min(known, size * stride);
}

/// A value of type `type`, axis by axis. Where it is known, all else follows from its constant.
inline AxisInfo build(mlir::Type type, llvm::function_ref<AxisInfo::Axis(unsigned)> axisAt,
                      std::optional<int64_t> constant = std::nullopt, bool nonNegative = false) {
  llvm::SmallVector<AxisInfo::Axis> axes;
  for (auto [d, size] : llvm::enumerate(shapeOf(type))) {
    AxisInfo::Axis axis = constant ? AxisInfo::Axis{1, powerOfTwoIn(*constant), size} : axisAt(d);
    axes.push_back({std::min(axis.contiguity, size), clampDivisibility(axis.divisibility),
                    std::min(axis.constancy, size)});
  }
  return AxisInfo(axes, constant, nonNegative);
}

} // namespace tilecc::axis_info

#endif
