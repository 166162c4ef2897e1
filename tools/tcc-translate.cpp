//===- tcc-translate.cpp - from the LLVM dialect to LLVM IR and PTX --------------------------------------------------===//
//
// What follows tcc-opt: `tcc-opt --tcc-ttir --tcc-ttgir --tcc-gpu-to-llvm k.ttir | tcc-translate --to-ptx --arch=90`.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/nvidia/PTX.h"
#include "compile/PassPipelines.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace tilecc;

static llvm::cl::opt<std::string> arch("arch", llvm::cl::desc("the GPU: 90 for sm_90, compute_90 for portable PTX"),
                                       llvm::cl::init("80"));
static llvm::cl::opt<unsigned> ptxVersion("ptx-version", llvm::cl::desc("PTX version: 83 for 8.3"));

/// The architecture of --arch; an error at `op` for what is none.
static FailureOr<nvidia::Architecture> getTarget(Operation *op) {
  std::string error;
  auto target = nvidia::parseTarget("cuda:" + arch, error);
  if (!target)
    return op->emitError() << error;
  return *target;
}

static LogicalResult report(Operation *op, llvm::Error error) {
  if (!error)
    return success();
  return op->emitError() << llvm::toString(std::move(error));
}

static LogicalResult toLLVM(Operation *op, llvm::raw_ostream &os) {
  llvm::LLVMContext context;
  LaunchInfo info;
  auto target = getTarget(op);
  if (failed(target))
    return failure();
  auto module = translateToLLVM(cast<ModuleOp>(op), context, info);
  if (failed(module) || failed(report(op, optimize(**module, *target))))
    return failure();
  (*module)->print(os, nullptr);
  return success();
}

static LogicalResult toPTX(Operation *op, llvm::raw_ostream &os) {
  llvm::LLVMContext context;
  LaunchInfo info;
  auto target = getTarget(op);
  if (failed(target))
    return failure();
  auto module = translateToLLVM(cast<ModuleOp>(op), context, info);
  if (failed(module))
    return failure();
  std::vector<std::unique_ptr<llvm::Module>> kernels;
  kernels.push_back(std::move(*module));
  llvm::Expected<std::string> text = emitPTX(std::move(kernels), *target, ptxVersion);
  if (!text)
    return report(op, text.takeError());
  os << "// threads: " << info.threads << ", shared: " << info.sharedBytes << "\n" << *text;
  return success();
}

int main(int argc, char **argv) {
  auto dialects = [](DialectRegistry &registry) { registerAllDialects(registry); };
  TranslateFromMLIRRegistration llvm("to-llvm", "optimized LLVM IR", toLLVM, dialects);
  TranslateFromMLIRRegistration ptx("to-ptx", "PTX", toPTX, dialects);
  return failed(mlirTranslateMain(argc, argv, "tcc's translations\n"));
}
