//===- Backend.h - what a vendor's compiler does -----------------------------------------------------------*- C++ -*-//
//
// A back end takes one variant of a kernel through its passes to LLVM IR, and the LLVM IR of all kernels to code. It
// keeps nothing between calls: kernels and targets are compiled side by side.
//
// A user's mistake is a diagnostic at its place and a failure. A bug of the compiler does not return: it is reported to
// LLVM's handler of fatal errors.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_BACKEND_H
#define TILECC_COMPILE_BACKEND_H

#include "compile/Kernel.h"
#include "compile/Target.h"
#include "compile/Variants.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace tilecc {

/// How far kernels are taken, in order. A back end that has no objects of its own (a GPU's are made by its assembler)
/// stops at assembly.
enum class Form { TTIR, TTGIR, LLVM, Assembly, Object };

/// How kernels compute, for every target.
struct CodeOptions {
  FloatOptions floats;
  std::string libdevice; ///< the CUDA toolkit's libdevice.10.bc; empty: there is none
  /// The launch makes tensor maps, which kernels take behind their own arguments: it is the runtime's. Not for variants that
  /// demand nothing, which others launch, too.
  bool tensorMaps = false;
  bool checkReplicas = false; ///< PTX has the emulator compare what several threads hold copies of
  /// Kernels are launched by SIMT code, which reads how from a constant that comes with each: <kernel>$launch.
  bool launchedByDevice = false;
  /// CPU code has debug information, in which relative names of files are relative to this folder. Unset: it has none.
  std::optional<std::string> cpuDebugFolder;
  /// CPU code is for debuggers alone.
  bool cpuUnoptimized = false;
  /// CPU code checks its accesses, and that their offsets do not overflow.
  bool cpuChecks = false;
  /// Print MLIR's reproducer of the pass of this number, with the IR that it gets, and end the process: what follows is
  /// what crashed (Attempt.h).
  std::optional<unsigned> reproducedPass;
};

/// What compile() must know of a target. What passes ask of a GPU is in lowering/nvidia/Architectures.h.
struct TargetFacts {
  bool usesVariants; ///< assumptions about arguments make other code
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

class Backend {
public:
  virtual ~Backend() = default;

  virtual TargetFacts facts(const Target &target) const = 0;

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

  /// Assembly for `target`, from that of the same kernels for another suffix of its architecture.
  virtual std::string retarget(llvm::StringRef assembly, const Target &target) const = 0;
};

std::unique_ptr<Backend> createNvidiaBackend(const CodeOptions &options);
std::unique_ptr<Backend> createCpuBackend(const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_COMPILE_BACKEND_H
