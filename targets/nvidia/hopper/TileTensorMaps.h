//===- TileTensorMaps.h - expresses tiles of pointers as blocks of tensor maps --------------------------*- C++ -*-===//
//
// Used by UseTensorMaps.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// On a kernel that makes its tensor maps itself (OwnTensorMaps.h): false if only accesses that would otherwise be
/// narrow justify a map.
inline constexpr llvm::StringLiteral makesMapsAttr = "ttng.makes_maps";

/// The parameters of a tensor map: matrices in memory with a fixed distance between rows.
struct Matrix {
  int64_t rows, columns; ///< of a tile
  int64_t boxRows; ///< rows of one copy
  unsigned axisOfRows; ///< of the register tile
  Stride distance; ///< from row to row, in elements
  int64_t bytes; ///< of an element
  ttg::MemDescType tile; ///< in shared memory, rows first
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
  bool mayBeginOutside; ///< the map has no valid memory there (ttng.may_begin_outside)
};

/// Creates the block that `pointers` access. `getFirst` computes the first element of a tile, or a scalar, at the
/// position of `builder`, in a loop.
TensorBlock createTensorBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointers, const Matrix &matrix,
                              llvm::function_ref<mlir::Value(mlir::Value)> getFirst);

/// Returns the argument of `func` that is the map described by `map` (ttng.tensor_maps), for such blocks; creates one
/// if there is none.
mlir::Value getMapArgument(tt::FuncOp func, mlir::DictionaryAttr map, mlir::RankedTensorType block);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TILETENSORMAPS_H
