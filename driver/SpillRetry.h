//===- SpillRetry.h - more warps for kernels that do not fit into registers ---------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_SPILLRETRY_H
#define TILECC_DRIVER_SPILLRETRY_H

#include "driver/Images.h"

namespace tilecc {

/// A kernel, and what its threads spilled before it got more warps.
struct SpilledKernel {
  Kernel *kernel;
  ResourceRow worst;
};

/// Marks the kernels that spill registers with the warps which were chosen for them, so that they get more. Whose source, hints
/// or command line name a number keep it.
std::vector<SpilledKernel> giveMoreWarps(std::vector<Kernel> &kernels, llvm::ArrayRef<TargetFile> files);

/// Takes the mark from those that more warps did not help, and tells of the others (-Rtile=warps). True if there are such.
bool takeWarpsBack(Context &ctx, llvm::ArrayRef<SpilledKernel> spilled, llvm::ArrayRef<Kernel> kernels,
                   llvm::ArrayRef<TargetFile> files);

} // namespace tilecc

#endif // TILECC_DRIVER_SPILLRETRY_H
