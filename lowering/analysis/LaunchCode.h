//===- LaunchCode.h - code by which a launch computes numbers from arguments ----------------------------*- C++ -*-===//
//
// A launch evaluates this code on the host. The results are the sizes and strides of the tensor maps that the launch
// creates.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H
#define TILECC_LOWERING_ANALYSIS_LAUNCHCODE_H

#include "mlir/IR/Value.h"
#include <optional>

namespace tilecc {

/// Returns true if `op` converts an integer to another width and preserves its value, provided that it does not
/// overflow. Returns false for conversions from or to less than 32 bits, because narrow integers may be unsigned, or
/// wrap around on purpose.
bool keepsNumber(mlir::Operation *op);

/// Code that computes one number: a sequence of TILECC_CODE_* words (tilecc/abi.h) for a stack machine. Executing the
/// sequence pushes the number onto the stack. Operations on constants are folded.
class LaunchCode {
public:
  LaunchCode(int64_t number);
  static LaunchCode ofParameter(unsigned number);
  /// Returns the code for a scalar that depends only on the kernel's arguments, or nothing for any other scalar.
  static std::optional<LaunchCode> get(mlir::Value scalar);

  LaunchCode operator+(const LaunchCode &other) const;
  LaunchCode operator-(const LaunchCode &other) const;
  LaunchCode operator*(const LaunchCode &other) const;
  /// Division rounds towards zero, as in C. The launch reports an error for a division by zero.
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
