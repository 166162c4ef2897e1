//===- Backend.h - the interface to a vendor's compiler -------------------------------------------------*- C++ -*-===//
//
// A back end compiles one variant of a kernel to LLVM IR, and the LLVM IR of all kernels to code. Registry.cpp lists
// the back ends; code outside targets/ uses them only through this interface. From compile/, back ends use only the
// descriptions of kernels (Kernel.h, Variants.h, Warps.h).
//
// If the user has made a mistake, the back end reports a diagnostic at its location and returns a failure. If it finds
// a bug in the compiler, it calls LLVM's fatal error handler, which does not return.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_BACKEND_H
#define TILECC_TARGETS_BACKEND_H

#include "compile/Kernel.h"
#include "compile/Variants.h"
#include "lowering/gpu/GpuTarget.h"
#include "targets/Assembler.h"
#include "targets/GpuFacts.h"
#include "targets/Resources.h"
#include "targets/Target.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>

namespace tilecc {

class TargetInfo;
class CompileObserver;

/// The forms of a kernel during compilation, in order. A back end that does not write object files stops at assembly;
/// for a GPU, the vendor's assembler makes the object file.
enum class Form { TTIR, TTGIR, LLVM, Assembly, Object };

/// Options that apply to the code for any target.
struct CodeOptions {
  FloatOptions floats;
  std::string libdevice; ///< the CUDA toolkit's libdevice.10.bc; empty if there is none
  /// For each target, by its name: the bitcode of the functions that kernels call in threads (tt.call_threads).
  std::map<std::string, std::string> threadCode;
  /// The runtime launches the kernels, so it can create tensor maps, which kernels take after their own arguments.
  /// Variants without assumptions do not take tensor maps, because other launchers may launch them.
  bool tensorMaps = false;
  bool checkReplicas = false; ///< PTX tells the emulator which threads hold copies, so that it can compare these
  bool profile = false; ///< kernels record when their scopes begin and end (tt.record)
  /// SIMT code launches the kernels. For each kernel, it uses a constant that describes the launch: <kernel>$launch.
  bool launchedByDevice = false;
  /// Kernels define their shared memory statically and take only their own parameters, because the launcher does not
  /// know how much shared memory they need, nor which parameters the compiler would add.
  bool staticShared = false;
  /// If set, CPU code has debug information. Its relative file names are relative to this directory.
  std::optional<std::string> cpuDebugFolder;
  /// CPU code is unoptimized, for debuggers.
  bool cpuUnoptimized = false;
  /// CPU code checks its accesses, and that their offsets do not overflow.
  bool cpuChecks = false;
  /// Print MLIR's reproducer for the pass with this number, including the IR before the pass, and end the process. This
  /// is used after the pass, or code that runs after it, has crashed (Attempt.h).
  std::optional<unsigned> reproducedPass;
  /// An observer of the IR during compilation (Observer.h); may be null. The code does not depend on it, with one
  /// exception: CPU code then has line information with inlined call sites, instead of what cpuDebugFolder requests.
  CompileObserver *observer = nullptr;
};

/// One variant of a kernel as LLVM IR.
struct LoweredVariant {
  std::unique_ptr<llvm::Module> module; ///< null if the back end cannot compile the kernel, for the reason `why`
  std::string why;
  Launch launch;
  std::vector<CpuFunction> cpuFunctions;
  /// Returns true if lowering for the given target would give the same module. Null if that is never the case.
  std::function<bool(const Target &)> isFor;
};

/// The attribute of kernels that a launch uses if it satisfies the assumptions of no other variant.
inline constexpr llvm::StringLiteral fallbackAttr = "tilecc-fallback";

/// Generates code for kernels, with the options that were given when it was created. Several threads use it at the same
/// time, for different kernels and targets.
class CodeGenerator {
public:
  virtual ~CodeGenerator() = default;

  /// Transforms the module of the variant, which is in TTIR or TTGIR, to `form`, which is TTIR or TTGIR too.
  virtual mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                        Form form) const = 0;

  /// Lowers the variant to LLVM IR, without optimizing it.
  virtual mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                                llvm::LLVMContext &context) const = 0;

  /// Compiles LLVM modules of one context to `form`, which is LLVM or a later form. `modules` are those of all kernels,
  /// or, if the form is separable, a single one. Fails if they call external functions that are missing.
  virtual llvm::Expected<std::string> emit(std::vector<std::unique_ptr<llvm::Module>> modules, const Target &target,
                                           Form form) const = 0;

  /// Returns true if each module can be compiled to `form` on its own. The modules are then compiled in parallel, and
  /// join() combines the results into one file.
  virtual bool isSeparable(const Target &, Form) const { return false; }
  /// Combines code that was compiled separately, in which no kernel is defined twice.
  virtual std::string join(llvm::ArrayRef<std::string>) const { llvm_unreachable("not separable"); }

  /// Returns assembly for `target`, made from the assembly of the same kernels for another target of the same
  /// generation.
  virtual std::string retarget(llvm::StringRef assembly, const Target &target) const = 0;
};

class GpuBackend;

/// The numbers with which the runtime identifies embedded code that CodeGenerator::emit() has returned.
struct EmbeddedImage {
  uint32_t kind, arch; ///< as in tilecc_image
  /// The section where the vendor's tools look for a bundle of all such images, in the format of
  /// clang-offload-bundler, and the name of the image in the bundle. Both are empty if there are no such tools.
  std::string bundleSection = {}, bundleEntry = {};
};

/// Static facts about a back end. There is one stateless object for each back end.
class Backend {
public:
  /// Returns true if `name` is the name of one of the back end's targets.
  virtual bool hasTarget(llvm::StringRef name) const = 0;
  /// Returns the targets that options can name, oldest first.
  virtual llvm::SmallVector<Target> listTargets() const = 0;
  /// Returns a list of all targets for messages: "sm_80, sm_86, ...".
  std::string describeTargets() const;
  virtual const GpuBackend *asGpu() const { return nullptr; }

  /// Returns true if assumptions about arguments (Variants.h) can improve the code.
  virtual bool usesVariants() const = 0;
  /// Returns true if variants also assume that strides are small (tt.at_most), for offsets that fit into 32 bits.
  virtual bool assumesSmallStrides() const { return false; }

  /// The order of targets; older ones come first. If targets belong to the same generation, code for one of them may
  /// also be valid for the others, so it is tried first.
  struct Rank {
    unsigned generation, member;
    auto operator<=>(const Rank &) const = default;
  };
  virtual Rank getRank(const Target &target) const = 0;

  /// Return the command that compiles a file of TTIR or TTGIR, or a file of LLVM IR, as this compilation does. Crash
  /// reports contain this command.
  virtual std::string commandForIR(const Target &target) const = 0;
  virtual std::string commandForLLVM(const Target &target) const = 0;

  /// Registers the LLVM code generators that the back end uses.
  virtual void initializeLLVM() const = 0;
  /// Registers the dialects that only the IR of this back end uses, and their translation to LLVM IR.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers the back end's passes and pipelines as options of tcc-opt.
  virtual void registerPasses() const = 0;
  virtual std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const = 0;

protected:
  ~Backend() = default;
};

/// Limits for the loops of a kernel, in one attempt of tritongpu-fit-stages.
struct LoopStages {
  int wanted = 3; ///< number of stages of loops that do not specify one
  int most = 3; ///< maximum number of stages of any loop
  bool hasMoreSlots = true; ///< tiles whose slots are not stages may have more than one slot
};

/// A back end for GPUs. Modules in the ttg dialect name their GPU by the attribute ttg.target.
class GpuBackend : public Backend {
public:
  const GpuBackend *asGpu() const final { return this; }

  /// Returns the value of --emit= that stops at the assembly of the back end's targets: "ptx".
  virtual llvm::StringRef getAssemblyName() const = 0;
  /// Returns the kind of image in which the code for `target` is embedded, in the last form that the code generator
  /// produces.
  virtual EmbeddedImage getEmbeddedImage(const Target &target) const = 0;

  /// Returns the assembler for what emit() returns, or null if emit() returns final code.
  virtual const Assembler *getAssembler() const { return nullptr; }
  /// Returns true if final code records the resources of its kernels.
  virtual bool recordsResources() const { return false; }
  /// Returns these resources. The result is empty if code records none.
  virtual std::vector<CodeResources> readResources(llvm::StringRef) const { return {}; }
  /// Returns the occupancy of a multiprocessor by blocks of `threads` threads, with `registers` per thread and
  /// `sharedBytes` of shared memory. Returns nothing if it is not known, or if `threads` is 0 because only the launch
  /// determines it.
  virtual std::optional<Occupancy> getOccupancy(const Target &, unsigned /*threads*/, unsigned /*registers*/,
                                                unsigned /*sharedBytes*/) const {
    return std::nullopt;
  }

  /// Returns the target for which machine code for the GPUs of `target` is compiled. For sm_90 it is sm_90a, which has
  /// all instructions of this GPU, because machine code runs on no other GPU anyway.
  virtual Target getCodeTarget(const Target &target) const { return target; }
  /// Returns the target whose assembly runs on the GPUs of `target` and on newer ones: sm_90 for sm_90a.
  virtual Target getPortableTarget(const Target &target) const { return target; }

  /// Returns the spelling of `target` in ttg.target: "cuda:90".
  virtual std::string spell(const Target &target) const = 0;
  /// Returns true if `spelling` has the form in which ttg.target names GPUs of this vendor, even if there is no such
  /// GPU.
  virtual bool spells(llvm::StringRef spelling) const = 0;
  /// Returns the facts about the GPU that `spelling` names; if there is none, returns null and sets `error` to the
  /// reason.
  virtual const GpuFacts *findFacts(llvm::StringRef spelling, std::string &error) const = 0;
  virtual const GpuFacts &getUsualFacts() const = 0;
  /// Returns the number by which source hints name the target's architecture: 900 (as in __CUDA_ARCH__).
  virtual unsigned getHintedArch(const Target &target) const = 0;

  /// Creates the interface that the patterns of lowering/gpu use. If there is no such GPU, returns null and sets
  /// `error` to the reason.
  virtual std::unique_ptr<TargetInfo> createTargetInfo(llvm::StringRef spelling, FloatOptions floats,
                                                       std::string &error) const = 0;
  /// Reports each call of a library function that the file `library` does not define with the types of the call. If
  /// `library` is empty, no function is defined.
  virtual mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp module, llvm::StringRef library) const = 0;
  /// Adds passes that allocate memories that only GPUs of this vendor have. They run on control-flow graphs, before
  /// shared memory is allocated.
  virtual void buildMemoryPasses(mlir::OpPassManager &) const {}
  /// Adds the passes that pipeline the loops of a module and determine its use of shared memory.
  virtual void buildLoopPasses(mlir::OpPassManager &passes, const LoopStages &stages) const = 0;
};

} // namespace tilecc

#endif // TILECC_TARGETS_BACKEND_H
