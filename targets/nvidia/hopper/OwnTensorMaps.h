//===- OwnTensorMaps.h - tensor maps that a kernel creates itself ---------------------------------------*- C++ -*-===//
//
// SIMT code and other launchers pass only a kernel's own arguments. Kernels for them cannot get tensor maps from the
// launch.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H

#include "compile/Kernel.h"

namespace tilecc {

/// Removes the parameters of the kernel `symbol` that are tensor maps. Its blocks then look up these maps in memory, or
/// create them there. Maps of images are not supported.
void makeOwnTensorMaps(llvm::Module &module, llvm::StringRef symbol, Launch &launch);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_HOPPER_OWNTENSORMAPS_H
