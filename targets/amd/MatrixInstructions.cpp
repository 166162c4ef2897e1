//===- MatrixInstructions.cpp - MFMA and WMMA ---------------------------------------------------------------------===//
//
// The names and types are those of LLVM's intrinsics (IntrinsicsAMDGPU.td). CDNA 4 has two depths for some types; the
// smaller depth is for dots with a short contracted axis.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/MatrixInstructions.h"
#include "lowering/gpu/Lowering.h"
#include "targets/amd/AmdPatterns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilecc::amd {

using Element = MatrixInstruction::Element;
using Form = MatrixInstruction::Form;

static constexpr MatrixInstruction instructions[] = {
    {Family::CDNA2, Family::CDNA4, Element::F16, 16, 16, Form::Elements, "mfma.f32.16x16x16f16"},
    {Family::CDNA2, Family::CDNA4, Element::F16, 32, 8, Form::Elements, "mfma.f32.32x32x8f16"},
    {Family::CDNA4, Family::CDNA4, Element::F16, 16, 32, Form::Elements, "mfma.f32.16x16x32.f16"},
    {Family::CDNA4, Family::CDNA4, Element::F16, 32, 16, Form::Elements, "mfma.f32.32x32x16.f16"},
    {Family::CDNA2, Family::CDNA4, Element::BF16, 16, 16, Form::Shorts, "mfma.f32.16x16x16bf16.1k"},
    {Family::CDNA2, Family::CDNA4, Element::BF16, 32, 8, Form::Shorts, "mfma.f32.32x32x8bf16.1k"},
    {Family::CDNA4, Family::CDNA4, Element::BF16, 16, 32, Form::Elements, "mfma.f32.16x16x32.bf16"},
    {Family::CDNA4, Family::CDNA4, Element::BF16, 32, 16, Form::Elements, "mfma.f32.32x32x16.bf16"},
    {Family::CDNA2, Family::CDNA4, Element::F32, 16, 4, Form::One, "mfma.f32.16x16x4f32"},
    {Family::CDNA2, Family::CDNA4, Element::F32, 32, 2, Form::One, "mfma.f32.32x32x2f32"},
    {Family::CDNA2, Family::CDNA4, Element::F64, 16, 4, Form::One, "mfma.f64.16x16x4f64"},
    {Family::CDNA2, Family::CDNA2, Element::I8, 16, 16, Form::Word, "mfma.i32.16x16x16i8"},
    {Family::CDNA2, Family::CDNA2, Element::I8, 32, 8, Form::Word, "mfma.i32.32x32x8i8"},
    {Family::CDNA3, Family::CDNA4, Element::I8, 16, 32, Form::Long, "mfma.i32.16x16x32.i8"},
    {Family::CDNA3, Family::CDNA4, Element::I8, 32, 16, Form::Long, "mfma.i32.32x32x16.i8"},
    {Family::CDNA4, Family::CDNA4, Element::I8, 16, 64, Form::Words, "mfma.i32.16x16x64.i8"},
    {Family::CDNA4, Family::CDNA4, Element::I8, 32, 32, Form::Words, "mfma.i32.32x32x32.i8"},
    // CDNA 3 has these instructions too, but its 8-bit floats are not OCP's (Float8::Fnuz).
    {Family::CDNA4, Family::CDNA4, Element::Float8, 16, 32, Form::Long, "mfma.f32.16x16x32"},
    {Family::CDNA4, Family::CDNA4, Element::Float8, 32, 16, Form::Long, "mfma.f32.32x32x16"},
    {Family::RDNA3, Family::RDNA4, Element::F16, 16, 16, Form::Elements, "wmma.f32.16x16x16.f16"},
    {Family::RDNA3, Family::RDNA4, Element::BF16, 16, 16, Form::Shorts, "wmma.f32.16x16x16.bf16"},
    {Family::RDNA3, Family::RDNA4, Element::I8, 16, 16, Form::Words, "wmma.i32.16x16x16.iu8"},
    {Family::RDNA4, Family::RDNA4, Element::Float8, 16, 16, Form::Words, "wmma.f32.16x16x16"},
};

static std::optional<Element> getElement(Type type) {
  return llvm::TypeSwitch<Type, std::optional<Element>>(type)
      .Case<Float16Type>([](auto) { return Element::F16; })
      .Case<BFloat16Type>([](auto) { return Element::BF16; })
      .Case<Float32Type>([](auto) { return Element::F32; })
      .Case<Float64Type>([](auto) { return Element::F64; })
      .Case<Float8E4M3FNType, Float8E5M2Type>([](auto) { return Element::Float8; })
      .Case<IntegerType>(
          [](IntegerType type) { return type.getWidth() == 8 ? std::optional(Element::I8) : std::nullopt; })
      .Default([](Type) { return std::nullopt; });
}

const MatrixInstruction *findMatrixInstruction(const Facts &facts, Type a, Type b, Type sum, unsigned size,
                                               int64_t depth) {
  std::optional<Element> element = getElement(a);
  bool fits = element && element == getElement(b) &&
              (element == Element::I8    ? sum.isInteger(32)
               : element == Element::F64 ? sum.isF64()
                                         : sum.isF32());
  if (!fits)
    return nullptr;
  const MatrixInstruction *best = nullptr;
  for (const MatrixInstruction &candidate : instructions) {
    if (candidate.element != *element || candidate.size != size || facts.family < candidate.first ||
        facts.family > candidate.last)
      continue;
    bool isDeeper = best && candidate.depth > best->depth, fitsDepth = int64_t(candidate.depth) <= depth;
    if (!best || (isDeeper ? fitsDepth : int64_t(best->depth) > depth))
      best = &candidate;
  }
  return best;
}

unsigned MatrixInstruction::getElementsPerLane(const Facts &facts) const {
  if (facts.family == Family::RDNA3) // two lanes hold copies
    return depth;
  return size * depth / facts.warpSize;
}

/// Packs a lane's elements of an operand into the type that the intrinsic takes.
static Value packOperand(OpBuilder &builder, Location loc, Form form, ValueRange elements) {
  auto bitcast = [&](Type type) -> Value {
    return LLVM::BitcastOp::create(builder, loc, type, packVector(builder, loc, elements));
  };
  Type i32 = builder.getI32Type();
  unsigned count = elements.size();
  switch (form) {
  case Form::One: return elements[0];
  case Form::Elements: return packVector(builder, loc, elements);
  case Form::Shorts: return bitcast(VectorType::get(count, builder.getI16Type()));
  case Form::Word: return bitcast(i32);
  case Form::Long: return bitcast(builder.getI64Type());
  case Form::Words: return bitcast(VectorType::get(count / 4, i32));
  }
  llvm_unreachable("all forms are listed");
}

Value multiplyMatrices(OpBuilder &builder, Location loc, const MatrixInstruction &instruction, Type aType, ValueRange a,
                       Type bType, ValueRange b, Value sum) {
  std::string name = ("llvm.amdgcn." + instruction.name).str();
  if (instruction.element == Element::Float8)
    for (Type type : {aType, bType})
      name += isa<Float8E5M2Type>(type) ? ".bf8" : ".fp8";
  SmallVector<Value> operands = {packOperand(builder, loc, instruction.form, a),
                                 packOperand(builder, loc, instruction.form, b), sum};
  if (instruction.isMfma()) {
    operands.append(3, constantI32(builder, loc, 0)); // cbsz, abid and blgp: do not broadcast operands
  } else if (instruction.element == Element::I8) {
    Value isSigned = constantI1(builder, loc, true), clamps = constantI1(builder, loc, false);
    operands = {isSigned, operands[0], isSigned, operands[1], sum, clamps};
  }
  return callIntrinsic(builder, loc, name, sum.getType(), operands);
}

} // namespace tilecc::amd
