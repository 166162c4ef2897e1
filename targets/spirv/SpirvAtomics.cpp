//===- SpirvAtomics.cpp - atomic accesses to global memory for OpenCL devices -------------------------------------===//
//
// LLVM's atomic instructions become SPIR-V's. Devices have no atomic accesses to 16 bits. These become a
// compare-and-swap loop on the aligned 32-bit word that contains the 16 bits.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilecc::spirv {

static StringRef nameOf(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA: return "workgroup";
  case tt::MemSyncScope::GPU: return "device";
  case tt::MemSyncScope::SYSTEM: return ""; // all devices
  }
  llvm_unreachable("all scopes are listed");
}

/// Atomically replaces the 16 bits at `ptr` by the result of `change`, and returns the old value.
static Value changeHalf(OpBuilder &builder, Location loc, Value ptr, tt::MemSemantic sem, tt::MemSyncScope scope,
                        function_ref<Value(Value)> change) {
  Type i16 = builder.getI16Type(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto constant = [&](Type type, int64_t value) { return createConstant(builder, loc, type, value); };
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, ptr);
  Value byte = LLVM::TruncOp::create(builder, loc, i32, LLVM::AndOp::create(builder, loc, address, constant(i64, 2)));
  Value shift = LLVM::ShlOp::create(builder, loc, byte, constant(i32, 3)); // 0 or 16
  Value word = LLVM::AndOp::create(builder, loc, address, constant(i64, ~int64_t(3)));
  Value aligned = LLVM::IntToPtrOp::create(builder, loc, ptr.getType(), word);
  Value mask = LLVM::ShlOp::create(builder, loc, constant(i32, 0xffff), shift);
  Value others = LLVM::XOrOp::create(builder, loc, mask, constant(i32, -1));
  auto half = [&](Value word) -> Value {
    return LLVM::TruncOp::create(builder, loc, i16, LLVM::LShrOp::create(builder, loc, word, shift));
  };
  Value first = LLVM::LoadOp::create(builder, loc, i32, aligned, /*alignment=*/4u, /*isVolatile=*/true);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(i32), ValueRange(first),
      [&](OpBuilder &, Location, ValueRange expected) {
        Value changed = toBits(builder, loc, change(half(expected[0])));
        Value placed = LLVM::ShlOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i32, changed), shift);
        Value word = LLVM::OrOp::create(builder, loc, LLVM::AndOp::create(builder, loc, expected[0], others), placed);
        Value swap = LLVM::AtomicCmpXchgOp::create(builder, loc, aligned, expected[0], word, getOrdering(sem),
                                                   getFailureOrdering(sem), nameOf(scope));
        Value found = LLVM::ExtractValueOp::create(builder, loc, swap, 0);
        Value again = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, found, expected[0]);
        scf::ConditionOp::create(builder, loc, again, found);
      },
      [&](OpBuilder &, Location, ValueRange found) { scf::YieldOp::create(builder, loc, found); });
  return half(loop.getResult(0));
}

Value atomicRMW(OpBuilder &builder, Location loc, tt::RMWOp op, Value ptr, Value value, Value predicate,
                tt::MemSemantic sem, tt::MemSyncScope scope) {
  Type type = value.getType();
  bool isSum = op == tt::RMWOp::FADD;
  Value zero = predicate ? LLVM::ZeroOp::create(builder, loc, type).getResult() : Value();
  return createIf(builder, loc, predicate, zero, [&]() -> Value {
    if (isSum && getAtomicBits(type) == 16) {
      Type f32 = builder.getF32Type();
      Value before = changeHalf(builder, loc, ptr, sem, scope, [&](Value half) -> Value {
        Value old = LLVM::FPExtOp::create(builder, loc, f32, LLVM::BitcastOp::create(builder, loc, type, half));
        Value sum = LLVM::FAddOp::create(builder, loc, old, LLVM::FPExtOp::create(builder, loc, f32, value));
        return LLVM::FPTruncOp::create(builder, loc, type, sum);
      });
      return LLVM::BitcastOp::create(builder, loc, type, before);
    }
    Value operand = isSum ? value : toBits(builder, loc, value);
    Value before = LLVM::AtomicRMWOp::create(builder, loc, getAtomicOperation(op), ptr, operand, getOrdering(sem),
                                             nameOf(scope), getAtomicBits(type) / 8);
    return isSum ? before : fromBits(builder, loc, before, type);
  });
}

Value atomicCAS(OpBuilder &builder, Location loc, Value ptr, Value compare, Value value, Value predicate,
                tt::MemSemantic sem, tt::MemSyncScope scope) {
  Type type = value.getType();
  Value zero = predicate ? LLVM::ZeroOp::create(builder, loc, type).getResult() : Value();
  return createIf(builder, loc, predicate, zero, [&]() -> Value {
    Value expected = toBits(builder, loc, compare), next = toBits(builder, loc, value);
    if (getAtomicBits(type) == 16) {
      Value before = changeHalf(builder, loc, ptr, sem, scope, [&](Value half) -> Value {
        Value is = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, half, expected);
        return LLVM::SelectOp::create(builder, loc, is, next, half);
      });
      return fromBits(builder, loc, before, type);
    }
    Value swap = LLVM::AtomicCmpXchgOp::create(builder, loc, ptr, expected, next, getOrdering(sem),
                                               getFailureOrdering(sem), nameOf(scope), getAtomicBits(type) / 8);
    return fromBits(builder, loc, LLVM::ExtractValueOp::create(builder, loc, swap, 0), type);
  });
}

} // namespace tilecc::spirv
