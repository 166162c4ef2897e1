//===- Backend.h - the interface to a vendor's compiler -------------------------------------------------*- C++ -*-===//
//
// A back end compiles one variant of a kernel to LLVM IR, and the LLVM IR of all kernels to code. Registry.cpp lists
// the back ends; code outside targets/ uses them through this interface only. From compile/, back ends use only
// descriptions of kernels (Kernel.h, Variants.h, Warps.h).
//
// A user's mistake is reported by a diagnostic at its location and by a failure. A bug of the compiler is reported to
// LLVM's fatal error handler, which does not return.
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

/// The stages of compilation, in order. A back end that does not write object files (those of a GPU are made by its
/// assembler) stops at assembly.
enum class Form { TTIR, TTGIR, LLVM, Assembly, Object };

/// Options for the code of all targets.
struct CodeOptions {
  FloatOptions floats;
  std::string libdevice; ///< the CUDA toolkit's libdevice.10.bc; empty if there is none
  /// Bitcode of the functions that kernels call in threads (tt.call_threads), by the target's name.
  std::map<std::string, std::string> threadCode;
  /// The runtime launches the kernels: it creates tensor maps, which kernels take after their own arguments. This does
  /// not apply to variants without assumptions, because other launchers may use them.
  bool tensorMaps = false;
  bool checkReplicas = false; ///< PTX lets the emulator compare copies that several threads hold
  bool profile = false; ///< kernels record when their scopes begin and end (tt.record)
  /// SIMT code launches the kernels, using a constant that describes the launch of each: <kernel>$launch.
  bool launchedByDevice = false;
  /// Kernels define their shared memory statically and take only their own parameters, because the launcher knows
  /// neither.
  bool staticShared = false;
  /// If set, CPU code has debug information, in which relative file names are relative to this directory.
  std::optional<std::string> cpuDebugFolder;
  /// CPU code is unoptimized, for debuggers.
  bool cpuUnoptimized = false;
  /// CPU code checks its accesses, and that their offsets do not overflow.
  bool cpuChecks = false;
  /// Print MLIR's reproducer for the pass with this number, including its input IR, and end the process. Used after
  /// that pass, or code after it, has crashed (Attempt.h).
  std::optional<unsigned> reproducedPass;
  /// Observes the IR during compilation (Observer.h); may be null. The code is the same, except that code for the CPU
  /// has line information through inlined functions instead of what cpuDebugFolder requests.
  CompileObserver *observer = nullptr;
};

/// One variant of a kernel as LLVM IR.
struct LoweredVariant {
  std::unique_ptr<llvm::Module> module; ///< null if the back end cannot compile the kernel; `why` has the reason
  std::string why;
  Launch launch;
  std::vector<CpuFunction> cpuFunctions;
  /// Returns true if lowering for another target gives the same module. If null, it never does.
  std::function<bool(const Target &)> isFor;
};

/// The attribute of kernels that are launched if no variant with more assumptions can be.
inline constexpr llvm::StringLiteral fallbackAttr = "tilecc-fallback";

/// Generates code for kernels, with the options that it was created with. Kernels and targets are compiled in parallel.
class CodeGenerator {
public:
  virtual ~CodeGenerator() = default;

  /// Runs the variant's module, which is TTIR or TTGIR, to `form`, which is TTIR or TTGIR.
  virtual mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target,
                                        Form form) const = 0;

  /// Lowers to LLVM IR, which is not optimized yet.
  virtual mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                                llvm::LLVMContext &context) const = 0;

  /// Compiles modules of one LLVM context to `form`, which is at least LLVM: the modules of all kernels, or a single
  /// one if the form is separable. Fails if external functions are missing.
  virtual llvm::Expected<std::string> emit(std::vector<std::unique_ptr<llvm::Module>> modules, const Target &target,
                                           Form form) const = 0;

  /// Returns true if each module can be compiled to `form` separately. The modules are then compiled in parallel, and
  /// join() combines the results into one file.
  virtual bool isSeparable(const Target &, Form) const { return false; }
  /// Combines the code of separately compiled modules. No two of them define the same kernel.
  virtual std::string join(llvm::ArrayRef<std::string>) const { llvm_unreachable("not separable"); }

  /// Returns assembly for `target`, made from the assembly of the same kernels for another target of its generation.
  virtual std::string retarget(llvm::StringRef assembly, const Target &target) const = 0;
};

class GpuBackend;

/// The numbers by which the runtime identifies embedded code that CodeGenerator::emit() has returned.
struct EmbeddedImage {
  uint32_t kind, arch; ///< as in tilecc_image
};

/// Static facts about a back end. There is one stateless object for each.
class Backend {
public:
  /// Returns true if `name` is one of its targets.
  virtual bool hasTarget(llvm::StringRef name) const = 0;
  /// Returns the targets that an option can name, oldest first.
  virtual llvm::SmallVector<Target> listTargets() const = 0;
  /// Returns all targets for messages: "sm_80, sm_86, ...".
  std::string describeTargets() const;
  virtual const GpuBackend *asGpu() const { return nullptr; }

  /// Returns true if assumptions about arguments (Variants.h) lead to different code.
  virtual bool usesVariants() const = 0;

  /// The order of targets; older ones come first. Code for one target of a generation is tried for the others of that
  /// generation.
  struct Rank {
    unsigned generation, member;
    auto operator<=>(const Rank &) const = default;
  };
  virtual Rank getRank(const Target &target) const = 0;

  /// Return the command that compiles a file of TTIR or TTGIR, or of LLVM IR, in the same way. Crash reports contain
  /// it.
  virtual std::string commandForIR(const Target &target) const = 0;
  virtual std::string commandForLLVM(const Target &target) const = 0;

  /// Registers the LLVM code generators that it uses.
  virtual void initializeLLVM() const = 0;
  /// Registers the dialects that only its kernels' IR uses, with their translation to LLVM IR.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers its passes and pipelines as options of tcc-opt.
  virtual void registerPasses() const = 0;
  virtual std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const = 0;

protected:
  ~Backend() = default;
};

/// Limits for the loops of a kernel, in one attempt of tritongpu-fit-stages.
struct LoopStages {
  int wanted = 3; ///< the stages of loops that do not specify a number
  int most = 3; ///< the limit for any loop
  bool hasMoreSlots = true; ///< buffers in shared memory whose slots are not stages may have more than one slot
};

/// A back end for GPUs. Modules in the ttg dialect name their GPU by the attribute ttg.target.
class GpuBackend : public Backend {
public:
  const GpuBackend *asGpu() const final { return this; }

  /// Returns the value of --emit= that stops at assembly of its targets: "ptx".
  virtual llvm::StringRef getAssemblyName() const = 0;
  /// Returns the kind of image of the code for `target`, in the last form that its code generator produces.
  virtual EmbeddedImage getEmbeddedImage(const Target &target) const = 0;

  /// Returns the assembler for the code that emit() returns, or null if that code is final.
  virtual const Assembler *getAssembler() const { return nullptr; }
  /// Returns true if final code records the resources of its kernels.
  virtual bool recordsResources() const { return false; }
  /// Returns these resources. The result is empty if code records none.
  virtual std::vector<CodeResources> readResources(llvm::StringRef) const { return {}; }
  /// Returns the occupancy of blocks of `threads` with `registers` per thread and `sharedBytes` of shared memory.
  /// Returns nothing if it is not known, or if `threads` is 0 because only the launch determines it.
  virtual std::optional<Occupancy> getOccupancy(const Target &, unsigned /*threads*/, unsigned /*registers*/,
                                                unsigned /*sharedBytes*/) const {
    return std::nullopt;
  }

  /// Returns the target of machine code for the GPUs of `target`: sm_90a for sm_90, because machine code runs only on
  /// that GPU in any case.
  virtual Target getCodeTarget(const Target &target) const { return target; }
  /// Returns the target of assembly for the GPUs of `target` and for newer ones: sm_90 for sm_90a.
  virtual Target getPortableTarget(const Target &target) const { return target; }

  /// Returns the spelling of `target` in ttg.target: "cuda:90".
  virtual std::string spell(const Target &target) const = 0;
  /// Returns true if `spelling` has the form in which ttg.target names this vendor's GPUs, whether or not there is such
  /// a GPU.
  virtual bool spells(llvm::StringRef spelling) const = 0;
  /// Returns null, with the reason in `error`, if there is no such GPU.
  virtual const GpuFacts *findFacts(llvm::StringRef spelling, std::string &error) const = 0;
  virtual const GpuFacts &getUsualFacts() const = 0;
  /// Returns the number that names the target's architecture in source hints: 900 (as __CUDA_ARCH__).
  virtual unsigned getHintedArch(const Target &target) const = 0;

  /// Creates the interface for the patterns of lowering/gpu; null, with the reason in `error`, if there is no such GPU.
  virtual std::unique_ptr<TargetInfo> createTargetInfo(llvm::StringRef spelling, FloatOptions floats,
                                                       std::string &error) const = 0;
  /// Reports each call of a function that the file `library` does not have with these types. If `library` is empty,
  /// there is no such file.
  virtual mlir::LogicalResult checkLibraryCalls(mlir::ModuleOp module, llvm::StringRef library) const = 0;
  /// Adds passes that allocate memories that only this vendor's GPUs have. They run on control-flow graphs, before
  /// shared memory is allocated.
  virtual void buildMemoryPasses(mlir::OpPassManager &) const {}
  /// Adds passes that pipeline the loops of a module and settle its use of shared memory.
  virtual void buildLoopPasses(mlir::OpPassManager &passes, const LoopStages &stages) const = 0;
};

} // namespace tilecc

#endif // TILECC_TARGETS_BACKEND_H
