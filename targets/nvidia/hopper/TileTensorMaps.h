//===- TileTensorMaps.h - tiles in memory as blocks of tensors --------------------------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// What a tensor map is made for: matrices in memory, a row behind the other.
struct Matrix {
  int64_t rows, columns; ///< of a tile
  int64_t boxRows;       ///< that one copy takes
  unsigned axisOfRows;   ///< of the tile as threads have it
  Stride distance;       ///< from row to row, in elements
  int64_t bytes;         ///< of an element
  ttg::MemDescType tile; ///< in shared memory, rows first
  TileMask mask;
  /// By axis of the tile: the number of its rows or columns that a limit without sign is; zero for none.
  llvm::SmallVector<Stride, 2> sizes = llvm::SmallVector<Stride, 2>(2);
  mlir::Value base = {}; ///< the argument where the map begins; null for address 0

  bool hasSizes() const {
    return llvm::any_of(sizes, [](const Stride &size) { return !size.isZero(); });
  }
};

/// What `pointers` point to where `mask` (or null) lets them, as a tile that lies as `tile` in shared memory. Nothing where no map
/// can do it, as where no row is 16-byte aligned.
std::optional<Matrix> getMatrix(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile,
                                const AxisInfoAnalysis &axisInfo);

/// A block of a tensor: the argument that is its map, and the block's first element.
struct TensorBlock {
  mlir::Value map;
  llvm::SmallVector<mlir::Value> indices;
  bool mayBeginOutside; ///< of a map that has nothing there (ttng.may_begin_outside)
};

/// The block that `pointers` point to. `getFirst` computes a tile's first element, or a scalar, where `builder` is: in a loop.
TensorBlock createTensorBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointers, const Matrix &matrix,
                              llvm::function_ref<mlir::Value(mlir::Value)> getFirst);

/// The argument of `func` that is the map which `map` describes (ttng.tensor_maps), of such blocks; a new one if there
/// is none.
mlir::Value getMapArgument(tt::FuncOp func, mlir::DictionaryAttr map, mlir::RankedTensorType block);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
