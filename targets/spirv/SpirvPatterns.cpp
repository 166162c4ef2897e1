//===- SpirvPatterns.cpp - helpers that generate code for OpenCL devices ------------------------------------------===//
//
// SpirvTargetInfo.cpp and SpirvAtomics.cpp use these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvPatterns.h"

using namespace mlir;

namespace tilecc::spirv {

Value callBuiltin(OpBuilder &builder, Location loc, StringRef name, Type result, ValueRange operands,
                  bool isConvergent) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name,
                                        LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(operands.getTypes())));
    function.setCConv(LLVM::CConv::SPIR_FUNC);
    function.setNoUnwind(true);
    function.setWillReturn(true);
    if (isConvergent) {
      function.setConvergent(true);
    } else { // its result depends only on its operands and the thread
      auto none = LLVM::ModRefInfo::NoModRef;
      function.setMemoryEffectsAttr(builder.getAttr<LLVM::MemoryEffectsAttr>(none, none, none, none, none, none));
    }
  }
  auto call = LLVM::CallOp::create(builder, loc, function, operands);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  if (isConvergent)
    call.setConvergentAttr(builder.getUnitAttr());
  return result ? call.getResult() : Value();
}

Value createConstant(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

} // namespace tilecc::spirv
