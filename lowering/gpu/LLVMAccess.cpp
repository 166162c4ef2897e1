//===- LLVMAccess.cpp - memory accesses by LLVM instructions ------------------------------------------------------===//
//
// The TargetInfo classes of the back ends for OpenCL devices and for AMD's GPUs call these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/LLVMAccess.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilecc {

Value createIf(OpBuilder &builder, Location loc, Value predicate, Value otherwise, function_ref<Value()> body) {
  if (!predicate)
    return body();
  SmallVector<Type, 1> types; // a TypeRange of a temporary would dangle
  if (otherwise)
    types.push_back(otherwise.getType());
  auto branch = scf::IfOp::create(builder, loc, types, predicate, /*withElseRegion=*/otherwise != nullptr);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value result = body();
  if (!otherwise)
    return {};
  scf::YieldOp::create(builder, loc, result);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

LLVM::AtomicOrdering getOrdering(tt::MemSemantic sem) {
  switch (sem) {
  case tt::MemSemantic::RELAXED: return LLVM::AtomicOrdering::monotonic;
  case tt::MemSemantic::ACQUIRE: return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE: return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE: return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("all semantics are listed");
}

LLVM::AtomicOrdering getFailureOrdering(tt::MemSemantic sem) {
  bool acquires = sem == tt::MemSemantic::ACQUIRE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
  return acquires ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
}

LLVM::AtomicBinOp getAtomicOperation(tt::RMWOp op) {
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
}

unsigned getAtomicBits(Type type) { return isa<LLVM::LLVMPointerType>(type) ? 64 : type.getIntOrFloatBitWidth(); }

Value toBits(OpBuilder &builder, Location loc, Value value) {
  if (isa<IntegerType>(value.getType()))
    return value;
  Type bits = builder.getIntegerType(getAtomicBits(value.getType()));
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, bits, value);
  return LLVM::BitcastOp::create(builder, loc, bits, value);
}

Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, type, bits);
  return LLVM::BitcastOp::create(builder, loc, type, bits);
}

} // namespace tilecc
