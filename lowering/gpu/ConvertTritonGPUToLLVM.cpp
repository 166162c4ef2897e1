//===- ConvertTritonGPUToLLVM.cpp - lowers tiles to the code of one thread ----------------------------------------===//
//
// There are two conversions. The first replaces tiles by the registers of a thread, which leaves arith, math and cf on
// scalars. The second lowers these to LLVM with MLIR's own patterns, which know nothing of tiles.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/gpu/Lowering.h"
#include "lowering/passes/Passes.h"
#include "targets/Registry.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_CONVERTTRITONGPUTOLLVM
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct ConvertTritonGPUToLLVM : tilecc::impl::ConvertTritonGPUToLLVMBase<ConvertTritonGPUToLLVM> {
  using ConvertTritonGPUToLLVMBase::ConvertTritonGPUToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto targetName = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    if (!targetName || !module->hasAttr(ttg::sharedAttr)) {
      module.emitError() << "needs " << ttg::targetAttr << " and allocated shared memory (" << ttg::sharedAttr << ")";
      return signalPassFailure();
    }
    markStoresOfConversions(module);
    std::string error;
    FloatOptions floats{.fmad = fmad, .ftz = ftz, .precDiv = precDiv, .precSqrt = precSqrt, .fastMath = fastMath};
    const GpuBackend *backend = findGpuBackend(targetName, error);
    std::unique_ptr<TargetInfo> target = backend ? backend->createTargetInfo(targetName, floats, error) : nullptr;
    if (!target) {
      module.emitError() << error;
      return signalPassFailure();
    }
    if (int64_t threads = ttg::getThreadsPerWarp(module); threads != target->facts.warpSize) {
      module.emitError() << "is made for warps of " << threads << " threads, and those of " << targetName.getValue()
                         << " have " << target->facts.warpSize;
      return signalPassFailure();
    }
    if (failed(ttg::verifyLayouts(module)) || failed(checkSupported(module)) || failed(checkSizes(module)) ||
        failed(backend->checkLibraryCalls(module, libdevice)) || failed(declareSharedMemory(module, *target)))
      return signalPassFailure();
    target->prepareModule(module);
    if (failed(tilesToScalars(module, *target)))
      return signalPassFailure();
    target->finishModule(module);
    if (failed(scalarsToLLVM(module, *target)))
      return signalPassFailure();
  }

  /// Reports operations that the patterns cannot lower, once and with a specific message.
  LogicalResult checkSupported(ModuleOp module) {
    WalkResult result = module.walk([](Operation *op) {
      LogicalResult supported =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case<tt::FuncOp>([](tt::FuncOp func) -> LogicalResult {
                if (!func.getResultTypes().empty())
                  return func.emitOpError("returns a value; functions of a kernel have to be inlined into it");
                for (Type type : func->hasAttr(ttg::partitionAttr) ? ArrayRef<Type>() : func.getArgumentTypes())
                  if (!isa<tt::PointerType, tt::TensorDescType>(type) &&
                      (isa<IndexType>(type) || !LLVM::isCompatibleType(type)))
                    return func.emitOpError()
                           << "has a parameter of type " << type << ", which a kernel cannot be launched with";
                return success();
              })
              .Case<tt::CallOp>([](tt::CallOp call) {
                return call.emitOpError("is left; functions of a kernel have to be inlined into it");
              })
              .Case<tt::MapElementwiseOp>([](tt::MapElementwiseOp map) -> LogicalResult {
                if (!map.getScalarOp().hasOneBlock())
                  return map.emitOpError("has several blocks, which have to be structured first");
                return success();
              })
              .Case<arith::ConstantOp>([](arith::ConstantOp constant) -> LogicalResult {
                if (isa<RankedTensorType>(constant.getType()) && !isa<SplatElementsAttr>(constant.getValue()))
                  return constant.emitOpError("is a tile of different constants, which is not supported");
                return success();
              })
              .Case<tt::FpToFpOp>([](tt::FpToFpOp convert) -> LogicalResult {
                Type from = getElementTypeOrSelf(convert.getSrc().getType()),
                     to = getElementTypeOrSelf(convert.getType());
                if ((tt::getElementBits(from) == 8) == (tt::getElementBits(to) == 8) ||
                    convert.getRounding() == tt::RoundingMode::RTZ)
                  return convert.emitOpError("is not supported but for 8-bit floats, rounded to nearest even");
                return success();
              })
              .Case<tt::ScanOp>([](tt::ScanOp scan) -> LogicalResult {
                if (!ScanPlan::canScan(ttg::toLinearLayout(scan.getInputTypes().front()), scan.getAxis()))
                  return scan.emitOpError("has a layout that does not distribute its axis in order");
                return success();
              })
              .Case<tt::DotOp>([](tt::DotOp dot) -> LogicalResult {
                Type a = getElementTypeOrSelf(dot.getA().getType()), b = getElementTypeOrSelf(dot.getB().getType());
                Type sum = getElementTypeOrSelf(dot.getType());
                for (Type type : {a, b}) {
                  bool extends = tt::getElementBits(type) < tt::getElementBits(sum) &&
                                 (isa<IntegerType>(sum) || sum.isF32() || sum.isF64());
                  if (isa<FloatType>(type) != isa<FloatType>(sum) || (type != sum && !extends))
                    return dot.emitOpError() << "cannot sum products of " << a << " and " << b << " as " << sum;
                }
                return success();
              })
              .Case<arith::SelectOp, arith::BitcastOp>([](Operation *) { return success(); })
              .Default([](Operation *op) -> LogicalResult {
                auto isFloat8 = [](Type type) {
                  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
                  return element && element.getWidth() == 8;
                };
                if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
                    (llvm::any_of(op->getOperandTypes(), isFloat8) || llvm::any_of(op->getResultTypes(), isFloat8)))
                  return op->emitOpError(
                      "computes on 8-bit floats, of which there are only conversions (tt.fp_to_fp) and "
                      "products (tt.dot)");
                return success();
              });
      return succeeded(supported) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Declares the symbol for the address of all shared memory. The symbol has no size, because the launch specifies it.
  LogicalResult declareSharedMemory(ModuleOp module, const TargetInfo &target) {
    const int64_t ofCallees = ttg::getModuleInteger(module, ttg::staticSharedAttr, 0);
    int64_t bytes = ttg::getModuleInteger(module, ttg::sharedAttr, 0);
    if (!target.facts.fits(bytes + ofCallees)) {
      SmallVector<Operation *> users;
      bool hasTiles = false;
      module.walk([&](Operation *op) {
        if (op->hasAttr(ttg::allocationOffsetAttr))
          users.push_back(op);
        hasTiles |= isa<ttg::LocalAllocOp>(op);
      });
      llvm::stable_sort(users, [](Operation *a, Operation *b) { return getSharedBytes(a) > getSharedBytes(b); });
      Operation *largest = users.empty() ? module.getOperation() : users.front();
      const bool fitsElsewhere = bytes + ofCallees <= ttg::getModuleInteger(module, maxSharedAttr, 0);
      InFlightDiagnostic report = fitsElsewhere ? largest->emitWarning() : largest->emitError();
      report << "the kernel needs " << bytes + ofCallees << " bytes of shared memory, and "
             << module->getAttrOfType<StringAttr>(ttg::targetAttr).getValue() << " has "
             << target.facts.getMostSharedBytes() << (fitsElsewhere ? ", where its launch fails" : "")
             << "; use smaller tiles" << (hasTiles ? " or fewer stages" : "");
      for (Operation *user : ArrayRef(users).drop_front(!users.empty()).take_front(2))
        if (user->getLoc() != largest->getLoc())
          report.attachNote(user->getLoc()) << getSharedBytes(user) << " bytes are used here";
      if (!fitsElsewhere)
        return report;
    }
    if (bytes == 0)
      return success();
    OpBuilder builder(module.getBodyRegion());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External,
                           sharedMemorySymbol, Attribute(), /*alignment=*/ofCallees ? 1024 : 16,
                           target.getSharedAddressSpace());
    return success();
  }

  LogicalResult tilesToScalars(ModuleOp module, const TargetInfo &target) {
    BufferTiles buffers = target.facts.hasBuffers ? createBufferTiles(module) : BufferTiles();
    AxisInfoAnalysis axisInfo(module);
    TileTypeConverter types(target);
    LoweringContext lowering{target, axisInfo, findStrides(module, axisInfo), buffers};
    RewritePatternSet patterns(&getContext());
    populateElementwisePatterns(patterns, types, lowering);
    populateTileMathPatterns(patterns, types, lowering);
    populateFloat8Patterns(patterns, types, lowering);
    populateMemoryPatterns(patterns, types, lowering);
    populateMovementPatterns(patterns, types, lowering);
    populateShapePatterns(patterns, types, lowering);
    populateGatherPatterns(patterns, types, lowering);
    populateReductionPatterns(patterns, types, lowering);
    populateAtomicPatterns(patterns, types, lowering);
    populateWaitPatterns(patterns, types, lowering);
    populateMessagePatterns(patterns, types, lowering);
    populateInlineAsmPatterns(patterns, types, lowering);
    populateThreadCallPatterns(patterns, types, lowering);
    populateDotPatterns(patterns, types, lowering);
    populateLocalMemoryPatterns(patterns, types, lowering);
    populateControlFlowPatterns(patterns, types, lowering);
    target.populatePatterns(patterns, types, lowering);
    ConversionTarget legal(getContext());
    legal.addIllegalDialect<tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>();
    legal.addIllegalOp<gpu::BarrierOp>();
    legal.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    legal.markUnknownOpDynamicallyLegal([&](Operation *op) {
      // Operations in a combiner are legal until they are cloned.
      return tt::getElementParent(op) || (types.isLegal(op->getOperandTypes()) && types.isLegal(op->getResultTypes()));
    });
    auto areScalars = [&](Operation *op) { return types.isLegal(op->getOperandTypes()); };
    legal.addDynamicallyLegalOp<ttg::StartPartitionsOp>(areScalars);
    legal.addLegalOp<ttg::JoinPartitionsOp>();
    legal.addLegalOp<tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp>();
    return applyPartialConversion(module, legal, std::move(patterns));
  }

  LogicalResult scalarsToLLVM(ModuleOp module, const TargetInfo &target) {
    // The math functions of lowering/math specify which of their operations are contracted to FMA. The arithmetic of
    // the user is contracted everywhere.
    if (fmad)
      module.walk([&](Operation *op) {
        if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) && !op->hasAttr(tt::roundsEachAttr))
          cast<arith::ArithFastMathInterface>(op)->setAttr(
              "fastmath", arith::FastMathFlagsAttr::get(&getContext(), arith::FastMathFlags::contract));
      });
    expandRemainders(module); // these operations specify their own contraction
    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter types(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    populateMathPatterns(patterns, target);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
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
