//===- ThreadCode.cpp - SIMT functions that tile kernels call -----------------------------------------------------===//

#include "targets/nvidia/ThreadCode.h"
#include "compile/LinkFunctions.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tilecc;

static std::unique_ptr<llvm::Module> readBitcode(StringRef bitcode, llvm::LLVMContext &context) {
  // Parsing cannot fail, because the front end of this process has written the bitcode.
  return llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "code for threads"), context));
}

/// Adds the shared variables to which `function` and its callees refer.
static void collectShared(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen,
                          llvm::SetVector<const llvm::GlobalVariable *> &shared) {
  if (!seen.insert(value).second)
    return;
  constexpr unsigned sharedMemory = 3;
  if (auto *variable = dyn_cast<llvm::GlobalVariable>(value)) {
    if (variable->getAddressSpace() == sharedMemory)
      shared.insert(variable);
    return;
  }
  if (auto *function = dyn_cast<llvm::Function>(value)) {
    for (const llvm::Instruction &instruction : llvm::instructions(*function))
      for (const llvm::Value *operand : instruction.operands())
        if (isa<llvm::Constant>(operand))
          collectShared(operand, seen, shared);
    return;
  }
  if (auto *constant = dyn_cast<llvm::Constant>(value))
    for (const llvm::Value *operand : constant->operands())
      collectShared(operand, seen, shared);
}

/// Returns a description of the first forbidden effect of a function that is applied to elements: storing, waiting for
/// other threads, or exchanging values with them. (Several threads may hold an element, or none.) Returns an empty
/// string if there is no such effect.
static StringRef findEffect(const llvm::Function &function, llvm::SmallPtrSetImpl<const llvm::Function *> &seen) {
  if (!seen.insert(&function).second)
    return "";
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
      if (!isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand())))
        return "stores to memory";
    } else if (isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst>(instruction)) {
      return "has atomic accesses";
    } else if (auto *call = dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function *callee = call->getCalledFunction();
      if (callee && callee->isIntrinsic() && call->isConvergent())
        return "waits for other threads, or exchanges values with them";
      if (call->isInlineAsm() &&
          cast<llvm::InlineAsm>(call->getCalledOperand())->getConstraintString().find("~{memory}") != std::string::npos)
        return "has assembly that accesses memory";
      if (callee && !callee->isDeclaration())
        if (StringRef effect = findEffect(*callee, seen); !effect.empty())
          return effect;
    }
  }
  return "";
}

/// Returns true if the function or a callee waits for all threads of the block.
static bool hasBlockBarrier(const llvm::Function &function, llvm::SmallPtrSetImpl<const llvm::Function *> &seen) {
  if (!seen.insert(&function).second)
    return false;
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
    auto *call = dyn_cast<llvm::CallBase>(&instruction);
    if (!call)
      return false;
    if (call->isInlineAsm()) {
      StringRef text = cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
      return text.contains("bar.sync") || text.contains("barrier.sync") || text.contains("bar.red");
    }
    const llvm::Function *callee = call->getCalledFunction();
    return callee && (callee->getName().starts_with("llvm.nvvm.barrier") ||
                      (!callee->isDeclaration() && hasBlockBarrier(*callee, seen)));
  });
}

LogicalResult tilecc::prepareThreadCalls(ModuleOp module, StringRef bitcode, uint64_t maxStatic) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> functions;
  llvm::SmallPtrSet<const llvm::Value *, 32> seen;
  llvm::SetVector<const llvm::GlobalVariable *> shared;
  uint64_t bytes = 0;
  WalkResult result =
      module.walk(
          [&](Operation *op) -> WalkResult {
            auto call = dyn_cast<tt::CallThreadsOp>(op);
            auto ofElements = dyn_cast<tt::ExternElementwiseOp>(op);
            if (!call && !(ofElements && ofElements.getLibname() == tt::threadLibrary))
              return WalkResult::advance();
            if (bitcode.empty())
              return emitError(op->getLoc())
                     << "a call of SIMT code is compiled with the source of that code: not in IR that a "
                        "file contains, not by tt::jit, and not for launches by SIMT code";
            if (!functions)
              functions = readBitcode(bitcode, context);
            StringRef name = call ? call.getCallee() : ofElements.getSymbol();
            const llvm::Function *function = functions->getFunction(name);
            if (!function || function->isDeclaration())
              return emitError(op->getLoc())
                     << "the SIMT code of this source does not define '" << llvm::demangle(name)
                     << "': define it, or name the bitcode that does with --device-library=<file>";
            llvm::SmallPtrSet<const llvm::Function *, 8> visited;
            if (StringRef effect = ofElements ? findEffect(*function, visited) : ""; !effect.empty())
              return emitError(op->getLoc())
                     << "'" << llvm::demangle(name) << "' " << effect << ", so it cannot be called for elements: "
                     << "call it with tt::once, tt::all_threads, tt::with_items or tt::in_shared";
            visited.clear();
            if (call && call.getKind() == tt::ThreadCallKind::ONCE && hasBlockBarrier(*function, visited))
              return emitError(op->getLoc())
                     << "this function waits for all threads of the block (__syncthreads), and tt::once calls "
                        "it in one: call it with tt::all_threads";
            const size_t known = shared.size();
            collectShared(function, seen, shared);
            for (const llvm::GlobalVariable *variable : ArrayRef(shared.getArrayRef()).drop_front(known)) {
              bytes = llvm::alignTo(bytes, variable->getAlign().valueOrOne());
              bytes += functions->getDataLayout().getTypeAllocSize(variable->getValueType());
            }
            if (shared.size() > known && bytes > maxStatic)
              return emitError(op->getLoc()) << "with this call, the SIMT functions of the kernel have " << bytes
                                             << " bytes of static shared memory, and " << maxStatic << " is the most";
            return WalkResult::advance();
          });
  if (result.wasInterrupted())
    return failure();
  if (bytes) // dynamic shared memory begins after it, with the alignment of swizzled tiles
    module->setAttr(ttg::staticSharedAttr, Builder(module.getContext()).getI32IntegerAttr(llvm::alignTo(bytes, 1024)));
  return success();
}

llvm::Error tilecc::linkThreadCode(llvm::Module &module, StringRef bitcode) {
  if (bitcode.empty())
    return llvm::Error::success();
  if (!linkFunctions(module, readBitcode(bitcode, module.getContext())))
    return llvm::createStringError("code for threads cannot be linked");
  return llvm::Error::success();
}

unsigned tilecc::getPTXVersionOfThreadCode(const llvm::Module &module) {
  unsigned newest = 0;
  for (const llvm::Function &function : module) {
    SmallVector<StringRef> features;
    function.getFnAttribute("target-features").getValueAsString().split(features, ',');
    for (StringRef feature : features) {
      unsigned version = 0;
      if (feature.consume_front("+ptx") && !feature.getAsInteger(10, version))
        newest = std::max(newest, version);
    }
  }
  return newest;
}
