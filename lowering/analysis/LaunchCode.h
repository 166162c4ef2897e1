//===- LaunchCode.h - numbers that a launch computes from a kernel's arguments --------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H
#define TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H

#include "mlir/IR/Value.h"
#include <optional>

namespace tilecc {

/// Whether `op` converts an integer to another width and keeps the number, given that numbers do not overflow. Narrow
/// integers may be unsigned, or wrap around on purpose: conversions from and to less than 32 bits are none.
bool keepsNumber(mlir::Operation *op);

/// A number as the words of TILECC_CODE_* (tilecc/abi.h) that leave it on the launch's stack. Constants are folded.
class LaunchCode {
public:
  LaunchCode(int64_t number);
  static LaunchCode ofParameter(unsigned number);
  /// The code of a scalar that follows from the kernel's arguments alone; nothing for others.
  static std::optional<LaunchCode> get(mlir::Value scalar);

  LaunchCode operator+(const LaunchCode &other) const;
  LaunchCode operator-(const LaunchCode &other) const;
  LaunchCode operator*(const LaunchCode &other) const;
  /// Rounds towards zero, as C does. The launch refuses to divide by zero.
  LaunchCode operator/(const LaunchCode &other) const;
  LaunchCode operator%(const LaunchCode &other) const;

  std::optional<int64_t> getConstant() const { return constant; }
  llvm::ArrayRef<int64_t> getWords() const { return words; }

private:
  LaunchCode() = default;
  LaunchCode combine(const LaunchCode &other, int64_t operation) const;

  llvm::SmallVector<int64_t> words;
  std::optional<int64_t> constant;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H
