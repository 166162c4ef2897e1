//===- tcc-opt.cpp - runs single passes and pipelines on textual IR ------------------------------------------------===//
//
// What mlir-opt is to MLIR's own dialects: every stage of tcc can be tried and tested alone.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tilecc::tt::TTDialect, tilecc::ttg::TTGDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  mlir::registerPass([] { return mlir::createSCFToControlFlowPass(); });
  tilecc::registerTileCCPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tcc's pass driver\n", registry));
}
