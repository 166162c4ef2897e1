//===- Backend.h - what a vendor's compiler does -----------------------------------------------------------*- C++ -*-//
//
// A back end takes one variant of a kernel through its passes to LLVM IR, and the LLVM IR of all kernels to code.
// Registry.cpp has the list of them; what is above targets/ knows them by this interface alone. Of compile/ only
// descriptions of kernels are used here (Kernel.h, Variants.h, Warps.h).
//
// A user's mistake is a diagnostic at its place and a failure. A bug of the compiler does not return: it is reported to
// LLVM's handler of fatal errors.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_BACKEND_H
#define TILECC_TARGETS_BACKEND_H

#include "compile/Kernel.h"
#include "compile/Variants.h"
#include "lowering/gpu/GpuTarget.h"
#include "targets/GpuFacts.h"
#include "targets/Target.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace tilecc {

class TargetInfo;
class CompileObserver;

/// How far kernels are taken, in order. A back end that has no objects of its own (a GPU's are made by its assembler)
/// stops at assembly.
enum class Form { TTIR, TTGIR, LLVM, Assembly, Object };

/// How kernels compute, for every target.
struct CodeOptions {
  FloatOptions floats;
  std::string libdevice; ///< the CUDA toolkit's libdevice.10.bc; empty: there is none
  /// The launch makes tensor maps, which kernels take behind their own arguments: it is the runtime's. Not for variants
  /// that demand nothing, which others launch, too.
  bool tensorMaps = false;
  bool checkReplicas = false; ///< PTX has the emulator compare what several threads hold copies of
  /// Kernels are launched by SIMT code, which reads how from a constant that comes with each: <kernel>$launch.
  bool launchedByDevice = false;
  /// Kernels define their shared memory themselves and take no parameters but their own: who launches them knows neither.
  bool staticShared = false;
  /// CPU code has debug information, in which relative names of files are relative to this folder. Unset: it has none.
  std::optional<std::string> cpuDebugFolder;
  /// CPU code is for debuggers alone.
  bool cpuUnoptimized = false;
  /// CPU code checks its accesses, and that their offsets do not overflow.
  bool cpuChecks = false;
  /// Print MLIR's reproducer of the pass of this number, with the IR that it gets, and end the process: what follows is
  /// what crashed (Attempt.h).
  std::optional<unsigned> reproducedPass;
  /// Told of the IR that goes by (Observer.h); null: nobody is. The code is the same, but code for the CPU has lines
  /// through inlined functions instead of what cpuDebugFolder asks for.
  CompileObserver *observer = nullptr;
};

/// One variant of a kernel as LLVM IR.
struct LoweredVariant {
  std::unique_ptr<llvm::Module> module; ///< null where the back end has no code for the kernel; then `why` says so
  std::string why;
  Launch launch;
  std::vector<CpuFunction> cpuFunctions;
  /// Whether lowering for another target makes the same module. Null: for none.
  std::function<bool(const Target &)> isFor;
};

/// The attribute of kernels that are launched where none that assumes more of its arguments can be.
inline constexpr llvm::StringLiteral fallbackAttr = "tilecc-fallback";

/// Makes code of kernels, under the options that it was created with. Kernels and targets are compiled side by side.
class CodeGenerator {
public:
  virtual ~CodeGenerator() = default;

  /// Takes the variant's module, which is TTIR or TTGIR, to `form`, which is TTIR or TTGIR.
  virtual mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                        Form form) const = 0;

  /// LLVM IR that is not optimized yet.
  virtual mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                                llvm::LLVMContext &context) const = 0;

  /// Takes the modules of all kernels to `form`, at least LLVM. Fails where what the code needs from outside is
  /// missing.
  virtual llvm::Expected<std::string> emit(std::vector<std::unique_ptr<llvm::Module>> modules, const Target &target,
                                           Form form) const = 0;

  /// Assembly for `target`, from that of the same kernels for another target of its generation.
  virtual std::string retarget(llvm::StringRef assembly, const Target &target) const = 0;
};

class GpuBackend;

/// How the runtime recognizes code that is embedded as CodeGenerator::emit() returns it.
struct EmbeddedImage {
  uint32_t kind, arch; ///< as tilecc_image has them
};

/// What there is to know of a back end before it makes code. There is one object of each, which has no state.
class Backend {
public:
  /// Returns true if `name` is one of its targets.
  virtual bool hasTarget(llvm::StringRef name) const = 0;
  virtual const GpuBackend *asGpu() const { return nullptr; }

  /// Returns true if assumptions about arguments (Variants.h) make other code.
  virtual bool usesVariants() const = 0;

  /// Older targets come first. Code for one of a generation is tried for the others of it.
  struct Rank {
    unsigned generation, member;
    auto operator<=>(const Rank &) const = default;
  };
  virtual Rank getRank(const Target &target) const = 0;

  /// The command that compiles a file of TTIR or TTGIR, or of LLVM IR, to what crashed or was wrong, for reports.
  virtual std::string commandForIR(const Target &target) const = 0;
  virtual std::string commandForLLVM(const Target &target) const = 0;

  /// Makes the code generators of LLVM known that it uses.
  virtual void initializeLLVM() const = 0;
  /// Adds the dialects that only its kernels' IR has, with their translation to LLVM IR.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Makes its passes and pipelines options of tcc-opt.
  virtual void registerPasses() const = 0;
  virtual std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const = 0;

protected:
  ~Backend() = default;
};

/// What the loops of a kernel may have, in one attempt of tritongpu-fit-stages.
struct LoopStages {
  int wanted = 3;           ///< of loops that do not say how many stages they want
  int most = 3;             ///< of any loop
  bool hasMoreSlots = true; ///< what has slots in shared memory that are no stages may have more than one
};

/// A back end for GPUs. Modules in the ttg dialect name their GPU by the attribute ttg.target.
class GpuBackend : public Backend {
public:
  const GpuBackend *asGpu() const final { return this; }

  /// The value of --emit= that stops at assembly of its targets: "ptx".
  virtual llvm::StringRef getAssemblyName() const = 0;
  /// The image that the code for `target` is, at the last form that its code generator takes it to.
  virtual EmbeddedImage getEmbeddedImage(const Target &target) const = 0;

  /// Returns how ttg.target names `target`: "cuda:90".
  virtual std::string spell(const Target &target) const = 0;
  /// Returns true if `spelling` is of the kind that ttg.target names this vendor's GPUs by, whether there is such a GPU
  /// or not.
  virtual bool spells(llvm::StringRef spelling) const = 0;
  /// Null, with the reason in `error`, if there is no such GPU.
  virtual const GpuFacts *findFacts(llvm::StringRef spelling, std::string &error) const = 0;
  virtual const GpuFacts &getUsualFacts() const = 0;
  /// The number by which hints in a source name the target's architecture: 900 (as __CUDA_ARCH__).
  virtual unsigned getHintedArch(const Target &target) const = 0;

  /// What patterns of lowering/gpu ask; null, with the reason in `error`, if there is no such GPU.
  virtual std::unique_ptr<TargetInfo> createTargetInfo(llvm::StringRef spelling, FloatOptions floats,
                                                       std::string &error) const = 0;
  /// Fails after an error at each call of a function that the file `library` (empty: there is none) does not have with
  /// these types.
  virtual mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp module, llvm::StringRef library) const = 0;
  /// Passes that give places to what is in memories that only this vendor's GPUs have. They run on control-flow graphs, before
  /// shared memory is allocated.
  virtual void buildMemoryPasses(mlir::OpPassManager &) const {}
  /// Passes that pipeline the loops of a module, and settle what is in shared memory then.
  virtual void buildLoopPasses(mlir::OpPassManager &passes, const LoopStages &stages) const = 0;
};

} // namespace tilecc

#endif // TILECC_TARGETS_BACKEND_H
