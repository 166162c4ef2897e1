//===- Supported.cpp - what is left of C++ that tile kernels do not have ------------------------------------------===//
//
// Sema hardly looks into a kernel, and much of what it would refuse is harmless once inlined and simplified: a local
// array with constant indices, a reference, a call of the standard library that folds away. So the judgement falls here,
// on the cleaned-up code: what is still there and has no counterpart is an error at the line it came from. All of them
// are reported, not only the first.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Supported.h"
#include "frontend/raise/RunTimeIndices.h"
#include "frontend/raise/TileFunctions.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tilecc {
namespace {

/// Of several findings on one line, the one that explains the others is reported.
enum Weight { Local, Global, Operation };

class Checker {
public:
  Checker(Function &function, TileModule &tiles, mlir::MLIRContext *context,
          function_ref<mlir::Location(const Instruction &)> locate)
      : function(function), tiles(tiles), context(context), locate(locate) {}

  bool run() {
    for (Instruction &instruction : instructions(function)) {
      check(instruction);
      for (Value *operand : instruction.operands())
        if (!isa<CallBase>(instruction) || operand != cast<CallBase>(instruction).getCalledOperand())
          checkOperand(operand, instruction);
    }
    // What destroys a variable says nothing new of it.
    bool isAll = llvm::all_of(findings, [](auto &entry) { return entry.second.inDestructor; });
    for (auto &[line, finding] : findings)
      if (isAll || !finding.inDestructor)
        mlir::emitError(finding.loc) << finding.what;
    return ok;
  }

private:
  struct Finding {
    Weight weight;
    mlir::Location loc;
    std::string what;
    bool inDestructor;
  };

  static bool isInDestructor(const DILocation *loc) {
    for (; loc; loc = loc->getInlinedAt())
      if (const DISubprogram *function = loc->getScope()->getSubprogram(); function && function->getName().starts_with("~"))
        return true;
    return false;
  }

  void unavailable(const Instruction &at, const Twine &what, Weight weight = Operation) {
    report(at, what + " is not available in a tile kernel", weight);
  }

  void report(const Instruction &at, const Twine &what, Weight weight = Operation) {
    ok = false;
    const DILocation *loc = at.getDebugLoc().get();
    std::pair<const void *, unsigned> line(loc ? static_cast<const void *>(loc->getFile()) : nullptr,
                                           loc ? loc->getLine() : 0);
    auto [found, isNew] = findings.try_emplace(line, Finding{weight, locate(at), what.str(), isInDestructor(loc)});
    if (!isNew && weight > found->second.weight)
      found->second = Finding{weight, locate(at), what.str(), isInDestructor(loc)};
  }

  void check(Instruction &instruction) {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return checkCall(*call);
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      return checkLocal(*alloca);
    if (instruction.isVolatile())
      return unavailable(instruction, "volatile memory");
    if (instruction.isAtomic())
      return unavailable(instruction, "an atomic access of C++");
    if (instruction.getType()->isVectorTy())
      return unavailable(instruction, "a vector type");
    auto has = [&](auto test) {
      return test(instruction.getType()) ||
             any_of(instruction.operand_values(), [&](Value *value) { return test(value->getType()); });
    };
    if (has([](Type *type) { return type->isX86_FP80Ty() || type->isFP128Ty(); }))
      return unavailable(instruction, "long double");
    // GPUs have no library that divides and converts them.
    if (has([](Type *type) { return type->isIntegerTy() && type->getIntegerBitWidth() > 64; }) &&
        (instruction.isIntDivRem() || isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(instruction)))
      return unavailable(instruction, "this operation on integers of more than 64 bits");
    switch (instruction.getOpcode()) {
    case Instruction::IndirectBr:
      return unavailable(instruction, "a computed goto");
    case Instruction::LandingPad:
    case Instruction::Resume:
      return unavailable(instruction, "exception handling");
    case Instruction::VAArg:
      return unavailable(instruction, "a variadic function");
    case Instruction::InsertValue:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::AddrSpaceCast:
      return unavailable(instruction, "this operation");
    default:
      return;
    }
  }

  void checkCall(CallBase &call) {
    if (call.isInlineAsm())
      return unavailable(call, "inline assembly");
    Function *callee = call.getCalledFunction();
    if (!callee)
      return unavailable(call, "a call through a pointer (of a virtual function, or a function pointer)");
    if (callee->isIntrinsic())
      return checkIntrinsic(call, *callee);
    if (tiles.builtins.contains(callee->getName()))
      return;
    if (!callee->isDeclaration())
      return unavailable(call, "recursion ('" + nameOf(*callee) + "' calls itself)");
    StringRef name = callee->getName();
    if (auto called = tiles.calledFunctions.find(name); called != tiles.calledFunctions.end())
      return checkTileCall(call, called->second);
    if (isTileReturn(*callee))
      return;
    if (name == "__cxa_throw" || name == "__cxa_rethrow")
      return unavailable(call, "throw");
    if (name.starts_with("__cxa_") && name.contains("exception"))
      return silently(); // belongs to a throw
    if (name.starts_with("__cxa_guard"))
      return unavailable(call, "a static local variable");
    if (name == "__dynamic_cast")
      return unavailable(call, "dynamic_cast");
    unavailable(call, "host function '" + nameOf(*callee) + "'");
  }

  void checkTileCall(CallBase &call, const TileFunctionSignature &called) {
    if (!tiles.isRelocatable)
      report(call, "tile function '" + called.name + "' has no body here; if another file defines it, compile both with "
                   "-rdc=true, so that the device link brings them together");
    else if (!called.whyNot.empty())
      report(call, "tile function '" + called.name + "' cannot be called from another file than that of its body: " +
                       called.whyNot);
  }

  void silently() { ok = false; }

  void checkIntrinsic(CallBase &call, Function &callee) {
    switch (callee.getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::sideeffect:
    case Intrinsic::donothing:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::fabs:
    case Intrinsic::abs:
    case Intrinsic::sqrt:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      return;
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memset:
      // A copy of a local that is itself an error says nothing more.
      if (!isa<AllocaInst>(call.getArgOperand(0)->stripInBoundsOffsets()) &&
          !isa<AllocaInst>(call.getArgOperand(1)->stripInBoundsOffsets()))
        return unavailable(call, "a copy of memory as bytes");
      return silently();
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap:
      return unavailable(call, "a trap");
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy:
      return unavailable(call, "a variadic function");
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
      return silently(); // belongs to an array of variable length
    case Intrinsic::threadlocal_address:
      return silently(); // of a variable, which is an error itself
    default:
      if (callee.getName().starts_with("llvm.nvvm."))
        return unavailable(call, "SIMT code, which needs --simt,");
      return unavailable(call, "the compiler's builtin '" + callee.getName().drop_front(strlen("llvm.")) + "'");
    }
  }

  /// A local variable that cannot become values: something indexes it at run time, or keeps its address.
  void checkLocal(AllocaInst &alloca) {
    std::string name = alloca.hasName() ? "'" + alloca.getName().split('.').first.str() + "'" : "a variable";
    SmallVector<Instruction *> worklist = {&alloca};
    Instruction *firstUse = nullptr, *indexing = nullptr, *keeping = nullptr;
    while (!worklist.empty()) {
      Instruction *address = worklist.pop_back_val();
      for (User *user : address->users()) {
        auto *instruction = cast<Instruction>(user);
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
          return silently(); // a function that is an error itself keeps the address
        if (instruction->getDebugLoc() && (!firstUse || isBefore(*instruction, *firstUse)))
          firstUse = instruction;
        if (auto *gep = dyn_cast<GetElementPtrInst>(instruction)) {
          if (!gep->hasAllConstantIndices() && !indexing)
            indexing = gep;
          worklist.push_back(gep);
        } else if (auto *store = dyn_cast<StoreInst>(instruction); store && store->getValueOperand() == address) {
          keeping = store;
        }
      }
    }
    const Instruction &at = indexing ? *indexing : keeping ? *keeping : firstUse ? *firstUse : static_cast<Instruction &>(alloca);
    if (!alloca.isStaticAlloca())
      return unavailable(at, "an array of variable length", Local);
    if (indexing)
      return unavailable(at, "a local array of more than " + Twine(maxRunTimeElements) + " elements indexed at run time (" + name + ")",
                         Local);
    unavailable(at, "the address of a local variable (" + name + ")", Local);
  }

  static bool isBefore(const Instruction &a, const Instruction &b) {
    return a.getDebugLoc().getLine() < b.getDebugLoc().getLine();
  }

  void checkOperand(Value *operand, Instruction &user) {
    auto *constant = dyn_cast<Constant>(operand);
    if (!constant || isa<ConstantInt, ConstantFP, UndefValue, ConstantPointerNull, BasicBlock>(constant))
      return;
    auto *global = dyn_cast<GlobalVariable>(constant->stripInBoundsOffsets());
    if (global && global->getName().starts_with("_ZTV"))
      return unavailable(user, "a virtual function", Global);
    if (global && isa<CallInst>(user) && cast<CallInst>(user).getCalledFunction() &&
        tiles.builtins.contains(cast<CallInst>(user).getCalledFunction()->getName()))
      return; // the text of a message
    if (auto declared = global ? tiles.staticLocals.find(global->getName()) : tiles.staticLocals.end();
        declared != tiles.staticLocals.end() && !global->isConstant()) {
      const Place &place = declared->second;
      if (reported.insert(global).second)
        mlir::emitError(mlir::FileLineColLoc::get(context, tiles.fileNames.toOutput(place.file), place.line, place.column))
            << "static variable '" << nameOf(*global)
            << "' is not available in a tile kernel: programs of a grid share nothing but the memory that pointers lead to";
      return silently();
    }
    if (global)
      return unavailable(user, describe(*global), Global);
    if (auto *callee = dyn_cast<Function>(constant)) {
      auto *call = dyn_cast<CallBase>(&user);
      if (call && call->getCalledFunction() && tiles.builtins.contains(call->getCalledFunction()->getName()))
        return; // the combine function of a reduction
      return unavailable(user, "the address of function '" + nameOf(*callee) + "'");
    }
    for (Value *inner : constant->operands())
      checkOperand(inner, user);
    if (isa<ConstantAggregate, ConstantAggregateZero, ConstantDataSequential>(constant))
      unavailable(user, "a class or array as a whole");
    else if (isa<ConstantExpr>(constant) && ok)
      unavailable(user, "this constant");
  }

  std::string describe(const GlobalVariable &global) {
    if (global.getName().starts_with(".str") || global.getName().starts_with("__const."))
      return "a constant in the host's memory";
    if (global.isConstant() && global.hasDefinitiveInitializer() && nameOf(global).empty())
      return ("a list of more than " + Twine(maxRunTimeElements) + " elements, or one that is not gone through at once,").str();
    if (global.isConstant() && global.hasDefinitiveInitializer())
      return ("table '" + nameOf(global) + "', which is indexed at run time and has more than " + Twine(maxRunTimeElements) +
              " elements,")
          .str();
    return "host variable '" + nameOf(global) + "'";
  }

  std::string nameOf(const GlobalValue &global) {
    auto known = tiles.declarations.find(global.getName());
    return known != tiles.declarations.end() ? known->second : demangle(global.getName().split('.').first);
  }

  Function &function;
  TileModule &tiles;
  mlir::MLIRContext *context;
  function_ref<mlir::Location(const Instruction &)> locate;
  SmallPtrSet<const GlobalVariable *, 4> reported;
  MapVector<std::pair<const void *, unsigned>, Finding> findings; // by line, in the order of the code
  bool ok = true;
};

} // namespace

bool checkSupported(Function &function, TileModule &tiles, mlir::MLIRContext *context,
                    function_ref<mlir::Location(const Instruction &)> locate) {
  return Checker(function, tiles, context, locate).run();
}

} // namespace tilecc
