//===- tcc-opt.cpp - runs single passes and pipelines on textual IR ------------------------------------------------===//
//
// What mlir-opt is to MLIR's own dialects: every stage of tcc can be tried and tested alone.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/TT.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tilecc::tt::TTDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tcc's pass driver\n", registry));
}
