//===- AxisInfo.h - what is known of the numbers in a tile, axis by axis --------------------------------*- C++ -*-----===//
//
// Whether an access can be 128 bits wide is a question about integers: do neighbouring pointers point to neighbouring
// elements, is the first of them aligned, and does the mask have the same value for all of them. This forward dataflow
// analysis answers it, for every value and along every axis of it, also through loops and branches.
//
// What it says holds for every argument and every program of the grid, with two provisos: signed arithmetic on indices
// does not overflow (in C++ it may not), and an index is not divided by a negative variable (the groups of rows in which
// a matrix product is ordered are divided by the rows that are left, and nothing says that some are). Everything else is
// proven, from operands, from what is assumed of parameters (tt.divisibility; of an integer it also says that it is not
// negative, and the launch checks both before it takes a variant that relies on it), from hints (tt::multiple_of and its
// kin) and from assumptions (tt::assume). Contiguity beyond divisibility holds but for overflow of any kind: no access is
// made wider by it. AxisInfoTest.cpp compares all this with enumerated numbers.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AXISINFO_H
#define TILECC_LOWERING_ANALYSIS_AXISINFO_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace tilecc {

/// For each axis (a scalar counts as one element of rank 1), where every number is a power of two:
///
///  - contiguity: cut along the axis into groups of that many, aligned to it, each group counts up by 1;
///  - divisibility: the first element of each such group is a multiple of it (of pointers: in bytes). Where contiguity
///    is 1 that is every element;
///  - constancy: cut into groups of that many, each group has one value;
///
/// and of all elements together: their value where it is known, and whether none is negative.
class AxisInfo {
public:
  /// What is known along one axis.
  struct Axis {
    int64_t contiguity = 1, divisibility = 1, constancy = 1;
    bool operator==(const Axis &other) const {
      return contiguity == other.contiguity && divisibility == other.divisibility && constancy == other.constancy;
    }
  };

  /// Nothing is known yet: the neutral element of join().
  AxisInfo() = default;
  AxisInfo(llvm::ArrayRef<Axis> axes, std::optional<int64_t> constant = std::nullopt, bool nonNegative = false)
      : axes(axes), constant(constant), nonNegative(nonNegative || (constant && *constant >= 0)) {}
  /// Nothing holds: ones everywhere.
  static AxisInfo pessimistic(mlir::Value value);
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);

  bool isUninitialized() const { return axes.empty(); }
  unsigned getRank() const { return axes.size(); }
  const Axis &getAxis(unsigned dim) const { return axes[dim]; }
  int64_t getContiguity(unsigned dim) const { return axes[dim].contiguity; }
  int64_t getDivisibility(unsigned dim) const { return axes[dim].divisibility; }
  int64_t getConstancy(unsigned dim) const { return axes[dim].constancy; }
  /// Of a truth value, -1 is true.
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

/// What is known of `result`, given the same of its operation's operands; hints on the operation are not looked at. What an
/// operation does not say itself (AxisInfoRules) follows from what it is: moved elements, or a function of single ones.
AxisInfo inferAxisInfo(mlir::OpResult result, llvm::ArrayRef<const AxisInfo *> operands);

} // namespace tilecc

#include "lowering/analysis/AnalysisInterfaces.h.inc"

namespace tilecc {

/// Runs the analysis over everything below `root` and answers questions about accesses.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *root);

  AxisInfo get(mlir::Value value) const;
  /// How many neighbours along `dim` can be accessed at once through `ptr`: contiguous, and aligned to their size.
  int64_t getAlignedContiguity(mlir::Value ptr, unsigned dim) const;
  /// How many neighbours along `dim` share one bit of `mask`.
  int64_t getMaskConstancy(mlir::Value mask, unsigned dim) const { return get(mask).getConstancy(dim); }
  /// The axes of `ptr`, the most contiguous first; of equals the last axis first.
  llvm::SmallVector<unsigned> getOrder(mlir::Value ptr) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace tilecc

#endif
