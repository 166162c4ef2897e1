//===- TileLayouts.h - describes the layouts of tiles and the operations that move tiles ----------------*- C++ -*-===//

#ifndef TILECC_PAGE_TILELAYOUTS_H
#define TILECC_PAGE_TILELAYOUTS_H

#include "page/Model.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilecc::page {

struct LayoutsAndMovements {
  std::vector<TileLayout> layouts;
  std::vector<Movement> movements;
};

/// Describes each tile type in TTGIR, and the operations that move tiles, without duplicates. `lines` are the text
/// lines of the operations, starting at 1.
LayoutsAndMovements findLayouts(mlir::ModuleOp module, mlir::AsmState &state, const mlir::AsmState::LocationMap &lines);

} // namespace tilecc::page

#endif // TILECC_PAGE_TILELAYOUTS_H
