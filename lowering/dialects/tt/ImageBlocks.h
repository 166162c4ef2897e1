//===- ImageBlocks.h - loads by descriptors whose rows are pixels ---------------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
#define TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::tt {

/// How many of the indices of a load by a descriptor are offsets of pixels. There are none if there are as many indices
/// as the block has axes. A load of images has one more for each axis but the first and the last (PTX ISA, im2col
/// mode): the rows of its block are pixels, from the one that the other indices name, row after row of a box of the
/// image and image after image. Each is moved by the offsets, and zero if that is outside of the image. Only blocks
/// with a layout in shared memory have such loads.
inline size_t countOffsets(TensorDescType descriptor, size_t numIndices) {
  mlir::RankedTensorType block = descriptor.getBlockType();
  size_t rank = block.getRank();
  return block.getEncoding() && rank > 2 && numIndices == 2 * rank - 2 ? rank - 2 : 0;
}

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
