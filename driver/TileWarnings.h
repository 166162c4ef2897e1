//===- TileWarnings.h - warnings about kernels, and the options that control them --------------------------*- C++ -*-//
//
// Warnings that C++ compilers do not have are named -Wtile-<name>. All of them except -Wtile-offset are on by default.
// The options -Wno-tile-<name>, -Werror=tile-<name>, -Werror and -w work as for Clang's own warnings: the last option
// that mentions a warning wins.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TILEWARNINGS_H
#define TILECC_DRIVER_TILEWARNINGS_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "page/Remarks.h"

namespace tilecc {

enum class TileWarning {
  Spill, ///< tile-spill: a kernel spills registers to memory
  Ptxas, ///< tile-ptxas: ptxas reported another problem
  Cpu, ///< tile-cpu: a kernel has no code for the CPU
  Loop, ///< tile-loop: a loop's options have no effect
  View, ///< tile-view: an access through a view exceeds its tensor and has no mask
  Uninitialized, ///< tile-uninitialized: a tile is used before it has a value
  Size, ///< tile-size: a thread of a GPU would hold more of a tile than fits in its registers
  Offset, ///< tile-offset: a pointer offset is a product of 32-bit integers; off by default
};

/// Reports an error for each -Wtile-<name> and -Rtile=<what> whose name is unknown.
void checkTileWarnings(Context &ctx);

/// Prints the warning `text` at the kernel's line or, if the kernel has no source, after the name of `file`. Options
/// may disable the warning, or turn it into an error, which is then counted as an error.
void warnOfKernel(Context &ctx, TileWarning warning, const Kernel *kernel, llvm::StringRef file,
                  const llvm::Twine &text);

/// Returns true for -Wtile-spill=all, which reports spills of every variant of a kernel. By default, only the most
/// demanding variant is checked, because a launch uses it if it can.
bool looksAtAllVariants(const Context &ctx);

/// Implements -Rtile=warps: reports how many warps run a program, and why, if the kernel's source does not specify the
/// number.
void remarkOnWarps(Context &ctx, const Kernel &kernel);

/// Implements -Rtile=loops: reports which loops are split on GPUs so that most iterations need no mask.
void remarkOnLoops(Context &ctx, const Kernel &kernel);

/// Implements -Rtile=blocks: reports kernels whose blocks run several programs although the source does not request it.
/// Called for kernels that have been compiled.
void remarkOnBlocks(Context &ctx, const Kernel &kernel);

/// -Rtile=accesses, conversions, dots and pipelines, or their passes, and -Rtile-missed: reports how operations of the
/// variant that most launches use are compiled for GPUs. For kernels that have code.
void remarkOnOperations(Context &ctx, const Kernel &kernel, llvm::ArrayRef<Target> targets,
                        const page::RemarkCollector &collector);
/// Returns true if the options request any of these remarks.
bool wantsOperationRemarks(const Context &ctx);

/// Implements -ftile-record-file=: writes all of these remarks, for all variants, as YAML in the format of Clang's
/// optimization records. Returns false after it has reported an error.
bool writeTileRecord(Context &ctx, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<Target> targets,
                     const page::RemarkCollector &collector);

/// Warns about problems in a kernel or function that are visible in the front end's output: loops over tt::range that
/// are not counted loops, so that their options have no effect; unmasked accesses through views of cuda::tiles that
/// always exceed their tensors; tiles without a value; offsets that may overflow.
void warnOfSource(Context &ctx, mlir::ModuleOp module);

/// Warns about tiles that are too large for the registers of a GPU, in a kernel whose callees are all known.
void warnOfSizes(Context &ctx, const Kernel &kernel);

} // namespace tilecc

#endif // TILECC_DRIVER_TILEWARNINGS_H
