//===- SimtTensorMaps.cpp - tensor maps that the tensor memory accelerator cannot read ------------------------------===//
//
// The accelerator (TMA) reads a tensor map by its address, from global, constant or parameter memory. A kernel's parameter
// whose address is taken lies in local memory unless it is `const __grid_constant__`: copying it there is right for
// everything but such a map, with which the kernel ends by an illegal address. Which addresses reach the instructions is
// known when code has been optimized, so SimtDevice.cpp asks then.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tilecc {

/// Whether a call is an instruction, of assembly or of Clang's, that takes a tensor map.
static bool takesTensorMap(const CallBase &call) {
  static constexpr StringLiteral instructions[] = {"cp.async.bulk.tensor", "cp.async.bulk.prefetch.tensor",
                                                   "cp.reduce.async.bulk.tensor", "prefetch.tensormap"};
  StringRef text;
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    text = assembly->getAsmString();
  else if (const Function *callee = call.getCalledFunction(); callee && callee->isIntrinsic())
    text = callee->getName();
  return any_of(instructions, [&](StringRef instruction) { return text.contains(instruction); });
}

/// Whether an address is that of a local variable, which a copied parameter is, too.
static bool isInLocalMemory(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  for (;;) {
    if (!seen.insert(value).second)
      return false;
    if (isa<AllocaInst>(value))
      return true;
    if (const auto *argument = dyn_cast<Argument>(value)) // of code that is only optimized: it will be copied
      return argument->hasByValAttr() && argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel &&
             !argument->hasAttribute("nvvm.grid_constant");
    if (isa<PHINode, SelectInst>(value))
      return any_of(cast<Instruction>(value)->operands(), [&](const Use &use) {
        return use->getType() == value->getType() && isInLocalMemory(use, seen);
      });
    const auto *operation = dyn_cast<Operator>(value);
    if (!operation || !is_contained({unsigned(Instruction::GetElementPtr), unsigned(Instruction::AddrSpaceCast),
                                     unsigned(Instruction::PtrToInt), unsigned(Instruction::BitCast)},
                                    operation->getOpcode()))
      return false;
    value = operation->getOperand(0);
  }
}

void warnOfLocalTensorMaps(Module &device, clang::CompilerInstance &compiler,
                           const StringMap<clang::SourceLocation> &places) {
  for (Function &function : device)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || !takesTensorMap(*call))
        continue;
      SmallPtrSet<const Value *, 8> seen;
      if (none_of(call->args(), [&](const Use &use) { return isInLocalMemory(use, seen); }))
        continue;
      clang::DiagnosticsEngine &diags = compiler.getDiagnostics();
      diags.Report(places.lookup(function.getName()),
                   simtWarning(diags, "'%0' gives the tensor memory accelerator a tensor map in local memory, which it "
                                      "cannot read: the kernel's parameter has to be 'const __grid_constant__'"))
          << demangle(function.getName());
      break;
    }
}

} // namespace tilecc
