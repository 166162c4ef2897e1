//===-- CpuLowering.h - TTIR to native code -------------------------------------------------------------*- C++ -*-===//
//
// A kernel becomes one function of type tilecc_cpu_fn (runtime/include/tilecc/abi.h) per instruction set level, all in
// one LLVM module and so in one object. KernelEmitter.h explains how the code is generated.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_CPULOWERING_H
#define TILECC_TARGETS_CPU_CPULOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace tilecc::cpu {

struct CpuOptions {
  /// The target triple. If empty, code is for the machine on which this compiler runs.
  std::string triple;
  /// Compile only this level. If unset, compile all levels of the target.
  std::optional<unsigned> onlyLevel;
  /// The prefix of function names, before ".cpu.v3". If empty, it is the kernel's own name.
  std::string symbolPrefix;
  /// Contract multiplications and additions to FMAs if the processor has them.
  bool fmad = true;
  /// Emit lines and variables for debuggers. Relative file names are relative to this folder. If unset, emit no debug
  /// information.
  std::optional<std::string> debugFolder;
  /// Emit only lines, with the call sites of inlined functions, for profilers and disassemblers. The code is the same
  /// as without. Takes precedence over debugFolder.
  bool linesAlone = false;
  /// Generate unoptimized code that follows the source line by line, with variables in memory, for debuggers.
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
  unsigned programs; ///< the number that one call runs, adjacent along x
  uint64_t scratchBytes;
};

/// Registers LLVM's code generators of all architectures in the table of levels. Thread-safe; may be called repeatedly.
void initializeLLVM();

/// Compiles the only kernel of `ttir` (tensors without encodings; see the dialect's documentation) into `dest`. Each
/// level of the target gets a function with external linkage and hidden visibility, or two, the first of which runs two
/// programs side by side. `dest` may already hold other kernels; its triple and data layout are set if it has none.
/// `ttir` is not changed. Returns the functions, best level first. Fails after a diagnostic at the operation that
/// cannot be compiled.
mlir::FailureOr<std::vector<CpuKernel>> lowerToCpu(mlir::ModuleOp ttir, const CpuOptions &options, llvm::Module &dest);

/// Writes the object file (position independent, one section per function). Code generation always optimizes: a debug
/// build of the host code must not make kernels slow.
llvm::Error emitObject(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

/// Writes the same as assembly text.
llvm::Error emitAssembly(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CPULOWERING_H
