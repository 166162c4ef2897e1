//===- Prepare.cpp - rewrites forms of LLVM IR that the raise does not handle -------------------------------------===//
//
// Each rewrite removes a form that LLVM may choose and that later steps would otherwise have to handle:
//   - Memory that is only written (padding copied with a struct) would look like a local variable that could not be
//     promoted.
//   - A class around one number (an 8-bit float) is copied as bytes; this becomes a copy of a number.
//   - `unreachable` has no counterpart in a structured kernel. A switch whose default is unreachable uses its last case
//     as the default, and all other undefined paths return.
//   - Branches leave loops when the condition is *false*, as in scf.while.
//   - LLVM stores a bool variable as a byte. If loops carried it as a byte, conditions would become comparisons.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Prepare.h"
#include "frontend/raise/Intrinsics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tilecc {

//===--- copies of single numbers ---------------------------------------------------------------------------------===//

static void copyNumbers(Function &function) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *copy = dyn_cast<MemCpyInst>(&instruction);
      auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
      if (!length || copy->isVolatile())
        continue;
      // Accesses are aligned to their size.
      uint64_t bytes = length->getZExtValue();
      if (!isPowerOf2_64(bytes) || bytes > 8 || copy->getSourceAlign().valueOrOne() < bytes ||
          copy->getDestAlign().valueOrOne() < bytes)
        continue;
      IRBuilder<> builder(copy);
      builder.CreateStore(builder.CreateLoad(builder.getIntNTy(8 * bytes), copy->getRawSource()), copy->getRawDest());
      copy->eraseFromParent();
    }
}

//===--- memory that is only written ------------------------------------------------------------------------------===//

/// Collects the writes to `alloca` and the arithmetic on its address. Returns false if the address is read or escapes.
static bool collectWrites(AllocaInst *alloca, SmallVectorImpl<Instruction *> &writes) {
  SmallVector<Instruction *> worklist = {alloca};
  while (!worklist.empty()) {
    Instruction *address = worklist.pop_back_val();
    for (User *user : address->users()) {
      auto *instruction = cast<Instruction>(user);
      if (auto *memory = dyn_cast<MemIntrinsic>(instruction)) {
        auto *transfer = dyn_cast<MemTransferInst>(memory);
        if (memory->getRawDest() != address || (transfer && transfer->getRawSource() == address) ||
            memory->isVolatile())
          return false;
      } else if (auto *store = dyn_cast<StoreInst>(instruction)) {
        if (store->getValueOperand() == address || store->isVolatile())
          return false;
      } else if (isa<GetElementPtrInst>(instruction)) {
        worklist.push_back(instruction);
      } else if (!instruction->isLifetimeStartOrEnd()) {
        return false;
      }
      writes.push_back(instruction);
    }
  }
  return true;
}

static void dropWriteOnlyLocals(Function &function) {
  SmallVector<AllocaInst *> allocas;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      allocas.push_back(alloca);
  for (AllocaInst *alloca : allocas) {
    SmallVector<Instruction *> writes;
    if (!collectWrites(alloca, writes))
      continue;
    for (Instruction *write : reverse(writes)) // erase users of an address first
      write->eraseFromParent();
    alloca->eraseFromParent();
  }
}

//===--- control flow ---------------------------------------------------------------------------------------------===//

static void removeUnreachable(Function &function) {
  for (BasicBlock &block : function) {
    auto *switchInst = dyn_cast<SwitchInst>(block.getTerminator());
    if (!switchInst || switchInst->getNumCases() == 0 ||
        !isa<UnreachableInst>(*switchInst->getDefaultDest()->getFirstNonPHIOrDbg()))
      continue;
    auto last = std::prev(switchInst->case_end());
    switchInst->getDefaultDest()->removePredecessor(&block);
    switchInst->setDefaultDest(last->getCaseSuccessor());
    switchInst->removeCase(last);
  }
  Type *result = function.getReturnType();
  for (BasicBlock &block : function) {
    auto *unreachable = dyn_cast<UnreachableInst>(block.getTerminator());
    if (!unreachable)
      continue;
    Value *value = result->isVoidTy() ? nullptr : PoisonValue::get(result);
    auto *ret = ReturnInst::Create(function.getContext(), value, unreachable->getIterator());
    ret->setDebugLoc(unreachable->getDebugLoc());
    unreachable->eraseFromParent();
  }
  removeUnreachableBlocks(function);
}

static void leaveLoopsOnFalse(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    Loop *loop = loops.getLoopFor(&block);
    if (!branch || !branch->isConditional() || !loop)
      continue;
    if (loop->contains(branch->getSuccessor(0)) || !loop->contains(branch->getSuccessor(1)))
      continue;
    Value *condition = branch->getCondition();
    if (auto *compare = dyn_cast<CmpInst>(condition); compare && compare->hasOneUse()) {
      compare->setPredicate(compare->getInversePredicate());
    } else if (auto *op = dyn_cast<BinaryOperator>(condition); op && op->getOpcode() == Instruction::Xor &&
                                                               isa<ConstantInt>(op->getOperand(1)) &&
                                                               cast<ConstantInt>(op->getOperand(1))->isOne()) {
      branch->setCondition(op->getOperand(0));
    } else {
      BinaryOperator *inverted = BinaryOperator::CreateNot(condition, "", branch->getIterator());
      inverted->setDebugLoc(branch->getDebugLoc());
      branch->setCondition(inverted);
    }
    branch->swapSuccessors();
  }
}

//===--- bools ----------------------------------------------------------------------------------------------------===//

/// Returns true if a byte is always 0 or 1, assuming that the phis in `bools` are.
static bool isBoolByte(Value *value, const SmallSetVector<PHINode *, 8> &bools) {
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return constant->getValue().ule(1);
  if (auto *extension = dyn_cast<ZExtInst>(value))
    return extension->getOperand(0)->getType()->isIntegerTy(1);
  if (auto *phi = dyn_cast<PHINode>(value))
    return bools.contains(phi);
  return isa<UndefValue>(value);
}

static bool isUsedAsBool(PHINode *phi, const SmallSetVector<PHINode *, 8> &bools) {
  return all_of(phi->users(), [&](User *user) {
    auto *other = dyn_cast<PHINode>(user);
    return (isa<TruncInst>(user) && user->getType()->isIntegerTy(1)) || (other && bools.contains(other));
  });
}

static void narrowBools(Function &function) {
  SmallSetVector<PHINode *, 8> bools;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (phi.getType()->isIntegerTy(8))
        bools.insert(&phi);
  for (bool changed = true; changed;)
    changed = bools.remove_if([&](PHINode *phi) {
      return !isUsedAsBool(phi, bools) ||
             !all_of(phi->incoming_values(), [&](Value *value) { return isBoolByte(value, bools); });
    });

  Type *i1 = Type::getInt1Ty(function.getContext());
  DenseMap<PHINode *, PHINode *> narrow;
  for (PHINode *phi : bools) {
    narrow[phi] = PHINode::Create(i1, phi->getNumIncomingValues(), "", phi->getIterator());
    narrow[phi]->setDebugLoc(phi->getDebugLoc());
  }
  auto narrowed = [&](Value *value) -> Value * {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(i1, constant->getZExtValue());
    if (auto *extension = dyn_cast<ZExtInst>(value))
      return extension->getOperand(0);
    if (auto *phi = dyn_cast<PHINode>(value))
      return narrow[phi];
    return PoisonValue::get(i1);
  };
  for (PHINode *phi : bools) {
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
      narrow[phi]->addIncoming(narrowed(value), block);
    for (User *user : make_early_inc_range(phi->users()))
      if (auto *trunc = dyn_cast<TruncInst>(user)) {
        trunc->replaceAllUsesWith(narrow[phi]);
        trunc->eraseFromParent();
      }
  }
  for (PHINode *phi : bools) {
    phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
    phi->eraseFromParent();
  }
}

static void dropDeadInstructions(Function &function) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(reverse(block)))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
}

void invertComparisons(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *op = dyn_cast<BinaryOperator>(&instruction);
    auto *one = op && op->getOpcode() == Instruction::Xor ? dyn_cast<ConstantInt>(op->getOperand(1)) : nullptr;
    auto *compare =
        one && one->isOne() && op->getType()->isIntegerTy(1) ? dyn_cast<CmpInst>(op->getOperand(0)) : nullptr;
    if (!compare || !compare->hasOneUse())
      continue;
    compare->setPredicate(compare->getInversePredicate());
    op->replaceAllUsesWith(compare);
    op->eraseFromParent();
  }
}

void prepareForRaise(Function &function) {
  expandOverflowChecks(function);
  copyNumbers(function);
  dropWriteOnlyLocals(function);
  removeUnreachable(function);
  leaveLoopsOnFalse(function);
  narrowBools(function);
  dropDeadInstructions(function);
}

} // namespace tilecc
