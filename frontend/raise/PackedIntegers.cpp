//===- PackedIntegers.cpp - unpacks integers that are parts of a wider one ----------------------------------------===//
//
// Calling conventions return a small struct as one integer. After inlining and SROA, a function that returns the sizes
// {m, k} of a matrix leaves
//
//     %packed = or i64 (shl i64 (zext i32 %k to i64), 32), (zext i32 %m to i64)
//     %size = trunc i64 (lshr i64 %packed, 32) to i32
//
// This file replaces %size by %k. Otherwise no later pass would know that a limit or a distance is an argument of the
// kernel.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/PackedIntegers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// If the bits [first, first + width of `type`) of `value` are a separate integer, returns that integer, and null
/// otherwise.
static Value *findPart(Value *value, unsigned first, IntegerType *type) {
  const unsigned count = type->getBitWidth();
  if (value->getType() == type && first == 0)
    return value;
  Value *x, *y;
  const APInt *constant;
  if (match(value, m_APInt(constant)))
    return ConstantInt::get(type, constant->extractBits(count, first));
  if (match(value, m_Trunc(m_Value(x))))
    return findPart(x, first, type);
  if (match(value, m_ZExt(m_Value(x)))) {
    const unsigned width = x->getType()->getIntegerBitWidth();
    if (first >= width)
      return ConstantInt::getNullValue(type);
    return first + count <= width ? findPart(x, first, type) : nullptr;
  }
  if (match(value, m_LShr(m_Value(x), m_APInt(constant)))) {
    const uint64_t moved = first + constant->getLimitedValue();
    return moved + count <= x->getType()->getIntegerBitWidth() ? findPart(x, moved, type) : nullptr;
  }
  if (match(value, m_Shl(m_Value(x), m_APInt(constant)))) {
    const uint64_t moved = constant->getLimitedValue();
    if (first + count <= moved)
      return ConstantInt::getNullValue(type);
    return first >= moved ? findPart(x, first - moved, type) : nullptr;
  }
  if (match(value, m_And(m_Value(x), m_APInt(constant)))) {
    const APInt kept = constant->extractBits(count, first);
    if (kept.isZero())
      return ConstantInt::getNullValue(type);
    return kept.isAllOnes() ? findPart(x, first, type) : nullptr;
  }
  if (match(value, m_Or(m_Value(x), m_Value(y)))) {
    Value *left = findPart(x, first, type), *right = findPart(y, first, type);
    if (left && right && match(left, m_Zero()))
      return right;
    return left && right && match(right, m_Zero()) ? left : nullptr;
  }
  return nullptr;
}

void tilecc::unpackIntegers(Function &function) {
  SmallVector<WeakTrackingVH> dead;
  for (Instruction &instruction : instructions(function)) {
    auto *part = dyn_cast<TruncInst>(&instruction);
    auto *type = part ? dyn_cast<IntegerType>(part->getType()) : nullptr;
    Value *found = type ? findPart(part->getOperand(0), 0, type) : nullptr;
    if (!found)
      continue;
    part->replaceAllUsesWith(found);
    dead.push_back(part);
  }
  RecursivelyDeleteTriviallyDeadInstructions(dead);
}
