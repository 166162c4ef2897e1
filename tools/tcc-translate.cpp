//===- tcc-translate.cpp - translates the LLVM dialect to LLVM IR and code ----------------------------------------===//
//
// Processes the output of tcc-opt: `tcc-opt --tcc-ttir --tcc-ttgir --tcc-gpu-to-llvm k.ttir | tcc-translate --to-ptx
// --arch=90`. Also reproduces crashes in LLVM: `tcc-translate --llvm-to-ptx --arch=90 tcc-crash-k-1.ll`.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/GpuPipeline.h"
#include "targets/Registry.h"
#include "targets/cpu/CpuLowering.h"
#include "targets/nvidia/PTX.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilecc;

static llvm::cl::opt<std::string> arch("arch", llvm::cl::desc("the GPU: 90 for sm_90, compute_90 for portable PTX"),
                                       llvm::cl::init("80"));
static llvm::cl::opt<unsigned> ptxVersion("ptx-version", llvm::cl::desc("PTX version: 83 for 8.3"));

/// Returns the architecture that --arch names; reports an error at `op` if it is unknown.
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

/// Translates a kernel in the LLVM dialect to LLVM IR for `target`, and links everything that it uses.
static FailureOr<std::unique_ptr<llvm::Module>> toModule(Operation *op, const nvidia::Architecture &target,
                                                         llvm::LLVMContext &context, Launch &launch) {
  auto module = translateToLLVM(cast<ModuleOp>(op), context, launch);
  if (failed(module))
    return failure();
  auto linked = linkKernels(*module, target);
  if (!linked)
    return report(op, linked.takeError());
  return std::move(*linked);
}

static LogicalResult toLLVM(Operation *op, llvm::raw_ostream &os) {
  llvm::LLVMContext context;
  Launch launch;
  auto target = getTarget(op);
  if (failed(target))
    return failure();
  auto module = toModule(op, *target, context, launch);
  if (failed(module) || failed(report(op, optimize(**module, *target))))
    return failure();
  (*module)->print(os, nullptr);
  return success();
}

static LogicalResult toPTX(Operation *op, llvm::raw_ostream &os) {
  llvm::LLVMContext context;
  Launch launch;
  auto target = getTarget(op);
  if (failed(target))
    return failure();
  auto module = toModule(op, *target, context, launch);
  if (failed(module))
    return failure();
  llvm::Expected<std::string> text = emitPTX(**module, *target, ptxVersion);
  if (!text)
    return report(op, text.takeError());
  os << "// threads: " << launch.threads << ", shared: " << launch.sharedBytes << "\n" << *text;
  return success();
}

//===--- from LLVM IR, as in a crash report -----------------------------------------------------------------------===//

using WriteCode = llvm::function_ref<llvm::Error(llvm::Module &)>;

static LogicalResult generate(const llvm::SourceMgr &sources, MLIRContext *mlir, WriteCode generator) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseIR(sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef(), problem, context);
  if (!module) {
    problem.print("tcc-translate", llvm::errs());
    return failure();
  }
  if (llvm::Error error = generator(*module))
    return emitError(UnknownLoc::get(mlir)) << llvm::toString(std::move(error));
  return success();
}

static LogicalResult llvmToPTX(const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &os,
                               MLIRContext *context) {
  return generate(*sources, context, [&](llvm::Module &module) -> llvm::Error {
    std::string error;
    auto target = nvidia::parseTarget("cuda:" + arch, error);
    if (!target)
      return llvm::createStringError(error);
    llvm::Expected<std::string> text = emitPTX(module, *target, ptxVersion);
    if (text)
      os << *text;
    return text.takeError();
  });
}

static LogicalResult llvmToCpuAssembly(const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &os,
                                       MLIRContext *context) {
  return generate(*sources, context, [&](llvm::Module &module) -> llvm::Error {
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::Error error = cpu::emitAssembly(module, {}, stream);
    os << text;
    return error;
  });
}

int main(int argc, char **argv) {
  auto dialects = [](DialectRegistry &registry) { registerAllDialects(registry); };
  TranslateFromMLIRRegistration llvm("to-llvm", "optimized LLVM IR", toLLVM, dialects);
  TranslateFromMLIRRegistration ptx("to-ptx", "PTX", toPTX, dialects);
  TranslateRegistration fromLLVM("llvm-to-ptx", "PTX from a module of LLVM IR", llvmToPTX);
  TranslateRegistration fromCpuLLVM("llvm-to-cpu-asm", "assembly from LLVM IR for the CPU", llvmToCpuAssembly);
  return failed(mlirTranslateMain(argc, argv, "tcc's translations\n"));
}
