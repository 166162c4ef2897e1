//===- TileLink.h - the device link of tile code -----------------------------------------------------------*- C++ -*-//
//
// Combines the units of objects (TileUnit.h) as a linker does: it takes every object, and a member of an archive if the
// member has kernels or defines a function that is called but not yet defined. Functions that kernels call are inlined,
// because tiles have no calling convention.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILELINK_H
#define TILECC_COMPILE_TILELINK_H

#include "compile/TileUnit.h"

namespace tilecc {

struct LinkedObject {
  std::string name; ///< the file name; for a member, with the name of its archive
  bool isMember = false;
  TileUnit unit;
};

/// Returns the kernels of all objects, fully linked. Returns nothing after a diagnostic. All units belong to `context`.
std::optional<TileUnit> linkTileCode(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

/// Returns the kernels that SIMT code launches, prepared for these launches. Returns nothing after a diagnostic.
std::optional<TileUnit> linkLaunchedKernels(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_COMPILE_TILELINK_H
