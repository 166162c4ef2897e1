//===- LaunchCode.cpp - code by which a launch computes numbers from arguments ------------------------------------===//
//
// A kernel often computes the shape of an image from arguments alone. The launch also needs the shape, to describe the
// image to the hardware. So the same computation is encoded for the launch; runtime/src/TensorMaps.cpp interprets the
// code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/LaunchCode.h"
#include "lowering/dialects/tt/TT.h"
#include "runtime/include/tilecc/abi.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

LaunchCode::LaunchCode(int64_t number) : words{TILECC_CODE_NUMBER, number}, constant(number) {}

LaunchCode LaunchCode::ofParameter(unsigned number) {
  LaunchCode code;
  code.words = {TILECC_CODE_PARAMETER, number};
  return code;
}

/// Folds an operation. Returns nothing if it overflows or is undefined, because only the launch can report that.
static std::optional<int64_t> fold(int64_t x, int64_t y, int64_t operation) {
  int64_t result;
  switch (operation) {
  case TILECC_CODE_ADD: return llvm::AddOverflow(x, y, result) ? std::nullopt : std::optional(result);
  case TILECC_CODE_SUBTRACT: return llvm::SubOverflow(x, y, result) ? std::nullopt : std::optional(result);
  case TILECC_CODE_MULTIPLY: return llvm::MulOverflow(x, y, result) ? std::nullopt : std::optional(result);
  case TILECC_CODE_DIVIDE: return y > 0 ? std::optional(x / y) : std::nullopt;
  case TILECC_CODE_REMAINDER: return y > 0 ? std::optional(x % y) : std::nullopt;
  }
  llvm_unreachable("an operation on two numbers");
}

LaunchCode LaunchCode::combine(const LaunchCode &other, int64_t operation) const {
  if (constant && other.constant)
    if (std::optional<int64_t> known = fold(*constant, *other.constant, operation))
      return *known;
  bool isSum = operation == TILECC_CODE_ADD || operation == TILECC_CODE_SUBTRACT;
  bool isProduct = operation == TILECC_CODE_MULTIPLY || operation == TILECC_CODE_DIVIDE;
  if ((isSum && other.constant == 0) || (isProduct && other.constant == 1))
    return *this;
  if ((operation == TILECC_CODE_ADD && constant == 0) || (operation == TILECC_CODE_MULTIPLY && constant == 1))
    return other;
  LaunchCode code;
  code.words = words;
  llvm::append_range(code.words, other.words);
  code.words.push_back(operation);
  return code;
}

LaunchCode LaunchCode::operator+(const LaunchCode &other) const { return combine(other, TILECC_CODE_ADD); }
LaunchCode LaunchCode::operator-(const LaunchCode &other) const { return combine(other, TILECC_CODE_SUBTRACT); }
LaunchCode LaunchCode::operator*(const LaunchCode &other) const { return combine(other, TILECC_CODE_MULTIPLY); }
LaunchCode LaunchCode::operator/(const LaunchCode &other) const { return combine(other, TILECC_CODE_DIVIDE); }
LaunchCode LaunchCode::operator%(const LaunchCode &other) const { return combine(other, TILECC_CODE_REMAINDER); }

bool tilecc::keepsNumber(Operation *op) {
  auto isWide = [](Type type) { return getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32; };
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) && isWide(op->getOperand(0).getType()) &&
         isWide(op->getResult(0).getType());
}

std::optional<LaunchCode> LaunchCode::get(Value scalar) {
  APInt number;
  if (!scalar.getType().isInteger() || scalar.getType().isInteger(1))
    return std::nullopt;
  if (matchPattern(scalar, m_ConstantInt(&number)))
    return LaunchCode(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    bool isOfKernel = isa<tt::FuncOp>(argument.getOwner()->getParentOp()) && argument.getOwner()->isEntryBlock();
    return isOfKernel ? std::optional(ofParameter(argument.getArgNumber())) : std::nullopt;
  }
  Operation *op = scalar.getDefiningOp();
  if (keepsNumber(op) || isa<tt::BitcastOp>(op))
    return get(op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          op))
    return std::nullopt;
  std::optional<LaunchCode> x = get(op->getOperand(0)), y = get(op->getOperand(1));
  if (!x || !y)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *x + *y;
  if (isa<arith::SubIOp>(op))
    return *x - *y;
  if (isa<arith::MulIOp>(op))
    return *x * *y;
  return isa<arith::DivSIOp, arith::DivUIOp>(op) ? *x / *y : *x % *y;
}
