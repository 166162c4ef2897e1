//===- DeviceLink.h - links relocatable device code --------------------------------------------------------*- C++ -*-//
//
// With -rdc=true an object holds device code that may refer to other objects. The format is nvcc's, so objects of both
// compilers link with each other. For each architecture, the device link runs nvlink to make one cubin. It then makes
// an object that registers these cubins with CUDA's runtime, as each of the linked objects expects:
//
//   objects --nvlink--> cubins --fatbinary--> fatbinary --> registration object
//
// Tile code is linked separately (TileLink.h); the resulting object holds both.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DEVICELINK_H
#define TILECC_DRIVER_DEVICELINK_H

#include "driver/Actions.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// Returns true if objects on the link line refer to a registration object that is not among them. In a dry run the
/// intermediate objects do not exist, so the answer comes from their sources.
bool needsDeviceLink(Context &ctx);

/// Returns the steps that link the device code of ctx.linkLine into the object `output`. Reports an error and returns
/// no steps on failure.
std::vector<Action> planDeviceLink(Context &ctx, llvm::StringRef output);

/// --host-link: returns the steps of the host link command, with the object of the device link if the inputs need one.
std::vector<Action> planHostLink(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_DEVICELINK_H
