//===- SimtTensorMaps.cpp - warns about tensor maps in local memory -----------------------------------------------===//
//
// The tensor memory accelerator (TMA) reads a tensor map by address, from global, constant or parameter memory. A
// kernel parameter whose address is taken is copied to local memory unless the parameter is `const __grid_constant__`.
// The copy is correct for any other use, but if a kernel passes the address of such a copied map to the TMA, it fails
// with an illegal address. Only optimized code shows which addresses reach the instructions, so SimtDevice.cpp calls
// this check after optimization.
//
//===--------------------------------------------------------------------------------------------------------------===//

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

/// Returns true if a call is an instruction that takes a tensor map, as inline assembly or as a Clang builtin.
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

/// Returns true if an address points to a local variable, or to a parameter that will be copied to local memory.
static bool isInLocalMemory(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  for (;;) {
    if (!seen.insert(value).second)
      return false;
    if (isa<AllocaInst>(value))
      return true;
    if (const auto *argument = dyn_cast<Argument>(value)) // a parameter that will be copied to local memory
      return argument->hasByValAttr() && argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel &&
             !argument->hasAttribute("nvvm.grid_constant");
    if (isa<PHINode, SelectInst>(value))
      return any_of(cast<Instruction>(value)->operands(),
                    [&](const Use &use) { return use->getType() == value->getType() && isInLocalMemory(use, seen); });
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
