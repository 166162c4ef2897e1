//===- Registry.cpp - the list of back ends -------------------------------===//
//
// To add a back end to tcc, add a directory next to this file and a line here.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/Registry.h"
#include "lowering/analysis/Models.h"
#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/BackendPlugin.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <mutex>

using namespace mlir;

namespace tilecc {

const GpuBackend &nvidiaBackend();
const GpuBackend &amdBackend();
const GpuBackend &spirvBackend();
const Backend &cpuBackend();

/// The list of back ends: first those of this directory, then those that have been loaded (BackendPlugin.h).
static std::vector<const Backend *> &backendList() {
  static std::vector<const Backend *> backends = {&nvidiaBackend(), &amdBackend(), &spirvBackend(), &cpuBackend()};
  return backends;
}

ArrayRef<const Backend *> allBackends() { return backendList(); }

void addBackend(const GpuBackend &backend) {
  backendList().push_back(&backend);
  backend.initializeLLVM(); // initializeLLVMTargets() may have been called before
}

void initializeLLVMTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const Backend *backend : allBackends())
      backend->initializeLLVM();
  });
}

void registerAllDialects(DialectRegistry &registry) {
  registry.insert<tt::TTDialect, ttg::TTGDialect, arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerAnalysisModels(registry);
  registerDistributionModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  for (const Backend *backend : allBackends())
    backend->registerDialects(registry);
}

void registerAllPasses() {
  registerTileCCPasses();
  PassPipelineRegistration<>("tcc-ttir", "TTIR to TTIR, as tcc does it",
                             [](mlir::OpPassManager &pm) { buildTTIRPipeline(pm); });
  for (const Backend *backend : allBackends())
    backend->registerPasses();
}

llvm::Expected<std::string> emitHostObject(std::unique_ptr<llvm::Module> module) {
  Target target = cpuTarget({}, module->getTargetTriple().str());
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(std::move(module));
  return cpuBackend().createCodeGenerator({})->emit(std::move(modules), target, Form::Object);
}

std::string Backend::describeTargets() const {
  return llvm::join(llvm::map_range(listTargets(), [](const Target &target) { return target.name; }), ", ");
}

std::optional<Target> Target::parse(llvm::StringRef name) {
  for (const Backend *backend : allBackends())
    if (backend->hasTarget(name))
      return Target{backend, name.str()};
  return std::nullopt;
}

bool Target::isGpu() const { return backend->asGpu(); }

const GpuBackend *findGpuBackend(llvm::StringRef target, std::string &error) {
  for (const Backend *backend : allBackends())
    if (const GpuBackend *gpu = backend->asGpu(); gpu && gpu->spells(target))
      return gpu;
  error = "there is no GPU target '" + target.str() + "'";
  return nullptr;
}

static StringAttr getTargetAttr(Operation *op) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  return module->getAttrOfType<StringAttr>(ttg::targetAttr);
}

const GpuBackend &getGpuBackend(Operation *op) {
  StringAttr target = getTargetAttr(op);
  std::string error;
  if (const GpuBackend *backend = target ? findGpuBackend(target, error) : nullptr)
    return *backend;
  return *(*llvm::find_if(allBackends(), [](const Backend *backend) { return backend->asGpu(); }))->asGpu();
}

const GpuFacts *findGpuFacts(Operation *op) {
  StringAttr target = getTargetAttr(op);
  std::string error;
  const GpuBackend *backend = target ? findGpuBackend(target, error) : nullptr;
  return backend ? backend->findFacts(target, error) : nullptr;
}

const GpuFacts &getGpuFacts(Operation *op) {
  const GpuFacts *facts = findGpuFacts(op);
  return facts ? *facts : getGpuBackend(op).getUsualFacts();
}

} // namespace tilecc
