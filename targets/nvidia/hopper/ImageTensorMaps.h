//===- ImageTensorMaps.h - recognizes image tiles and copies them by tensor maps ------------------------*- C++ -*-===//
//
// In a convolution, a tile of pointers selects pixels of an image. UseTensorMaps.cpp uses this file to replace such
// loads by copies through tensor maps of images (im2col mode).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
#define TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H

#include "lowering/analysis/DigitForms.h"
#include "lowering/dialects/ttng/TTNG.h"
#include <memory>

namespace tilecc::pipeline {

/// A tile whose rows are pixels and whose columns are channels. The pixels follow each other row by row and image by
/// image.
struct Image {
  /// An axis of an image, such as its columns or rows. `axes` lists the axis that varies fastest first.
  struct Axis {
    digits::Sum step; ///< the distance between pixels
    digits::Sum lower; ///< the position of the first pixel, which the launch knows
    digits::Sum offset; ///< an offset that is added to the position of all pixels; not negative
    digits::Variable digit;
  };
  int64_t rows, columns; ///< the size of the tile
  unsigned axisOfRows; ///< the axis of the register tile that numbers its rows
  ttg::MemDescType tile; ///< the type of the tile in shared memory, rows first
  mlir::BlockArgument base;
  std::vector<Axis> axes;
  digits::Sum channel; ///< the first channel of the tile
  digits::Variable last;
  digits::Sum lastOffset; ///< the offset that is added to the last digit
  /// Conditions of the form "this sum is negative". The tile is zero unless all of them hold.
  std::vector<digits::Sum> negatives;
  llvm::SmallVector<mlir::Value> conditions; ///< uniform conditions; the tile is zero unless all hold
  bool offsetsAreMasked = false; ///< offsets may be out of range where the tile is zero
  std::vector<LaunchCode> code; ///< computes the map at launch, as in tilecc_tensor_map
  std::shared_ptr<digits::Forms> forms;

  /// Returns the scalars from which the coordinates of the tile are computed.
  llvm::SmallVector<mlir::Value> getInputs() const;
};

/// Recognizes the part of an image that `pointers` access under `mask` (may be null). The tile is laid out in shared
/// memory as `tile`. Returns nothing if the access is not a part of an image, or if no map can describe it for any
/// arguments of the kernel.
std::optional<Image> getImage(mlir::Value pointers, mlir::Value mask, ttg::MemDescType tile);

/// Returns the kernel argument that is the image's tensor map, followed by the coordinates and offsets of a tile. They
/// are computed at the position of `builder`.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> createImageTile(mlir::OpBuilder &builder, mlir::Location loc,
                                                                       const Image &image);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_IMAGETENSORMAPS_H
