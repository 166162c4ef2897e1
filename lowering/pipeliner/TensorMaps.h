//===- TensorMaps.h - copies by the tensor memory accelerator from pointers -------------------------------*- C++ -*-----===//
//
// A tensor map describes a tensor, and a copy names a block of it by coordinates. Pointers are no tensor of known sizes; but an
// address is a coordinate, too: in a map that begins at address 0, with an axis of 2^31 steps of 16 bytes and one of steps of
// 2^35 bytes beside the rows and columns of a tile, every tile of one shape and one distance between its rows is a block. So one
// map does for all tensors of a kernel, whatever their addresses and sizes; what it depends on is the distance of rows alone,
// a constant or an argument of the kernel. A launch makes the maps and passes them behind the kernel's own arguments.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_TENSORMAPS_H
#define TILECC_LOWERING_PIPELINER_TENSORMAPS_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttg/TTG.h"

namespace tilecc::pipeline {

/// What a map is made for: matrices in memory, a row behind the other.
struct TensorMapShape {
  int64_t rows, columns; ///< of a tile
  Stride distance;       ///< from row to row, in elements
  ttg::MemDescType rowMajor; ///< the tile in shared memory, rows first
};

/// That of a load into `tile`; nothing where no map can do it: elements are masked off, or no row is 16-byte aligned.
std::optional<TensorMapShape> getTensorMapShape(tt::LoadOp load, ttg::MemDescType tile, const AxisInfoAnalysis &axisInfo);

/// The argument of `func` that is such a map; a new one if there is none.
mlir::Value getTensorMap(tt::FuncOp func, const TensorMapShape &shape);

/// Has the tile that begins at `first` copied, and its bytes counted at `barrier`.
void createTensorMapCopy(mlir::OpBuilder &builder, tt::LoadOp load, const TensorMapShape &shape, mlir::Value map,
                         mlir::Value first, mlir::Value tile, mlir::Value barrier);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_TENSORMAPS_H
