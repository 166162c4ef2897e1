//===- NvidiaBackend.cpp - static facts about NVIDIA GPUs ---------------------------------------------------------===//
//
// This file implements the interface of the back end for NVIDIA's GPUs, which the registry lists. Its architectures are
// the rows of Architectures.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Libdevice.h"
#include "targets/nvidia/NvidiaCodeGenerator.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "targets/nvidia/Occupancy.h"
#include "targets/nvidia/PassPipelines.h"
#include "targets/nvidia/PTX.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/Ptxas.h"
#include "targets/Registry.h"
#include "runtime/include/tilecc/abi.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;

namespace tilecc {

namespace {
class NvidiaBackend final : public GpuBackend {
public:
  bool hasTarget(StringRef name) const override {
    auto arch = name.consume_front("sm_") ? nvidia::Architecture::parse(name) : std::nullopt;
    return arch && nvidia::findFacts(*arch);
  }
  SmallVector<Target> listTargets() const override {
    return map_to_vector(nvidia::allArchitectures(),
                         [](const nvidia::Facts &facts) { return nvidia::targetOf(facts.arch); });
  }
  bool usesVariants() const override { return true; }
  Rank getRank(const Target &target) const override {
    nvidia::Architecture arch = nvidia::architectureOf(target);
    return {arch.number, unsigned(arch.suffix)};
  }

  std::string commandForIR(const Target &target) const override {
    return "tcc --emit=ptx -arch=" + nvidia::architectureOf(target).compute();
  }
  std::string commandForLLVM(const Target &target) const override {
    return "tcc-translate --llvm-to-ptx --arch=" + nvidia::architectureOf(target).compute();
  }

  void initializeLLVM() const override { initializeNVPTX(); }
  void registerDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<ttng::TTNGDialect, mlir::NVVM::NVVMDialect>();
    mlir::registerNVVMDialectTranslation(registry);
  }
  void registerPasses() const override {
    registerTileCCNvidiaPasses();
    registerNvidiaPipelines();
  }
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return createNvidiaCodeGenerator(options);
  }

  StringRef getAssemblyName() const override { return "ptx"; }
  EmbeddedImage getEmbeddedImage(const Target &target) const override {
    return {TILECC_IMAGE_PTX, nvidia::architectureOf(target).inDescriptor()};
  }
  const Assembler *getAssembler() const override { return &nvidia::getPtxas(); }
  std::optional<Occupancy> getOccupancy(const Target &target, unsigned threads, unsigned registers,
                                        unsigned sharedBytes) const override {
    return nvidia::getOccupancy(nvidia::architectureOf(target), threads, registers, sharedBytes);
  }
  Target getCodeTarget(const Target &target) const override {
    return nvidia::targetOf(nvidia::architectureOfCode(nvidia::architectureOf(target)));
  }
  Target getPortableTarget(const Target &target) const override {
    return nvidia::targetOf({nvidia::architectureOf(target).number});
  }
  std::string spell(const Target &target) const override { return nvidia::spellTarget(nvidia::architectureOf(target)); }
  bool spells(StringRef spelling) const override { return spelling.starts_with("cuda:"); }
  const GpuFacts *findFacts(StringRef spelling, std::string &error) const override {
    auto arch = nvidia::parseTarget(spelling, error);
    return arch ? nvidia::findFacts(*arch) : nullptr;
  }
  const GpuFacts &getUsualFacts() const override { return nvidia::allArchitectures().front(); }
  unsigned getHintedArch(const Target &target) const override { return nvidia::architectureOf(target).number * 10; }

  std::unique_ptr<TargetInfo> createTargetInfo(StringRef spelling, FloatOptions floats,
                                               std::string &error) const override {
    auto arch = nvidia::parseTarget(spelling, error);
    return arch ? createNvidiaTargetInfo(*nvidia::findFacts(*arch), floats) : nullptr;
  }
  mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp module, StringRef library) const override {
    return checkLibdeviceCalls(module, library);
  }
  void buildMemoryPasses(mlir::OpPassManager &passes) const override {
    passes.addPass(createTritonNvidiaMMALowering());
    passes.addPass(createTritonTensorMemoryAllocation());
  }
  void buildLoopPasses(mlir::OpPassManager &passes, const LoopStages &stages) const override {
    buildNvidiaLoopPasses(passes, stages);
  }
};
} // namespace

const GpuBackend &nvidiaBackend() {
  static const NvidiaBackend backend;
  return backend;
}

} // namespace tilecc
