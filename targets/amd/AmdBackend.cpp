//===- AmdBackend.cpp - facts about AMD GPUs that the compiler needs before code generation -----------------------===//
//
// This is the back end for AMD's GPUs that the registry lists.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/GpuPipeline.h"
#include "targets/Registry.h"
#include "targets/amd/AmdCodeGenerator.h"
#include "targets/amd/AmdPatterns.h"
#include "targets/amd/Architectures.h"
#include "targets/amd/Passes.h"
#include "targets/amd/CodeObjectResources.h"
#include "lowering/passes/Passes.h"
#include "runtime/include/tilecc/abi.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTarget();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUAsmPrinter();
extern "C" void LLVMInitializeAMDGPUAsmParser();

namespace tilecc {

const GpuBackend &amdBackend();

namespace {
class AmdBackend final : public GpuBackend {
public:
  bool hasTarget(StringRef name) const override { return amd::findFacts(name); }
  SmallVector<Target> listTargets() const override {
    return map_to_vector(amd::allArchitectures(),
                         [&](const amd::Facts &facts) { return Target{this, facts.name.str()}; });
  }
  bool usesVariants() const override { return true; }
  bool assumesSmallStrides() const override { return true; }
  Rank getRank(const Target &target) const override { return {amd::findFacts(target.name)->number, 0}; }

  std::string commandForIR(const Target &target) const override { return "tcc --emit=amdgcn -arch=" + target.name; }
  std::string commandForLLVM(const Target &target) const override {
    return "llc -O3 -filetype=obj -mcpu=" + target.name + " -mattr=" + amd::findFacts(target.name)->getFeatures().str();
  }

  void initializeLLVM() const override {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // for inline assembly
  }
  void registerDialects(mlir::DialectRegistry &) const override {} // only uses tt, ttg and LLVM
  void registerPasses() const override { amd::registerTileCCAmdPasses(); }
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return amd::createCodeGenerator(options);
  }

  StringRef getAssemblyName() const override { return "amdgcn"; }
  EmbeddedImage getEmbeddedImage(const Target &target) const override {
    return {TILECC_IMAGE_HSACO, amd::findFacts(target.name)->number, ".hip_fatbin",
            "hipv4-amdgcn-amd-amdhsa--" + target.name};
  }
  std::string spell(const Target &target) const override { return amd::spellTarget(*amd::findFacts(target.name)); }
  bool spells(StringRef spelling) const override { return spelling.starts_with("hip:"); }
  const GpuFacts *findFacts(StringRef spelling, std::string &error) const override { return find(spelling, error); }
  bool recordsResources() const override { return true; }
  std::vector<CodeResources> readResources(StringRef code) const override { return amd::readResources(code); }
  const GpuFacts &getUsualFacts() const override { return *amd::findFacts("gfx942"); }
  unsigned getHintedArch(const Target &target) const override { // no source names it: hints name NVIDIA architectures
    return 1u << 31 | amd::findFacts(target.name)->number;
  }

  std::unique_ptr<TargetInfo> createTargetInfo(StringRef spelling, FloatOptions floats,
                                               std::string &error) const override {
    const amd::Facts *facts = find(spelling, error);
    return facts ? amd::createTargetInfo(*facts, floats) : nullptr;
  }
  mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp, StringRef) const override { return mlir::success(); }
  void buildLoopPasses(mlir::OpPassManager &pm, const LoopStages &stages) const override {
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(mlir::createLoopInvariantCodeMotionPass()); // hoists conversions of operands
    pm.addPass(createTritonGPUAssignLatencies({.numStages = stages.wanted, .maxStages = stages.most}));
    pm.addPass(createTritonGPUScheduleLoops());
    pm.addPass(createTritonGPUPipeline({.hasMoreSlots = stages.hasMoreSlots}));
    buildPortableLoopPasses(pm);
  }
  void buildMemoryPasses(mlir::OpPassManager &pm) const override { pm.addPass(amd::createOptimizeAMDLDSUsage()); }

private:
  static const amd::Facts *find(StringRef spelling, std::string &error) {
    if (const amd::Facts *facts = amd::parseTarget(spelling))
      return facts;
    error = "there is no GPU target '" + spelling.str() + "'; AMD's that this tcc knows are " +
            amdBackend().describeTargets();
    return nullptr;
  }
};
} // namespace

const GpuBackend &amdBackend() {
  static const AmdBackend backend;
  return backend;
}

} // namespace tilecc
