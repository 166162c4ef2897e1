//===- OwnTensorMaps.h - tensor maps that a kernel creates itself ---------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H

#include "compile/Kernel.h"

namespace tilecc {

/// Removes the parameters of the kernel `symbol` that are tensor maps, and makes its blocks look up or create these
/// maps. Maps of images are not supported.
void makeOwnTensorMaps(llvm::Module &module, llvm::StringRef symbol, Launch &launch);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H
