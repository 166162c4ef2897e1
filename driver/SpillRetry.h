//===- SpillRetry.h - more warps and registers for kernels that do not fit ---------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_SPILLRETRY_H
#define TILECC_DRIVER_SPILLRETRY_H

#include "driver/Images.h"

namespace tilecc {

/// A kernel, and what its threads spilled at first.
struct SpilledKernel {
  Kernel *kernel;
  ResourceRow worst;
};

/// Marks the kernels that spill registers, so that they get all there are, and more warps. Whose source, hints or command line
/// name a number of warps keep it.
std::vector<SpilledKernel> markSpilled(std::vector<Kernel> &kernels, llvm::ArrayRef<TargetFile> files);

/// Takes the marks from those that they did not help, and tells of more warps (-Rtile=warps). True if there are such.
bool unmarkUnhelped(Context &ctx, llvm::ArrayRef<SpilledKernel> spilled, llvm::ArrayRef<Kernel> kernels,
                   llvm::ArrayRef<TargetFile> files);

} // namespace tilecc

#endif // TILECC_DRIVER_SPILLRETRY_H
