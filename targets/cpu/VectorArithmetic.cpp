//===- VectorArithmetic.cpp - formulas as vector code -------------------------------------------------------------===//
//
// This file implements the arithmetic on which the math functions of lowering/math/Formulas.h are built.
// Elementwise.cpp uses it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/VectorArithmetic.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilecc::cpu;

VectorArithmetic::VectorArithmetic(IRBuilder<> &b, const Isa &isa, Value *like)
    : Arithmetic(like->getType()->getScalarType()->isDoubleTy()), b(b), userFlags(b), isa(isa), math(b, isa) {
  b.clearFastMathFlags();
  auto *vector = dyn_cast<FixedVectorType>(like->getType());
  lanes = vector ? vector->getNumElements() : 0;
}

Type *VectorArithmetic::ofShape(Type *element) const { return lanes ? FixedVectorType::get(element, lanes) : element; }

void *VectorArithmetic::makeReal(double value) {
  return ConstantFP::get(ofShape(isDouble ? b.getDoubleTy() : b.getFloatTy()), value);
}

void *VectorArithmetic::makeInteger(int64_t value) {
  unsigned bits = isDouble ? 64 : 32;
  return ConstantInt::get(ofShape(b.getIntNTy(bits)), APInt(bits, value, /*isSigned=*/true, /*implicitTrunc=*/true));
}

void *VectorArithmetic::fastExp2(void *x) { return math.exp2(unwrap(x)); }

/// Emits x * y + z, rounded once. Without FMA, f32 is computed in f64, which represents the product exactly, and the
/// sum nearly always. For f64, this becomes a library call.
Value *VectorArithmetic::emitFma(Value *x, Value *y, Value *z) {
  if (isa.fma || isDouble)
    return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
  auto widen = [&](Value *v) { return b.CreateFPExt(v, ofShape(b.getDoubleTy())); };
  return b.CreateFPTrunc(b.CreateFAdd(b.CreateFMul(widen(x), widen(y)), widen(z)), x->getType());
}

void *VectorArithmetic::emit(Op op, ArrayRef<void *> operands) {
  SmallVector<Value *> in = map_to_vector(operands, unwrap);
  Type *integer = ofShape(b.getIntNTy(isDouble ? 64 : 32));
  Type *real = ofShape(isDouble ? b.getDoubleTy() : b.getFloatTy());
  switch (op) {
  case Add: return b.CreateFAdd(in[0], in[1]);
  case Sub: return b.CreateFSub(in[0], in[1]);
  case Mul: return b.CreateFMul(in[0], in[1]);
  case Div: return b.CreateFDiv(in[0], in[1]);
  case Fma: return emitFma(in[0], in[1], in[2]);
  case MulAdd: return math.fma(in[0], in[1], in[2]);
  case Neg: return b.CreateFNeg(in[0]);
  case Abs: return b.CreateUnaryIntrinsic(Intrinsic::fabs, in[0]);
  case CopySign: return b.CreateBinaryIntrinsic(Intrinsic::copysign, in[0], in[1]);
  case Round: return b.CreateUnaryIntrinsic(Intrinsic::rint, in[0]);
  case Less: return b.CreateFCmpOLT(in[0], in[1]);
  case Equal: return b.CreateFCmpOEQ(in[0], in[1]);
  case Unordered: return b.CreateFCmpUNO(in[0], in[1]);
  case IAdd: return b.CreateAdd(in[0], in[1]);
  case ISub: return b.CreateSub(in[0], in[1]);
  case IMul: return b.CreateMul(in[0], in[1]);
  case MulHigh: {
    unsigned bits = isDouble ? 64 : 32;
    Type *wide = ofShape(b.getIntNTy(2 * bits));
    Value *product = b.CreateMul(b.CreateZExt(in[0], wide), b.CreateZExt(in[1], wide));
    return b.CreateTrunc(b.CreateLShr(product, bits), integer);
  }
  case IAnd:
  case And: return b.CreateAnd(in[0], in[1]);
  case IOr:
  case Or: return b.CreateOr(in[0], in[1]);
  case ShiftLeft: return b.CreateShl(in[0], in[1]);
  case ShiftRight: return b.CreateLShr(in[0], in[1]);
  case ShiftRightSigned: return b.CreateAShr(in[0], in[1]);
  case ILess: return b.CreateICmpSLT(in[0], in[1]);
  case ILessUnsigned: return b.CreateICmpULT(in[0], in[1]);
  case IEqual: return b.CreateICmpEQ(in[0], in[1]);
  case ToBits: return b.CreateBitCast(in[0], integer);
  case FromBits: return b.CreateBitCast(in[0], real);
  case ToReal: return b.CreateSIToFP(in[0], real);
  case Not: return b.CreateNot(in[0]);
  case Select: return b.CreateSelect(in[0], in[1], in[2]);
  }
  llvm_unreachable("all operations are above");
}

void *VectorArithmetic::lookUp(StringRef name, ArrayRef<uint64_t> table, void *index) {
  assert(!lanes && "tables are for what is rarely computed, lane by lane");
  Module &module = *b.GetInsertBlock()->getModule();
  Type *element = b.getIntNTy(isDouble ? 64 : 32);
  std::string symbol = (name + (isDouble ? ".i64" : ".i32")).str();
  GlobalVariable *global = module.getGlobalVariable(symbol, /*AllowInternal=*/true);
  if (!global) {
    SmallVector<Constant *> elements;
    for (uint64_t value : table)
      elements.push_back(ConstantInt::get(element, value));
    auto *type = ArrayType::get(element, elements.size());
    global = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                ConstantArray::get(type, elements), symbol);
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  }
  return b.CreateLoad(element, b.CreateInBoundsGEP(element, global, unwrap(index)));
}

SmallVector<void *> VectorArithmetic::rarely(void *condition, ArrayRef<void *> usual, void *x,
                                             function_ref<SmallVector<void *>(void *)> rare) {
  Function *function = b.GetInsertBlock()->getParent();
  LLVMContext &context = b.getContext();
  Value *wanted = unwrap(condition);
  BasicBlock *before = b.GetInsertBlock(), *rareBlock = BasicBlock::Create(context, "rare", function),
             *after = BasicBlock::Create(context, "usual", function);
  b.CreateCondBr(lanes ? b.CreateOrReduce(wanted) : wanted, rareBlock, after,
                 MDBuilder(context).createUnlikelyBranchWeights());

  b.SetInsertPoint(rareBlock);
  SmallVector<Value *> results;
  if (!lanes) {
    results = map_to_vector(rare(x), unwrap);
  } else {
    IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
    auto reserve = [&](Type *type) { return entry.CreateAlloca(type, nullptr, "lanes"); };
    auto elementAt = [&](Type *vector, Value *base, Value *lane) {
      return b.CreateInBoundsGEP(vector->getScalarType(), base, lane);
    };
    Type *argumentType = unwrap(x)->getType();
    Value *arguments = reserve(argumentType);
    SmallVector<Value *> buffers =
        map_to_vector(usual, [&](void *v) -> Value * { return reserve(unwrap(v)->getType()); });
    b.CreateStore(unwrap(x), arguments);
    BasicBlock *body = BasicBlock::Create(context, "lane", function, after);
    BasicBlock *end = BasicBlock::Create(context, "", function, after);
    b.CreateBr(body);
    b.SetInsertPoint(body);
    PHINode *lane = b.CreatePHI(b.getInt64Ty(), 2);
    lane->addIncoming(b.getInt64(0), rareBlock);
    unsigned count = std::exchange(lanes, 0);
    Value *argument = b.CreateLoad(argumentType->getScalarType(), elementAt(argumentType, arguments, lane));
    for (auto [buffer, result] : zip_equal(buffers, rare(argument)))
      b.CreateStore(unwrap(result), elementAt(unwrap(result)->getType(), buffer, lane));
    lanes = count;
    Value *next = b.CreateAdd(lane, b.getInt64(1));
    lane->addIncoming(next, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpEQ(next, b.getInt64(lanes)), end, body);
    b.SetInsertPoint(end);
    for (auto [buffer, value] : zip_equal(buffers, usual)) {
      Value *computed = b.CreateLoad(unwrap(value)->getType(), buffer);
      results.push_back(b.CreateSelect(wanted, computed, unwrap(value)));
    }
  }
  BasicBlock *rareEnd = b.GetInsertBlock();
  b.CreateBr(after);

  b.SetInsertPoint(after);
  SmallVector<void *> merged;
  for (auto [value, result] : zip_equal(usual, results)) {
    PHINode *phi = b.CreatePHI(result->getType(), 2);
    phi->addIncoming(unwrap(value), before);
    phi->addIncoming(result, rareEnd);
    merged.push_back(phi);
  }
  return merged;
}
