//===- Libdevice.cpp - functions of the CUDA toolkit's bitcode library --------------------------------------------===//
//
// This file checks calls before the lowering, while their source lines are known, and links the functions into the
// kernels' LLVM IR.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Libdevice.h"
#include "compile/LinkFunctions.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tilecc;

/// Opens the library; function bodies are loaded lazily.
static llvm::Expected<std::unique_ptr<llvm::Module>> openLibrary(StringRef path, llvm::LLVMContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("%s: %s", path.str().c_str(), buffer.getError().message().c_str());
  return llvm::getOwningLazyBitcodeModule(std::move(*buffer), context);
}

static bool isSameType(Type type, llvm::Type *inLibrary) {
  type = getElementTypeOrSelf(type);
  return type.isF32()   ? inLibrary->isFloatTy()
         : type.isF64() ? inLibrary->isDoubleTy()
                        : type.isInteger() && inLibrary->isIntegerTy(type.getIntOrFloatBitWidth());
}

LogicalResult tilecc::checkLibdeviceCalls(ModuleOp module, StringRef library) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> functions;
  WalkResult result = module.walk([&](tt::ExternElementwiseOp call) {
    if (call.getLibname() == tt::ownLibrary || call.getLibname() == tt::threadLibrary)
      return WalkResult::advance();
    if (library.empty()) {
      emitError(call.getLoc()) << "'" << call.getSymbol()
                               << "' is in libdevice, which is part of the CUDA toolkit (12.8 "
                               << "or later); install it, or name its folder with --cuda-path";
      return WalkResult::interrupt();
    }
    if (!functions) {
      auto opened = openLibrary(library, context);
      if (!opened) {
        emitError(call.getLoc()) << "cannot read libdevice: " << llvm::toString(opened.takeError());
        return WalkResult::interrupt();
      }
      functions = std::move(*opened);
    }
    llvm::Function *function = functions->getFunction(call.getSymbol());
    if (!function || !call.getSymbol().starts_with("__nv_")) {
      emitError(call.getLoc()) << "libdevice has no function '" << call.getSymbol() << "'";
      return WalkResult::interrupt();
    }
    bool fits = function->arg_size() == call.getSrcs().size() && isSameType(call.getType(), function->getReturnType());
    for (auto [argument, type] : llvm::zip(function->args(), call.getSrcs().getTypes()))
      fits &= isSameType(type, argument.getType());
    if (fits)
      return WalkResult::advance();
    emitError(call.getLoc()) << "libdevice's '" << call.getSymbol() << "' has operands or a result of other types";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Replaces calls of __nvvm_reflect, by which the library queries options, by their results. LLVM handles queries for
/// the architecture and for subnormal numbers, and returns 0 for everything else.
static void answerReflections(llvm::Module &module, const FloatOptions &floats) {
  llvm::Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    auto *global = call ? llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts()) : nullptr;
    auto *name = global && global->hasInitializer()
                     ? llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer())
                     : nullptr;
    if (!name || !name->isCString())
      continue;
    StringRef asked = name->getAsCString();
    if (asked != "__CUDA_PREC_SQRT" && asked != "__CUDA_PREC_DIV")
      continue;
    bool answer = asked == "__CUDA_PREC_SQRT" ? floats.precSqrt : floats.precDiv;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
    call->eraseFromParent();
  }
}

llvm::Error tilecc::linkLibdevice(llvm::Module &module, const GpuLibrary &library) {
  bool isUsed = llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
  if (!isUsed)
    return llvm::Error::success();
  auto opened = openLibrary(library.libdevice, module.getContext());
  if (!opened)
    return opened.takeError();
  if (!linkFunctions(module, std::move(*opened)))
    return llvm::createStringError("libdevice cannot be linked");
  answerReflections(module, library.floats);
  if (library.floats.ftz)
    module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1);
  return llvm::Error::success();
}
