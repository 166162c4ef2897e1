//===- ImageBlocks.h - descriptor loads whose rows are pixels -------------------------------------------*- C++ -*-===//
//
// Used by the verifiers and the lowering of tensor copies (PTX ISA, im2col mode).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
#define TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::tt {

/// Returns how many of the indices of a descriptor load are pixel offsets. If there are as many indices as the block
/// has axes, there are none. A load of images has one more index for each axis but the first and the last (PTX ISA,
/// im2col mode). The rows of its block are then pixels: starting at the pixel that the other indices name, row after
/// row of a box of the image, and image after image. Each pixel is displaced by the offsets, and reads as zero if that
/// is outside the image. Only blocks with a layout in shared memory have such loads.
inline size_t countOffsets(TensorDescType descriptor, size_t numIndices) {
  mlir::RankedTensorType block = descriptor.getBlockType();
  size_t rank = block.getRank();
  return block.getEncoding() && rank > 2 && numIndices == 2 * rank - 2 ? rank - 2 : 0;
}

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
