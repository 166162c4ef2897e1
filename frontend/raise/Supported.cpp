//===- Supported.cpp - reports C++ that tile kernels do not support -----------------------------------------------===//
//
// Sema hardly checks kernels, and much of what it would reject is harmless after inlining and simplification: a local
// array with constant indices, a reference, a standard library call that folds away. So this file checks the code after
// cleanup. Whatever is left and has no counterpart in TTIR is reported as an error at its source line. All errors are
// reported, not only the first one.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Supported.h"
#include "frontend/raise/Intrinsics.h"
#include "frontend/raise/RunTimeIndices.h"
#include "frontend/raise/TileFunctions.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tilecc {
namespace {

constexpr StringLiteral variableLength = "an array of variable length, whose size is not a constant,";

/// If there are several findings on one line, only the finding that explains the others is reported.
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
    // Findings in destructors only repeat a problem of the variable that is destroyed.
    bool isAll = llvm::all_of(findings, [](auto &entry) { return entry.second.inDestructor; });
    for (auto &[line, finding] : findings)
      if (isAll || !finding.inDestructor)
        mlir::emitError(finding.loc) << finding.what;
    // If a finding usually accompanies another error, it is reported only if there is no other error.
    if (!ok && findings.empty() && reported.empty())
      mlir::emitError(silent->loc) << silent->what;
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
      if (const DISubprogram *function = loc->getScope()->getSubprogram();
          function && function->getName().starts_with("~"))
        return true;
    return false;
  }

  void unavailable(const Instruction &at, const Twine &what, Weight weight = Operation) {
    // The internals of a library class would not help its user, so name only the class.
    if (StringRef library = findLibraryClass(at); !library.empty())
      return reportOnce(at, library,
                        ": it has memory of the heap; a local array has a constant number of elements, as "
                        "float x[4] and std::array<float, 4> have");
    report(at, what + " is not available in a tile kernel", weight);
  }

  Finding &report(const Instruction &at, const Twine &what, Weight weight = Operation) {
    ok = false;
    const DILocation *loc = at.getDebugLoc().get();
    std::pair<const void *, unsigned> line(loc ? static_cast<const void *>(loc->getFile()) : nullptr,
                                           loc ? loc->getLine() : 0);
    auto [found, isNew] = findings.try_emplace(line, Finding{weight, locateNear(at), what.str(), isInDestructor(loc)});
    if (!isNew && weight > found->second.weight)
      found->second = Finding{weight, locateNear(at), what.str(), isInDestructor(loc)};
    return found->second;
  }

  /// Returns the location of the instruction, or else that of a previous instruction or of the function.
  mlir::Location locateNear(const Instruction &at) {
    for (const Instruction *near = &at; near; near = near->getPrevNode())
      if (near->getDebugLoc())
        return locate(*near);
    for (const Instruction &any : instructions(function))
      if (any.getDebugLoc())
        return locate(any);
    return locate(at);
  }

  /// For inlined code of the standard library, returns the class that the kernel uses, and what to use instead.
  static StringRef findLibraryClass(const Instruction &at) {
    for (const DILocation *loc = at.getDebugLoc().get(); loc; loc = loc->getInlinedAt()) {
      StringRef file = loc->getFilename();
      StringRef name = StringSwitch<StringRef>(file.substr(file.rfind('/') + 1))
                           .Cases({"stl_vector.h", "vector.tcc"}, "std::vector")
                           .Cases({"basic_string.h", "basic_string.tcc"}, "std::string")
                           .Cases({"stl_map.h", "stl_set.h", "stl_tree.h"}, "std::map")
                           .Cases({"hashtable.h", "unordered_map.h", "unordered_set.h"}, "std::unordered_map")
                           .Case("stl_deque.h", "std::deque")
                           .Cases({"shared_ptr_base.h", "unique_ptr.h"}, "a smart pointer")
                           .Default("");
      if (!name.empty())
        return name;
    }
    return "";
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
    // GPUs have no library functions for divisions and conversions of such integers.
    if (has([](Type *type) { return type->isIntegerTy() && type->getIntegerBitWidth() > 64; }) &&
        (instruction.isIntDivRem() || isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(instruction)))
      return unavailable(instruction, "this operation on integers of more than 64 bits");
    switch (instruction.getOpcode()) {
    case Instruction::IndirectBr: return unavailable(instruction, "a computed goto");
    case Instruction::LandingPad:
    case Instruction::Resume: return unavailable(instruction, "exception handling");
    case Instruction::VAArg: return unavailable(instruction, "a variadic function");
    case Instruction::InsertValue:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::AddrSpaceCast: return unavailable(instruction, "this operation");
    default: return;
    }
  }

  void checkCall(CallBase &call) {
    if (call.isInlineAsm())
      return unavailable(call, "inline assembly, for which there is tt::inline_asm_elementwise,");
    Function *callee = call.getCalledFunction();
    if (!callee && said.contains(virtualFunction))
      return silently(call, virtualFunction); // follows from the same mistake
    if (!callee)
      return unavailable(call, "a call through a pointer (of a virtual function, or a function pointer)");
    if (callee->isIntrinsic())
      return checkIntrinsic(call, *callee);
    if (tiles.builtins.contains(callee->getName()))
      return;
    if (!callee->isDeclaration())
      return checkRecursion(call, *callee);
    StringRef name = callee->getName();
    if (auto called = tiles.calledFunctions.find(name); called != tiles.calledFunctions.end())
      return checkTileCall(call, called->second);
    if (auto called = tiles.threadFunctions.find(name); called != tiles.threadFunctions.end())
      return checkThreadCall(call, *callee, called->second);
    if (tiles.simtFunctions.contains(name)) {
      report(call, "the SIMT function '" + nameOf(*callee) +
                       "' is compiled apart from tile kernels: to call it, "
                       "include <tilecc/threads.h> before the kernel, or make it inline or __host__ __device__");
      return;
    }
    if (isTileReturn(*callee))
      return;
    if (name == "__cxa_throw" || name == "__cxa_rethrow")
      return unavailable(call, "throw");
    if (name == "_Znwm" || name == "_Znam") {
      report(call, "a tile kernel has no heap and no operator new: an array of a constant number of elements, as "
                   "float x[4], is a local variable");
      return;
    }
    if (name.starts_with("__cxa_") && name.contains("exception"))
      return silently(call, "exception handling"); // follows from a throw
    if (name.starts_with("__cxa_guard"))
      return unavailable(call, "a static local variable");
    if (name == "__dynamic_cast")
      return unavailable(call, "dynamic_cast");
    if (!canRaiseAsMath(call))
      unavailable(call, "host function '" + nameOf(*callee) + "'");
  }

  /// Reports an error for recursion. Recursive functions of the standard library, such as those inside std::sort, are
  /// named as the user calls them.
  void checkRecursion(CallBase &call, Function &callee) {
    std::string name = nameOf(callee);
    if (!StringRef(name).starts_with("std::")) {
      report(call, "recursion ('" + name +
                       "' calls itself) is not available in a tile kernel: a loop takes its place, "
                       "or a template whose argument ends it");
      return;
    }
    StringRef outermost;
    for (const DILocation *loc = call.getDebugLoc().get(); loc; loc = loc->getInlinedAt())
      if (const DISubprogram *function = loc->getScope()->getSubprogram(); function && loc->getInlinedAt())
        outermost = function->getName();
    outermost = outermost.split('<').first;
    unavailable(call, outermost.empty() ? "'" + name + "'" : "'std::" + outermost + "', which is recursive,");
  }

  void checkThreadCall(CallBase &call, Function &callee, const BuiltinSignature &signature) {
    auto isNumber = [](const ValueType &type) {
      return type.element.kind != ElementType::None && !type.isTile && !type.element.isFloat8();
    };
    if (!isNumber(signature.result) || signature.result.isPointer)
      report(call, "the SIMT function '" + nameOf(callee) +
                       "' returns no number, so a tile kernel calls it with "
                       "tt::once, tt::all_threads, tt::with_items or tt::in_shared");
    else if (!all_of(signature.params, [&](const ValueType &type) { return type.isPointer || isNumber(type); }))
      report(call, "the SIMT function '" + nameOf(callee) + "' takes a class: pass numbers or pointers");
  }

  /// Reports findings of one kind only at the first of their locations.
  void reportOnce(const Instruction &at, StringRef what, const Twine &why) {
    ok = false;
    if (!said.insert(what).second)
      return;
    // The call chain that leads to the library is not the user's code, so report only the innermost location.
    mlir::Location &loc = report(at, what + " is not available in a tile kernel" + why).loc;
    while (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc))
      loc = call.getCaller();
  }

  void checkTileCall(CallBase &call, const TileFunctionSignature &called) {
    if (!tiles.isRelocatable)
      report(call, "tile function '" + called.name +
                       "' has no body here; if another file defines it, compile both with "
                       "-rdc=true, so that the device link brings them together");
    else if (!called.whyNot.empty())
      report(call, "tile function '" + called.name +
                       "' cannot be called from another file than that of its body: " + called.whyNot);
  }

  /// Records an error that another error usually implies. It is reported only if there is no other error.
  static constexpr StringLiteral virtualFunction = "a virtual function";

  void silently(const Instruction &at, const Twine &what) {
    ok = false;
    if (!silent)
      silent = Finding{Local, locateNear(at), (what + " is not available in a tile kernel").str(), false};
  }

  void checkIntrinsic(CallBase &call, Function &callee) {
    if (canRaiseAsMath(call))
      return;
    switch (callee.getIntrinsicID()) {
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memset:
      // A copy of a local variable adds nothing if the variable itself is an error.
      if (!isa<AllocaInst>(call.getArgOperand(0)->stripInBoundsOffsets()) &&
          !isa<AllocaInst>(call.getArgOperand(1)->stripInBoundsOffsets()))
        return unavailable(call, "a copy of memory as bytes");
      return silently(call, "a copy of memory as bytes");
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap: return unavailable(call, "a trap");
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy: return unavailable(call, "a variadic function");
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore: return silently(call, variableLength); // follows from the same mistake
    case Intrinsic::threadlocal_address: return silently(call, "a thread-local variable"); // reported separately
    default:
      if (callee.getName().starts_with("llvm.nvvm."))
        return unavailable(call, callee.getName().contains("barrier")
                                     ? "'__syncthreads', SIMT code, for which there is tt::debug_barrier(),"
                                     : "SIMT code, which needs --simt,");
      return unavailable(call, "the compiler's builtin '" + callee.getName().drop_front(strlen("llvm.")) + "'");
    }
  }

  /// Reports an error for a local variable that cannot become values, because it is indexed at run time or its address
  /// escapes.
  void checkLocal(AllocaInst &alloca) {
    std::string name = alloca.hasName() ? "'" + alloca.getName().split('.').first.str() + "'" : "a variable";
    SmallVector<Instruction *> worklist = {&alloca};
    Instruction *firstUse = nullptr, *indexing = nullptr, *keeping = nullptr;
    while (!worklist.empty()) {
      Instruction *address = worklist.pop_back_val();
      for (User *user : address->users()) {
        auto *instruction = cast<Instruction>(user);
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
          return silently(*instruction,
                          "the address of a local variable (" + name + ")"); // the callee is itself an error
        if (instruction->getDebugLoc() && (!firstUse || isBefore(*instruction, *firstUse)))
          firstUse = instruction;
        if (auto *gep = dyn_cast<GetElementPtrInst>(instruction)) {
          if (!gep->hasAllConstantIndices() && (!indexing || isBefore(*gep, *indexing)))
            indexing = gep;
          worklist.push_back(gep);
        } else if (auto *store = dyn_cast<StoreInst>(instruction); store && store->getValueOperand() == address) {
          keeping = store;
        }
      }
    }
    const Instruction &at = indexing   ? *indexing
                            : keeping  ? *keeping
                            : firstUse ? *firstUse
                                       : static_cast<Instruction &>(alloca);
    if (!alloca.isStaticAlloca())
      return unavailable(alloca.getDebugLoc() ? alloca : at, variableLength, Local);
    if (indexing)
      return unavailable(at,
                         "a local array of more than " + Twine(maxRunTimeElements) + " elements indexed at run time (" +
                             name + ")",
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
    if (global && global->getName().starts_with("_ZTV")) {
      // The constructor of each class stores a virtual table.
      return reportOnce(user, virtualFunction, ": a template parameter or a lambda selects the function");
    }
    if (global && isa<CallInst>(user) && cast<CallInst>(user).getCalledFunction() &&
        tiles.builtins.contains(cast<CallInst>(user).getCalledFunction()->getName()))
      return; // the text of a message
    if (auto declared = global ? tiles.staticLocals.find(global->getName()) : tiles.staticLocals.end();
        declared != tiles.staticLocals.end() && !global->isConstant()) {
      const Place &place = declared->second;
      if (reported.insert(global).second)
        mlir::emitError(
            mlir::FileLineColLoc::get(context, tiles.fileNames.toOutput(place.file), place.line, place.column))
            << "static variable '" << nameOf(*global)
            << "' is not available in a tile kernel: programs of a grid share nothing but the memory that pointers "
               "lead to";
      ok = false;
      return;
    }
    if (global)
      return unavailable(user, describe(*global), Global);
    if (auto *callee = dyn_cast<Function>(constant)) {
      auto *call = dyn_cast<CallBase>(&user);
      if (call && call->getCalledFunction() && tiles.builtins.contains(call->getCalledFunction()->getName()))
        return; // the combine function of a reduction
      return unavailable(user, "the address of function '" + nameOf(*callee) +
                                   "', which a template parameter or a lambda could name,");
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
      return ("a list of more than " + Twine(maxRunTimeElements) + " elements, or one that no unrolled loop reads,")
          .str();
    if (global.isConstant() && global.hasDefinitiveInitializer())
      return ("table '" + nameOf(global) + "', which is indexed at run time and has more than " +
              Twine(maxRunTimeElements) + " elements,")
          .str();
    return "host variable '" + nameOf(global) + "', which is neither an argument nor constexpr,";
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
  std::optional<Finding> silent;
  StringSet<> said;
  MapVector<std::pair<const void *, unsigned>, Finding> findings; // by line, in source order
  bool ok = true;
};

} // namespace

bool checkSupported(Function &function, TileModule &tiles, mlir::MLIRContext *context,
                    function_ref<mlir::Location(const Instruction &)> locate) {
  return Checker(function, tiles, context, locate).run();
}

} // namespace tilecc
