//===- LaunchCode.h - code by which a launch computes numbers from arguments ----------------------------*- C++ -*-===//
//
// The code computes the sizes and strides of tensor maps that a launch creates.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H
#define TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H

#include "mlir/IR/Value.h"
#include <optional>

namespace tilecc {

/// Returns true if `op` converts an integer to another width and preserves its value, assuming no overflow. Returns
/// false for conversions from and to less than 32 bits, because narrow integers may be unsigned, or wrap around on
/// purpose.
bool keepsNumber(mlir::Operation *op);

/// A number, as words of TILECC_CODE_* (tilecc/abi.h) that leave it on the launch's stack. Constants are folded.
class LaunchCode {
public:
  LaunchCode(int64_t number);
  static LaunchCode ofParameter(unsigned number);
  /// Returns the code of a scalar that depends only on the kernel's arguments, or nothing for other scalars.
  static std::optional<LaunchCode> get(mlir::Value scalar);

  LaunchCode operator+(const LaunchCode &other) const;
  LaunchCode operator-(const LaunchCode &other) const;
  LaunchCode operator*(const LaunchCode &other) const;
  /// Rounds towards zero, as in C. The launch reports an error for a division by zero.
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
