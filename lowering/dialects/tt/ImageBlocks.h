//===- ImageBlocks.h - descriptor loads whose rows are pixels -------------------------------------------*- C++ -*-===//
//
// An image load (im2col mode in the PTX ISA) reads a block whose rows are pixels. The verifiers and the lowering of
// tensor copies use this file.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
#define TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::tt {

/// Returns how many of the `numIndices` indices of a descriptor load are pixel offsets. An ordinary load has one index
/// for each axis of the block, and no offsets. An image load has one more index for each axis except the first and the
/// last; the rows of its block are pixels. They start at the pixel that the other indices specify, and continue row by
/// row through a box of the image, and then image by image. Each pixel is displaced by the offsets, and reads as zero
/// if the displaced pixel is outside the image. Only blocks with a layout in shared memory can be loaded in this way.
inline size_t countOffsets(TensorDescType descriptor, size_t numIndices) {
  mlir::RankedTensorType block = descriptor.getBlockType();
  size_t rank = block.getRank();
  return block.getEncoding() && rank > 2 && numIndices == 2 * rank - 2 ? rank - 2 : 0;
}

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
