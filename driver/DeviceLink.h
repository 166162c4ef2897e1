//===- DeviceLink.h - linking relocatable device code -----------------------------------------------------------*- C++ -*-//
//
// With -rdc=true an object holds device code that may refer to other objects', in nvcc's format: objects of both
// compilers link with each other. The device link makes one cubin for each architecture of them, by nvlink, and an
// object that registers these with CUDA's runtime, as each of the objects expects:
//
//   objects --nvlink--> cubins --fatbinary--> fatbinary --> registration object
//
// Tile code of objects is linked beside it (TileLink.h), and the object then has both.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DEVICELINK_H
#define TILECC_DRIVER_DEVICELINK_H

#include "driver/Actions.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// Whether the objects of the link line refer to a registration object that is not among them. Not known of a dry run's
/// intermediate objects: then their sources say it.
bool needsDeviceLink(Context &ctx);

/// What links the device code of ctx.linkLine into the object `output`. Empty after an Error.
std::vector<Action> planDeviceLink(Context &ctx, llvm::StringRef output);

/// --host-link: the command behind it, with the object of the device link if its objects need one.
std::vector<Action> planHostLink(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_DEVICELINK_H
