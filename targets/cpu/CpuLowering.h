// TTIR to native code: the CPU target.
//
// A kernel becomes one function of type tilecc_cpu_fn (runtime/include/tilecc/abi.h) per instruction set level, all in
// one LLVM module and so in one object. How the code comes about is told in KernelEmitter.h.
#ifndef TILECC_TARGETS_CPU_CPULOWERING_H
#define TILECC_TARGETS_CPU_CPULOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace tilecc::cpu {

struct CpuOptions {
  /// Empty: the machine this compiler runs on.
  std::string triple;
  /// Compile only this level; all levels of the target if unset.
  std::optional<unsigned> onlyLevel;
  /// Put in front of ".cpu.v3" to name the functions; empty: the kernel's own name.
  std::string symbolPrefix;
  /// Contract products and sums to one operation, where the processor has it.
  bool fmad = true;
  /// Lines and variables for debuggers; relative names of files are relative to this folder. Unset: none.
  std::optional<std::string> debugFolder;
  /// Lines, those of inlined functions with who called them, and nothing else: for readers of the code, which is the same
  /// as without. Takes precedence over debugFolder.
  bool linesAlone = false;
  /// Code that does what the source says line by line, with variables in memory: for debuggers alone.
  bool unoptimized = false;
  /// Before each access, check that it lies in its allocation and that its offset has not overflowed.
  bool checkAccesses = false;
  /// Leave the LLVM IR as emitted: no LLVM passes (for tests that read it).
  bool skipLLVMPasses = false;
};

/// One function in the module: a row of the kernel's tilecc_cpu_entry table.
struct CpuKernel {
  std::string symbol;
  unsigned level;
  unsigned programs; ///< that it runs, neighbours along x
  uint64_t scratchBytes;
};

/// Compiles the one kernel of `ttir` (tensors without encodings; see docs of the dialect) into `dest`: for each level
/// of the target a function with external linkage and hidden visibility, or two, of which the first runs two programs side by
/// side. `dest` may already hold other kernels; its
/// triple and data layout are set if it has none. `ttir` is not changed. Returns the functions, best level first;
/// failure after a diagnostic at the operation that cannot be compiled.
mlir::FailureOr<std::vector<CpuKernel>> lowerToCpu(mlir::ModuleOp ttir, const CpuOptions &options, llvm::Module &dest);

/// Writes the object file (position independent, a section per function). Code generation is always optimised: a
/// debug build of the host code must not make kernels slow.
llvm::Error emitObject(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

/// The same as assembly, to be read.
llvm::Error emitAssembly(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CPULOWERING_H
