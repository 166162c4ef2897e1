//===- SimtOptimizations.cpp - adds passes that LLVM's pipeline lacks for SIMT code -----------------------------===//
//
// Clang optimizes SIMT code with LLVM's usual pipeline. This file adds the following passes, and those of
// SimtInlining.cpp, SimtIndices.cpp, SimtLoops.cpp and SimtNarrowIntegers.cpp:
//
// - UnrollForRegisters: a local array that is indexed by a loop counter stays in memory, which is slow. LLVM decides
//   about unrolling by size alone, and keeps many loops that nvcc unrolls. This pass requests complete unrolling of
//   loops that index an array if this makes all indices of the array constant, so that SROA replaces the array by
//   registers.
// - WideCopies: LLVM's back end copies and clears large objects byte by byte. This pass uses accesses as wide as the
//   alignment allows.
// - GlobalLoadedPointers: a pointer that is loaded from memory has the generic address space. Accesses through such
//   pointers are slower and restrict the order of other accesses. If no pointer to shared, local or constant memory is
//   ever stored, all loaded pointers point to global memory, and this pass converts them.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "frontend/raise/IterationCount.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace tilecc {
namespace {

//===--- arrays in registers -------------------------------------------------------------------------------------===//

constexpr uint64_t largestArray = 1024; // bytes; a thread has 255 registers
constexpr uint64_t maxInstructions = 10000; // instructions in an unrolled loop nest

/// The loops that must be unrolled so that all indices of an array are constant.
class IndexingLoops {
public:
  IndexingLoops(AllocaInst &array, LoopStandardAnalysisResults &analyses) : analyses(analyses) { visitUsers(array); }

  /// Returns false if some indices are not constant even after unrolling.
  explicit operator bool() const { return suffices; }
  bool contains(const Loop *loop) const { return loops.contains(loop); }

  /// Returns the number of instructions that the outermost of the loops around `loop` will have.
  uint64_t getSize(const Loop *loop) {
    for (const Loop *outer = loop; outer; outer = outer->getParentLoop())
      if (contains(outer))
        loop = outer;
    uint64_t size = 0;
    for (const BasicBlock *block : loop->blocks()) {
      uint64_t copies = 1;
      for (const Loop *around = analyses.LI.getLoopFor(block); loop->contains(around); around = around->getParentLoop())
        if (contains(around))
          copies = SaturatingMultiply<uint64_t>(copies, countIterations(around));
      size = SaturatingMultiplyAdd<uint64_t>(copies, range_size(block->instructionsWithoutDebug()), size);
    }
    return size;
  }

private:
  /// Returns the number of iterations of `loop`. If this depends on the counters of loops that will be unrolled first,
  /// returns the largest number. Returns 0 if the number is unknown.
  unsigned countIterations(const Loop *loop) {
    if (unsigned count = countConstantIterations(*loop, analyses.SE))
      return count;
    SmallVector<BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    bool isBounded = any_of(exiting, [&](BasicBlock *block) {
      const SCEV *taken = analyses.SE.getExitCount(loop, block);
      return !isa<SCEVCouldNotCompute>(taken) && becomesConstant(taken);
    });
    if (!isBounded)
      return 0;
    unsigned most = analyses.SE.getSmallConstantMaxTripCount(loop);
    // This guess is right for triangular loop nests.
    return most || !loop->getParentLoop() ? most : countIterations(loop->getParentLoop());
  }

  /// Returns true if a value is constant after unrolling. Collects the loops on whose counters the value depends.
  bool becomesConstant(const SCEV *value) {
    return !SCEVExprContains(value, [&](const SCEV *part) {
      auto *recurrence = dyn_cast<SCEVAddRecExpr>(part);
      if (!recurrence)
        return isa<SCEVUnknown, SCEVCouldNotCompute>(part);
      bool isNew = loops.insert(recurrence->getLoop()).second;
      return isNew && countIterations(recurrence->getLoop()) == 0;
    });
  }

  void visitUsers(Value &pointer) {
    if (!seen.insert(&pointer).second)
      return;
    for (User *user : pointer.users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode>(user))
        visitUsers(*user);
      else if (auto *load = dyn_cast<LoadInst>(user))
        visitAddress(pointer, load->isSimple());
      else if (auto *store = dyn_cast<StoreInst>(user))
        visitAddress(pointer, store->isSimple() && store->getPointerOperand() == &pointer);
      else if (auto *intrinsic = dyn_cast<IntrinsicInst>(user); !intrinsic || !intrinsic->isLifetimeStartOrEnd())
        visitAddress(pointer, isa<MemIntrinsic>(user));
    }
  }

  void visitAddress(Value &pointer, bool isAccess) {
    suffices &= isAccess;
    if (!suffices)
      return;
    suffices = becomesConstant(analyses.SE.removePointerBase(analyses.SE.getSCEV(&pointer)));
  }

  LoopStandardAnalysisResults &analyses;
  SmallPtrSet<const Loop *, 8> loops;
  SmallPtrSet<const Value *, 32> seen;
  bool suffices = true;
};

struct UnrollForRegisters : PassInfoMixin<UnrollForRegisters> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses, LPMUpdater &) {
    if (countConstantIterations(loop, analyses.SE) > 1 &&
        hasUnrollTransformation(&loop) == TM_Unspecified && // the source has not decided
        gains(loop, analyses))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all();
  }

private:
  static bool gains(Loop &loop, LoopStandardAnalysisResults &analyses) {
    Function &function = *loop.getHeader()->getParent();
    const DataLayout &layout = function.getDataLayout();
    for (Instruction &inst : function.getEntryBlock()) {
      auto *array = dyn_cast<AllocaInst>(&inst);
      std::optional<TypeSize> size = array ? array->getAllocationSize(layout) : std::nullopt;
      if (!size || !array->isStaticAlloca() || *size > largestArray)
        continue;
      IndexingLoops loops(*array, analyses);
      if (loops && loops.contains(&loop) && loops.getSize(&loop) <= maxInstructions)
        return true;
    }
    return false;
  }
};

//===--- pointers in memory --------------------------------------------------------------------------------------===//

bool isSpecial(unsigned space) {
  return is_contained({NVPTXAS::ADDRESS_SPACE_SHARED, NVPTXAS::ADDRESS_SPACE_LOCAL, NVPTXAS::ADDRESS_SPACE_CONST,
                       NVPTXAS::ADDRESS_SPACE_PARAM, NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER},
                      space);
}

/// Finds the functions that may run while memory contains a pointer to non-global memory. These are the functions that
/// store such a pointer, their callers, and their callees.
class StoredPointers {
public:
  explicit StoredPointers(Module &module) {
    for (Function &function : module)
      joinCalled(function);
    for (GlobalVariable &variable : module.globals()) {
      if (isSpecial(variable.getAddressSpace()))
        pointers.push_back(&variable);
      if (variable.hasInitializer() && !variable.getName().starts_with("llvm."))
        visitInitializer(*variable.getInitializer());
    }
    for (Function &function : module) {
      for (Argument &argument : function.args())
        if (argument.hasByValAttr())
          pointers.push_back(&argument);
      for (Instruction &inst : instructions(function))
        if (isRoot(inst))
          pointers.push_back(&inst);
    }
    while (!pointers.empty())
      if (Value *pointer = pointers.pop_back_val(); seen.insert(pointer).second)
        for (Use &use : pointer->uses())
          visit(use);
  }

  bool mayBeStored(const Function &function) const {
    return everywhere || storing.contains(callers.getLeaderValue(&function));
  }

private:
  /// Joins a function with the functions that it calls. Functions whose address is taken are joined with each other.
  void joinCalled(const Function &function) {
    callers.insert(&function);
    if (function.hasAddressTaken())
      callers.unionSets(&function, nullptr);
    for (const Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && !call->isInlineAsm())
        if (const Function *callee = call->getCalledFunction(); !callee || !callee->isDeclaration())
          callers.unionSets(&function, callee);
  }

  /// Returns true for an instruction whose result points to memory that is known not to be global, or is converted from
  /// another address space.
  bool isRoot(Instruction &inst) {
    if (auto *call = dyn_cast<CallBase>(&inst)) {
      // Assembly that converts addresses, or maps them to other blocks of a cluster.
      if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
        if (StringRef text = assembly->getAsmString(); text.contains("cvta") || text.contains("mapa"))
          addStoring(inst);
      return isa<IntrinsicInst>(call) && call->getType()->isPointerTy();
    }
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&inst))
      return isSpecial(cast->getSrcAddressSpace());
    return isa<AllocaInst>(inst);
  }

  void addStoring(const Instruction &inst) { storing.insert(callers.getLeaderValue(inst.getFunction())); }

  void visitInitializer(const Constant &constant) {
    if (auto *cast = dyn_cast<AddrSpaceCastOperator>(&constant); cast && isSpecial(cast->getSrcAddressSpace()))
      everywhere = true;
    for (const Use &operand : constant.operands())
      if (auto *part = dyn_cast<Constant>(operand); part && !isa<GlobalValue>(part))
        visitInitializer(*part);
  }

  void visit(Use &use) {
    User *user = use.getUser();
    if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst, FreezeInst, IntrinsicInst>(user)) {
      pointers.push_back(user);
    } else if (isa<ReturnInst>(user)) {
      for (User *call : cast<Instruction>(user)->getFunction()->users())
        pointers.push_back(call);
    } else if (auto *number = dyn_cast<PtrToIntOperator>(user)) {
      // If an address is converted within its own address space, the result is a smaller integer, and loading that
      // integer does not give a generic pointer.
      if (!isSpecial(number->getPointerAddressSpace()))
        addUsers(*number);
    } else if (auto *inst = dyn_cast<Instruction>(user); inst && stores(*inst, use)) {
      addStoring(*inst);
    } // otherwise part of an initializer, see above
  }

  /// If a pointer is converted to an integer, any function that has the integer may store it.
  void addUsers(Value &number) {
    if (auto *inst = dyn_cast<Instruction>(&number))
      addStoring(*inst);
    else if (seen.insert(&number).second)
      for (User *user : number.users())
        addUsers(*user);
  }

  /// Returns true if this use may store the pointer. Adds the parameters to which it is passed.
  bool stores(Instruction &inst, Use &use) {
    if (isa<LoadInst, ICmpInst>(inst))
      return false;
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return store->getValueOperand() == use.get();
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst))
      return use.getOperandNo() != 0;
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call || !call->isArgOperand(&use))
      return true;
    Function *callee = call->getCalledFunction();
    unsigned number = call->getArgOperandNo(&use);
    if (callee && !callee->isDeclaration() && number < callee->arg_size()) {
      pointers.push_back(callee->getArg(number));
      return false;
    }
    return !callee || !is_contained({"vprintf", "__assertfail", "free"}, callee->getName());
  }

  EquivalenceClasses<const Function *> callers; // null: called indirectly
  SmallPtrSet<const Function *, 8> storing; // leaders
  bool everywhere = false;
  SmallVector<Value *> pointers; // still to be followed
  SmallPtrSet<Value *, 32> seen;
};

struct GlobalLoadedPointers : PassInfoMixin<GlobalLoadedPointers> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    SmallVector<LoadInst *> loads;
    for (Function &function : module)
      for (Instruction &inst : instructions(function))
        if (auto *load = dyn_cast<LoadInst>(&inst); load && load->getType() == PointerType::get(module.getContext(), 0))
          loads.push_back(load);
    if (loads.empty())
      return PreservedAnalyses::all();
    StoredPointers stored(module);
    for (LoadInst *load : loads) {
      if (stored.mayBeStored(*load->getFunction()))
        continue;
      IRBuilder<> builder(load->getNextNode());
      Value *global =
          builder.CreateAddrSpaceCast(load, PointerType::get(module.getContext(), NVPTXAS::ADDRESS_SPACE_GLOBAL));
      Value *generic = builder.CreateAddrSpaceCast(global, load->getType());
      load->replaceUsesWithIf(generic, [&](Use &use) { return use.getUser() != global; });
    }
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

//===--- copies of objects ---------------------------------------------------------------------------------------===//

struct WideCopies : PassInfoMixin<WideCopies> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    SmallVector<MemIntrinsic *> operations;
    for (Function &function : module)
      for (Instruction &inst : instructions(function))
        if (auto *operation = dyn_cast<MemIntrinsic>(&inst); operation && isa<MemCpyInst, MemSetInst>(operation))
          operations.push_back(operation);
    for (MemIntrinsic *operation : operations)
      expand(*operation);
    return operations.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }

private:
  static constexpr uint64_t maxByBackend = 128; // bytes that LLVM's back end expands well
  static constexpr uint64_t maxUnrolled = 512;

  static void expand(MemIntrinsic &operation) {
    auto *length = dyn_cast<ConstantInt>(operation.getLength());
    if (!length || length->getValue().ule(maxByBackend) || operation.isVolatile())
      return;
    const DataLayout &layout = operation.getDataLayout();
    auto *copy = dyn_cast<MemCpyInst>(&operation);
    Align align = getOrEnforceKnownAlignment(operation.getRawDest(), Align(widest), layout, &operation);
    align = std::max(align, operation.getDestAlign().valueOrOne());
    if (copy)
      align = std::min(align, std::max(getOrEnforceKnownAlignment(copy->getRawSource(), Align(widest), layout, copy),
                                       copy->getSourceAlign().valueOrOne()));
    uint64_t width = std::min<uint64_t>(align.value(), widest), size = length->getZExtValue(),
             whole = size / width * width;
    if (width == 1)
      return;
    IRBuilder<> builder(&operation);
    if (size <= maxUnrolled) {
      for (uint64_t offset = 0; offset < whole; offset += width)
        access(builder, operation, builder.getInt64(offset), width);
    } else {
      Value *count = builder.getInt64(whole / width);
      auto [inside, number] = SplitBlockAndInsertSimpleForLoop(count, operation.getIterator());
      IRBuilder<> body(&*inside);
      body.SetCurrentDebugLocation(operation.getDebugLoc());
      access(body, operation, body.CreateMul(number, body.getInt64(width)), width);
      builder.SetInsertPoint(&operation);
    }
    for (uint64_t offset = whole; offset < size; offset += width) {
      while (offset + width > size)
        width /= 2;
      access(builder, operation, builder.getInt64(offset), width);
    }
    operation.eraseFromParent();
  }

  static constexpr uint64_t widest = 16;

  /// Copies or clears `width` bytes, a power of two.
  static void access(IRBuilder<> &builder, MemIntrinsic &operation, Value *offset, uint64_t width) {
    Type *type = builder.getIntNTy(width * 8);
    if (width == widest)
      type = FixedVectorType::get(builder.getInt32Ty(), 4);
    Value *value;
    if (auto *copy = dyn_cast<MemCpyInst>(&operation)) {
      value = builder.CreateAlignedLoad(type, builder.CreatePtrAdd(copy->getRawSource(), offset), Align(width));
    } else {
      Value *byte = cast<MemSetInst>(operation).getValue();
      Value *bytes = builder.CreateVectorSplat(width, byte);
      value = builder.CreateBitCast(bytes, type);
    }
    builder.CreateAlignedStore(value, builder.CreatePtrAdd(operation.getRawDest(), offset), Align(width));
  }
};

//===--- marks for code generation -------------------------------------------------------------------------------===//

struct MarkFunctions : PassInfoMixin<MarkFunctions> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    for (Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr(simtAttribute);
    return PreservedAnalyses::all();
  }
};

} // namespace

void addSimtOptimizations(PassBuilder &passes, bool isWholeProgram) {
  passes.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &modules, OptimizationLevel level, ThinOrFullLTOPhase) {
        if (level != OptimizationLevel::O0)
          addBottomUpInlining(modules);
      });
  passes.registerPeepholeEPCallback(
      [](FunctionPassManager &functions, OptimizationLevel) { addIndexSplitting(functions); });
  passes.registerLateLoopOptimizationsEPCallback([](LoopPassManager &loops, OptimizationLevel) {
    addGuardHoisting(loops);
    loops.addPass(UnrollForRegisters());
  });
  passes.registerVectorizerStartEPCallback(
      [](FunctionPassManager &functions, OptimizationLevel) { addUnrollingOfShortPaths(functions); });
  passes.registerOptimizerLastEPCallback([=](ModulePassManager &modules, OptimizationLevel level, ThinOrFullLTOPhase) {
    if (level == OptimizationLevel::O0)
      return;
    addPromotionOfNarrowIntegers(modules);
    modules.addPass(MarkFunctions());
    modules.addPass(WideCopies());
    if (isWholeProgram)
      modules.addPass(GlobalLoadedPointers());
  });
}

} // namespace tilecc
