//===- TileTensorMaps.h - expresses tiles of pointers as blocks of tensor maps --------------------------*- C++ -*-===//
//
// UseTensorMaps.cpp replaces accesses through tiles of pointers by tensor copies, if this file can express the tiles as
// blocks of a tensor map.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// An attribute of kernels that create their tensor maps themselves (OwnTensorMaps.h). If its value is false, a map is
/// used only for accesses that would otherwise be narrow.
inline constexpr llvm::StringLiteral makesMapsAttr = "ttng.makes_maps";

/// A tensor map and the tiles that are accessed through it. The map describes a matrix in memory whose rows have a
/// fixed distance.
struct Matrix {
  int64_t rows, columns; ///< the size of a tile
  int64_t boxRows; ///< the number of rows that one copy covers
  unsigned axisOfRows; ///< the axis of the register tile that numbers its rows
  Stride distance; ///< the distance between rows, in elements
  int64_t bytes; ///< the size of an element
  ttg::MemDescType tile; ///< the type of the tile in shared memory, rows first
  TileMask mask;
  /// For each axis of the tile: the number of rows or columns of the tensor, if the mask compares the index with an
  /// unsigned limit; otherwise zero.
  llvm::SmallVector<Stride, 2> sizes = llvm::SmallVector<Stride, 2>(2);
  mlir::Value base = {}; ///< the argument at which the map begins; null for address 0

  bool hasSizes() const {
    return llvm::any_of(sizes, [](const Stride &size) { return !size.isZero(); });
  }
};

/// Recognizes the matrix that `pointers` access under `mask` (may be null). The tile is laid out in shared memory as
/// `tile`. Returns nothing if no map can describe the matrix, for example because its rows are not aligned to 16 bytes.
std::optional<Matrix> getMatrix(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile,
                                const AxisInfoAnalysis &axisInfo);

/// A block of a tensor: the kernel argument that is the tensor's map, and the indices of the block's first element.
struct TensorBlock {
  mlir::Value map;
  llvm::SmallVector<mlir::Value> indices;
  bool mayBeginOutside; ///< the block may begin where the map has no valid memory (ttng.may_begin_outside)
};

/// Creates the block that `pointers` access, at the position of `builder`. `getFirst` returns a scalar as it is, or the
/// first element of a tile, for use at that position.
TensorBlock createTensorBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointers, const Matrix &matrix,
                              llvm::function_ref<mlir::Value(mlir::Value)> getFirst);

/// Returns the argument of `func` that is the tensor map described by `map` (ttng.tensor_maps), with blocks of type
/// `block`. If there is no such argument, adds one.
mlir::Value getMapArgument(tt::FuncOp func, mlir::DictionaryAttr map, mlir::RankedTensorType block);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
