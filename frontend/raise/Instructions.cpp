//===- Instructions.cpp - raises LLVM's scalar instructions to TTIR -----------------------------------------------===//
//
// KernelRaiser calls these functions for every instruction of a kernel that is not a call of a builtin.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/KernelRaiser.h"
#include "frontend/raise/Ranges.h"
#include "frontend/raise/TileFunctions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tilecc {

//===--- arithmetic -----------------------------------------------------------------------------------------------===//

static arith::IntegerOverflowFlags getOverflowFlags(const llvm::Instruction &instruction) {
  auto flags = arith::IntegerOverflowFlags::none;
  if (auto *op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    if (op->hasNoSignedWrap())
      flags = flags | arith::IntegerOverflowFlags::nsw;
    if (op->hasNoUnsignedWrap())
      flags = flags | arith::IntegerOverflowFlags::nuw;
  }
  return flags;
}

FailureOr<Value> KernelRaiser::raiseArithmetic(llvm::Instruction &instruction) {
  Location loc = locate(instruction);
  Value a = operand(instruction, 0);
  Value b = instruction.getNumOperands() > 1 ? operand(instruction, 1) : a;
  if (!a || !b)
    return failure();
  arith::IntegerOverflowFlags flags = getOverflowFlags(instruction);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add: return arith::AddIOp::create(builder, loc, a, b, flags).getResult();
  case llvm::Instruction::Sub: return arith::SubIOp::create(builder, loc, a, b, flags).getResult();
  case llvm::Instruction::Mul: return arith::MulIOp::create(builder, loc, a, b, flags).getResult();
  case llvm::Instruction::Shl: return arith::ShLIOp::create(builder, loc, a, b, flags).getResult();
  case llvm::Instruction::SDiv: return arith::DivSIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::UDiv: return arith::DivUIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::SRem: return arith::RemSIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::URem: return arith::RemUIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::LShr: return arith::ShRUIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::AShr: return arith::ShRSIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::And: return arith::AndIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::Or: return arith::OrIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::Xor: return arith::XOrIOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FAdd: return arith::AddFOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FSub: return arith::SubFOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FMul: return arith::MulFOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FDiv: return arith::DivFOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FRem: return arith::RemFOp::create(builder, loc, a, b).getResult();
  case llvm::Instruction::FNeg: return arith::NegFOp::create(builder, loc, a).getResult();
  default: llvm_unreachable("not arithmetic");
  }
}

FailureOr<Value> KernelRaiser::raiseCast(llvm::CastInst &cast) {
  Location loc = locate(cast);
  Type type = typeOf(&cast);
  Value source = operand(cast, 0);
  if (!source || !type)
    return failure();
  switch (cast.getOpcode()) {
  case llvm::Instruction::SExt: return arith::ExtSIOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::ZExt: return arith::ExtUIOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::Trunc: return arith::TruncIOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::FPExt: return arith::ExtFOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::FPTrunc: return arith::TruncFOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::SIToFP: return arith::SIToFPOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::UIToFP: return arith::UIToFPOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::FPToSI: return arith::FPToSIOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::FPToUI: return arith::FPToUIOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::PtrToInt:
    if (!isa<tt::PointerType>(source.getType()) || !type.isInteger(64)) {
      emitError(loc, "a pointer can only be converted to a 64-bit integer in a tile kernel");
      return failure();
    }
    return tt::PtrToIntOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::IntToPtr: return tt::IntToPtrOp::create(builder, loc, type, source).getResult();
  case llvm::Instruction::BitCast: return tt::BitcastOp::create(builder, loc, type, source).getResult();
  default: emitError(loc, "this conversion is not available in a tile kernel"); return failure();
  }
}

//===--- conditions -----------------------------------------------------------------------------------------------===//

static arith::CmpIPredicate convertPredicate(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ: return arith::CmpIPredicate::eq;
  case llvm::CmpInst::ICMP_NE: return arith::CmpIPredicate::ne;
  case llvm::CmpInst::ICMP_SLT: return arith::CmpIPredicate::slt;
  case llvm::CmpInst::ICMP_SLE: return arith::CmpIPredicate::sle;
  case llvm::CmpInst::ICMP_SGT: return arith::CmpIPredicate::sgt;
  case llvm::CmpInst::ICMP_SGE: return arith::CmpIPredicate::sge;
  case llvm::CmpInst::ICMP_ULT: return arith::CmpIPredicate::ult;
  case llvm::CmpInst::ICMP_ULE: return arith::CmpIPredicate::ule;
  case llvm::CmpInst::ICMP_UGT: return arith::CmpIPredicate::ugt;
  case llvm::CmpInst::ICMP_UGE: return arith::CmpIPredicate::uge;
  default: llvm_unreachable("not a predicate of integers");
  }
}

/// Uses a table, because the two enumerations number `uno` and the predicates after it differently.
static arith::CmpFPredicate convertFloatPredicate(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::FCMP_FALSE: return arith::CmpFPredicate::AlwaysFalse;
  case llvm::CmpInst::FCMP_OEQ: return arith::CmpFPredicate::OEQ;
  case llvm::CmpInst::FCMP_OGT: return arith::CmpFPredicate::OGT;
  case llvm::CmpInst::FCMP_OGE: return arith::CmpFPredicate::OGE;
  case llvm::CmpInst::FCMP_OLT: return arith::CmpFPredicate::OLT;
  case llvm::CmpInst::FCMP_OLE: return arith::CmpFPredicate::OLE;
  case llvm::CmpInst::FCMP_ONE: return arith::CmpFPredicate::ONE;
  case llvm::CmpInst::FCMP_ORD: return arith::CmpFPredicate::ORD;
  case llvm::CmpInst::FCMP_UNO: return arith::CmpFPredicate::UNO;
  case llvm::CmpInst::FCMP_UEQ: return arith::CmpFPredicate::UEQ;
  case llvm::CmpInst::FCMP_UGT: return arith::CmpFPredicate::UGT;
  case llvm::CmpInst::FCMP_UGE: return arith::CmpFPredicate::UGE;
  case llvm::CmpInst::FCMP_ULT: return arith::CmpFPredicate::ULT;
  case llvm::CmpInst::FCMP_ULE: return arith::CmpFPredicate::ULE;
  case llvm::CmpInst::FCMP_UNE: return arith::CmpFPredicate::UNE;
  case llvm::CmpInst::FCMP_TRUE: return arith::CmpFPredicate::AlwaysTrue;
  default: llvm_unreachable("not a predicate of floating-point numbers");
  }
}

FailureOr<Value> KernelRaiser::raiseCompare(llvm::CmpInst &compare) {
  Location loc = locate(compare);
  bool pointers = compare.getOperand(0)->getType()->isPointerTy();
  Type byte = tt::PointerType::get(builder.getI8Type());
  Value a = operand(compare, 0, byte), b = operand(compare, 1, byte);
  if (!a || !b)
    return failure();
  if (pointers) {
    if (!isa<tt::PointerType>(a.getType()) || !isa<tt::PointerType>(b.getType())) {
      emitError(loc, "the address of a tile is not available in a tile kernel");
      return failure();
    }
    a = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), a);
    b = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), b);
  }
  if (isa<FloatType>(a.getType()))
    return arith::CmpFOp::create(builder, loc, convertFloatPredicate(compare.getPredicate()), a, b).getResult();
  auto raised = arith::CmpIOp::create(builder, loc, convertPredicate(compare.getPredicate()), a, b);
  copyRangeOptions(compare, raised);
  return raised.getResult();
}

FailureOr<Value> KernelRaiser::raiseSelect(llvm::SelectInst &select) {
  Location loc = locate(select);
  Type type = typeOf(&select);
  if (type && isa<IntegerType>(type)) {
    const llvm::Value *x, *y;
    llvm::SelectPatternFlavor flavor = llvm::matchSelectPattern(&select, x, y).Flavor;
    if (llvm::SelectPatternResult::isMinOrMax(flavor) && flavor != llvm::SPF_FMINNUM && flavor != llvm::SPF_FMAXNUM) {
      Value a = valueOf(const_cast<llvm::Value *>(x), {}, loc), b = valueOf(const_cast<llvm::Value *>(y), {}, loc);
      if (!a || !b)
        return failure();
      switch (flavor) {
      case llvm::SPF_SMIN: return arith::MinSIOp::create(builder, loc, a, b).getResult();
      case llvm::SPF_SMAX: return arith::MaxSIOp::create(builder, loc, a, b).getResult();
      case llvm::SPF_UMIN: return arith::MinUIOp::create(builder, loc, a, b).getResult();
      default: return arith::MaxUIOp::create(builder, loc, a, b).getResult();
      }
    }
  }
  Value condition = operand(select, 0), a = operand(select, 1, type), b = operand(select, 2, type);
  if (!condition || !a || !b)
    return failure();
  return arith::SelectOp::create(builder, loc, condition, a, b).getResult();
}

//===--- memory ---------------------------------------------------------------------------------------------------===//

/// Returns `index` without its sign extension. Clang extends an int index to the width of a pointer, but Triton and
/// later passes keep the index narrow.
static llvm::Value *peelSignExtension(llvm::Value *index) {
  auto *extension = llvm::dyn_cast<llvm::SExtInst>(index);
  return extension && extension->getOperand(0)->getType()->getIntegerBitWidth() >= 8 ? extension->getOperand(0) : index;
}

FailureOr<Value> KernelRaiser::raiseAddress(llvm::GetElementPtrInst &gep) {
  Location loc = locate(gep);
  Type type = typeOf(&gep);
  Value pointer = operand(gep, 0, type);
  auto pointerType = dyn_cast_or_null<tt::PointerType>(type);
  const llvm::DataLayout &layout = tiles.module->getDataLayout();
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variables;
  llvm::APInt constant(64, 0);
  if (!pointer || !pointerType || !gep.collectOffset(layout, 64, variables, constant)) {
    emitError(loc, "this address is not available in a tile kernel");
    return failure();
  }
  // If all offsets are multiples of the element size, they are in elements, and otherwise in bytes.
  int64_t size = llvm::divideCeil(pointerType.getPointeeType().getIntOrFloatBitWidth(), 8);
  bool inElements = constant.getSExtValue() % size == 0;
  for (auto &[index, scale] : variables)
    inElements &= scale.getSExtValue() % size == 0;
  if (!inElements) {
    size = 1;
    pointer = asPointerTo(builder.getI8Type(), pointer, loc);
  }
  for (auto &[index, scale] : variables) {
    int64_t stride = scale.getSExtValue() / size;
    Value offset = valueOf(stride == 1 ? peelSignExtension(index) : index, {}, loc);
    if (!offset)
      return failure();
    if (stride != 1) {
      Value strideValue = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(offset.getType(), stride));
      offset = arith::MulIOp::create(builder, loc, offset, strideValue);
    }
    pointer = tt::AddPtrOp::create(builder, loc, pointer.getType(), pointer, offset);
  }
  if (int64_t elements = constant.getSExtValue() / size) {
    Type offsetType = llvm::isInt<32>(elements) ? builder.getI32Type() : builder.getI64Type();
    Value offset =
        arith::ConstantOp::create(builder, builder.getUnknownLoc(), builder.getIntegerAttr(offsetType, elements));
    pointer = tt::AddPtrOp::create(builder, loc, pointer.getType(), pointer, offset);
  }
  return asPointerTo(pointerType.getPointeeType(), pointer, loc);
}

FailureOr<Value> KernelRaiser::raiseLoad(llvm::LoadInst &load) {
  Location loc = locate(load);
  bool isPointer = load.getType()->isPointerTy();
  Type type = typeOf(&load);
  if (isPointer && !isa<tt::PointerType>(type)) {
    emitError(loc, "a tile cannot be read or written as an object in memory");
    return failure();
  }
  // A pointer in memory is loaded as an integer, its address.
  Type inMemory = isPointer ? builder.getI64Type() : type;
  if (!inMemory || !inMemory.isIntOrFloat()) {
    emitError(loc, "memory of this type is not available in a tile kernel");
    return failure();
  }
  Value pointer = pointerTo(inMemory, load.getPointerOperand(), loc);
  if (!pointer)
    return failure();
  Value value = tt::LoadOp::create(builder, loc, inMemory, pointer, Value(), Value());
  return isPointer ? tt::IntToPtrOp::create(builder, loc, type, value) : value;
}

FailureOr<Value> KernelRaiser::raiseStore(llvm::StoreInst &store) {
  Location loc = locate(store);
  llvm::Value *stored = store.getValueOperand();
  Value value = valueOf(stored, tt::PointerType::get(builder.getI8Type()), loc);
  if (!value)
    return failure();
  if (isa<tt::PointerType>(value.getType()))
    value = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
  if (!value.getType().isIntOrFloat()) {
    emitError(loc, isa<RankedTensorType>(value.getType()) ? "a tile cannot be read or written as an object in memory"
                                                          : "memory of this type is not available in a tile kernel");
    return failure();
  }
  Value pointer = pointerTo(value.getType(), store.getPointerOperand(), loc);
  if (!pointer)
    return failure();
  tt::StoreOp::create(builder, loc, pointer, value, Value());
  return Value();
}

FailureOr<Value> KernelRaiser::raiseExtract(llvm::ExtractValueInst &extract) {
  Location loc = locate(extract);
  if (Operation *call = groups.lookup(extract.getAggregateOperand()))
    return Value(call->getResult(extract.getIndices().front()));
  Value aggregate = operand(extract, 0);
  if (!aggregate)
    return failure();
  SmallVector<int64_t> position(extract.indices());
  Value field = LLVM::ExtractValueOp::create(builder, loc, aggregate, position);
  if (extract.getType()->isPointerTy())
    return tt::IntToPtrOp::create(builder, loc, typeOf(&extract), field).getResult();
  return field;
}

//===--- calls ----------------------------------------------------------------------------------------------------===//

FailureOr<Value> KernelRaiser::raiseCall(llvm::CallInst &call) {
  if (llvm::isa<llvm::IntrinsicInst>(call))
    return raiseAsMath(call);
  StringRef callee = call.getCalledFunction()->getName();
  if (auto function = tiles.calledFunctions.find(callee); function != tiles.calledFunctions.end())
    return raiseTileCall(call, function->second);
  if (isTileReturn(*call.getCalledFunction())) {
    for (auto [argument, type] : llvm::zip_equal(call.args(), resultTypes))
      if (!yielded.emplace_back(valueOf(argument, type, locate(call))))
        return failure();
    return Value();
  }
  if (auto function = tiles.threadFunctions.find(callee); function != tiles.threadFunctions.end())
    return raiseThreadFunction(call, function->second);
  auto builtin = tiles.builtins.find(callee);
  if (builtin == tiles.builtins.end())
    return raiseAsMath(call);
  return raiseBuiltin(call, builtin->second);
}

FailureOr<Value> KernelRaiser::raiseThreadFunction(llvm::CallInst &call, const BuiltinSignature &signature) {
  SmallVector<Value> args;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!args.emplace_back(builtinOperand(call, signature, i)))
      return failure();
  Type result = convertType(signature.result, builder.getContext());
  return tt::ExternElementwiseOp::create(builder, locate(call), result, args, tt::threadLibrary, /*libpath=*/"",
                                         call.getCalledFunction()->getName(), /*pure=*/true)
      .getResult();
}

//===--- dispatch -------------------------------------------------------------------------------------------------===//

FailureOr<Value> KernelRaiser::raiseInstruction(llvm::Instruction &instruction) {
  if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator>(instruction))
    return raiseArithmetic(instruction);
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return raiseCast(*cast);
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return raiseCompare(*compare);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return raiseSelect(*select);
  if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return raiseAddress(*gep);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return raiseLoad(*load);
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return raiseStore(*store);
  if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return raiseExtract(*extract);
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return raiseCall(*call);
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    if (Value value = operand(instruction, 0, typeOf(&instruction)))
      return value;
    return failure();
  }
  reportBug(locate(instruction), StringRef("no operation for the instruction ") + instruction.getOpcodeName());
}

LogicalResult KernelRaiser::raiseTerminator(llvm::Instruction &terminator) {
  Location loc = locate(terminator);
  llvm::BasicBlock *from = terminator.getParent();
  if (llvm::isa<llvm::ReturnInst>(terminator)) {
    if (yielded.empty()) // an unreachable path
      for (Type type : elementOp ? tt::getElementReturnTypes(elementOp) : resultTypes)
        yielded.push_back(ub::PoisonOp::create(builder, loc, type, ub::PoisonAttr::get(builder.getContext())));
    if (elementOp)
      tt::createElementReturn(builder, loc, elementOp, yielded);
    else
      tt::ReturnOp::create(builder, loc, yielded);
    yielded.clear();
    return success();
  }
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    SmallVector<Value> first, second;
    if (failed(edgeArguments(from, branch->getSuccessor(0), first)))
      return failure();
    if (branch->isUnconditional()) {
      cf::BranchOp::create(builder, loc, blocks[branch->getSuccessor(0)], first);
      return success();
    }
    Value condition = valueOf(branch->getCondition(), {}, loc);
    if (!condition || failed(edgeArguments(from, branch->getSuccessor(1), second)))
      return failure();
    cf::CondBranchOp::create(builder, loc, condition, blocks[branch->getSuccessor(0)], first,
                             blocks[branch->getSuccessor(1)], second);
    return success();
  }
  auto *switchInst = llvm::cast<llvm::SwitchInst>(&terminator);
  Value flag = valueOf(switchInst->getCondition(), {}, loc);
  SmallVector<Value> defaultArgs;
  if (!flag || failed(edgeArguments(from, switchInst->getDefaultDest(), defaultArgs)))
    return failure();
  SmallVector<llvm::APInt> caseValues;
  SmallVector<Block *> caseBlocks;
  std::vector<SmallVector<Value>> caseArgs;
  for (auto &switchCase : switchInst->cases()) {
    caseValues.push_back(switchCase.getCaseValue()->getValue());
    caseBlocks.push_back(blocks[switchCase.getCaseSuccessor()]);
    if (failed(edgeArguments(from, switchCase.getCaseSuccessor(), caseArgs.emplace_back())))
      return failure();
  }
  SmallVector<ValueRange> caseRanges(caseArgs.begin(), caseArgs.end());
  cf::SwitchOp::create(builder, loc, flag, blocks[switchInst->getDefaultDest()], defaultArgs,
                       ArrayRef<llvm::APInt>(caseValues), BlockRange(caseBlocks), caseRanges);
  return success();
}

} // namespace tilecc
