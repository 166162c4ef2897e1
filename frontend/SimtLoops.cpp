//===- SimtLoops.cpp - loops of SIMT code that often skip most of their body ------------------------------------===//
//
// Iterations of loops in CUDA programs often do nothing, for example where a window reaches beyond an image:
//
//   for (int dx = -r; dx <= r; dx++) {
//     if (y + dy < 0 || y + dy >= height || x + dx < 0 || x + dx >= width)
//       continue;
//
// This file has two passes for such loops:
//
// - HoistGuards: a condition that the loop does not change, and without which no iteration does anything, is tested
//   once, before the loop. LLVM's loop unswitching does this for CPUs. For GPUs LLVM does not use it, because the
//   threads of a warp may differ in the condition, and then would execute both copies of the loop. Here, there is only
//   one copy.
// - UnrollShortPaths: LLVM unrolls a loop as often as the size of its body allows. If most of the body is skipped in
//   many iterations, these consist mainly of the counter, the test, the branch, and the latency of the values that
//   decide. This pass requests unrolling by what an iteration executes at least.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "frontend/raise/IterationCount.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tilecc {
namespace {

//===--- guards --------------------------------------------------------------------------------------------------===//

/// A loop that ends in its latch, and whose iterations may go from the header, or from blocks that follow it, directly
/// to the latch.
class GuardedLoop {
public:
  GuardedLoop(Loop &loop, LoopStandardAnalysisResults &analyses) : loop(loop), analyses(analyses) {}

  /// Returns true if a condition was hoisted.
  bool hoist() {
    preheader = loop.getLoopPreheader();
    latch = loop.getLoopLatch();
    exit = loop.getUniqueExitBlock();
    if (!preheader || !exit || loop.getExitingBlock() != latch || loop.getHeader() == latch ||
        analyses.LI.getLoopFor(exit) != loop.getParentLoop() || !loop.isLCSSAForm(analyses.DT) || !isFinite())
      return false;
    if (hasSideEffects(*latch))
      return false;
    BasicBlock *block = loop.getHeader();
    while (!hasSideEffects(*block)) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional() || !is_contained(branch->successors(), latch) ||
          !skippingDoesNothing(*block))
        break;
      bool skipsIfTrue = branch->getSuccessor(0) == latch;
      collect(branch->getOperandUse(0), skipsIfTrue);
      block = branch->getSuccessor(skipsIfTrue);
      if (block == latch || block->getSinglePredecessor() != branch->getParent())
        break;
    }
    if (guards.empty())
      return false;
    insertTest();
    return true;
  }

private:
  static bool hasSideEffects(const BasicBlock &block) {
    return any_of(block, [](const Instruction &inst) { return inst.mayHaveSideEffects(); });
  }

  bool isFinite() {
    return isMustProgress(&loop) || !isa<SCEVCouldNotCompute>(analyses.SE.getBackedgeTakenCount(&loop));
  }

  /// Returns true if iterations that go from `block` to the latch have no effect but to count, and no counter is used
  /// after the loop. The values that the other iterations change must keep their values.
  bool skippingDoesNothing(const BasicBlock &block) {
    for (PHINode &phi : exit->phis())
      if (!loop.isLoopInvariant(phi.getIncomingValueForBlock(latch)) && !getInitialValue(phi))
        return false;
    return all_of(latch->phis(), [&](PHINode &phi) {
      auto *before = dyn_cast<PHINode>(phi.getIncomingValueForBlock(&block));
      return before && before->getParent() == loop.getHeader() && before->getIncomingValueForBlock(latch) == &phi;
    });
  }

  /// Returns the value that a phi node of the exit block has if all iterations are skipped: what it was before the
  /// loop. Returns null if that is unknown.
  Value *getInitialValue(PHINode &result) {
    Value *value = result.getIncomingValueForBlock(latch);
    if (loop.isLoopInvariant(value))
      return value;
    for (PHINode &phi : loop.getHeader()->phis())
      if (auto *carried = dyn_cast<PHINode>(value);
          carried && carried->getParent() == latch && phi.getIncomingValueForBlock(latch) == carried)
        return phi.getIncomingValueForBlock(preheader);
    return nullptr;
  }

  /// Collects the uses of conditions that do not change in the loop, and that skip the body if they are `skipping`.
  void collect(Use &use, bool skipping) {
    if (isa<Constant>(use.get()))
      return;
    if (loop.isLoopInvariant(use.get())) {
      guards.push_back({&use, skipping});
      return;
    }
    auto *inst = cast<Instruction>(use.get());
    bool isPart = skipping ? match(inst, m_LogicalOr()) : match(inst, m_LogicalAnd());
    if (!isPart || !inst->hasOneUse())
      return;
    bool isSelect = isa<SelectInst>(inst); // a ? true : b, or a ? b : false
    collect(inst->getOperandUse(0), skipping);
    collect(inst->getOperandUse(isSelect && skipping ? 2 : 1), skipping);
  }

  void insertTest() {
    IRBuilder<> builder(preheader->getTerminator());
    Value *skips = nullptr;
    for (auto [use, skipping] : guards) {
      // The loop may not have used the condition, if another one skips the body in all iterations.
      Value *guard = builder.CreateFreeze(use->get());
      if (!skipping)
        guard = builder.CreateNot(guard);
      skips = skips ? builder.CreateOr(skips, guard) : guard;
      use->set(builder.getInt1(!skipping));
    }
    // The loop keeps a preheader and an exit block of its own.
    BasicBlock *after = SplitBlock(exit, exit->getFirstNonPHIIt(), &analyses.DT, &analyses.LI);
    for (PHINode &phi : exit->phis()) {
      PHINode *result = PHINode::Create(phi.getType(), 2, "", after->begin());
      phi.replaceUsesOutsideBlock(result, exit);
      result->addIncoming(&phi, exit);
      result->addIncoming(getInitialValue(phi), preheader);
    }
    BasicBlock *entry = SplitBlock(preheader, preheader->getTerminator(), &analyses.DT, &analyses.LI);
    ReplaceInstWithInst(preheader->getTerminator(), BranchInst::Create(after, entry, skips));
    analyses.DT.insertEdge(preheader, after);
    analyses.SE.forgetLoop(&loop);
    analyses.SE.forgetBlockAndLoopDispositions();
  }

  Loop &loop;
  LoopStandardAnalysisResults &analyses;
  BasicBlock *preheader = nullptr, *latch = nullptr, *exit = nullptr;
  struct Guard {
    Use *use;
    bool skipping;
  };
  SmallVector<Guard> guards;
};

struct HoistGuards : PassInfoMixin<HoistGuards> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    // The conditions of a loop that will be unrolled completely become predicates of instructions.
    if (analyses.MSSA || countConstantIterations(loop, analyses.SE) || !GuardedLoop(loop, analyses).hoist())
      return PreservedAnalyses::all();
    return getLoopPassPreservedAnalyses();
  }
};

//===--- unrolling -----------------------------------------------------------------------------------------------===//

constexpr unsigned maxShortest = 24, maxUnrolled = 400; // instructions
constexpr unsigned copies = 4;

struct UnrollShortPaths : PassInfoMixin<UnrollShortPaths> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    if (loop.isInnermost() && loop.getExitingBlock() && loop.getExitingBlock() == loop.getLoopLatch() &&
        hasUnrollTransformation(&loop) == TM_Unspecified && !countConstantIterations(loop, analyses.SE) &&
        countsByOne(loop, analyses.SE) && gains(loop, analyses))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", copies);
    return PreservedAnalyses::all();
  }

private:
  /// Returns true if the number of iterations is known before the loop without a division.
  static bool countsByOne(Loop &loop, ScalarEvolution &evolution) {
    const SCEV *taken = evolution.getBackedgeTakenCount(&loop);
    return !SCEVExprContains(taken, [](const SCEV *part) { return isa<SCEVUDivExpr, SCEVCouldNotCompute>(part); });
  }

  static bool gains(Loop &loop, LoopStandardAnalysisResults &analyses) {
    unsigned size = 0;
    DenseMap<const BasicBlock *, unsigned> shortest; // from the header to the end of a block
    LoopBlocksDFS order(&loop);
    order.perform(&analyses.LI);
    for (BasicBlock *block : make_range(order.beginRPO(), order.endRPO())) {
      unsigned before = block == loop.getHeader() ? 0 : std::numeric_limits<unsigned>::max();
      if (block != loop.getHeader())
        for (const BasicBlock *previous : predecessors(block))
          before = std::min(before, shortest.lookup(previous));
      unsigned instructions = 0;
      for (const Instruction &inst : *block) {
        auto *call = dyn_cast<CallBase>(&inst);
        // LLVM does not unroll loops with convergent operations. After a store, the loads of the next iteration wait.
        if ((call && call->isConvergent()) || inst.mayWriteToMemory())
          return false;
        instructions += !inst.isDebugOrPseudoInst() && !isa<PHINode, BranchInst>(inst);
      }
      shortest[block] = before + instructions;
      size += instructions;
      if (block != loop.getHeader()) // phi nodes of branches become moves or selections
        size += range_size(block->phis());
    }
    unsigned least = shortest[loop.getLoopLatch()];
    return least <= maxShortest && least * 2 <= size && size * copies <= maxUnrolled;
  }
};

} // namespace

void addGuardHoisting(LoopPassManager &loops) { loops.addPass(HoistGuards()); }
void addUnrollingOfShortPaths(FunctionPassManager &functions) {
  functions.addPass(createFunctionToLoopPassAdaptor(UnrollShortPaths()));
}

} // namespace tilecc
