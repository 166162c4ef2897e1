//===- TileTensorMaps.h - expresses tiles of pointers as blocks of tensor maps --------------------------*- C++ -*-===//
//
// UseTensorMaps.cpp replaces accesses through such tiles by tensor copies.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// An attribute of kernels that create their tensor maps themselves (OwnTensorMaps.h). If it is false, only accesses
/// that would otherwise be narrow justify a map.
inline constexpr llvm::StringLiteral makesMapsAttr = "ttng.makes_maps";

/// The parameters of a tensor map: matrices in memory with a fixed distance between rows.
struct Matrix {
  int64_t rows, columns; ///< the size of a tile
  int64_t boxRows; ///< the number of rows of one copy
  unsigned axisOfRows; ///< the axis of the register tile along which its rows are numbered
  Stride distance; ///< the distance between rows, in elements
  int64_t bytes; ///< the size of an element
  ttg::MemDescType tile; ///< the type of the tile in shared memory, rows first
  TileMask mask;
  /// For each axis of the tile: the number of rows or columns of the tensor, if an unsigned limit determines it; zero
  /// otherwise.
  llvm::SmallVector<Stride, 2> sizes = llvm::SmallVector<Stride, 2>(2);
  mlir::Value base = {}; ///< the argument where the map begins; null for address 0

  bool hasSizes() const {
    return llvm::any_of(sizes, [](const Stride &size) { return !size.isZero(); });
  }
};

/// Recognizes the matrix that `pointers` access under `mask` (may be null), for a tile that is laid out as `tile` in
/// shared memory. Returns nothing if no map can describe it, for example because rows are not 16-byte aligned.
std::optional<Matrix> getMatrix(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile,
                                const AxisInfoAnalysis &axisInfo);

/// A block of a tensor: the argument that is the tensor's map, and the block's first element.
struct TensorBlock {
  mlir::Value map;
  llvm::SmallVector<mlir::Value> indices;
  bool mayBeginOutside; ///< true if the block may begin where the map has no valid memory (ttng.may_begin_outside)
};

/// Creates the block that `pointers` access. `getFirst` computes a scalar, or the first element of a tile, at the
/// position of `builder`.
TensorBlock createTensorBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointers, const Matrix &matrix,
                              llvm::function_ref<mlir::Value(mlir::Value)> getFirst);

/// Returns the argument of `func` that is the tensor map described by `map` (ttng.tensor_maps), with blocks of type
/// `block`; adds an argument if there is none.
mlir::Value getMapArgument(tt::FuncOp func, mlir::DictionaryAttr map, mlir::RankedTensorType block);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
