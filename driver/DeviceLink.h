//===- DeviceLink.h - links relocatable device code --------------------------------------------------------*- C++ -*-//
//
// With -rdc=true, the device code in an object may refer to other objects. The format is nvcc's, so objects of both
// compilers can be linked together. For each architecture, the device link runs nvlink to make one cubin. It then makes
// an object that registers these cubins with CUDA's runtime, as each of the linked objects expects:
//
//   objects --nvlink--> cubins --fatbinary--> fatbinary --> registration object
//
// Tile code is linked separately (TileLink.h). The resulting object contains both kinds of code.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DEVICELINK_H
#define TILECC_DRIVER_DEVICELINK_H

#include "driver/Actions.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// Returns true if the objects on the link line refer to a registration object that is not among them. In a dry run,
/// the intermediate objects do not exist, so the answer is derived from their sources.
bool needsDeviceLink(Context &ctx);

/// Returns the steps that link the device code of ctx.linkLine into the object `output`. Reports an error and returns
/// no steps on failure.
std::vector<Action> planDeviceLink(Context &ctx, llvm::StringRef output);

/// Implements --host-link: returns the steps of the host link command, including the object of the device link if the
/// inputs need one.
std::vector<Action> planHostLink(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_DEVICELINK_H
