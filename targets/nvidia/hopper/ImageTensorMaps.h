//===- ImageTensorMaps.h - tiles in memory as pixels of images ------------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H

#include "lowering/analysis/DigitForms.h"
#include "lowering/dialects/ttng/TTNG.h"
#include <memory>

namespace tilecc::pipeline {

/// The pixels that a tile's rows are: row after row of an image, and image after image, each with the channels that are
/// its columns.
struct Image {
  /// An axis between the channels and the number of the image, the fastest first.
  struct Axis {
    digits::Sum step;   ///< from pixel to pixel
    digits::Sum lower;  ///< where the first pixel is; a launch knows it
    digits::Sum offset; ///< of all pixels, from there; not negative
    digits::Variable digit;
  };
  int64_t rows, columns; ///< of a tile
  unsigned axisOfRows;   ///< of the tile as threads have it
  ttg::MemDescType tile; ///< in shared memory, rows first
  mlir::BlockArgument base;
  std::vector<Axis> axes;
  digits::Sum channel; ///< the first of the tile
  digits::Variable last;
  digits::Sum lastOffset; ///< added to the last digit
  /// The tile is zeros unless each of them is negative.
  std::vector<digits::Sum> negatives;
  llvm::SmallVector<mlir::Value> conditions; ///< scalars; the same for those
  bool offsetsAreMasked = false;             ///< where it is zeros, offsets may be numbers that are none
  std::vector<LaunchCode> code;              ///< what describes the map, as in tilecc_tensor_map
  std::shared_ptr<digits::Forms> forms;

  /// Scalars from which coordinates are computed.
  llvm::SmallVector<mlir::Value> getInputs() const;
};

/// What `pointers` point to where `mask` (or null) lets them, as a tile that lies as `tile` in shared memory. Nothing
/// if these are no pixels of an image, or no map can describe them whatever the arguments are.
std::optional<Image> getImage(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile);

/// The argument that is the image's map, and the coordinates and offsets of a tile, computed where `builder` is.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> createImageTile(mlir::OpBuilder &builder, mlir::Location loc,
                                                                       const Image &image);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
