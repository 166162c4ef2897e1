//===- ImageTensorMaps.h - recognizes image tiles and copies them by tensor maps ------------------------*- C++ -*-===//
//
// UseTensorMaps.cpp replaces loads from images by these copies.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H

#include "lowering/analysis/DigitForms.h"
#include "lowering/dialects/ttng/TTNG.h"
#include <memory>

namespace tilecc::pipeline {

/// A tile whose rows are pixels, in the order of the images' rows and of the images, and whose columns are channels.
struct Image {
  /// An axis of an image, such as its columns or rows. `axes` lists the axis that varies fastest first.
  struct Axis {
    digits::Sum step; ///< the distance between pixels
    digits::Sum lower; ///< the position of the first pixel, known at launch
    digits::Sum offset; ///< the offset that is added to all pixels; not negative
    digits::Variable digit;
  };
  int64_t rows, columns; ///< the size of the tile
  unsigned axisOfRows; ///< the axis of the register tile along which its rows are numbered
  ttg::MemDescType tile; ///< the type of the tile in shared memory, rows first
  mlir::BlockArgument base;
  std::vector<Axis> axes;
  digits::Sum channel; ///< the first channel of the tile
  digits::Variable last;
  digits::Sum lastOffset; ///< added to the last digit
  /// The tile is zero unless all of these are negative.
  std::vector<digits::Sum> negatives;
  llvm::SmallVector<mlir::Value> conditions; ///< uniform conditions; the tile is zero unless all of these hold
  bool offsetsAreMasked = false; ///< offsets may be out of range if the tile is zero
  std::vector<LaunchCode> code; ///< the description of the map, as in tilecc_tensor_map
  std::shared_ptr<digits::Forms> forms;

  /// Returns the scalars from which coordinates are computed.
  llvm::SmallVector<mlir::Value> getInputs() const;
};

/// Recognizes the part of an image that `pointers` access under `mask` (may be null), for a tile that is laid out as
/// `tile` in shared memory. Returns nothing if the access is not part of an image, or if no map can describe it,
/// whatever the kernel's arguments are.
std::optional<Image> getImage(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile);

/// Returns the kernel argument that is the image's map, and the coordinates and offsets of a tile, which are computed
/// at the position of `builder`.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> createImageTile(mlir::OpBuilder &builder, mlir::Location loc,
                                                                       const Image &image);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
