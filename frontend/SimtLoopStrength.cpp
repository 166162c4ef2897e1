//===- SimtLoopStrength.cpp - restricts loop strength reduction in SIMT code ------------------------------------===//
//
// LLVM's loop strength reduction assumes that registers are free. In a loop that reads a stencil, each row and plane
// gets a 64-bit pointer, and ptxas then has too few registers to keep several loads in flight. Without the pass, ptxas
// itself computes such addresses well from a few values. Loops with few addresses benefit from the pass. (See the
// measurements in the notes of bench/gpu/simt.)
//
// The passes of code generation cannot be selected for single loops. In a statically linked tcc, the linker (--wrap,
// see CMakeLists.txt) replaces the function that creates this pass. The new pass checks each loop of SIMT code before
// it runs LLVM's pass on it.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define CREATE "_ZN4llvm28createLoopStrengthReducePassEv"
Pass *createOfLLVM() asm("__real_" CREATE);
Pass *createSelective() asm("__wrap_" CREATE);

namespace {

constexpr unsigned maxAddresses = 4;

class SelectiveLoopStrengthReduce : public LoopPass {
public:
  static char ID;
  SelectiveLoopStrengthReduce() : LoopPass(ID), pass(static_cast<LoopPass *>(createOfLLVM())) {}

  StringRef getPassName() const override { return pass->getPassName(); }
  void getAnalysisUsage(AnalysisUsage &usage) const override { pass->getAnalysisUsage(usage); }

  bool runOnLoop(Loop *loop, LPPassManager &manager) override {
    if (loop->getHeader()->getParent()->hasFnAttribute(tilecc::simtAttribute) && needsManyAddresses(*loop))
      return false;
    pass->setResolver(getResolver()); // its analyses are this pass's
    bool isChanged = pass->runOnLoop(loop, manager);
    pass->setResolver(nullptr);
    return isChanged;
  }

private:
  /// Returns true if the pass would replace more than maxAddresses addresses in the loop by pointers. Addresses that
  /// differ by a constant share a pointer.
  bool needsManyAddresses(Loop &loop) {
    auto &evolution = getAnalysis<ScalarEvolutionWrapperPass>().getSE();
    SmallVector<const SCEV *> addresses;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        for (Value *operand : getAddresses(inst)) {
          const SCEV *address = evolution.getSCEV(operand);
          auto isNear = [&](const SCEV *other) {
            return other->getType() == address->getType() && isa<SCEVConstant>(evolution.getMinusSCEV(address, other));
          };
          auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
          if (recurrence && recurrence->getLoop() == &loop && none_of(addresses, isNear))
            addresses.push_back(address);
        }
    return addresses.size() > maxAddresses;
  }

  /// Returns the addresses of an access. The addresses that inline assembly gets, for example for ldmatrix and
  /// cp.async, may be integers.
  static SmallVector<Value *> getAddresses(Instruction &inst) {
    SmallVector<Value *> addresses;
    if (Value *pointer = getLoadStorePointerOperand(&inst))
      addresses.push_back(pointer);
    if (auto *call = dyn_cast<CallBase>(&inst); call && call->isInlineAsm() && call->mayReadOrWriteMemory())
      for (Value *argument : call->args())
        if (argument->getType()->isPointerTy() || argument->getType()->isIntegerTy())
          addresses.push_back(argument);
    return addresses;
  }

  std::unique_ptr<LoopPass> pass;
};

char SelectiveLoopStrengthReduce::ID = 0;

} // namespace

Pass *createSelective() { return new SelectiveLoopStrengthReduce(); }
