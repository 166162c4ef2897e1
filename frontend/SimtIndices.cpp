//===- SimtIndices.cpp - 64-bit indices whose terms are separate ------------------------------------------------===//
//
// CUDA programs compute indices as 32-bit integers: in[(y + dy) * width + x + dx]. The index is extended to 64 bits
// where it meets the pointer. If dx counts a loop, only dx differs between the iterations, and after unrolling, the
// iterations could share one address and differ in an immediate offset. This needs the extension of the sum to be the
// sum of the extensions, which holds because the additions are known not to overflow (nsw). But LLVM's reassociation
// and other passes soon form sums of other pairs of terms, of which this is no longer known, and then each access has
// an address of its own.
//
// This pass runs before them. It replaces the extension of a sum by the sum of the extensions where a loop counter is
// separated from what the loop does not change.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tilecc {
namespace {

class IndexSplitter {
public:
  IndexSplitter(LoopInfo &loops, ScalarEvolution &evolution, const DominatorTree &dominance)
      : loops(loops), evolution(evolution), dominance(dominance) {}

  /// Splits `index`, an extension to 64 bits. Returns false if there is nothing to split.
  bool split(CastInst &index) {
    terms.clear();
    addTerms(index.getOperand(0), 1, loops.getLoopFor(index.getParent()), index.getParent());
    if (terms.size() == 1)
      return false;
    IRBuilder<> builder(&index);
    Value *sum = nullptr;
    for (auto [value, factor, counted] : terms) {
      Value *term =
          counted ? getWideCounter(*cast<PHINode>(value), *counted) : builder.CreateSExt(value, index.getType());
      if (factor != 1)
        term = builder.CreateMul(term, builder.getInt64(factor));
      sum = sum ? builder.CreateAdd(sum, term) : term;
    }
    index.replaceAllUsesWith(sum);
    return true;
  }

private:
  struct Term {
    Value *value;
    int64_t factor;
    const Loop *counted; ///< the loop that `value` counts, if the term is to be a counter of 64 bits
  };

  /// Adds `value` times `factor` to the terms. Splits `value` into counters of `loop` and what `loop` does not change,
  /// and the latter in turn for the loops around it.
  void addTerms(Value *value, int64_t factor, const Loop *loop, const BasicBlock *block) {
    while (loop && isInvariant(value, *loop))
      loop = loop->getParentLoop();
    bool hasInvariant = false;
    if (loop && isSum(value, *loop, hasInvariant) && hasInvariant)
      addParts(value, factor, *loop, block);
    else
      terms.push_back({value, factor, nullptr});
  }

  /// Adds the parts of a sum that isSum() recognizes.
  void addParts(Value *value, int64_t factor, const Loop &loop, const BasicBlock *block) {
    if (isInvariant(value, loop))
      return addTerms(value, factor, &loop, block);
    if (isa<PHINode>(value))
      return terms.push_back({value, factor, isConditional(*block, loop) && mayBeUnrolled(loop) ? &loop : nullptr});
    auto *operation = cast<BinaryOperator>(value);
    Value *left = operation->getOperand(0), *right = operation->getOperand(1);
    switch (operation->getOpcode()) {
    case Instruction::Mul: return addParts(left, factor * cast<ConstantInt>(right)->getSExtValue(), loop, block);
    case Instruction::Shl: return addParts(left, factor << cast<ConstantInt>(right)->getZExtValue(), loop, block);
    default:
      addParts(left, factor, loop, block);
      return addParts(right, operation->getOpcode() == Instruction::Sub ? -factor : factor, loop, block);
    }
  }

  /// Returns true if `value` is a sum of multiples of counters of `loop` and of values that the loop does not change,
  /// and no operation overflows. Sets `hasInvariant` if some of these values are not constant. Sums of a counter and
  /// constants need no splitting, because all their forms are alike.
  bool isSum(Value *value, const Loop &loop, bool &hasInvariant) {
    if (isInvariant(value, loop)) {
      hasInvariant |= !isa<Constant>(value);
      return true;
    }
    Value *left, *right;
    if (match(value, m_NSWAdd(m_Value(left), m_Value(right))) || match(value, m_NSWSub(m_Value(left), m_Value(right))))
      return isSum(left, loop, hasInvariant) && isSum(right, loop, hasInvariant);
    uint64_t amount;
    if (match(value, m_NSWMul(m_Value(left), m_ConstantInt())) ||
        (match(value, m_NSWShl(m_Value(left), m_ConstantInt(amount))) && amount < 32))
      return isSum(left, loop, hasInvariant);
    auto *phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop.getHeader() && isCounter(*phi, loop);
  }

  /// This pass runs before loop-invariant code motion, so that the value may still be computed in the loop.
  bool isInvariant(Value *value, const Loop &loop) {
    return evolution.isLoopInvariant(evolution.getSCEV(value), &loop);
  }

  /// Returns true for a loop counter that does not overflow.
  bool isCounter(PHINode &phi, const Loop &loop) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    return recurrence && recurrence->getLoop() == &loop && recurrence->hasNoSignedWrap() &&
           isa<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  }

  /// Returns true if LLVM may unroll the loop without knowing its number of iterations.
  bool mayBeUnrolled(const Loop &loop) {
    return none_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &inst) {
        auto *call = dyn_cast<CallBase>(&inst);
        return call && call->isConvergent();
      });
    });
  }

  /// Returns true if some iterations may not execute `block`.
  bool isConditional(const BasicBlock &block, const Loop &loop) {
    SmallVector<BasicBlock *> latches;
    loop.getLoopLatches(latches);
    return any_of(latches, [&](const BasicBlock *latch) { return !dominance.dominates(&block, latch); });
  }

  /// Returns a 64-bit copy of a counter of `loop`. The additions to the counter itself, too, soon lose the information
  /// that they do not overflow. If the index is computed in each iteration, scalar evolution concludes the same from
  /// the index, and a second counter would be superfluous.
  PHINode *getWideCounter(PHINode &counter, const Loop &loop) {
    PHINode *&wide = wideCounters[&counter];
    if (wide)
      return wide;
    auto *recurrence = cast<SCEVAddRecExpr>(evolution.getSCEV(&counter));
    const APInt &step = cast<SCEVConstant>(recurrence->getStepRecurrence(evolution))->getAPInt();
    IRBuilder<> builder(&counter);
    Type *type = builder.getInt64Ty();
    wide = builder.CreatePHI(type, counter.getNumIncomingValues());
    for (auto [value, block] : zip(counter.incoming_values(), counter.blocks())) {
      builder.SetInsertPoint(block->getTerminator());
      int previous = wide->getBasicBlockIndex(block); // if a switch leads here from several cases
      wide->addIncoming(previous >= 0          ? wide->getIncomingValue(previous)
                        : loop.contains(block) ? builder.CreateNSWAdd(wide, ConstantInt::get(type, step.getSExtValue()))
                                               : builder.CreateSExt(value, type),
                        block);
    }
    return wide;
  }

  LoopInfo &loops;
  ScalarEvolution &evolution;
  const DominatorTree &dominance;
  SmallVector<Term> terms;
  DenseMap<PHINode *, PHINode *> wideCounters;
};

bool isIndex(const CastInst &cast) {
  bool isExtension = isa<SExtInst>(cast) || (isa<ZExtInst>(cast) && cast.hasNonNeg());
  return isExtension && cast.getType()->isIntegerTy(64) && cast.getSrcTy()->isIntegerTy(32) &&
         any_of(cast.users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
}

struct SplitIndices : PassInfoMixin<SplitIndices> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    SmallVector<WeakTrackingVH> indices;
    for (Instruction &inst : instructions(function))
      if (auto *cast = dyn_cast<CastInst>(&inst); cast && isIndex(*cast))
        indices.push_back(cast);
    if (indices.empty())
      return PreservedAnalyses::all();
    IndexSplitter splitter(analyses.getResult<LoopAnalysis>(function),
                           analyses.getResult<ScalarEvolutionAnalysis>(function),
                           analyses.getResult<DominatorTreeAnalysis>(function));
    bool isChanged = false;
    SmallVector<WeakTrackingVH> dead;
    for (WeakTrackingVH &index : indices)
      if (splitter.split(*cast<CastInst>(index))) {
        dead.push_back(index);
        isChanged = true;
      }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    if (!isChanged)
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

} // namespace

void addIndexSplitting(FunctionPassManager &functions) { functions.addPass(SplitIndices()); }

} // namespace tilecc
