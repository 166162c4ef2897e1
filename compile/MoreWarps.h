//===- MoreWarps.h - compiles kernels that spill again with more warps ----------------------------------*- C++ -*-===//
//
// The number of warps that a kernel needs is estimated from its tiles (Warps.h). If an assembler makes the code, only
// the assembler knows whether a kernel spills registers, and builder/SpillRetry.h compiles the kernel again. Other back
// ends make the code themselves, and the code records the spills (GpuBackend::readResources). For their targets, this
// is done within compile(), so that the driver and libtilecc need no steps for it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_MOREWARPS_H
#define TILECC_COMPILE_MOREWARPS_H

#include "compile/Compile.h"

namespace tilecc {

/// A few spilled registers cost less than doubling the warps may cost. With more than 8 warps, a thread has fewer
/// registers than it could use.
inline constexpr unsigned toleratedSpillBytes = 64; ///< of a thread
inline constexpr int maxWarpsAfterSpills = 8;

/// Compiles the kernels by `compileOnce`. If a kernel spills on a target whose code records it, and its number of warps
/// was not specified, compiles the kernels again, with twice as many warps for this kernel and this target. If that
/// does not reduce the spills, the first number is kept. A larger number stays in the kernel as a hint for the target,
/// so that the kernel is compiled in the same way from then on.
std::optional<std::vector<TargetCode>>
compileWithMoreWarps(std::vector<Kernel> &kernels, const CompileOptions &options,
                     llvm::function_ref<std::optional<std::vector<TargetCode>>(const CompileOptions &)> compileOnce);

} // namespace tilecc

#endif // TILECC_COMPILE_MOREWARPS_H
