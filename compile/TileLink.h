//===- TileLink.h - the device link of tile code -----------------------------------------------------------*- C++ -*-//
//
// Takes the units of objects (TileUnit.h) as a linker takes objects: every object whole, a member of an archive if it
// has kernels, or defines what is called and not defined yet. What kernels call is inlined into them: tiles have no calling
// convention.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILELINK_H
#define TILECC_COMPILE_TILELINK_H

#include "compile/TileUnit.h"

namespace tilecc {

struct LinkedObject {
  std::string name; ///< of the file; of a member, with its archive's
  bool isMember = false;
  TileUnit unit;
};

/// The kernels of all objects, in which nothing is left to link. Nothing after a diagnostic. All units are of `context`.
std::optional<TileUnit> linkTileCode(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

/// The kernels that SIMT code launches, to be compiled for that. Nothing after a diagnostic.
std::optional<TileUnit> linkLaunchedKernels(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_COMPILE_TILELINK_H
