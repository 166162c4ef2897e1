//===- SpirvBackend.cpp - static facts about SPIR-V targets -------------------------------------------------------===//
//
// This is the back end for SPIR-V that the registry lists.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/Registry.h"
#include "targets/spirv/Passes.h"
#include "targets/spirv/SpirvCodeGenerator.h"
#include "targets/spirv/SpirvModule.h"
#include "targets/spirv/SpirvPatterns.h"
#include "targets/spirv/SpirvTargets.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

namespace tilecc {

namespace {
class SpirvBackend final : public GpuBackend {
public:
  bool hasTarget(StringRef name) const override { return spirv::findFacts(name); }
  SmallVector<Target> listTargets() const override {
    return map_to_vector(spirv::allTargets(),
                         [&](const spirv::Facts &facts) { return Target{this, facts.name.str()}; });
  }
  bool usesVariants() const override { return true; }
  Rank getRank(const Target &target) const override { return {factsOf(target).imageArch, 0}; }

  std::string commandForIR(const Target &target) const override { return "tcc --emit=spirv -arch=" + target.name; }
  std::string commandForLLVM(const Target &) const override {
    return "llc -O0 -filetype=obj --spirv-ext=" + spirv::extensions.str();
  }

  void initializeLLVM() const override {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  }
  void registerDialects(mlir::DialectRegistry &registry) const override { registry.insert<ttig::TTIGDialect>(); }
  void registerPasses() const override { spirv::registerTileCCSpirvPasses(); }
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return spirv::createCodeGenerator(options);
  }

  StringRef getAssemblyName() const override { return "spirv"; }
  EmbeddedImage getEmbeddedImage(const Target &target) const override {
    return {TILECC_IMAGE_SPIRV, factsOf(target).imageArch};
  }
  std::string spell(const Target &target) const override { return spirv::spellTarget(factsOf(target)); }
  bool spells(StringRef spelling) const override { return spelling.starts_with("spirv:"); }
  const GpuFacts *findFacts(StringRef spelling, std::string &error) const override {
    if (const spirv::Facts *facts = spirv::parseTarget(spelling))
      return facts;
    error = "there is no GPU target '" + spelling.str() + "'; sub-groups have 16, 32 or 64 lanes";
    return nullptr;
  }
  const GpuFacts &getUsualFacts() const override { return *spirv::findFacts("spirv64"); }
  unsigned getHintedArch(const Target &) const override { return ~0u; } // hints name NVIDIA architectures

  std::unique_ptr<TargetInfo> createTargetInfo(StringRef spelling, FloatOptions floats,
                                               std::string &error) const override {
    const GpuFacts *facts = findFacts(spelling, error);
    return facts ? spirv::createTargetInfo(static_cast<const spirv::Facts &>(*facts), floats) : nullptr;
  }
  mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp, StringRef) const override { return mlir::success(); }
  void buildLoopPasses(mlir::OpPassManager &, const LoopStages &) const override {}

private:
  static const spirv::Facts &factsOf(const Target &target) { return *spirv::findFacts(target.name); }
};
} // namespace

const GpuBackend &spirvBackend() {
  static const SpirvBackend backend;
  return backend;
}

} // namespace tilecc
