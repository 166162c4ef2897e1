//===- TileLinkSteps.h - the steps that link tile code of several objects ----------------------------------*- C++ -*-//
//
//   objects --link (compile/TileLink.h)--> linked tile code --as a source--> object with images and descriptor
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TILELINKSTEPS_H
#define TILECC_DRIVER_TILELINKSTEPS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Cubins.h"
#include "llvm/Object/ObjectFile.h"

namespace tilecc {

/// Returns the steps that link the tile code of ctx.linkLine into the object `output`.
std::vector<Action> planTileLink(Context &ctx, const std::string &output);

/// Returns the steps that compile the tile kernels launched by SIMT code into relocatable code: one cubin for nvlink
/// for each of `files`, whose targets are given.
std::vector<Action> planLaunchedTiles(Context &ctx, std::vector<TargetFile> &files);

/// --tile-link: performs only the first step. Writes a file of linked tile code, with all kernels that wait for the
/// link or only those that SIMT code launches. Reports an error and returns false on failure.
bool linkTiles(Context &ctx, bool launched, llvm::StringRef output);

/// The tile code in an object's sections.
struct TileCode {
  bool any = false;
  bool launches = false; ///< SIMT code launches tile kernels
};
TileCode findTileCode(const llvm::object::ObjectFile &object);

} // namespace tilecc

#endif // TILECC_DRIVER_TILELINKSTEPS_H
