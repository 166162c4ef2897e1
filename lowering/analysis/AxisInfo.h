//===- AxisInfo.h - what is known of the numbers in a tile, axis by axis --------------------------------*- C++ -*-----===//
//
// Whether an access can be 128 bits wide is a question about integers: do neighbouring pointers point to neighbouring
// elements, is the first of them aligned, and does the mask have the same value for all of them. This forward dataflow
// analysis answers it, for every value and along every axis of it, also through loops and branches.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AXISINFO_H
#define TILECC_LOWERING_ANALYSIS_AXISINFO_H

#include "lowering/dialects/TTG.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace tilecc {

/// For each axis (a scalar counts as one element of rank 1), where every number is a power of two:
///
///  - contiguity: cut along the axis into groups of that many, aligned to it, each group counts up by 1;
///  - divisibility: the first element of each such group is a multiple of it (of pointers: in bytes). Where contiguity
///    is 1 that is every element;
///  - constancy: cut into groups of that many, each group has one value;
///
/// and the value of all elements where it is known.
class AxisInfo {
public:
  /// Nothing is known yet: the neutral element of join().
  AxisInfo() = default;
  AxisInfo(llvm::ArrayRef<int64_t> contiguity, llvm::ArrayRef<int64_t> divisibility, llvm::ArrayRef<int64_t> constancy,
           std::optional<int64_t> constant = std::nullopt)
      : contiguity(contiguity), divisibility(divisibility), constancy(constancy), constant(constant) {}
  /// Nothing holds: ones everywhere.
  static AxisInfo pessimistic(mlir::Value value);
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);

  bool isUninitialized() const { return contiguity.empty(); }
  unsigned getRank() const { return contiguity.size(); }
  int64_t getContiguity(unsigned dim) const { return contiguity[dim]; }
  int64_t getDivisibility(unsigned dim) const { return divisibility[dim]; }
  int64_t getConstancy(unsigned dim) const { return constancy[dim]; }
  std::optional<int64_t> getConstant() const { return constant; }

  bool operator==(const AxisInfo &other) const {
    return contiguity == other.contiguity && divisibility == other.divisibility && constancy == other.constancy &&
           constant == other.constant;
  }
  void print(llvm::raw_ostream &os) const;

private:
  llvm::SmallVector<int64_t, 4> contiguity, divisibility, constancy;
  std::optional<int64_t> constant;
};

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
