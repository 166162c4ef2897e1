//===- SpirvAtomics.cpp - atomic accesses to global memory, for OpenCL devices ------------------------------------===//
//
// LLVM's atomic instructions become SPIR-V's. What devices do not have is a loop around a compare and swap: of 16 bits,
// which is one half of an aligned word of 32.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilecc::spirv {

static LLVM::AtomicOrdering orderingOf(tt::MemSemantic sem) {
  switch (sem) {
  case tt::MemSemantic::RELAXED: return LLVM::AtomicOrdering::monotonic;
  case tt::MemSemantic::ACQUIRE: return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE: return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE: return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("all semantics are listed");
}

/// Of a compare and swap that fails: nothing is written then.
static LLVM::AtomicOrdering failureOrderingOf(tt::MemSemantic sem) {
  bool acquires = sem == tt::MemSemantic::ACQUIRE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
  return acquires ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
}

static StringRef nameOf(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA: return "workgroup";
  case tt::MemSyncScope::GPU: return "device";
  case tt::MemSyncScope::SYSTEM: return ""; // all devices
  }
  llvm_unreachable("all scopes are listed");
}

static unsigned bitsOf(Type type) { return isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth(); }

/// Numbers and pointers as integers, and back.
static Value toBits(OpBuilder &builder, Location loc, Value value) {
  if (isa<IntegerType>(value.getType()))
    return value;
  Type bits = builder.getIntegerType(bitsOf(value.getType()));
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, bits, value);
  return LLVM::BitcastOp::create(builder, loc, bits, value);
}
static Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, bits);
  return LLVM::BitcastOp::create(builder, loc, type, bits);
}

/// Replaces the 16 bits at `ptr` by what `change` makes of them, and returns what they were.
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
        Value swap = LLVM::AtomicCmpXchgOp::create(builder, loc, aligned, expected[0], word, orderingOf(sem),
                                                   failureOrderingOf(sem), nameOf(scope));
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
  auto kind = [&] {
    switch (op) {
    case tt::RMWOp::AND: return LLVM::AtomicBinOp::_and;
    case tt::RMWOp::OR: return LLVM::AtomicBinOp::_or;
    case tt::RMWOp::XOR: return LLVM::AtomicBinOp::_xor;
    case tt::RMWOp::ADD: return LLVM::AtomicBinOp::add;
    case tt::RMWOp::FADD: return LLVM::AtomicBinOp::fadd;
    case tt::RMWOp::MAX: return LLVM::AtomicBinOp::max;
    case tt::RMWOp::MIN: return LLVM::AtomicBinOp::min;
    case tt::RMWOp::UMAX: return LLVM::AtomicBinOp::umax;
    case tt::RMWOp::UMIN: return LLVM::AtomicBinOp::umin;
    case tt::RMWOp::XCHG: return LLVM::AtomicBinOp::xchg;
    }
    llvm_unreachable("all operations are listed");
  }();
  Value zero = predicate ? LLVM::ZeroOp::create(builder, loc, type).getResult() : Value();
  return createIf(builder, loc, predicate, zero, [&]() -> Value {
    if (isSum && bitsOf(type) == 16) {
      Type f32 = builder.getF32Type();
      Value before = changeHalf(builder, loc, ptr, sem, scope, [&](Value half) -> Value {
        Value old = LLVM::FPExtOp::create(builder, loc, f32, LLVM::BitcastOp::create(builder, loc, type, half));
        Value sum = LLVM::FAddOp::create(builder, loc, old, LLVM::FPExtOp::create(builder, loc, f32, value));
        return LLVM::FPTruncOp::create(builder, loc, type, sum);
      });
      return LLVM::BitcastOp::create(builder, loc, type, before);
    }
    Value operand = isSum ? value : toBits(builder, loc, value);
    Value before =
        LLVM::AtomicRMWOp::create(builder, loc, kind, ptr, operand, orderingOf(sem), nameOf(scope), bitsOf(type) / 8);
    return isSum ? before : fromBits(builder, loc, before, type);
  });
}

Value atomicCAS(OpBuilder &builder, Location loc, Value ptr, Value compare, Value value, Value predicate,
                tt::MemSemantic sem, tt::MemSyncScope scope) {
  Type type = value.getType();
  Value zero = predicate ? LLVM::ZeroOp::create(builder, loc, type).getResult() : Value();
  return createIf(builder, loc, predicate, zero, [&]() -> Value {
    Value expected = toBits(builder, loc, compare), next = toBits(builder, loc, value);
    if (bitsOf(type) == 16) {
      Value before = changeHalf(builder, loc, ptr, sem, scope, [&](Value half) -> Value {
        Value is = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, half, expected);
        return LLVM::SelectOp::create(builder, loc, is, next, half);
      });
      return fromBits(builder, loc, before, type);
    }
    Value swap = LLVM::AtomicCmpXchgOp::create(builder, loc, ptr, expected, next, orderingOf(sem),
                                               failureOrderingOf(sem), nameOf(scope), bitsOf(type) / 8);
    return fromBits(builder, loc, LLVM::ExtractValueOp::create(builder, loc, swap, 0), type);
  });
}

} // namespace tilecc::spirv
