//===-- CpuLowering.h - TTIR to native code -------------------------------------------------------------*- C++ -*-===//
//
// For each instruction set level, a kernel becomes one function of type tilecc_cpu_fn (runtime/include/tilecc/abi.h).
// All functions are in one LLVM module, and so in one object file. KernelEmitter.h explains how their code is
// generated.
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
  /// The target triple. If it is empty, code is for the machine on which this compiler runs.
  std::string triple;
  /// Compile only this level. If it is unset, all levels of the target are compiled.
  std::optional<unsigned> onlyLevel;
  /// The prefix of function names, which precedes ".cpu.v3". If it is empty, the prefix is the name of the kernel.
  std::string symbolPrefix;
  /// Contract multiplications and additions to FMAs if the processor has them.
  bool fmad = true;
  /// Emit lines and variables for debuggers, with file names relative to this folder. If it is unset, there is no debug
  /// information.
  std::optional<std::string> debugFolder;
  /// Emit only lines, with the call sites of inlined functions, for profilers and disassemblers. This does not change
  /// the code. It takes precedence over debugFolder.
  bool linesAlone = false;
  /// Generate unoptimized code for debuggers, which follows the source line by line and keeps variables in memory.
  bool unoptimized = false;
  /// Before each access, check that it is inside its allocation, and that its offset has not overflowed.
  bool checkAccesses = false;
  /// Do not run LLVM's passes, for tests that read the LLVM IR as it was emitted.
  bool skipLLVMPasses = false;
};

/// One function in the module. It becomes a row of the kernel's tilecc_cpu_entry table.
struct CpuKernel {
  std::string symbol;
  unsigned level;
  unsigned programs; ///< the number of programs, adjacent along x, that one call runs
  uint64_t scratchBytes;
};

/// Registers LLVM's code generators for all architectures in the table of levels. Thread-safe; may be called
/// repeatedly.
void initializeLLVM();

/// Compiles the only kernel of `ttir` (tensors without encodings; see the documentation of the tt dialect) into `dest`.
/// Each level of the target gets a function with external linkage and hidden visibility. Some kernels get two
/// functions, the first of which runs two programs side by side. `dest` may already contain other kernels; if it has no
/// triple and data layout, they are set. `ttir` is not changed. Returns the functions, best level first, or fails after
/// a diagnostic at the operation that cannot be compiled.
mlir::FailureOr<std::vector<CpuKernel>> lowerToCpu(mlir::ModuleOp ttir, const CpuOptions &options, llvm::Module &dest);

/// Writes the module as an object file (position independent, one section per function). The code generator always
/// optimizes, so that kernels are not slow in a debug build of the host code.
llvm::Error emitObject(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

/// Writes the module as assembly text.
llvm::Error emitAssembly(llvm::Module &module, const CpuOptions &options, llvm::raw_pwrite_stream &out);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CPULOWERING_H
