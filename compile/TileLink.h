//===- TileLink.h - the device link of tile code -----------------------------------------------------------*- C++ -*-//
//
// Combines the units of objects (TileUnit.h) as a linker does: every object is taken, and a member of an archive is
// taken if it has kernels or defines a function that is called but not defined yet. Functions that kernels call are
// inlined, because tiles have no calling convention.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILELINK_H
#define TILECC_COMPILE_TILELINK_H

#include "compile/TileUnit.h"

namespace tilecc {

struct LinkedObject {
  std::string name; ///< of the file; for a member, including the archive's
  bool isMember = false;
  TileUnit unit;
};

/// Returns the kernels of all objects, fully linked. Returns nothing after a diagnostic. All units belong to `context`.
std::optional<TileUnit> linkTileCode(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

/// Returns the kernels that SIMT code launches, to be compiled for that. Returns nothing after a diagnostic.
std::optional<TileUnit> linkLaunchedKernels(std::vector<LinkedObject> objects, mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_COMPILE_TILELINK_H
