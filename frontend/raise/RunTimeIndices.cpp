//===- RunTimeIndices.cpp - arrays that a kernel indexes at run time ----------------------------------------------===//
//
// In a kernel, local arrays, arrays in struct parameters and constexpr tables are values. They have no memory, so no
// address can be computed from an index. Instead, an element is read by a chain of selects among all elements, and
// written by selecting the new or the old value for each element. Then all indices are constant, and SROA splits the
// array into values. This is meant for a few elements, such as the pointers of a grouped kernel or the levels of a
// quantized type.
//
// If the index is the counter of a loop with a constant trip count, the loop is unrolled instead, as if it had `#pragma
// unroll`, so that an array of accumulators does not cost one select per element. The same applies to a loop that has a
// pointer into the array as its counter.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/RunTimeIndices.h"
#include "frontend/raise/IterationCount.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace tilecc {

/// Returns true for an object that may be indexed: a local variable, or a table with known elements.
static bool isArray(const Value *value) {
  auto *table = dyn_cast<GlobalVariable>(value);
  return isa<AllocaInst>(value) || (table && table->isConstant() && table->hasDefinitiveInitializer());
}
static Value *findArray(GetElementPtrInst *gep) {
  Value *base = gep->getPointerOperand();
  while (auto *inner = dyn_cast<GEPOperator>(base))
    base = inner->getPointerOperand();
  return isArray(base) ? base : nullptr;
}

//===--- loops ----------------------------------------------------------------------------------------------------===//

/// Returns true for the copy of a struct parameter, which is written once, at kernel entry.
static bool isParameter(const Value *array) {
  SmallVector<const Value *> worklist = {array};
  while (!worklist.empty())
    for (const User *user : worklist.pop_back_val()->users())
      if (isa<GetElementPtrInst>(user))
        worklist.push_back(user);
      else if (auto *store = dyn_cast<StoreInst>(user); store && !isa<ExtractValueInst>(store->getValueOperand()))
        return false;
      else if (isa<MemIntrinsic>(user))
        return false;
  return true;
}

static bool counts(const SCEV *index, const Loop *loop) {
  return SCEVExprContains(index, [&](const SCEV *part) {
    auto *counter = dyn_cast<SCEVAddRecExpr>(part);
    return counter && counter->getLoop() == loop;
  });
}

static unsigned countIterations(const Loop &loop, ScalarEvolution &evolution) {
  unsigned count = countConstantIterations(loop, evolution);
  return count <= maxRunTimeElements ? count : 0;
}

static void unroll(Loop &loop) {
  if (!findOptionMDForLoop(&loop, "llvm.loop.unroll.enable"))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.enable", 1);
}

/// Returns true if the loop advances a pointer through an array: for (float x : {1.0f, 2.0f}).
static bool goesThroughArray(const Loop &loop, ScalarEvolution &evolution) {
  return any_of(loop.getHeader()->phis(), [&](PHINode &phi) {
    if (!phi.getType()->isPointerTy())
      return false;
    auto *element = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    auto *array =
        element && element->getLoop() == &loop ? dyn_cast<SCEVUnknown>(evolution.getPointerBase(element)) : nullptr;
    return array && isArray(array->getValue());
  });
}

PreservedAnalyses UnrollIndexingLoops::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (goesThroughArray(*loop, evolution) && countIterations(*loop, evolution))
      unroll(*loop);
  for (Instruction &instruction : instructions(function)) {
    auto *gep = dyn_cast<GetElementPtrInst>(&instruction);
    Value *array = gep && !gep->hasAllConstantIndices() ? findArray(gep) : nullptr;
    if (!isa_and_nonnull<AllocaInst>(array) || isParameter(array))
      continue;
    for (Loop *loop = loops.getLoopFor(gep->getParent()); loop; loop = loop->getParentLoop())
      if (any_of(gep->indices(), [&](Value *index) { return counts(evolution.getSCEV(index), loop); }) &&
          countIterations(*loop, evolution))
        unroll(*loop);
  }
  return PreservedAnalyses::all(); // only metadata changed
}

//===--- selects --------------------------------------------------------------------------------------------------===//

namespace {

/// The elements of an array that an access may refer to, at known addresses. `isMeant` is true for the element that the
/// index selects.
struct Choice {
  SmallVector<Value *> isMeant, places;
};

class Chooser {
public:
  explicit Chooser(const DataLayout &layout) : layout(layout) {}

  /// Replaces the accesses through `gep`. Returns false if `gep` has other uses, or if there are too many elements.
  bool replace(GetElementPtrInst *gep) {
    unsigned position = 0;
    std::optional<uint64_t> count = countElements(gep, position);
    if (!count || *count == 0 || *count > maxRunTimeElements || !hasOnlyAccesses(gep))
      return false;
    IRBuilder<> builder(gep);
    Choice choice;
    Value *wide = gep->getOperand(position), *index = wide;
    if (auto *extension = dyn_cast<SExtInst>(wide); extension && extension->getSrcTy()->getIntegerBitWidth() >= 32)
      index = extension->getOperand(0); // an int in the source
    for (uint64_t i = 0; i < *count; ++i) {
      auto *place = cast<GetElementPtrInst>(builder.Insert(gep->clone()));
      place->setOperand(position, ConstantInt::get(wide->getType(), i));
      choice.places.push_back(place);
      choice.isMeant.push_back(builder.CreateICmpEQ(index, ConstantInt::get(index->getType(), i)));
    }
    replaceUsers(gep, choice);
    return true;
  }

private:
  /// Finds the only variable index: sets `position` to its position, and returns the number of elements among which it
  /// selects.
  std::optional<uint64_t> countElements(GetElementPtrInst *gep, unsigned &position) {
    for (unsigned i = 1; i < gep->getNumOperands(); ++i)
      if (!isa<ConstantInt>(gep->getOperand(i)))
        if (std::exchange(position, i))
          return std::nullopt;
    if (position > 1) {
      Type *indexed = gep->getSourceElementType();
      for (unsigned i = 2; i < position; ++i)
        indexed = GetElementPtrInst::getTypeAtIndex(indexed, gep->getOperand(i));
      return isa<ArrayType>(indexed) ? std::optional(indexed->getArrayNumElements()) : std::nullopt;
    }
    // Access through a pointer to the first element.
    APInt offset(64, 0);
    Value *base =
        gep->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    Type *array = nullptr;
    if (auto *local = dyn_cast<AllocaInst>(base); local && local->isStaticAlloca() && !local->isArrayAllocation())
      array = local->getAllocatedType();
    else if (auto *table = dyn_cast<GlobalVariable>(base))
      array = table->getValueType();
    if (!array || offset != 0)
      return std::nullopt;
    return layout.getTypeAllocSize(array).getFixedValue() /
           layout.getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
  }

  bool hasOnlyAccesses(Instruction *address) {
    return all_of(address->users(), [&](User *user) {
      if (auto *load = dyn_cast<LoadInst>(user))
        return load->isSimple();
      if (auto *store = dyn_cast<StoreInst>(user))
        return store->isSimple() && store->getValueOperand() != address;
      if (auto *gep = dyn_cast<GetElementPtrInst>(user))
        return hasOnlyAccesses(gep);
      auto *copy = dyn_cast<MemTransferInst>(user);
      return copy && !copy->isVolatile() && copiesElement(*copy, address);
    });
  }

  /// Splits a copy of a whole struct into copies of its members.
  bool copiesElement(MemTransferInst &copy, Instruction *address) {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    auto *gep = dyn_cast<GetElementPtrInst>(address);
    return length && gep && layout.getTypeAllocSize(gep->getResultElementType()) == length->getZExtValue();
  }

  void copyMembers(IRBuilder<> &builder, Type *type, Value *from, Value *to) {
    unsigned members = isa<StructType>(type)  ? type->getStructNumElements()
                       : isa<ArrayType>(type) ? type->getArrayNumElements()
                                              : 0;
    for (unsigned i = 0; i < members; ++i) {
      Value *indices[] = {builder.getInt32(0), builder.getInt32(i)};
      Type *member = isa<StructType>(type) ? type->getStructElementType(i) : type->getArrayElementType();
      copyMembers(builder, member, builder.CreateInBoundsGEP(type, from, indices),
                  builder.CreateInBoundsGEP(type, to, indices));
    }
    if (!members && type->isSingleValueType())
      builder.CreateStore(builder.CreateLoad(type, from), to);
  }

  void replaceUsers(Instruction *address, const Choice &choice) {
    for (User *user : make_early_inc_range(address->users()))
      if (auto *copy = dyn_cast<MemTransferInst>(user)) {
        IRBuilder<> builder(copy);
        copyMembers(builder, cast<GetElementPtrInst>(address)->getResultElementType(), copy->getRawSource(),
                    copy->getRawDest());
        copy->eraseFromParent();
      }
    for (User *user : make_early_inc_range(address->users())) {
      IRBuilder<> builder(cast<Instruction>(user));
      if (auto *load = dyn_cast<LoadInst>(user)) {
        Value *value = nullptr;
        for (auto [isMeant, place] : zip(choice.isMeant, choice.places)) {
          Value *element = builder.CreateLoad(load->getType(), place);
          value = value ? builder.CreateSelect(isMeant, element, value) : element;
        }
        load->replaceAllUsesWith(value);
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        Value *value = store->getValueOperand();
        for (auto [isMeant, place] : zip(choice.isMeant, choice.places))
          builder.CreateStore(builder.CreateSelect(isMeant, value, builder.CreateLoad(value->getType(), place)), place);
      } else {
        auto *gep = cast<GetElementPtrInst>(user);
        Choice inner;
        inner.isMeant = choice.isMeant;
        for (Value *place : choice.places) {
          auto *moved = cast<GetElementPtrInst>(builder.Insert(gep->clone()));
          moved->setOperand(0, place);
          inner.places.push_back(moved);
        }
        replaceUsers(gep, inner);
        continue; // erased by the code above
      }
      cast<Instruction>(user)->eraseFromParent();
    }
    address->eraseFromParent();
  }

  const DataLayout &layout;
};

} // namespace

PreservedAnalyses ChooseElements::run(Function &function, FunctionAnalysisManager &) {
  // The address of a row may also have a variable index. This address precedes the address of the element in the row.
  bool changed = true;
  while (std::exchange(changed, false))
    for (Instruction &instruction : instructions(function)) {
      auto *gep = dyn_cast<GetElementPtrInst>(&instruction);
      if (!gep || gep->hasAllConstantIndices() || !findArray(gep))
        continue;
      auto *outer = dyn_cast<GetElementPtrInst>(gep->getPointerOperand());
      if (outer && !outer->hasAllConstantIndices())
        continue;
      if ((changed = Chooser(function.getDataLayout()).replace(gep)))
        break; // the instruction list has changed
    }
  return PreservedAnalyses::none();
}

} // namespace tilecc
