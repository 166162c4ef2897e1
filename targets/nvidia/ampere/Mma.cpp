//===- Mma.cpp - the instructions of mma.sync ---------------------------------------------------------------------===//
//
// The pass that chooses matrix units and the pattern that lowers dots use these functions.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ampere/Mma.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

unsigned MatrixInstruction::getOperandBits() const {
  switch (a) {
  case OperandType::F16:
  case OperandType::BF16: return 16;
  case OperandType::TF32: return 32;
  case OperandType::F64: return 64;
  default: return 8;
  }
}

std::optional<MatrixInstruction> tilecc::getMatrixInstruction(const nvidia::Facts &facts, Type a, Type b, Type sum) {
  using OperandType = MatrixInstruction::OperandType;
  std::optional<OperandType> operands[2];
  for (auto [type, operand] : llvm::zip_equal(std::initializer_list<Type>{a, b}, operands))
    operand = llvm::TypeSwitch<Type, std::optional<OperandType>>(type)
                  .Case<Float16Type>([](auto) { return OperandType::F16; })
                  .Case<BFloat16Type>([](auto) { return OperandType::BF16; })
                  .Case<Float32Type>([](auto) { return OperandType::TF32; })
                  .Case<Float64Type>([](auto) { return OperandType::F64; })
                  .Case<Float8E4M3FNType>([](auto) { return OperandType::E4M3; })
                  .Case<Float8E5M2Type>([](auto) { return OperandType::E5M2; })
                  .Case<IntegerType>([](IntegerType type) {
                    return type.getWidth() == 8 ? std::optional(OperandType::S8) : std::nullopt;
                  })
                  .Default([](Type) { return std::nullopt; });
  if (!operands[0] || !operands[1])
    return std::nullopt;
  OperandType operand = *operands[0];
  bool is8BitFloat = operand == OperandType::E4M3 || operand == OperandType::E5M2;
  if (a != b && !(is8BitFloat && (operands[1] == OperandType::E4M3 || operands[1] == OperandType::E5M2)))
    return std::nullopt;
  if (is8BitFloat && !facts.has(nvidia::Feature::Float8))
    return std::nullopt;
  bool fits = operand == OperandType::S8    ? sum.isInteger(32)
              : operand == OperandType::F64 ? sum.isF64()
                                            : sum.isF32() || (operand == OperandType::F16 && sum.isF16());
  unsigned bits = a.getIntOrFloatBitWidth();
  return fits ? std::optional(MatrixInstruction{operand, *operands[1], sum, bits == 64 ? 8 : 256 / bits})
              : std::nullopt;
}

SmallVector<Value> tilecc::multiplyMatrices(OpBuilder &builder, Location loc, const nvidia::Facts &facts,
                                            const MatrixInstruction &instruction, ValueRange a, ValueRange b,
                                            ValueRange c) {
  using OperandType = MatrixInstruction::OperandType;
  std::string depth = std::to_string(instruction.depth);
  auto multiply = [&](StringRef shape, StringRef types, ValueRange operands, Type part, unsigned parts) {
    Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(parts, part));
    std::string name = ("llvm.nvvm.mma." + shape + ".row.col." + types).str();
    Value all = LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name), operands).getResult(0);
    SmallVector<Value> accumulators;
    for (unsigned i = 0; i < parts; ++i)
      accumulators.push_back(LLVM::ExtractValueOp::create(builder, loc, all, i));
    return accumulators;
  };
  if (instruction.a == OperandType::F64 && !facts.has(nvidia::Feature::MatrixF64)) {
    // The only instruction is 8x8x4. So handle each half of the rows in two steps along K.
    SmallVector<Value> accumulators(c);
    for (unsigned half : {0, 1})
      for (unsigned step : {0, 1}) {
        SmallVector<Value> part =
            multiply("m8n8k4", "f64", {a[half + 2 * step], b[step], accumulators[2 * half], accumulators[2 * half + 1]},
                     builder.getF64Type(), 2);
        std::copy(part.begin(), part.end(), accumulators.begin() + 2 * half);
      }
    return accumulators;
  }
  auto nameOf = [](OperandType operand) {
    switch (operand) {
    case OperandType::F16: return "f16";
    case OperandType::BF16: return "bf16";
    case OperandType::TF32: return "tf32";
    case OperandType::F64: return "f64";
    case OperandType::S8: return "s8";
    case OperandType::U8: return "u8";
    case OperandType::E4M3: return "e4m3";
    case OperandType::E5M2: return "e5m2";
    }
    llvm_unreachable("all operands are listed");
  };
  SmallVector<Value> operands(a);
  llvm::append_range(operands, b);
  std::string shape = "m16n8k" + depth, types = nameOf(instruction.a);
  if (instruction.a == OperandType::F16) {
    // Half-precision operands and accumulators come in pairs.
    Type pair = VectorType::get(2, builder.getF16Type());
    for (Value &word : operands)
      word = LLVM::BitcastOp::create(builder, loc, pair, word);
    if (instruction.sum.isF32()) {
      llvm::append_range(operands, c);
      return multiply(shape, "f32.f32", operands, instruction.sum, 4);
    }
    for (unsigned i : {0, 2})
      operands.push_back(packVector(builder, loc, {c[i], c[i + 1]}));
    SmallVector<Value> accumulators;
    for (Value part : multiply(shape, "f16.f16", operands, pair, 2))
      llvm::append_range(accumulators, unpackVector(builder, loc, part));
    return accumulators;
  }
  if (instruction.a == OperandType::E4M3 || instruction.a == OperandType::E5M2)
    types = "f32." + types + "." + nameOf(instruction.b) + ".f32";
  else if (instruction.a != instruction.b)
    types += std::string(".") + nameOf(instruction.b);
  llvm::append_range(operands, c);
  return multiply(shape, types, operands, instruction.sum, 4);
}

std::optional<MatrixInstruction> tilecc::getMatrixInstruction(const nvidia::Facts &facts, tt::DotOp op) {
  std::optional<MatrixInstruction> instruction =
      getMatrixInstruction(facts, getElementTypeOrSelf(op.getA().getType()), getElementTypeOrSelf(op.getB().getType()),
                           getElementTypeOrSelf(op.getType()));
  if (!instruction)
    return std::nullopt;
  using OperandType = MatrixInstruction::OperandType;
  if (instruction->a == OperandType::TF32 && op.getInputPrecision() != tt::InputPrecision::TF32)
    return std::nullopt;
  if (auto isUnsigned = op->getAttrOfType<DenseBoolArrayAttr>(unsignedOperandsAttr);
      isUnsigned && isUnsigned.size() == 2) {
    instruction->a = isUnsigned[0] ? OperandType::U8 : instruction->a;
    instruction->b = isUnsigned[1] ? OperandType::U8 : instruction->b;
  }
  return instruction;
}
