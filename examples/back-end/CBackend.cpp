//===- CBackend.cpp - a back end for tcc in a shared library that emits C -----------------------------------------===//
//
//   tcc --load-backend=./libcbackend.so -arch=c ...
//
// The lowering of tcc's own CPU back end converts kernels to LLVM IR, CWriter.cpp writes that as C (--emit=c), and the
// system's C compiler compiles it to a shared object, which is the image in the program. CDevice.c runs it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "CWriter.h"
#include "targets/BackendPlugin.h"
#include "targets/GpuPipeline.h"
#include "targets/Registry.h"
#include <tilecc/device_plugin.h>
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace tilecc;

static Expected<std::string> compileC(StringRef code) {
  ErrorOr<std::string> compiler = sys::findProgramByName("cc");
  SmallString<128> source, object;
  if (!compiler || sys::fs::createTemporaryFile("kernels", "c", source) ||
      sys::fs::createTemporaryFile("kernels", "so", object))
    return createStringError("there is no C compiler, cc, in PATH, or no place for temporary files");
  FileRemover removeSource(source), removeObject(object);
  if (Error error = writeToOutput(source, [&](raw_ostream &out) { return out << code, Error::success(); }))
    return error;
  // Integers wrap around, and products and sums are only contracted where LLVM IR has contracted them.
  if (sys::ExecuteAndWait(*compiler, {*compiler, "-O2", "-w", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing",
                                      "-ffp-contract=off", source, "-o", object, "-lm"}))
    return createStringError(*compiler + " does not compile the kernels; --emit=c shows their code");
  return (*MemoryBuffer::getFile(object))->getBuffer().str();
}

namespace tilecc::c {
/// Compiles kernels. compile() calls it for all kernels in parallel.
class CCodeGenerator final : public CodeGenerator {
public:
  explicit CCodeGenerator(CodeOptions options) {
    options.cpuChecks = false; // omits checks that report to the runtime, and code for debuggers
    options.cpuDebugFolder.reset();
    options.observer = nullptr;
    lowering = cpu.backend->createCodeGenerator(options);
  }

  mlir::LogicalResult transform(const Kernel &kernel, Variant &, const Target &, Form) const override {
    return mlir::emitError(locationOf(kernel)) << kernel.displayName << ": C code has no layouts; see --emit=llvm";
  }

  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &,
                                        LLVMContext &context) const override {
    auto lowered = lowering->lower(kernel, variant, cpu, context);
    if (failed(lowered))
      return mlir::failure();
    if (!lowered->module)
      return mlir::emitError(locationOf(kernel)) << kernel.displayName << ": " << lowered->why;
    // The device looks the function up by the variant's symbol. It passes scratch memory, as the CPU device does.
    const CpuFunction &entry = lowered->cpuFunctions.front();
    Function *function = lowered->module->getFunction(entry.symbol);
    function->setComdat(nullptr);
    function->setName(variant.symbol);
    lowered->launch.threads = 1;
    lowered->launch.sharedBytes = entry.scratchBytes;
    return lowered;
  }

  Expected<std::string> emit(std::vector<std::unique_ptr<Module>> modules, const Target &, Form form) const override {
    std::unique_ptr<Module> all = linkModules(modules);
    if (form == Form::LLVM) {
      std::string text;
      raw_string_ostream(text) << *all;
      return text;
    }
    Expected<std::string> code = writeC(*all);
    return code && form == Form::Object ? compileC(*code) : std::move(code);
  }

  std::string retarget(StringRef, const Target &) const override { llvm_unreachable("there is one target"); }

private:
  /// The lowest level of this machine: x86-64-v2, or Armv8-A.
  Target cpu = cpuTarget(Triple(sys::getDefaultTargetTriple()).isX86() ? "2" : "8");
  std::unique_ptr<CodeGenerator> lowering;
};

/// Facts that passes for GPUs request. Kernels of this back end do not use these passes.
struct CFacts final : GpuFacts {
  bool fits(int64_t) const override { return true; }
  unsigned getMostSharedBytes() const override { return 1 << 30; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }
};

/// Answers what tcc asks about the back end.
class CBackend final : public GpuBackend {
public:
  bool hasTarget(StringRef name) const override { return name == "c"; }
  SmallVector<Target> listTargets() const override { return {{this, "c"}}; }
  bool usesVariants() const override { return true; } // as do all back ends with images
  Rank getRank(const Target &) const override { return {0, 0}; }
  std::string commandForIR(const Target &) const override { return "tcc --emit=c -arch=c"; }
  std::string commandForLLVM(const Target &) const override { return "opt -passes=verify"; }
  void initializeLLVM() const override {}
  void registerDialects(mlir::DialectRegistry &) const override {}
  void registerPasses() const override {}
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return std::make_unique<CCodeGenerator>(options);
  }

  StringRef getAssemblyName() const override { return "c"; }
  EmbeddedImage getEmbeddedImage(const Target &) const override {
    return {TILECC_IMAGE_OF_PLUGIN('C', 's', 'r', 'c'), 0};
  }
  std::string spell(const Target &) const override { return "c"; }
  bool spells(StringRef spelling) const override { return spelling == "c"; }
  const GpuFacts *findFacts(StringRef, std::string &) const override { return &facts; }
  const GpuFacts &getUsualFacts() const override { return facts; }
  unsigned getHintedArch(const Target &) const override { return ~0u; }
  std::unique_ptr<TargetInfo> createTargetInfo(StringRef, FloatOptions, std::string &error) const override {
    error = "C code has no layouts";
    return nullptr;
  }
  mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp, StringRef) const override { return mlir::success(); }
  void buildLoopPasses(mlir::OpPassManager &, const LoopStages &) const override {}

private:
  CFacts facts;
};
} // namespace tilecc::c

const BackendPlugin *tileccGetBackendPlugin() {
  static const c::CBackend backend;
  static const BackendPlugin plugin = {backendPluginVersion, LLVM_VERSION_STRING, &backend};
  return &plugin;
}
