//===- TileLink.h - the device link of tile code -----------------------------------------------------------*- C++ -*-//
//
// Combines the units of objects (TileUnit.h) in the way in which a linker combines objects. It takes every object, and
// a member of an archive if the member has kernels, or defines a function that is called but not yet defined. Functions
// that kernels call are inlined, because tiles have no calling convention.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILELINK_H
#define TILECC_COMPILE_TILELINK_H

#include "compile/TileUnit.h"

namespace tilecc {

struct LinkedObject {
  std::string name; ///< the name of the file; a member's name includes that of its archive
  bool isMember = false;
  TileUnit unit;
};

/// Links all objects, and returns their kernels. Returns nothing after a diagnostic. All units belong to `context`.
std::optional<TileUnit> linkTileCode(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

/// Returns the kernels that SIMT code launches, prepared for such launches. Returns nothing after a diagnostic.
std::optional<TileUnit> linkLaunchedKernels(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_COMPILE_TILELINK_H
