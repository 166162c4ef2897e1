//===- TileLink.h - the steps of tile code's device link ---------------------------------------------------*- C++ -*-//
//
//   objects --link (compile/TileLink.h)--> linked tile code --as of a source--> object with images and descriptor
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TILELINK_H
#define TILECC_DRIVER_TILELINK_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Images.h"
#include "llvm/Object/ObjectFile.h"

namespace tilecc {

/// What links the tile code of ctx.linkLine into the object `output`.
std::vector<Action> planTileLink(Context &ctx, const std::string &output);

/// What makes relocatable code of the tile kernels that SIMT code launches: the cubin of each of `files`, whose target
/// is given, for nvlink.
std::vector<Action> planLaunchedTiles(Context &ctx, std::vector<TargetFile> &files);

/// The first step alone, as --tile-link asks for it: a file of linked tile code, of all kernels that wait for the link,
/// or of those that SIMT code launches. False after an Error.
bool linkTiles(Context &ctx, bool launched, llvm::StringRef output);

/// What an object has in its sections.
struct TileCode {
  bool any = false;
  bool launches = false; ///< of tile kernels by SIMT code
};
TileCode findTileCode(const llvm::object::ObjectFile &object);

} // namespace tilecc

#endif // TILECC_DRIVER_TILELINK_H
