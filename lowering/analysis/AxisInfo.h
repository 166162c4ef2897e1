//===- AxisInfo.h - contiguity, divisibility and constancy along each axis ------------------------------*- C++ -*-===//
//
// A thread can access 128 bits at once if adjacent pointers point to adjacent elements, the first pointer is aligned,
// and the mask has the same value for all of these elements. This forward dataflow analysis determines contiguity,
// alignment and constancy for every value, along each axis, through loops and branches.
//
// The results hold for all arguments and for every program of the grid, under two assumptions. First, signed index
// arithmetic does not overflow, as C++ requires. Second, an index is not divided by a negative variable: grouped
// orderings of matrix multiplications divide by the number of remaining rows, which is not known to be positive.
// Everything else is proven from operands, from attributes of parameters (tt.divisibility, which for an integer also
// implies that it is not negative; the launch checks both before it selects a variant that relies on them), from hints
// (tt::multiple_of and the like) and from assumptions (tt::assume). Where contiguity is larger than divisibility, it
// holds only if no addition overflows, not even an unsigned one. This is harmless, because the smaller of the two
// limits the width of an access. AxisInfoTest.cpp checks the results against values that it computes element by
// element.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AXISINFO_H
#define TILECC_LOWERING_ANALYSIS_AXISINFO_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace tilecc {

/// The facts along each axis (a scalar is treated as a tile of rank 1 with one element). All numbers are powers of two:
///
///  - contiguity: if the axis is cut into aligned groups of this size, each group counts up by 1;
///  - divisibility: the first element of each such group is a multiple of this number (for pointers: of this number of
///    bytes). If contiguity is 1, every element is such a multiple;
///  - constancy: if the axis is cut into groups of this size, all elements of a group are equal.
///
/// In addition, there are facts about all elements together: their value, if it is known, and whether all are
/// non-negative.
class AxisInfo {
public:
  /// The facts along one axis.
  struct Axis {
    int64_t contiguity = 1, divisibility = 1, constancy = 1;
    bool operator==(const Axis &other) const {
      return contiguity == other.contiguity && divisibility == other.divisibility && constancy == other.constancy;
    }
  };

  /// The neutral element of join(): nothing is known about the value yet.
  AxisInfo() = default;
  AxisInfo(llvm::ArrayRef<Axis> axes, std::optional<int64_t> constant = std::nullopt, bool nonNegative = false)
      : axes(axes), constant(constant), nonNegative(nonNegative || (constant && *constant >= 0)) {}
  /// Returns the facts that hold for every value, which are all ones.
  static AxisInfo pessimistic(mlir::Value value);
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);

  bool isUninitialized() const { return axes.empty(); }
  unsigned getRank() const { return axes.size(); }
  const Axis &getAxis(unsigned dim) const { return axes[dim]; }
  int64_t getContiguity(unsigned dim) const { return axes[dim].contiguity; }
  int64_t getDivisibility(unsigned dim) const { return axes[dim].divisibility; }
  int64_t getConstancy(unsigned dim) const { return axes[dim].constancy; }
  /// Returns the value of all elements, if it is known. For an i1, true is -1.
  std::optional<int64_t> getConstant() const { return constant; }
  bool isNonNegative() const { return nonNegative; }

  bool operator==(const AxisInfo &other) const {
    return axes == other.axes && constant == other.constant && nonNegative == other.nonNegative;
  }
  void print(llvm::raw_ostream &os) const;

private:
  llvm::SmallVector<Axis, 4> axes;
  std::optional<int64_t> constant;
  bool nonNegative = false;
};

/// Returns the facts about `result`, given the facts about the operands. Hints on the operation are ignored. If the
/// operation does not implement AxisInfoRules, the facts follow from its traits, which state that it moves elements or
/// computes each element separately.
AxisInfo inferAxisInfo(mlir::OpResult result, llvm::ArrayRef<const AxisInfo *> operands);

} // namespace tilecc

#include "lowering/analysis/AnalysisInterfaces.h.inc"

namespace tilecc {

/// Runs the analysis over everything nested in `root`, and answers queries about accesses.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *root);

  AxisInfo get(mlir::Value value) const;
  /// Returns the number of adjacent elements along `dim` that can be accessed at once through `ptr`, because they are
  /// contiguous and aligned to their size.
  int64_t getAlignedContiguity(mlir::Value ptr, unsigned dim) const;
  /// Returns the number of adjacent elements along `dim` that have the same bit of `mask`.
  int64_t getMaskConstancy(mlir::Value mask, unsigned dim) const { return get(mask).getConstancy(dim); }
  /// Returns the axes of `ptr`, most contiguous first; among equals, the last axis first.
  llvm::SmallVector<unsigned> getOrder(mlir::Value ptr) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace tilecc

#endif
