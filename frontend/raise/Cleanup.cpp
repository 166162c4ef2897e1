//===- Cleanup.cpp - turns kernels into single functions over scalars and handles ---------------------------------===//
//
// In Clang's unoptimized code, every variable is in memory and every call is a call. This file inlines all calls into
// the kernels and turns local variables into SSA values. Lambdas, captures, structs of tiles and RAII disappear.
//
// It uses only passes that preserve the loops of the source. InstCombine turns pointer arithmetic into byte offsets,
// loop rotation hides the loop condition behind a guard, and IndVarSimplify rewrites bounds. Each of these would
// prevent counted loops or reject whole kernels later. The order is SROA, SimplifyCFG, SROA, because a variable whose
// address is `cond ? a : b` can be promoted only after SimplifyCFG has turned the address into a select.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Raise.h"
#include "frontend/raise/Intrinsics.h"
#include "frontend/raise/PackedIntegers.h"
#include "frontend/raise/Prepare.h"
#include "frontend/raise/Ranges.h"
#include "frontend/raise/RunTimeIndices.h"
#include "frontend/raise/TileFunctions.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace tilecc {

/// Drops annotations, which represent parameter attributes and keep the address of the parameter's copy alive.
static void dropAnnotations(Module &module) {
  for (Function &function : module)
    if (function.getIntrinsicID() == Intrinsic::var_annotation)
      for (User *call : make_early_inc_range(function.users()))
        cast<Instruction>(call)->eraseFromParent();
}

/// If another kernel calls a kernel (tt::call), duplicates the body of the called kernel, so that the call goes to an
/// ordinary function.
static void separateBodies(TileModule &tiles) {
  for (const KernelSignature &kernel : tiles.kernels) {
    Function *function = tiles.module->getFunction(kernel.symbol);
    auto isCall = [&](User *user) {
      auto *call = dyn_cast<CallBase>(user);
      return call && call->getCalledOperand() == function;
    };
    if (!function || function->isDeclaration() || none_of(function->users(), isCall))
      continue;
    ValueToValueMapTy values;
    Function *body = CloneFunction(function, values);
    body->setName(kernel.symbol + ".body");
    tiles.declarations[body->getName()] = tiles.declarations.lookup(kernel.symbol);
    for (User *user : make_early_inc_range(function->users()))
      if (isCall(user))
        cast<CallBase>(user)->setCalledFunction(body);
  }
}

/// Makes every function internal, to be inlined or dropped, except `roots`: kernels and functions for other sources.
static void setLinkage(TileModule &tiles, const StringSet<> &roots) {
  Module &module = *tiles.module;
  for (StringRef list : {"llvm.global.annotations", "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *global = module.getNamedGlobal(list))
      global->eraseFromParent();
  for (Function &function : module) {
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.setComdat(nullptr);
    if (tiles.hostFunctions.contains(function.getName()))
      function.deleteBody(); // a call of it is reported at the call
    if (function.isDeclaration())
      continue;
    bool isRoot = roots.contains(function.getName());
    function.setLinkage(isRoot ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    if (!isRoot)
      function.addFnAttr(Attribute::AlwaysInline);
  }
  for (GlobalVariable &global : module.globals()) {
    global.setComdat(nullptr);
    if (!global.isDeclaration())
      global.setLinkage(GlobalValue::InternalLinkage);
  }
}

/// Copies the scalars in `aggregate` to memory at `address`.
static void storeFields(IRBuilder<> &builder, Value *aggregate, Type *root, Type *type, Value *address,
                        SmallVectorImpl<unsigned> &path) {
  auto descend = [&](unsigned count, auto typeOf) {
    for (unsigned i = 0; i < count; ++i) {
      path.push_back(i);
      storeFields(builder, aggregate, root, typeOf(i), address, path);
      path.pop_back();
    }
  };
  if (auto *structType = dyn_cast<StructType>(type))
    return descend(structType->getNumElements(), [&](unsigned i) { return structType->getElementType(i); });
  if (auto *arrayType = dyn_cast<ArrayType>(type))
    return descend(arrayType->getNumElements(), [&](unsigned) { return arrayType->getElementType(); });
  SmallVector<Value *> indices = {builder.getInt32(0)};
  for (unsigned i : path)
    indices.push_back(builder.getInt32(i));
  builder.CreateStore(builder.CreateExtractValue(aggregate, path), builder.CreateGEP(root, address, indices));
}

/// Gives the kernel one argument for each C++ parameter. A struct, which Clang passes as a pointer to a copy, becomes a
/// value that is split into its fields. An empty class, which Clang does not pass, becomes an unused byte.
static void passStructsByValue(Module &module, const KernelSignature &kernel) {
  Function *old = module.getFunction(kernel.symbol);
  if (!old || old->isDeclaration())
    return;
  SmallVector<Type *> types;
  auto argument = old->arg_begin();
  for (const KernelSignature::Param &param : kernel.params)
    if (param.isEmpty)
      types.push_back(Type::getInt8Ty(module.getContext()));
    else if (Argument &arg = *argument++; arg.hasByValAttr())
      types.push_back(arg.getParamByValType());
    else
      types.push_back(arg.getType());

  auto *function =
      Function::Create(FunctionType::get(old->getReturnType(), types, false), old->getLinkage(), "", module);
  function->takeName(old);
  function->copyMetadata(old, 0);
  function->splice(function->begin(), old);
  IRBuilder<> builder(&*function->getEntryBlock().begin());
  auto oldArgument = old->arg_begin();
  for (auto [param, arg] : zip(kernel.params, function->args())) {
    if (param.isEmpty)
      continue;
    Argument &oldArg = *oldArgument++;
    Value *value = &arg;
    if (oldArg.hasByValAttr()) {
      value = builder.CreateAlloca(arg.getType());
      SmallVector<unsigned> path;
      storeFields(builder, &arg, arg.getType(), arg.getType(), value, path);
    }
    oldArg.replaceAllUsesWith(value);
  }
  // Constants such as annotations may refer to the function and outlive it. Replace all uses, so that none of them is
  // dangling.
  old->replaceAllUsesWith(function);
  old->eraseFromParent();
}

namespace {
struct ReplaceRangeConditions : PassInfoMixin<ReplaceRangeConditions> {
  const TileModule &tiles;
  explicit ReplaceRangeConditions(const TileModule &tiles) : tiles(tiles) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    replaceRangeConditions(function, tiles);
    invertComparisons(function);
    return PreservedAnalyses::none();
  }
};
struct UnpackIntegers : PassInfoMixin<UnpackIntegers> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    unpackIntegers(function);
    return PreservedAnalyses::none();
  }
};
} // namespace

/// Returns true for a function of values that has no control flow and is inlined wherever it is called.
static bool isStraightLine(const Function *function) {
  return function && function->size() == 1 && function->hasFnAttribute(Attribute::AlwaysInline) &&
         none_of(function->args(), [](const Argument &argument) { // references and structs
           return argument.getDereferenceableBytes() || argument.hasPassPointeeByValueCopyAttr() ||
                  argument.hasStructRetAttr();
         });
}

/// Inlines functions without control flow into each other, callees first, and turns their variables into values. An
/// operator on tiles is a call several functions deep, each of which keeps its parameters in memory, and a recursive
/// algorithm would clone all of that hundreds of times. Functions with control flow, and functions that access
/// variables of their callers, are inlined later, so that the variables of a loop become values in the order in which
/// the kernel declares them.
static void flattenStraightLineFunctions(Module &module, FunctionAnalysisManager &analyses) {
  SROAPass promote(SROAOptions::PreserveCFG);
  CallGraph graph(module);
  for (auto group = scc_begin(&graph); !group.isAtEnd(); ++group) {
    Function *function = group->front()->getFunction();
    if (group.hasCycle() || !isStraightLine(function))
      continue;
    for (Instruction &instruction : make_early_inc_range(function->getEntryBlock()))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isStraightLine(call->getCalledFunction())) {
        InlineFunctionInfo info;
        InlineFunction(*call, info, /*MergeAttributes=*/true, /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
      }
    analyses.invalidate(*function, promote.run(*function, analyses));
  }
}

static FunctionPassManager makePipeline(const TileModule &tiles) {
  FunctionPassManager passes;
  auto simplify = [&] {
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(InstSimplifyPass());
    passes.addPass(SimplifyCFGPass());
  };
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(SimplifyCFGPass());
  simplify();
  passes.addPass(ReplaceRangeConditions(tiles));
  // Unroll only loops that are marked by `#pragma unroll` or by the previous pass, because indices into arrays of tiles
  // must be constant.
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(UnrollIndexingLoops());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
  simplify();
  passes.addPass(ChooseElements());
  simplify();
  passes.addPass(UnpackIntegers());
  return passes;
}

void cleanUp(TileModule &tiles) {
  Module &module = *tiles.module;
  dropAnnotations(module);
  dropExpectations(module);
  separateBodies(tiles);
  passPartsByValue(tiles);
  StringSet<> roots;
  for (const TileFunctionSignature &function : tiles.functions)
    roots.insert(function.symbol);
  for (const KernelSignature &kernel : tiles.kernels) {
    roots.insert(kernel.symbol);
    passStructsByValue(module, kernel);
  }
  setLinkage(tiles, roots);

  PassBuilder builder;
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager sccAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(sccAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, sccAnalyses, moduleAnalyses);

  GlobalDCEPass().run(module, moduleAnalyses);
  flattenStraightLineFunctions(module, functionAnalyses);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(makePipeline(tiles)));
  passes.run(module, moduleAnalyses);

  for (Function &function : module)
    if (!function.isDeclaration())
      prepareForRaise(function);
}

} // namespace tilecc
