//===- tcc-opt.cpp - runs single passes and pipelines on textual IR ------------------------------------------------===//
//
// What mlir-opt is to MLIR's own dialects: every stage of tcc can be tried and tested alone.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "targets/Registry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilecc::registerAllDialects(registry);
  mlir::registerTransformsPasses();
  tilecc::registerAllPasses();
  tilecc::registerRaisePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tcc's pass driver\n", registry));
}
