//===- TileWarnings.h - warnings about kernels, and the options that control them -----------------------------*- C++ -*-//
//
// Warnings that no C++ compiler has are named -Wtile-<name> and, but for one, on by default: -Wno-tile-<name>, -Werror=tile-<name>,
// -Werror and -w mean what they mean for Clang's own. The last option that speaks of a warning decides.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TILEWARNINGS_H
#define TILECC_DRIVER_TILEWARNINGS_H

#include "compile/Kernel.h"
#include "driver/Context.h"

namespace tilecc {

enum class TileWarning {
  Spill, ///< tile-spill: registers of a kernel are kept in memory
  Ptxas, ///< tile-ptxas: what else ptxas found slow or strange
  Cpu,   ///< tile-cpu: a kernel has no code for the CPU
  Loop,  ///< tile-loop: a loop's options have no effect
  View,  ///< tile-view: an access through a view sticks out of its tensor, and has no mask
  Uninitialized, ///< tile-uninitialized: a tile is used that has no value
  Size,  ///< tile-size: threads of a GPU would hold more of a tile than they have registers
  Offset, ///< tile-offset: an offset of a pointer is a product of 32-bit integers; off by default
};

/// Reports options -Wtile-<name> and -Rtile=<what> that name nothing.
void checkTileWarnings(Context &ctx);

/// Prints `text` at the kernel's line, or, where the kernel has no source, after the name of `file`. As an error, which counts,
/// or not at all, if the options say so.
void warnOfKernel(Context &ctx, TileWarning warning, const Kernel *kernel, llvm::StringRef file,
                  const llvm::Twine &text);

/// With -Wtile-spill=all: of spills in every variant of a kernel. Else the variant counts that a launch takes if it can, the
/// most demanding one.
bool looksAtAllVariants(const Context &ctx);

/// -Rtile=warps: tells how many warps run a program, and why, where the kernel's source does not say it.
void remarkOnWarps(Context &ctx, const Kernel &kernel);

/// -Rtile=loops: tells which loops are split, for GPUs, so that most iterations need no mask.
void remarkOnLoops(Context &ctx, const Kernel &kernel);

/// -Rtile=blocks: tells of which kernels blocks run several programs, where the source does not say it. For kernels that have code.
void remarkOnBlocks(Context &ctx, const Kernel &kernel);

/// Warns of what a kernel or function shows as the front end has made it: loops over tt::range that are not counted, so that
/// their options have no effect; accesses through views of cuda::tiles that stick out of their tensors wherever they are, and
/// have no mask; tiles without a value; offsets that may overflow.
void warnOfSource(Context &ctx, mlir::ModuleOp module);

/// Warns of tiles that are too large for the registers of a GPU, in a kernel that has all it calls.
void warnOfSizes(Context &ctx, const Kernel &kernel);

} // namespace tilecc

#endif // TILECC_DRIVER_TILEWARNINGS_H
