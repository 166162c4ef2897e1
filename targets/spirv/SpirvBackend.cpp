//===- SpirvBackend.cpp - static facts about SPIR-V targets -------------------------------------------------------===//
//
// This is the back end for SPIR-V that the registry lists.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/Registry.h"
#include "targets/spirv/SpirvCodeGenerator.h"
#include "targets/spirv/SpirvPatterns.h"
#include "targets/spirv/SpirvTargets.h"
#include "runtime/include/tilecc/abi.h"

using namespace llvm;

extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

namespace tilecc {

namespace {
class SpirvBackend final : public GpuBackend {
public:
  bool hasTarget(StringRef name) const override { return spirv::parseName(name).has_value(); }
  SmallVector<Target> listTargets() const override {
    return {{this, "spirv64:16"}, {this, "spirv64"}, {this, "spirv64:64"}};
  }
  bool usesVariants() const override { return true; }
  Rank getRank(const Target &target) const override { return {*spirv::parseName(target.name), 0}; }

  std::string commandForIR(const Target &target) const override { return "tcc --emit=spirv -arch=" + target.name; }
  std::string commandForLLVM(const Target &) const override {
    return "llc -O0 -filetype=obj --spirv-ext=+SPV_EXT_shader_atomic_float_add";
  }

  void initializeLLVM() const override {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  }
  void registerDialects(mlir::DialectRegistry &) const override {} // there are only tt, ttg and LLVM
  void registerPasses() const override {}
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return spirv::createCodeGenerator(options);
  }

  StringRef getAssemblyName() const override { return "spirv"; }
  EmbeddedImage getEmbeddedImage(const Target &target) const override {
    return {TILECC_IMAGE_SPIRV, *spirv::parseName(target.name)};
  }
  std::string spell(const Target &target) const override { return spirv::spellTarget(*spirv::parseName(target.name)); }
  bool spells(StringRef spelling) const override { return spelling.starts_with("spirv:"); }
  const GpuFacts *findFacts(StringRef spelling, std::string &error) const override {
    if (std::optional<unsigned> size = spirv::parseTarget(spelling))
      return spirv::findFacts(*size);
    error = "there is no GPU target '" + spelling.str() + "'; sub-groups have 16, 32 or 64 lanes";
    return nullptr;
  }
  const GpuFacts &getUsualFacts() const override { return *spirv::findFacts(32); }
  unsigned getHintedArch(const Target &) const override { return ~0u; } // hints name NVIDIA architectures

  std::unique_ptr<TargetInfo> createTargetInfo(StringRef spelling, FloatOptions floats,
                                               std::string &error) const override {
    const GpuFacts *facts = findFacts(spelling, error);
    return facts ? spirv::createTargetInfo(static_cast<const spirv::Facts &>(*facts), floats) : nullptr;
  }
  mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp, StringRef) const override { return mlir::success(); }
  void buildLoopPasses(mlir::OpPassManager &, const LoopStages &) const override {}
};
} // namespace

const GpuBackend &spirvBackend() {
  static const SpirvBackend backend;
  return backend;
}

} // namespace tilecc
