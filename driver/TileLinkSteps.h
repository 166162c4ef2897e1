//===- TileLinkSteps.h - the steps that link tile code of several objects ----------------------------------*- C++ -*-//
//
// With -rdc=true, kernels may call functions of other sources. A link step combines them, and its result is compiled
// like a source:
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

/// Returns the steps that compile the tile kernels that SIMT code launches. Each is relocatable code for one of
/// `files`, whose targets are given: a cubin for nvlink.
std::vector<Action> planLaunchedTiles(Context &ctx, std::vector<TargetFile> &files);

/// Implements --tile-link, which performs only the first step. Writes a file of linked tile code, with all kernels that
/// wait for the link, or only those that SIMT code launches. Returns false after it has reported an error.
bool linkTiles(Context &ctx, bool launched, llvm::StringRef output);

/// Says which tile code the sections of an object contain.
struct TileCode {
  bool any = false;
  bool launches = false; ///< SIMT code launches tile kernels
};
TileCode findTileCode(const llvm::object::ObjectFile &object);

} // namespace tilecc

#endif // TILECC_DRIVER_TILELINKSTEPS_H
