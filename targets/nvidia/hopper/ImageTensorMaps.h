//===- ImageTensorMaps.h - recognizes image tiles and copies them by tensor maps ------------------------*- C++ -*-===//
//
// Used by UseTensorMaps.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H

#include "lowering/analysis/DigitForms.h"
#include "lowering/dialects/ttng/TTNG.h"
#include <memory>

namespace tilecc::pipeline {

/// A tile whose rows are pixels, row after row of an image and image after image, and whose columns are channels.
struct Image {
  /// An axis between the channels and the image number, the fastest first.
  struct Axis {
    digits::Sum step; ///< from pixel to pixel
    digits::Sum lower; ///< position of the first pixel; the launch knows it
    digits::Sum offset; ///< of all pixels relative to it; not negative
    digits::Variable digit;
  };
  int64_t rows, columns; ///< of a tile
  unsigned axisOfRows; ///< of the register tile
  ttg::MemDescType tile; ///< in shared memory, rows first
  mlir::BlockArgument base;
  std::vector<Axis> axes;
  digits::Sum channel; ///< the first channel of the tile
  digits::Variable last;
  digits::Sum lastOffset; ///< added to the last digit
  /// The tile is zero unless all of these are negative.
  std::vector<digits::Sum> negatives;
  llvm::SmallVector<mlir::Value> conditions; ///< uniform conditions for the same
  bool offsetsAreMasked = false; ///< where the tile is zero, offsets may be out of range
  std::vector<LaunchCode> code; ///< the description of the map, as in tilecc_tensor_map
  std::shared_ptr<digits::Forms> forms;

  /// Returns the scalars from which coordinates are computed.
  llvm::SmallVector<mlir::Value> getInputs() const;
};

/// Recognizes what `pointers` access under `mask` (may be null), for a tile that is laid out as `tile` in shared
/// memory. Returns nothing if it is not part of an image, or if no map can describe it for any arguments.
std::optional<Image> getImage(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile);

/// Returns the argument that is the image's map, and the coordinates and offsets of a tile, computed at the position of
/// `builder`.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> createImageTile(mlir::OpBuilder &builder, mlir::Location loc,
                                                                       const Image &image);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
