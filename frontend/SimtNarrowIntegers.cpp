//===- SimtNarrowIntegers.cpp - arithmetic of 8 and 16 bits in registers of 32 bits -----------------------------===//
//
// LLVM narrows arithmetic to 8 or 16 bits where the values are known to fit, for example divisions of an int8_t. GPUs
// have registers of 32 bits and hardly any arithmetic of fewer. ptxas must then extend the operand of each shift,
// comparison and conversion anew, although C++ computed in 32 bits. This pass runs after LLVM's optimizations and
// computes such values in 32 bits again. The upper bits of a result are arbitrary where only its lower bits matter, and
// are made zeros or copies of the sign where an operation needs this and they are not known to be so.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tilecc {
namespace {

bool isNarrow(const Type *type) { return type->isIntegerTy(8) || type->isIntegerTy(16); }

/// Computes the narrow integers of a function in 32 bits.
class Promotion {
public:
  explicit Promotion(Function &function)
      : function(function), layout(function.getDataLayout()), wideType(Type::getInt32Ty(function.getContext())) {}

  bool run() {
    collect();
    if (narrow.empty())
      return false;
    for (Instruction *inst : narrow)
      wide[inst] = promote(*inst);
    for (Instruction *inst : narrow)
      if (auto *phi = dyn_cast<PHINode>(inst))
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
          cast<PHINode>(wide[phi])->addIncoming(getAny(value), block);
    for (Instruction *inst : consumers)
      replaceConsumer(*inst);
    for (Instruction *inst : narrow) {
      // What remains are uses by stores, calls and truncations.
      BasicBlock::iterator place = getPlaceAfter(inst);
      IRBuilder<> builder(place->getParent(), place);
      inst->replaceAllUsesWith(builder.CreateTrunc(wide[inst], inst->getType()));
    }
    SmallVector<WeakTrackingVH> dead(narrow.begin(), narrow.end());
    dead.append(consumers.begin(), consumers.end());
    for (Instruction *inst : narrow)
      if (auto *phi = dyn_cast<PHINode>(inst)) // may be part of a cycle
        phi->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return true;
  }

private:
  /// Collects the instructions to be promoted, and those that extend or compare their results. Values that are only
  /// moved and combined bit by bit, such as the bits of a half-precision number, need no extension and remain narrow.
  void collect() {
    ReversePostOrderTraversal<Function *> order(&function);
    EquivalenceClasses<Value *> connected;
    SmallVector<Value *> extended;
    for (BasicBlock *block : order)
      for (Instruction &inst : *block) {
        if (isNarrow(inst.getType()) && isa<BinaryOperator, SelectInst, PHINode>(inst)) {
          narrow.push_back(&inst);
          for (Value *operand : inst.operands())
            if (isNarrow(operand->getType()) && !isa<Constant>(operand))
              connected.unionSets(&inst, stripTruncations(operand));
          if (isa<BinaryOperator>(inst) && (inst.isShift() || inst.isIntDivRem()))
            extended.push_back(&inst);
        } else if (isa<ZExtInst, SExtInst, ICmpInst>(inst) && isNarrow(inst.getOperand(0)->getType())) {
          consumers.push_back(&inst);
          for (Value *operand : inst.operands())
            extended.push_back(stripTruncations(operand));
        }
      }
    SmallPtrSet<Value *, 16> promoted; // leaders
    for (Value *value : extended)
      promoted.insert(connected.getOrInsertLeaderValue(value));
    erase_if(narrow, [&](Instruction *inst) { return !promoted.contains(connected.getOrInsertLeaderValue(inst)); });
    SmallPtrSet<Value *, 16> results(narrow.begin(), narrow.end());
    erase_if(consumers, [&](Instruction *inst) {
      return none_of(inst->operands(), [&](Value *operand) { return results.contains(stripTruncations(operand)); });
    });
  }

  static Value *stripTruncations(Value *value) {
    while (auto *cast = dyn_cast<TruncInst>(value)) {
      if (!isNarrow(cast->getOperand(0)->getType()))
        break;
      value = cast->getOperand(0);
    }
    return value;
  }

  static BasicBlock::iterator getPlaceAfter(Value *value) {
    auto *inst = cast<Instruction>(value);
    return *inst->getInsertionPointAfterDef();
  }

  /// Returns the value in 32 bits. Its upper bits are arbitrary.
  Value *getAny(Value *value) {
    if (Value *promoted = wide.lookup(value))
      return promoted;
    if (auto *cast = dyn_cast<TruncInst>(value)) {
      Value *source = cast->getOperand(0);
      if (source->getType() == wideType)
        return source;
      if (isNarrow(source->getType()))
        return getAny(source);
    }
    return extend(value, /*isSigned=*/false);
  }

  /// Returns the value in 32 bits, extended by zeros or by copies of its sign, if this needs no instruction. Returns
  /// null otherwise.
  Value *getExtendedForFree(Value *value, bool isSigned) {
    if (isa<Constant>(value))
      return extend(value, isSigned);
    if (auto *cast = dyn_cast<TruncInst>(value);
        cast && (isSigned ? cast->hasNoSignedWrap() : cast->hasNoUnsignedWrap()))
      if (Value *source = cast->getOperand(0); source->getType() == wideType || isNarrow(source->getType()))
        return source->getType() == wideType ? source : getExtendedForFree(source, isSigned);
    if ((isSigned ? isSignExtended : isZeroExtended).contains(value))
      return wide[value];
    if (Value *extended = extensions.lookup({value, isSigned}))
      return extended;
    Value *any = wide.lookup(value);
    if (isa<TruncInst>(value) && !any)
      any = getAny(value);
    unsigned width = value->getType()->getIntegerBitWidth();
    if (any && (isSigned ? ComputeNumSignBits(any, layout) > 32 - width
                         : MaskedValueIsZero(any, APInt::getBitsSetFrom(32, width), SimplifyQuery(layout))))
      return any;
    return nullptr;
  }

  Value *getExtended(Value *value, bool isSigned) {
    Value *free = getExtendedForFree(value, isSigned);
    return free ? free : extend(value, isSigned);
  }

  Value *extend(Value *value, bool isSigned) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(wideType, isSigned ? constant->getSExtValue() : constant->getZExtValue());
    Value *&extended = extensions[{value, isSigned}];
    if (extended)
      return extended;
    Value *promoted = wide.lookup(value), *source = promoted ? promoted : value;
    BasicBlock::iterator place =
        isa<Instruction>(source) ? getPlaceAfter(source) : function.getEntryBlock().getFirstInsertionPt();
    IRBuilder<> builder(place->getParent(), place);
    if (source->getType() == wideType)
      source = builder.CreateTrunc(source, value->getType());
    return extended = isSigned ? builder.CreateSExt(source, wideType) : builder.CreateZExt(source, wideType);
  }

  Value *promote(Instruction &inst) {
    IRBuilder<> builder(&inst);
    if (auto *phi = dyn_cast<PHINode>(&inst))
      return builder.CreatePHI(wideType, phi->getNumIncomingValues());
    if (auto *select = dyn_cast<SelectInst>(&inst))
      return builder.CreateSelect(select->getCondition(), getAny(select->getTrueValue()),
                                  getAny(select->getFalseValue()));
    auto opcode = cast<BinaryOperator>(inst).getOpcode();
    Value *left = inst.getOperand(0), *right = inst.getOperand(1);
    auto extended = [&](bool isSigned) {
      (isSigned ? isSignExtended : isZeroExtended).insert(&inst);
      return builder.CreateBinOp(opcode, getExtended(left, isSigned), getExtended(right, isSigned));
    };
    switch (opcode) {
    case Instruction::LShr:
    case Instruction::UDiv:
    case Instruction::URem: return extended(/*isSigned=*/false);
    case Instruction::SDiv:
    case Instruction::SRem: return extended(/*isSigned=*/true);
    case Instruction::AShr:
      isSignExtended.insert(&inst);
      return builder.CreateAShr(getExtended(left, /*isSigned=*/true), getExtended(right, /*isSigned=*/false));
    case Instruction::Shl: return builder.CreateShl(getAny(left), getExtended(right, /*isSigned=*/false));
    default:
      for (bool isSigned : {false, true})
        if (cannotOverflow(inst, isSigned) && getExtendedForFree(left, isSigned) && getExtendedForFree(right, isSigned))
          return extended(isSigned);
      return builder.CreateBinOp(opcode, getAny(left), getAny(right));
    }
  }

  static bool cannotOverflow(Instruction &inst, bool isSigned) {
    if (isPartOfRemainder(inst, isSigned))
      return true;
    return isa<OverflowingBinaryOperator>(inst) && (isSigned ? inst.hasNoSignedWrap() : inst.hasNoUnsignedWrap());
  }

  /// Returns true for the multiplication and the subtraction of x - x / c * c. LLVM replaces remainders by this if the
  /// quotient is needed, too, and does not note that it cannot overflow.
  static bool isPartOfRemainder(Instruction &inst, bool isSigned) {
    Value *left = nullptr, *dividend;
    const APInt *divisor, *factor;
    Value *product = match(&inst, m_Sub(m_Value(left), m_Value())) ? inst.getOperand(1) : &inst;
    Value *quotient;
    if (!match(product, m_Mul(m_Value(quotient), m_APInt(factor))))
      return false;
    return (isSigned ? match(quotient, m_SDiv(m_Value(dividend), m_APInt(divisor)))
                     : match(quotient, m_UDiv(m_Value(dividend), m_APInt(divisor)))) &&
           *divisor == *factor && !divisor->isAllOnes() && (!left || left == dividend);
  }

  void replaceConsumer(Instruction &inst) {
    IRBuilder<> builder(&inst);
    Value *operand = inst.getOperand(0);
    if (auto *compare = dyn_cast<ICmpInst>(&inst)) {
      Value *other = inst.getOperand(1);
      bool isSigned = compare->isSigned() || (compare->isEquality() && getExtendedForFree(operand, /*isSigned=*/true) &&
                                              getExtendedForFree(other, /*isSigned=*/true));
      inst.replaceAllUsesWith(
          builder.CreateICmp(compare->getPredicate(), getExtended(operand, isSigned), getExtended(other, isSigned)));
      return;
    }
    if (!wide.contains(operand))
      return;
    bool isSigned = isa<SExtInst>(inst) || (inst.hasNonNeg() && getExtendedForFree(operand, /*isSigned=*/true));
    Value *extended = getExtended(operand, isSigned);
    Type *type = inst.getType();
    if (type->getIntegerBitWidth() < 32)
      extended = builder.CreateTrunc(extended, type);
    else if (type != wideType)
      extended = isSigned ? builder.CreateSExt(extended, type) : builder.CreateZExt(extended, type);
    inst.replaceAllUsesWith(extended);
  }

  Function &function;
  const DataLayout &layout;
  Type *wideType;
  SmallVector<Instruction *> narrow, consumers;
  DenseMap<Value *, Value *> wide;
  DenseMap<PointerIntPair<Value *, 1, bool>, Value *> extensions;
  SmallPtrSet<Value *, 16> isSignExtended, isZeroExtended; // values whose wide form is extended so
};

struct PromoteNarrowIntegers : PassInfoMixin<PromoteNarrowIntegers> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    if (function.isDeclaration() || !Promotion(function).run())
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

} // namespace

void addPromotionOfNarrowIntegers(ModulePassManager &modules) {
  FunctionPassManager functions;
  functions.addPass(PromoteNarrowIntegers());
  modules.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
}

} // namespace tilecc
