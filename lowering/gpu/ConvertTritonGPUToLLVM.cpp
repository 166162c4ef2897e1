//===- ConvertTritonGPUToLLVM.cpp - from tiles to what one thread does ----------------------------------------------===//
//
// Two conversions. The first replaces tiles by their registers and leaves arith, math and cf on scalars; the second
// takes these to LLVM with the upstream patterns. In between nothing knows of tiles any more, so no upstream pattern
// needs to.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "lowering/passes/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_CONVERTTRITONGPUTOLLVM
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct ConvertTritonGPUToLLVM : tilecc::impl::ConvertTritonGPUToLLVMBase<ConvertTritonGPUToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto targetName = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    if (!targetName || !module->hasAttr(ttg::sharedAttr)) {
      module.emitError() << "needs " << ttg::targetAttr << " and allocated shared memory (" << ttg::sharedAttr << ")";
      return signalPassFailure();
    }
    std::string error;
    std::unique_ptr<TargetInfo> target = createTargetInfo(targetName, error);
    if (!target) {
      module.emitError() << error;
      return signalPassFailure();
    }
    if (failed(ttg::verifyLayouts(module)) || failed(declareSharedMemory(module, *target)) ||
        failed(tilesToScalars(module, *target)) || failed(scalarsToLLVM(module, *target)))
      return signalPassFailure();
  }

  /// All scratch space is addressed from one symbol of no size: how large it is, a launch says.
  LogicalResult declareSharedMemory(ModuleOp module, const TargetInfo &target) {
    int64_t bytes = ttg::getModuleInteger(module, ttg::sharedAttr, 0);
    if (bytes > target.getMaxSharedBytes()) {
      Operation *largest = nullptr;
      module.walk([&](Operation *op) {
        if (op->hasAttr(ttg::allocationOffsetAttr) && (!largest || getScratchBytes(op) > getScratchBytes(largest)))
          largest = op;
      });
      return (largest ? largest : module.getOperation())->emitError()
             << "the kernel needs " << bytes << " bytes of shared memory, and "
             << module->getAttrOfType<StringAttr>(ttg::targetAttr).getValue() << " has " << target.getMaxSharedBytes()
             << "; use smaller tiles";
    }
    if (bytes == 0)
      return success();
    OpBuilder builder(module.getBodyRegion());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External,
                           sharedMemorySymbol, Attribute(), /*alignment=*/16, target.getSharedAddressSpace());
    return success();
  }

  LogicalResult tilesToScalars(ModuleOp module, const TargetInfo &target) {
    AxisInfoAnalysis axisInfo(module);
    TileTypeConverter types(target);
    LoweringContext lowering{target, axisInfo, ttg::getNumWarps(module)};
    RewritePatternSet patterns(&getContext());
    populateElementwisePatterns(patterns, types, lowering);
    populateMemoryPatterns(patterns, types, lowering);
    populateMovementPatterns(patterns, types, lowering);
    populateReductionPatterns(patterns, types, lowering);
    populateDotPatterns(patterns, types, lowering);
    populateControlFlowPatterns(patterns, types, lowering);
    ConversionTarget legal(getContext());
    legal.addIllegalDialect<tt::TTDialect, ttg::TTGDialect>();
    legal.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    legal.markUnknownOpDynamicallyLegal([&](Operation *op) {
      // What a combiner computes is legal until it is copied.
      return op->getParentOfType<tt::ReduceOp>() ||
             (types.isLegal(op->getOperandTypes()) && types.isLegal(op->getResultTypes()));
    });
    legal.addDynamicallyLegalOp<tt::ReduceReturnOp>([](Operation *) { return true; });
    return applyPartialConversion(module, legal, std::move(patterns));
  }

  LogicalResult scalarsToLLVM(ModuleOp module, const TargetInfo &target) {
    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter types(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    populateMathPatterns(patterns, target);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    ub::populateUBToLLVMConversionPatterns(types, patterns);
    ConversionTarget legal(getContext());
    legal.addIllegalDialect<arith::ArithDialect, math::MathDialect, cf::ControlFlowDialect, scf::SCFDialect,
                            ub::UBDialect>();
    legal.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(module, legal, std::move(patterns));
  }
};

} // namespace
